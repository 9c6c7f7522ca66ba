//! Texts that are on the page for programs and not for people: transparent, tiny, in the colour of the ground, outside
//! of what can be scrolled to, clipped away or covered.
//!
//! Invariant: where it can't be told, as over pictures, nothing is said.

use std::collections::HashMap;

use super::dom::{Dom, NONE, flag};
use super::hidden::hide;
use super::layout::{Display, Layout, Row};
use super::look::{Colour, Look, Overflow, Position};
use super::words::{Attribute, Tag};

/// Below these nobody sees anything: the product of all opacities, pixels of letters, the contrast ratio.
const OPACITY: f64 = 0.1;
const LETTERS: f64 = 4.0;
const CONTRAST: f64 = 1.2;

/// What is left of a clipped box may be a line of pixels, as boxes that only screen readers shall find have.
const SLIVER: f64 = 1.0;

/// Pixels of height that share one list of boxes that may cover.
const BAND: f64 = 256.0;

/// Bands of one box that are looked at; taller ones are grounds, not covers.
const BANDS: usize = 40;

/// The part of a document in which content can be seen.
#[derive(Debug, Clone, Copy, Default)]
struct Region {
    clip: Option<[f64; 4]>,
    /// Whether people can bring into view what lies outside.
    scrolls: bool,
}

/// What an element hands down.
#[derive(Debug, Clone, Copy)]
struct Around {
    end: u32,
    opacity: f64,
    bits: u16,
    flow: Region,
    /// For what is positioned absolutely.
    absolute: Region,
    look: Look,
    /// The colour behind; `None` where pictures or unread colours are.
    ground: Option<Colour>,
}

/// Adds the reasons to those of [`super::hidden::all`]: to texts, and to elements below which all texts have one and
/// nothing else is painted.
pub(super) fn add(dom: &Dom, layout: &Layout, documents: &[u32], bits: &mut [u16]) {
    let boxes = Painted::new(dom, layout);
    let mut painted = vec![false; dom.len()];
    for &document in documents {
        let Some(facts) = dom.documents.get(document as usize) else { continue };
        let above = bits.get(facts.owner as usize).copied().unwrap_or(0) & hide::UNSEEN;
        let ground = (facts.owner == NONE).then_some(Colour::WHITE);
        let is_right_to_left = (facts.first..facts.end)
            .take(8)
            .any(|node| matches!(dom.tag(node), Tag::Html | Tag::Body) && dom.is(node, Attribute::Dir, "rtl"));
        let mut open = vec![Around {
            end: facts.end,
            opacity: 1.0,
            bits: above,
            flow: Region { clip: None, scrolls: is_right_to_left },
            absolute: Region { clip: None, scrolls: is_right_to_left },
            look: Look::default(),
            ground,
        }];
        for node in facts.first..facts.end {
            while open.len() > 1 && open.last().is_some_and(|around| around.end <= node) {
                open.pop();
            }
            let (Some(row), Some(around)) = (layout.row(node), open.last()) else { continue };
            if dom.is_element(node) {
                let inner = inside(dom, layout, node, row, around);
                let is_generated = dom.has(node, flag::PSEUDO) && layout.rows(node).any(|row| row.text != NONE);
                if let Some(painted) = painted.get_mut(node as usize) {
                    *painted = inner.bits == 0 && (inner.look.has_image || is_generated || is_picture(dom.tag(node)));
                }
                open.push(inner);
            } else if dom.is_text(node) && row.text != NONE {
                let found = match around.bits | of_text(row, around) {
                    0 if boxes.covers(dom, row) => hide::COVERED,
                    hide::CONTRAST if boxes.lies_below(dom, row) => 0,
                    found => found,
                };
                if let Some(bits) = bits.get_mut(node as usize) {
                    *bits |= found;
                }
            }
        }
    }
    hand_up(dom, layout, bits, &mut painted);
}

/// Returns what an element hands down.
fn inside(dom: &Dom, layout: &Layout, node: u32, row: &Row, around: &Around) -> Around {
    let look = layout.look(row);
    let opacity = around.opacity * look.opacity;
    let mut bits = around.bits;
    bits |= if opacity < OPACITY { hide::OPACITY } else { 0 };
    bits |= if look.clipped_away { hide::CLIPPED } else { 0 };
    let outer = match look.position {
        Position::Absolute => around.absolute,
        Position::Fixed => Region::default(),
        Position::Static | Position::Relative | Position::Sticky => around.flow,
    };
    // What the root or the body does not show is scrolled to with the page.
    let is_ground = matches!(dom.tag(node), Tag::Html | Tag::Body);
    let flow = match look.overflow {
        // Boxes in a line of text do not clip.
        _ if is_ground || row.display == Display::Inline => outer,
        Overflow::Hidden => Region { clip: Some(common(outer.clip, row.bounds)), scrolls: outer.scrolls },
        Overflow::Scroll => {
            let seen = common(outer.clip, row.bounds);
            Region { clip: is_sliver(seen).then_some(seen), scrolls: true }
        }
        Overflow::Visible => outer,
    };
    let is_reference = look.position != Position::Static;
    let colour = if dom.tag(node) == Tag::Html { ground_of_root(&look, around.ground) } else { around.ground };
    let ground = match look.background {
        _ if look.has_image => None,
        Some(own) if own.alpha > 0.99 => Some(own),
        Some(own) => colour.map(|below| own.over(below)),
        None => None,
    };
    Around {
        end: dom.end(node),
        opacity,
        bits,
        flow,
        absolute: if is_reference { flow } else { around.absolute },
        look,
        ground,
    }
}

