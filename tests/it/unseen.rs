//! Texts that are on the page for programs and not for people carry the reason on their line; ordinary pages carry none.

use crate::line::Line;
use crate::stage::Stage;

/// Returns the lines of a page's tree.
fn lines(page: &str) -> Vec<Line> {
    let outcome = Stage::page(page).script("tree().text").ok();
    Line::read_all(outcome.value().as_str().expect("a tree"))
}

#[test]
fn each_trick_is_told_and_what_people_see_is_not() {
    let lines = lines("unseen.html");
    let tricks: Vec<&Line> = lines.iter().filter(|line| line.name.starts_with("trick ")).collect();
    assert_eq!(tricks.len(), 18);
    for line in tricks {
        let kind = line.name.split(' ').nth(1).expect("a kind");
        assert_eq!(line.tags, [format!("hidden:{kind}")], "{}", line.name);
    }
    let seen: Vec<&Line> = lines.iter().filter(|line| !line.name.starts_with("trick ")).collect();
    assert!(seen.iter().filter(|line| line.name.starts_with("seen ")).count() >= 12);
    for line in seen {
        assert_eq!(line.tags, Vec::<String>::new(), "{}", line.name);
    }
}

#[test]
fn what_is_visible_is_what_people_see() {
    let outcome = Stage::page("unseen.html").script("tree(#{filter: \"visible\"}).text").ok();
    let text = outcome.value().as_str().expect("a tree");
    assert!(text.contains("seen grey") && !text.contains("\"trick "), "{text}");
}

#[test]
fn pages_without_tricks_have_no_tags() {
    for page in ["basic.html", "frames.html", "lots.html"] {
        let tagged: Vec<String> =
            lines(page).into_iter().filter(|line| !line.tags.is_empty()).map(|line| line.name).collect();
        assert!(tagged.is_empty(), "{page}: {tagged:?}");
    }
}
