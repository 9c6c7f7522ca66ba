//! Where elements stand in the top viewport, through frames that are scrolled, scaled and nested.

use super::dom::{Dom, NONE};
use super::flags::Found;
use super::layout::Layout;
use crate::page::tree::Rect;

/// How the coordinates of each document become those of the top viewport.
#[derive(Debug)]
pub(super) struct Places {
    places: Vec<Option<Place>>,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    /// Where the corner of the document stands.
    x: f64,
    y: f64,
    scale_x: f64,
    scale_y: f64,
    /// What of the document can be seen without scrolling.
    visible: Rect,
}

/// Descendants that are looked at for the box of an element that has none of its own.
const LOOKED_AT: u32 = 64;

impl Places {
    pub fn new(dom: &Dom, layout: &Layout, order: &[u32], found: &Found) -> Self {
        let mut places = Self { places: vec![None; dom.documents.len()] };
        for &index in order {
            let Some(document) = dom.documents.get(index as usize) else { continue };
            let place = if document.owner == NONE {
                let bounds = layout.row(document.first).map_or([0.0; 4], |row| row.bounds);
                let (width, height) = found.viewport.unwrap_or((bounds[2], bounds[3]));
                let visible = Rect { x: 0.0, y: 0.0, width, height };
                Some(Place { x: -document.scroll.0, y: -document.scroll.1, scale_x: 1.0, scale_y: 1.0, visible })
            } else {
                places.inside(dom, layout, document.owner, document.scroll, found)
            };
            if let Some(slot) = places.places.get_mut(index as usize) {
                *slot = place;
            }
        }
        places
    }

    fn inside(&self, dom: &Dom, layout: &Layout, owner: u32, scroll: (f64, f64), found: &Found) -> Option<Place> {
        let outer = self.place(dom, owner)?;
        let frame = self.rect(dom, layout, owner)?;
        let inset = found.insets.iter().find(|inset| inset.node == owner);
        let (left, top, scale_x, scale_y) =
            inset.map_or((0.0, 0.0, 1.0, 1.0), |inset| (inset.left, inset.top, inset.scale_x, inset.scale_y));
        let (scale_x, scale_y) = (outer.scale_x * scale_x, outer.scale_y * scale_y);
        let x = frame.x + left * outer.scale_x;
        let y = frame.y + top * outer.scale_y;
        Some(Place {
            x: x - scroll.0 * scale_x,
            y: y - scroll.1 * scale_y,
            scale_x,
            scale_y,
            visible: common(&outer.visible, &frame),
        })
    }

    fn place(&self, dom: &Dom, node: u32) -> Option<Place> {
        self.places.get(dom.document(node) as usize).copied().flatten()
    }

    /// Returns the box of a node in the top viewport.
    pub fn rect(&self, dom: &Dom, layout: &Layout, node: u32) -> Option<Rect> {
        let place = self.place(dom, node)?;
        let bounds = match layout.row(node) {
            Some(row) => row.bounds,
            None => below(dom, layout, node)?,
        };
        let [x, y, width, height] = bounds;
        Some(Rect {
            x: place.x + x * place.scale_x,
            y: place.y + y * place.scale_y,
            width: width * place.scale_x,
            height: height * place.scale_y,
        })
    }

    /// Returns whether any of a box of this node can be seen without scrolling.
    pub fn in_viewport(&self, dom: &Dom, node: u32, rect: &Rect) -> bool {
        self.place(dom, node).is_some_and(|place| place.visible.meets(rect))
    }
}

fn common(one: &Rect, other: &Rect) -> Rect {
    let (x, y) = (one.x.max(other.x), one.y.max(other.y));
    let right = (one.x + one.width).min(other.x + other.width);
    let bottom = (one.y + one.height).min(other.y + other.height);
    Rect { x, y, width: (right - x).max(0.0), height: (bottom - y).max(0.0) }
}

/// Returns the box around the first boxes below an element with `display: contents`.
fn below(dom: &Dom, layout: &Layout, node: u32) -> Option<[f64; 4]> {
    let mut around: Option<[f64; 4]> = None;
    let end = dom.end(node).min(node.saturating_add(LOOKED_AT));
    for row in (node + 1..end).filter_map(|below| layout.row(below)) {
        let [x, y, width, height] = row.bounds;
        around = Some(match around {
            None => row.bounds,
            Some([left, top, wide, high]) => {
                let (new_left, new_top) = (left.min(x), top.min(y));
                [new_left, new_top, (left + wide).max(x + width) - new_left, (top + high).max(y + height) - new_top]
            }
        });
    }
    around
}
