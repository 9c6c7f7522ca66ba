//! From a ref to its element: is it alive, is it the same, does it still mean the same?
//!
//! Invariant: nothing is ever rebound. A ref names its element or fails with the reason.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::call::Failed;
use super::meaning::{Digits, Meaning, Place};
use super::meanings::Meanings;
use super::refs::Entry;
use super::tree::Tree;
use super::{Session, nearest};
use crate::budget::Budget;
use crate::cdp::protocol::dom::{BackendNodeId, ResolveNodeParams};
use crate::cdp::{CdpSession, Failure};
use crate::error::{Change, Error, Nearest, Result, StaleCause};
use crate::reference::Ref;

/// How many live refs an error offers.
const OFFERED: usize = 5;

/// A live element, resolved in the isolated world of its document.
#[derive(Debug, Clone)]
pub struct Element {
    pub reference: Ref,
    /// Role and name when the ref was minted, such as `button "Save"`.
    pub was: String,
    pub frame: String,
    pub backend: i64,
    /// The session that serves its frame; input goes there, in coordinates of that session's root frame.
    pub session: CdpSession,
    pub object_id: String,
    /// How many parents up in the DOM its row stands, where its meaning has one and the page script can look at it.
    pub row: Option<usize>,
    /// Whether digits in its name tell it from others, so that the page script takes them for no counter.
    pub numbered: bool,
    /// The script named it by its label in this very call, so that its row is no part of what was meant.
    pub told_by_name: bool,
}

/// The state of a document, as seen from a ref into it.
enum Document {
    Same,
    /// Its frame moves to another process.
    Moving,
    Gone(StaleCause, Option<String>),
}

impl Session {
    /// Returns the entry of a ref.
    ///
    /// # Errors
    /// `ref::unknown` with the nearest by text.
    pub fn known(&self, text: &str) -> Result<(Ref, Entry)> {
        let reference = text.parse::<Ref>().ok();
        let entry = reference.and_then(|reference| Some((reference, self.refs.get(reference)?.clone())));
        entry.ok_or_else(|| Error::RefUnknown {
            reference: text.to_owned(),
            instead: None,
            nearest: self.near_text(text),
        })
    }

    /// Resolves a ref to its element: one round trip for its first action, none for later ones. Connectedness and
    /// meaning are compared by [`verify`](Self::verify), with facts that the caller's own call brings.
    ///
    /// # Errors
    /// `ref::unknown`, `ref::other_tab`, `ref::stale`, `tab::closed`, `dialog::open`, `page::*`.
    pub async fn resolve(&mut self, text: &str, budget: &Budget) -> Result<Element> {
        let (reference, entry) = self.known(text)?;
        self.check_tab(reference, &entry)?;
        self.page()?;
        self.refuse_in_dialog()?;
        // A document can be replaced between the look at its loader and the answer of the browser, and the old
        // number may then name another element. So the loader is compared again afterwards.
        for _ in 0..3 {
            match self.document_of(&entry) {
                Document::Same => {}
                Document::Moving => {
                    let moved = |world: &super::world::World| {
                        world.frame(&entry.key.frame).is_none_or(|frame| frame.loader.is_some()).then_some(())
                    };
                    self.live.until(budget, moved).await.map_err(|_| self.out_of_time("the frame to load", budget))?;
                    continue;
                }
                Document::Gone(cause, by) => return Err(self.stale(reference, &entry, cause, by, budget).await),
            }
            let (session, context) = self.world(&entry.key.frame, budget).await?;
            if let Some(object) = self.at_hand(&entry.key.frame, entry.key.backend) {
                return Ok(self.element(reference, &entry, session, object));
            }
            match self.answered(session.start(resolving(&entry, context)), budget).await {
                Ok(reply) => {
                    let resolved: Resolved = reply.decode().map_err(|failure| self.explain(failure, budget))?;
                    if matches!(self.document_of(&entry), Document::Same) {
                        self.let_go(&session, &entry.key.frame);
                        return Ok(self.resolved(reference, &entry, session, resolved));
                    }
                }
                Err(Failed::Command(Failure::Refused { message, .. })) if message.contains("context") => {
                    self.forget_world(&entry.key.frame);
                }
                Err(Failed::Command(Failure::Refused { .. })) if matches!(self.document_of(&entry), Document::Same) => {
                    return Err(self.stale(reference, &entry, StaleCause::Removed, None, budget).await);
                }
                Err(Failed::Command(Failure::Refused { .. } | Failure::Detached { .. })) => {}
                Err(failed) => return Err(self.word(failed, budget)),
            }
        }
        match self.document_of(&entry) {
            Document::Gone(cause, by) => Err(self.stale(reference, &entry, cause, by, budget).await),
            _ => Err(Error::WaitTimeout {
                wanted: "an end to the page's navigations".into(),
                change: Change::Happen,
                waited_ms: 0,
                now: None,
                nearest: Vec::new(),
            }),
        }
    }

