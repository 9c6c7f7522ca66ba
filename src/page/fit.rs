//! A tree whose text may not be longer than so many characters: what goes first, and the pages of all of it.
//!
//! Invariant: lines are left out whole, so what is written is still one node a line; the lines of all pages together
//! are those of the whole tree.

use std::ops::Range;

use super::layout::{Content, Layout, Line, PrintOptions, layout};
use super::lines::{write_content, write_line, write_quoted};
use super::tree::Tree;

/// Characters kept free at the top of a page for where it goes on.
const HEAD: usize = 160;

/// Below this, a page has no room to say where it goes on.
const ROOMY: usize = 800;

/// Longest name in the line that says where a page goes on.
const SHORT: usize = 60;

/// The most characters of a text, and how the rest is asked for.
#[derive(Clone, Copy)]
pub struct Room<'a> {
    pub most: usize,
    /// Writes the call that gives a page.
    pub more: &'a dyn Fn(usize) -> String,
}

impl std::fmt::Debug for Room<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Room").field("most", &self.most).finish_non_exhaustive()
    }
}

/// A tree, or a page of it, that was made to fit.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Fitted {
    pub text: String,
    /// Nodes and lines that are written.
    pub nodes: usize,
    pub lines: usize,
    /// Nodes with something to say that are not in the text, although they are in the tree that was asked for.
    pub left: usize,
    /// The first page with something that this text leaves out.
    pub next_page: Option<usize>,
    /// What was left out to make it fit, as words.
    pub degraded: Option<String>,
}

/// Writes a tree within a number of characters. What only adorns goes first, then what stands deep, and the end of
/// the page last. One line is always written, however long.
pub fn fit(tree: &Tree, options: &PrintOptions, room: Room<'_>) -> Fitted {
    let whole = layout(tree, options);
    let sizes = sizes(tree, &whole.lines, options.plain);
    if length(&sizes) <= room.most {
        return written(tree, &whole, options, Fitted { left: whole.cut, ..Fitted::default() });
    }
    let plain = PrintOptions { plain: true, ..*options };
    let bare = layout(tree, &plain);
    let adornment = adornment(count(&whole.lines).saturating_sub(count(&bare.lines)));
    let bare_sizes = self::sizes(tree, &bare.lines, true);
    if length(&bare_sizes) <= room.most {
        let fitted = Fitted { left: bare.cut, degraded: Some(adornment), ..Fitted::default() };
        return written(tree, &bare, &plain, fitted);
    }
    let next_page = |first: Option<u32>| {
        let at = whole.lines.iter().position(|line| line.node() == first && first.is_some());
        at.map(|at| 1 + pages(&sizes, room).iter().take_while(|page| page.end <= at).count())
    };
    if let Some((depth, shallow)) = shallow(tree, &plain, &bare.lines, &bare_sizes, room.most) {
        let written_nodes: Vec<u32> = shallow.lines.iter().filter_map(Line::node).collect();
        let mut known = written_nodes.iter().peekable();
        let first = bare.lines.iter().filter_map(Line::node).find(|node| known.next_if_eq(&node).is_none());
        let fitted = Fitted {
            left: shallow.cut,
            next_page: next_page(first),
            degraded: Some(format!(
                "{adornment}, and what stands deeper than {depth} level{}",
                if depth == 1 { "" } else { "s" }
            )),
            ..Fitted::default()
        };
        return written(tree, &shallow, &plain, fitted);
    }
    let end = pages(&bare_sizes, room).first().map_or(0, |page| page.end);
    let (shown, rest) = bare.lines.split_at_checked(end).unwrap_or((&bare.lines, &[]));
    let first = rest.iter().find_map(Line::node);
    let fitted = Fitted {
        left: bare.cut + count(rest),
        next_page: next_page(first),
        degraded: Some(format!("{adornment}, and the end of the page")),
        ..Fitted::default()
    };
    let shown = Layout { lines: shown.to_vec(), cut: bare.cut };
    let mut fitted = written(tree, &shown, &plain, fitted);
    tail(&mut fitted, count(rest), room);
    fitted
}

/// Writes one page of a tree; pages count from 1.
///
/// # Errors
/// How many pages there are, when this is none of them.
pub fn page(tree: &Tree, options: &PrintOptions, room: Room<'_>, number: usize) -> Result<Fitted, usize> {
    let whole = layout(tree, options);
    let pages = pages(&sizes(tree, &whole.lines, options.plain), room);
    let lines = |range: Option<&Range<usize>>| whole.lines.get(range?.clone());
    let at = number.checked_sub(1).and_then(|at| pages.get(at));
    let Some(shown) = lines(at) else { return Err(pages.len()) };
    let start = at.map_or(0, |range| range.start);
    let rest = count(whole.lines.get(start + shown.len()..).unwrap_or(&[]));
    let more = number < pages.len();
    let part = Layout { lines: shown.to_vec(), cut: whole.cut };
    let mut fitted = written(tree, &part, options, Fitted { left: whole.cut + rest, ..Fitted::default() });
    if number > 1 && room.most >= ROOMY {
        let head = head(tree, &whole.lines, start, number, pages.len());
        fitted.text.insert_str(0, &head);
        fitted.lines += 1;
    }
    if more {
        fitted.next_page = Some(number + 1);
        tail(&mut fitted, rest, room);
    }
    Ok(fitted)
}