/// A root whose letters are light stands on a dark ground although it paints none.
fn ground_of_root(look: &Look, ground: Option<Colour>) -> Option<Colour> {
    ground.filter(|_| look.colour.is_some_and(|colour| colour.luminance() < 0.5))
}

/// Returns why a text by its own box can't be seen.
fn of_text(row: &Row, around: &Around) -> u16 {
    let [x, y, width, height] = row.bounds;
    let region = around.flow;
    if around.look.font_size < LETTERS || height < LETTERS || width <= 0.0 {
        return hide::SIZE;
    }
    if !region.scrolls && (x + width <= 0.0 || y + height <= 0.0) {
        return hide::OFFSCREEN;
    }
    if region.clip.is_some_and(|clip| is_sliver(common(Some(clip), row.bounds))) {
        return hide::CLIPPED;
    }
    let (Some(colour), Some(ground)) = (around.look.colour, around.ground) else { return 0 };
    if colour.over(ground).contrast(ground) < CONTRAST { hide::CONTRAST } else { 0 }
}

/// Gives elements the reason of the texts below where each has one and nothing else below can be seen. Texts are last
/// in the order of nodes that need it, so one way back does it.
fn hand_up(dom: &Dom, layout: &Layout, bits: &mut [u16], painted: &mut [bool]) {
    // The reason of the first text below; 0 where something can be seen.
    let mut below: Vec<Option<u16>> = vec![None; dom.len()];
    for node in (0..dom.len()).rev() {
        let Ok(number) = u32::try_from(node) else { continue };
        let shown = bits.get(node).is_some_and(|bits| bits & hide::LEFT_OUT == 0);
        let is_told = layout.row(number).is_some_and(|row| row.text != NONE) && !is_blank(dom, layout, number);
        let own = if shown && dom.is_text(number) && is_told {
            Some(bits.get(node).copied().unwrap_or(0) & hide::UNSEEN)
        } else {
            below.get(node).copied().flatten()
        };
        let is_painted = shown && painted.get(node).copied().unwrap_or(false);
        if dom.is_element(number)
            && !is_painted
            && let Some(reason) = own
            && let Some(bits) = bits.get_mut(node)
        {
            *bits |= reason;
        }
        let parent = dom.parent(number) as usize;
        if let Some(above) = below.get_mut(parent)
            && own.is_some()
        {
            *above = match (*above, own) {
                (Some(0), _) | (_, Some(0)) => Some(0),
                (_, own) => own,
            };
        }
        if is_painted && let Some(above) = painted.get_mut(parent) {
            *above = true;
        }
    }
}

fn is_blank(dom: &Dom, layout: &Layout, node: u32) -> bool {
    layout.row(node).is_some_and(|row| dom.strings.get(row.text).trim().is_empty())
}

fn is_picture(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Img
            | Tag::Svg
            | Tag::Canvas
            | Tag::Video
            | Tag::Iframe
            | Tag::Input
            | Tag::Select
            | Tag::Textarea
            | Tag::Progress
            | Tag::Meter
    )
}

/// Returns the part that two boxes have in common.
fn common(clip: Option<[f64; 4]>, bounds: [f64; 4]) -> [f64; 4] {
    let Some([left, top, width, height]) = clip else { return bounds };
    let [x, y, across, down] = bounds;
    let (right, bottom) = ((left + width).min(x + across), (top + height).min(y + down));
    let (left, top) = (left.max(x), top.max(y));
    [left, top, (right - left).max(0.0), (bottom - top).max(0.0)]
}

fn is_sliver([_, _, width, height]: [f64; 4]) -> bool {
    width <= SLIVER || height <= SLIVER
}

/// The boxes that paint something, by bands of the document.
struct Painted {
    bands: HashMap<(u32, i64), Vec<Box>>,
}

#[derive(Clone, Copy)]
struct Box {
    node: u32,
    paint: u32,
    bounds: [f64; 4],
    /// Whether it was placed over others and lets nothing through. What stays in view while the page scrolls covers a
    /// text for a moment only.
    covers: bool,
}