    /// Resolves many refs together: one round trip where their documents are at rest.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    pub async fn resolve_all(&mut self, references: &[Ref], budget: &Budget) -> Result<Vec<Element>> {
        self.page()?;
        self.refuse_in_dialog()?;
        let mut asked = Vec::with_capacity(references.len());
        for reference in references {
            let (reference, entry) = self.known(&reference.to_string())?;
            self.check_tab(reference, &entry)?;
            let pending = match self.document_of(&entry) {
                Document::Same if self.at_hand(&entry.key.frame, entry.key.backend).is_none() => {
                    let (session, context) = self.world(&entry.key.frame, budget).await?;
                    Some((session.start(resolving(&entry, context)), session))
                }
                Document::Same | Document::Moving | Document::Gone(..) => None,
            };
            asked.push((reference, entry, pending));
        }
        let mut elements = Vec::with_capacity(asked.len());
        for (reference, entry, pending) in asked {
            let mut found = None;
            if let Some((pending, session)) = pending
                && let Ok(reply) = self.answered(pending, budget).await
                && let Ok(resolved) = reply.decode::<Resolved>()
                && matches!(self.document_of(&entry), Document::Same)
            {
                found = Some(self.resolved(reference, &entry, session, resolved));
            }
            // It is at hand, or something went wrong and asking for it alone tells what it was.
            elements.push(match found {
                Some(element) => element,
                None => self.resolve(&reference.to_string(), budget).await?,
            });
        }
        Ok(elements)
    }

    /// Returns the element that the browser resolved, and keeps it at hand.
    fn resolved(&self, reference: Ref, entry: &Entry, session: CdpSession, resolved: Resolved) -> Element {
        let object = resolved.object.object_id;
        self.keep_at_hand(&entry.key.frame, entry.key.backend, &object);
        self.element(reference, entry, session, object)
    }

    fn element(&self, reference: Ref, entry: &Entry, session: CdpSession, object_id: String) -> Element {
        Element {
            reference,
            was: entry.meaning.line(),
            frame: entry.key.frame.to_string(),
            backend: entry.key.backend,
            session,
            object_id,
            row: self.row_of(reference, entry),
            numbered: entry.meaning.digits == Digits::Identify,
            told_by_name: false,
        }
    }

    pub(super) fn check_tab(&self, reference: Ref, entry: &Entry) -> Result<()> {
        let (label, closed) = self
            .live
            .read(|world| world.tab(&entry.tab).map_or((String::new(), true), |tab| (tab.label.clone(), tab.closed)));
        if closed {
            return Err(self.tab_closed(label));
        }
        if *entry.tab != *self.current {
            return Err(Error::RefOtherTab {
                reference,
                was: entry.meaning.line(),
                tab: label,
                current: self.tab()?.label,
                minted: entry.minted.clone(),
            });
        }
        Ok(())
    }

    /// Returns whether the document of a ref is still there, in whichever tab.
    pub fn has_document(&self, text: &str) -> bool {
        self.known(text).is_ok_and(|(_, entry)| matches!(self.document_of(&entry), Document::Same | Document::Moving))
    }

    fn document_of(&self, entry: &Entry) -> Document {
        self.live.read(|world| match world.frame(&entry.key.frame) {
            None => Document::Gone(StaleCause::FrameGone, None),
            Some(frame) if frame.gone => Document::Gone(StaleCause::FrameGone, frame.gone_by.clone()),
            Some(frame) => match (&frame.loader, &frame.session) {
                (Some(loader), Some(_)) if **loader == *entry.key.loader => Document::Same,
                (Some(_), _) => {
                    let by = world.ended_by(&entry.key.frame, &entry.key.loader).map(str::to_owned);
                    Document::Gone(StaleCause::DocumentReplaced, by)
                }
                (None, _) => Document::Moving,
            },
        })
    }

    /// Builds `ref::stale` for an element that a reading did not find; a document that is gone explains more.
    pub(super) async fn lost(&mut self, reference: Ref, entry: &Entry, cause: StaleCause, budget: &Budget) -> Error {
        match self.document_of(entry) {
            Document::Gone(cause, by) => self.stale(reference, entry, cause, by, budget).await,
            Document::Same | Document::Moving => self.stale(reference, entry, cause, None, budget).await,
        }
    }

    /// Compares an element with what its ref meant. `sketch` is what the page script saw: whether it is connected
    /// and its fingerprint. Costs nothing while the sketch is unchanged, otherwise one reading of the page.
    ///
    /// # Errors
    /// `ref::stale` when it is not connected, `ref::changed` when it means something else.
    pub async fn verify(&mut self, element: &Element, sketch: &Sketch, budget: &Budget) -> Result<()> {
        let (_, entry) = self.known(&element.reference.to_string())?;
        if !sketch.connected {
            return Err(self.stale(element.reference, &entry, StaleCause::Removed, None, budget).await);
        }
        // A sketch of the control alone says nothing of its row, and a control that was the only one of its name when
        // the ref was minted may have equals now.
        let has_row_around = entry.meaning.context.is_some() && !entry.meaning.is_row();
        let comparable = !has_row_around || element.row.is_some() || element.told_by_name;
        if comparable
            && sketch.fingerprint.is_some()
            && sketch.fingerprint == self.expected_fingerprint(element.reference, &entry, element.row)
        {
            self.keep_fingerprint(element, sketch);
            return Ok(());
        }
        let tree = self.read_tree(budget).await?;
        let index = tree.frame_of(&entry.key.frame).and_then(|frame| tree.index_of(frame, entry.key.backend));
        let Some(index) = index else {
            return Err(self.stale(element.reference, &entry, StaleCause::Removed, None, budget).await);
        };
        self.compare(element.reference, &tree, index)?;
        self.keep_fingerprint(element, sketch);
        Ok(())
    }

    /// Compares what an element means in a tree with what its ref meant.
    ///
    /// # Errors
    /// `ref::changed`.
    pub fn compare(&self, reference: Ref, tree: &Tree, index: u32) -> Result<()> {
        let (_, entry) = self.known(&reference.to_string())?;
        let meanings = Meanings::new(tree);
        let again = |meaning: &Meaning| meanings.again(index, meaning);
        match again(&entry.meaning).filter(|_| !entry.means(again)) {
            None => Ok(()),
            Some(now) => {
                let nearest = nearest::rank(tree, &self.wanted(tree, &entry), OFFERED);
                Err(Error::RefChanged {
                    reference,
                    was: entry.meaning.told_apart_from(&now),
                    now: now.told_apart_from(&entry.meaning),
                    nearest: nearest::offered(tree, &nearest),
                    minted: entry.minted,
                })
            }
        }
    }

    /// Takes the meaning of an element anew after an action through its ref: what the script itself changed is no
    /// reason to refuse the ref, unless the page drew another item into its row. Costs one reading of the page when the
    /// element's sketch changed.
    ///
    /// # Errors
    /// As [`read_tree`](Self::read_tree).
    pub async fn retake(&mut self, element: &Element, after: &Sketch, budget: &Budget) -> Result<Option<Value>> {
        let reference = element.reference;
        let before = self.refs.get(reference).and_then(|entry| entry.fingerprint.clone());
        let same = before.is_some_and(|(levels, sketch)| levels == element.row && Some(sketch) == after.fingerprint);
        if !after.connected || same {
            return Ok(None);
        }
        if let Some(entry) = self.refs.get_mut(reference) {
            entry.retake = true;
        }
        let (_, before) = self.known(&reference.to_string())?;
        let tree = self.read_tree(budget).await?;
        if self.last_seen(reference, &before).is_some() {
            self.keep_fingerprint(element, after);
            let (was, now) = (before.meaning.line(), self.refs.get(reference).map(|entry| entry.meaning.line()));
            return Ok((Some(&was) != now.as_ref()).then(|| json!({ "was": was, "now": now })));
        }
        // It lives on as something else, so the ref is none of it any more.
        if let Some(entry) = self.refs.get_mut(reference) {
            entry.retake = false;
            entry.fingerprint = None;
        }
        let index = tree.frame_of(&before.key.frame).and_then(|frame| tree.index_of(frame, before.key.backend));
        let now = index.and_then(|index| Meanings::new(&tree).of(index));
        Ok(now.map(
            |now| json!({ "was": before.meaning.told_apart_from(&now), "now": now.told_apart_from(&before.meaning) }),
        ))
    }

    fn keep_fingerprint(&mut self, element: &Element, sketch: &Sketch) {
        self.refs.seen(element.reference);
        if let Some(entry) = self.refs.get_mut(element.reference) {
            entry.fingerprint = sketch.fingerprint.clone().map(|text| (element.row, text));
        }
    }

    /// Returns the sketch that means "unchanged": the one of the last check, or the one of the latest tree when
    /// that tree gave this very ref to the element.
    fn expected_fingerprint(&self, reference: Ref, entry: &Entry, row: Option<usize>) -> Option<String> {
        if let Some((levels, sketch)) = &entry.fingerprint
            && *levels == row
        {
            return Some(sketch.clone());
        }
        let (tree, _) = self.last_seen(reference, entry)?;
        super::snapshot::fingerprint(&tree, tree.frame_of(&entry.key.frame)?, entry.key.backend, row)
    }

    /// Returns how many parents up in the DOM the row of an element stands; `None` where it has none, or where only a
    /// reading can tell.
    fn row_of(&self, reference: Ref, entry: &Entry) -> Option<usize> {
        // Siblings before a flat element are out of the page script's sight.
        let (Place::Row { height } | Place::Box { height, before: 0 }) = entry.meaning.context.as_ref()?.place else {
            return None;
        };
        if let Some((levels @ Some(_), _)) = entry.fingerprint {
            return levels;
        }
        let (tree, index) = self.last_seen(reference, entry)?;
        let row = tree.ancestors(index).nth(height.checked_sub(1)?)?;
        let frame = tree.frame_of(&entry.key.frame)?;
        super::snapshot::levels_up(&tree, frame, entry.key.backend, tree.get(row)?.backend)
    }

    /// Returns the latest tree and the element's node in it, when that tree gave this very ref to the element.
    fn last_seen(&self, reference: Ref, entry: &Entry) -> Option<(Arc<Tree>, u32)> {
        let tree = self.latest.get(&*entry.tab)?;
        let frame = tree.frame_of(&entry.key.frame)?;
        let same_document = tree.frames.get(frame as usize).is_some_and(|known| *known.loader_id == *entry.key.loader);
        let index = tree.index_of(frame, entry.key.backend).filter(|_| same_document)?;
        (tree.get(index)?.reference == Some(reference)).then(|| (Arc::clone(tree), index))
    }

    /// Builds `ref::stale`, with the nearest live refs of a fresh tree. When the page can't be read, the error is
    /// still about the ref; it then offers nothing.
    async fn stale(
        &mut self,
        reference: Ref,
        entry: &Entry,
        cause: StaleCause,
        by: Option<String>,
        budget: &Budget,
    ) -> Error {
        let by = by.or_else(|| self.refs.culprit(reference).map(str::to_owned));
        let (nearest, twin) = match self.read_tree(budget).await {
            Ok(tree) => {
                let ranked = nearest::rank(&tree, &self.wanted(&tree, entry), OFFERED);
                (nearest::offered(&tree, &ranked), ranked.first().is_some_and(|near| near.is_twin))
            }
            Err(_) => (Vec::new(), false),
        };
        let cause = if cause == StaleCause::Removed && twin { StaleCause::Replaced } else { cause };
        let is_of_frame = matches!(cause, StaleCause::DocumentReplaced | StaleCause::FrameGone);
        let frame = self.live.read(|world| world.frame(&entry.key.frame).map(|frame| frame.label.clone()));
        let frame = frame.filter(|_| is_of_frame && *entry.key.frame != *entry.tab);
        let was = entry.meaning.line();
        Error::RefStale { reference, was, cause, by, frame, nearest, minted: entry.minted.clone() }
    }

    /// Returns what to look for in a tree when an element is gone.
    pub fn wanted(&self, tree: &Tree, entry: &Entry) -> nearest::Wanted {
        nearest::Wanted {
            role: Some(entry.meaning.role.to_owned()),
            name: Some(entry.meaning.name.clone()),
            path: self.refs.path(entry),
            rect: entry.rect,
            frame: tree.frame_of(&entry.key.frame),
            meaning: Some(entry.meaning.clone()),
        }
    }

    /// Returns live refs whose name is close to a text that is no ref.
    fn near_text(&self, text: &str) -> Vec<Nearest> {
        let Some(tree) = self.latest.get(&self.current) else { return Vec::new() };
        let wanted = nearest::Wanted { name: Some(text.to_owned()), ..nearest::Wanted::default() };
        nearest::offered(tree, &nearest::rank(tree, &wanted, OFFERED))
    }

    /// Words a wait that ended with its budget.
    pub fn out_of_time(&self, wanted: &str, budget: &Budget) -> Error {
        budget.overrun().unwrap_or_else(|| Error::WaitTimeout {
            wanted: wanted.to_owned(),
            change: Change::Happen,
            waited_ms: super::session::millis(budget.granted()),
            now: None,
            nearest: Vec::new(),
        })
    }
}

fn resolving(entry: &Entry, context: i64) -> ResolveNodeParams {
    ResolveNodeParams {
        backend_node_id: Some(BackendNodeId::new(entry.key.backend)),
        execution_context_id: Some(crate::cdp::js::runtime::ExecutionContextId::new(context)),
        object_group: Some("pageboy".into()),
        ..Default::default()
    }
}

/// What the page script sees of an element in the call that looks at it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Sketch {
    pub connected: bool,
    #[serde(default)]
    pub fingerprint: Option<String>,
}

#[derive(Deserialize)]
struct Resolved {
    object: RemoteObject,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RemoteObject {
    object_id: String,
}