fn written(tree: &Tree, layout: &Layout, options: &PrintOptions, fitted: Fitted) -> Fitted {
    Fitted {
        text: super::lines::write(tree, &layout.lines, options.plain),
        nodes: count(&layout.lines),
        lines: layout.lines.len(),
        ..fitted
    }
}

/// Says how many nodes are left and how to get them.
fn tail(fitted: &mut Fitted, left: usize, room: Room<'_>) {
    let Some(page) = fitted.next_page else { return };
    if !fitted.text.is_empty() {
        fitted.text.push('\n');
    }
    fitted.text.push_str(&remark(left, &(room.more)(page)));
    fitted.lines += 1;
}

fn remark(left: usize, call: &str) -> String {
    let nodes = if left == 1 { "node" } else { "nodes" };
    format!("[{left} more {nodes}: {call}]")
}

/// Says which page this is and what its first line stands in, by the nearest name.
fn head(tree: &Tree, lines: &[Line], start: usize, number: usize, of: usize) -> String {
    let mut depth = lines.get(start).map_or(0, |line| line.depth);
    let mut above: Option<&Line> = None;
    // A box without a name tells nobody the place, so a name further out is better.
    for line in lines.get(..start).unwrap_or(&[]).iter().rev() {
        if line.depth >= depth {
            continue;
        }
        depth = line.depth;
        let is_named = line.node().is_none_or(|at| tree.get(at).is_some_and(|node| !node.name.is_empty()));
        if is_named || above.is_none() {
            above = Some(line);
        }
        if is_named {
            break;
        }
    }
    let mut head = format!("[page {number} of {of}");
    match above.map(|line| &line.content) {
        Some(Content::Node(at)) => {
            if let Some(node) = tree.get(*at) {
                let name: String = node.name.chars().take(SHORT).collect();
                head.push_str(", inside ");
                head.push_str(node.role);
                head.push(' ');
                write_quoted(&name, &mut head);
                if let Some(reference) = node.reference {
                    head.push(' ');
                    head.push_str(&reference.to_string());
                }
            }
        }
        Some(note @ Content::Note(_)) => {
            let mut text = String::new();
            write_content(tree, note, false, &mut text);
            head.push_str(", inside ");
            head.push_str(text.trim_matches(['[', ']']));
        }
        None => {}
    }
    head.push_str("]\n");
    head
}

fn adornment(boxes: usize) -> String {
    let boxes = match boxes {
        0 => String::new(),
        1 => ", 1 box without a name".to_owned(),
        more => format!(", {more} boxes without a name"),
    };
    format!("addresses, types and placeholders{boxes}")
}

/// Returns the deepest cut that fits. None where so little would be left that the first lines in full say more.
fn shallow(
    tree: &Tree,
    options: &PrintOptions,
    lines: &[Line],
    sizes: &[usize],
    most: usize,
) -> Option<(usize, Layout)> {
    let mut by_depth: Vec<usize> = Vec::new();
    for (line, size) in lines.iter().zip(sizes) {
        if by_depth.len() <= line.depth {
            by_depth.resize(line.depth + 1, 0);
        }
        if let Some(sum) = by_depth.get_mut(line.depth) {
            *sum += size;
        }
    }
    let mut sum = 0;
    let fitting = by_depth.iter().take_while(|&&size| {
        sum += size;
        sum <= most
    });
    // What is left out is told in lines of its own, so the sums are a bound and no answer.
    for depth in (1..=fitting.count()).rev() {
        let cut = layout(tree, &PrintOptions { max_depth: Some(depth), ..*options });
        let length = length(&self::sizes(tree, &cut.lines, true));
        if length <= most {
            return (length >= most / 2).then_some((depth, cut));
        }
    }
    None
}

/// Returns the lines of each page.
fn pages(sizes: &[usize], room: Room<'_>) -> Vec<Range<usize>> {
    let head = if room.most >= ROOMY { HEAD } else { 0 };
    let tail = remark(sizes.len(), &(room.more)(sizes.len())).chars().count() + 1;
    let mut left = length(sizes);
    let mut pages = Vec::new();
    let mut start = 0;
    while start < sizes.len() {
        let top = if pages.is_empty() { 0 } else { head };
        let mut end = sizes.len();
        let mut used = left;
        if left + top > room.most {
            (end, used) = (start, top + tail);
            for size in sizes.get(start..).unwrap_or(&[]) {
                if used + size > room.most && end > start {
                    break;
                }
                used += size;
                end += 1;
            }
            used -= top + tail;
        }
        left = left.saturating_sub(used);
        pages.push(start..end);
        start = end;
    }
    if pages.is_empty() {
        // An empty tree is one empty page.
        pages.push(0..0);
    }
    pages
}