impl Painted {
    fn new(dom: &Dom, layout: &Layout) -> Self {
        let mut bands: HashMap<(u32, i64), Vec<Box>> = HashMap::new();
        for row in &layout.rows {
            let look = layout.look(row);
            let ground = look.background.map_or(0.0, |background| background.alpha);
            if is_sliver(row.bounds) || !(ground > 0.05 || look.has_image || is_picture(dom.tag(row.node))) {
                continue;
            }
            let is_placed = matches!(look.position, Position::Absolute | Position::Relative);
            let covers = is_placed && ground > 0.95 && look.opacity > 0.95;
            let painted = Box { node: row.node, paint: row.paint, bounds: row.bounds, covers };
            for band in bands_of(row.bounds).take(BANDS) {
                bands.entry((dom.document(row.node), band)).or_default().push(painted);
            }
        }
        Self { bands }
    }

    /// Returns the boxes in the band of a text, those around it aside.
    fn beside(&self, dom: &Dom, text: &Row) -> impl Iterator<Item = &Box> {
        let band = bands_of(text.bounds).next();
        let boxes = band.and_then(|band| self.bands.get(&(dom.document(text.node), band)));
        boxes.into_iter().flatten().filter(|painted| !dom.contains(painted.node, text.node))
    }

    /// Returns whether a box that was painted later lies over all of a text.
    fn covers(&self, dom: &Dom, text: &Row) -> bool {
        self.beside(dom, text).any(|painted| {
            let [_, _, width, height] = common(Some(painted.bounds), text.bounds);
            let holds_all = width >= text.bounds[2] - 1.0 && height >= text.bounds[3] - 1.0;
            painted.covers && painted.paint > text.paint && holds_all
        })
    }

    /// Returns whether a text lies over a box that it does not stand in, so that its ground is not known.
    fn lies_below(&self, dom: &Dom, text: &Row) -> bool {
        self.beside(dom, text)
            .any(|painted| painted.paint < text.paint && !is_sliver(common(Some(painted.bounds), text.bounds)))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "documents are not that tall, and casts of floats saturate")]
fn bands_of(bounds: [f64; 4]) -> std::ops::RangeInclusive<i64> {
    let band = |y: f64| (y / BAND).floor() as i64;
    band(bounds[1])..=band(bounds[1] + bounds[3])
}

#[cfg(test)]
mod tests {
    use crate::page::snapshot::testing;
    use crate::page::tree::Hidden;

    /// The reason of the text `x` on a page, and of the first button.
    fn reasons(html: &str) -> (Option<Hidden>, Option<Hidden>) {
        let tree = testing::tree(html);
        let text = tree.nodes.iter().find(|node| node.is_text && node.name.trim() == "x").unwrap();
        let button = tree.nodes.iter().find(|node| node.role == "button");
        (text.hidden, button.and_then(|button| button.hidden))
    }

    fn reason(html: &str) -> Option<Hidden> {
        reasons(html).0
    }

    #[test]
    fn what_people_cannot_see_is_told() {
        for (html, why) in [
            ("<p style=\"opacity:0.4\"><b style=\"opacity:0.2\">x</b></p>", Hidden::Opacity),
            ("<p style=\"filter:opacity(0)\">x</p>", Hidden::Opacity),
            ("<p style=\"font-size:1px\">x</p>", Hidden::Size),
            ("<p style=\"color:rgba(0, 0, 0, 0)\">x</p>", Hidden::Contrast),
            ("<p style=\"color:rgb(250, 250, 250)\">x</p>", Hidden::Contrast),
            (
                "<div style=\"background-color:rgb(0, 0, 0)\"><p style=\"color:rgb(9, 9, 9)\">x</p></div>",
                Hidden::Contrast,
            ),
            ("<p style=\"clip-path:inset(100%)\">x</p>", Hidden::Clipped),
            ("<p style=\"overflow-x:hidden;overflow-y:hidden\" data-box=\"0 0 1 1\">x</p>", Hidden::Clipped),
        ] {
            assert_eq!(reason(html), Some(why), "{html}");
        }
    }

    #[test]
    fn what_people_can_see_has_no_reason() {
        for html in [
            "<p>x</p>",
            "<p style=\"color:rgb(119, 119, 119)\">x</p>",
            "<p style=\"color:oklch(0.9 0.1 200)\">x</p>",
            "<div style=\"background-image:url(a.png)\"><p style=\"color:rgb(255, 255, 255)\">x</p></div>",
            "<html style=\"color:rgb(255, 255, 255)\"><p>x</p></html>",
            "<div style=\"overflow-x:hidden;overflow-y:auto\" data-box=\"0 0 200 10\"><p>y</p><p>x</p></div>",
            "<div style=\"overflow-x:hidden\" data-box=\"0 0 1 1\"><p style=\"position:absolute\">x</p></div>",
        ] {
            assert_eq!(reason(html), None, "{html}");
        }
    }

    #[test]
    fn a_button_is_unseen_when_all_of_it_is() {
        let unseen = |inside: &str| reasons(&format!("<button>{inside}</button>")).1;
        let hidden = "<b style=\"opacity:0\">x</b>";
        assert_eq!(unseen(hidden), Some(Hidden::Opacity));
        assert_eq!(unseen(&format!("{hidden}Save")), None);
        assert_eq!(unseen(&format!("{hidden}<svg></svg>")), None, "a picture stands for it");
    }
}