/// Returns the number of characters of each line with its line break.
fn sizes(tree: &Tree, lines: &[Line], plain: bool) -> Vec<usize> {
    let mut text = String::new();
    let size = |line: &Line| {
        text.clear();
        write_line(tree, line, plain, &mut text);
        text.chars().count() + 1
    };
    lines.iter().map(size).collect()
}

/// Returns the length of the text: no line break stands behind the last line.
fn length(sizes: &[usize]) -> usize {
    sizes.iter().sum::<usize>().saturating_sub(1)
}

fn count(lines: &[Line]) -> usize {
    lines.iter().filter(|line| line.node().is_some()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::lines::print;
    use crate::page::parse::{ParsedContent, parse};
    use crate::page::snapshot::testing::tree;

    fn call(page: usize) -> String {
        format!("tree(#{{page: {page}}})")
    }

    fn room(most: usize) -> Room<'static> {
        Room { most, more: &call }
    }

    fn shop(products: usize) -> Tree {
        let product = |number: usize| {
            format!(
                r#"<li><img src="x"><a href="/products/{number}">Lamp {number}</a><div role="group"><button>Buy {number}</button></div></li>"#
            )
        };
        tree(&format!("<main><ul>{}</ul></main>", (0..products).map(product).collect::<String>()))
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        let tree = shop(2);
        let whole = print(&tree, &PrintOptions::default());
        let fitted = fit(&tree, &PrintOptions::default(), room(whole.text.chars().count()));
        assert_eq!((fitted.text, fitted.left, fitted.degraded), (whole.text, 0, None));
    }

    #[test]
    fn adornment_goes_before_depth_and_depth_before_the_end() {
        let tree = shop(4);
        let options = PrintOptions::default();
        let whole = print(&tree, &options).text.chars().count();
        let bare = fit(&tree, &options, room(whole - 1));
        assert_eq!(bare.text.lines().nth(2), Some("  link \"Lamp 0\""), "{}", bare.text);
        assert!(bare.text.contains("Buy 3") && !bare.text.contains("href"), "{}", bare.text);
        assert_eq!((bare.left, bare.next_page), (0, None));
        let cut = fit(&tree, &options, room(100));
        assert!(cut.text.ends_with("\n[9 more nodes: tree(#{page: 3})]"), "{}", cut.text);
        assert!(cut.text.starts_with("main \"\"\n listitem \"\""), "{}", cut.text);
        assert!(cut.text.chars().count() <= 100, "{}", cut.text);
        let nested = |number: usize| {
            format!("<section aria-label=\"Chapter {number}, a long name\"><p>{}</p></section>", "words ".repeat(20))
        };
        let book = self::tree(&(0..6).map(nested).collect::<String>());
        let cut = fit(&book, &options, room(500));
        assert_eq!(cut.text.matches("[1 more node").count(), 6, "{}", cut.text);
        assert_eq!((cut.left, cut.next_page), (6, Some(1)));
        assert!(cut.degraded.is_some_and(|left_out| left_out.ends_with("deeper than 1 level")));
    }

    #[test]
    fn the_pages_together_are_the_tree() {
        let options = PrintOptions::default();
        for (products, most) in [(40, 300), (40, 1000), (3, 5), (40, 1_000_000), (0, 100)] {
            let tree = shop(products);
            let whole = print(&tree, &options);
            let (mut lines, mut number) = (Vec::new(), 1);
            loop {
                let fitted = page(&tree, &options, room(most), number).unwrap();
                assert!(most < 100 || fitted.text.chars().count() <= most, "{most}: {}", fitted.text);
                assert_eq!(fitted.lines, fitted.text.lines().count());
                parse(&fitted.text).unwrap();
                let nodes = fitted.text.lines().filter(|line| !line.starts_with('['));
                lines.extend(nodes.map(str::to_owned));
                assert_eq!(fitted.left, whole.nodes.len() - lines.len());
                let Some(next) = fitted.next_page else { break };
                number = next;
            }
            assert_eq!(lines.join("\n"), whole.text);
            assert_eq!(page(&tree, &options, room(most), number + 1), Err(number));
            assert_eq!(page(&tree, &options, room(most), 0), Err(number));
        }
    }

    #[test]
    fn a_page_says_what_it_goes_on_in() {
        let rows: String = (0..60).map(|number| format!("<li>Row number {number}</li>")).collect();
        let tree = tree(&format!(r#"<ul aria-label="Say ] so">{rows}</ul>"#));
        let second = page(&tree, &PrintOptions::default(), room(900), 2).unwrap();
        let first_line = second.text.lines().next().unwrap();
        assert!(first_line.starts_with("[page 2 of 3, inside list \"Say ] so\""), "{first_line}");
        assert!(matches!(parse(first_line).unwrap()[0].content, ParsedContent::Note(_)));
    }
}
