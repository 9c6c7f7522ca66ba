//! Reading a tab: one capture per CDP session, joined into one tree, each listed element with its ref.

use std::sync::Arc;

use serde_json::{Value, json};

use super::elements::Found;
use super::find::Query;
use super::meaning::Meaning;
use super::meanings::Meanings;
use super::refs::{Entry, Key};
use super::snapshot::controls;
use super::tree::{Hidden, Rect, Tree, TreeFrame};
use super::{Session, capture, nearest};
use crate::budget::Budget;
use crate::cdp::CdpSession;
use crate::error::{Error, Nearest, Result, StaleCause};
use crate::reference::Ref;

impl Session {
    /// Reads the current tab and mints refs for what is new. One round trip, and some more the first time in a
    /// document.
    ///
    /// # Errors
    /// `dialog::open`, `page::hung`, `page::crashed`, `tab::closed`, `browser::gone`.
    pub async fn read_tree(&mut self, budget: &Budget) -> Result<Arc<Tree>> {
        self.page()?;
        self.refuse_in_dialog()?;
        let mut tree = self.captured(budget).await?;
        super::guess::guess(&mut tree);
        self.keep_secrets(&mut tree);
        self.mint_listed(&mut tree);
        if let Some(top) = tree.frames.first() {
            self.told_title(&top.title);
        }
        self.live.change_quietly(|world| {
            for frame in &tree.frames {
                world.told_url(&frame.frame_id, &frame.url);
            }
        });
        let tree = Arc::new(tree);
        self.latest.insert(self.current.clone(), Arc::clone(&tree));
        Ok(tree)
    }

    /// Takes out the values of fields that hold a secret by what they were before: a page that shows a password
    /// changes the field's type.
    fn keep_secrets(&mut self, tree: &mut Tree) {
        let documents = documents(tree);
        for node in &mut tree.nodes {
            if !matches!(node.tag.as_ref(), "input" | "textarea") {
                continue;
            }
            let Some(Some((frame, loader))) = documents.get(node.frame as usize) else { continue };
            let key = Key { frame: Arc::clone(frame), loader: Arc::clone(loader), backend: node.backend };
            if node.sensitive {
                self.secrets.insert(key);
            } else if self.secrets.contains(&key) {
                node.sensitive = true;
                node.value = None;
                tree.counters.redacted += 1;
            }
        }
    }

    /// Returns whether an element holds a secret, or did at an earlier reading.
    pub fn was_sensitive(&self, element: &super::Element) -> bool {
        self.refs.get(element.reference).is_some_and(|entry| self.secrets.contains(&entry.key))
    }

    /// Captures one moment whose documents are known. A document that was replaced between the look at the frames
    /// and the snapshot would get its elements under the loader of the old one, so that is captured again.
    async fn captured(&mut self, budget: &Budget) -> Result<Tree> {
        loop {
            self.wait_for_frames(budget).await;
            let tree = capture::capture(self, budget).await?;
            // Events are folded in wire order, so the world is not behind the snapshot.
            let current = self.live.read(|world| {
                tree.frames.iter().filter(|frame| frame.read.is_ok()).all(|frame| {
                    let known = world.frame(&frame.frame_id);
                    known.is_some_and(|known| !known.gone && known.loader.as_deref() == Some(&frame.loader_id))
                })
            });
            if current {
                return Ok(tree);
            }
            if budget.is_spent() {
                return Err(self.out_of_time("an end to the page's navigations", budget));
            }
        }
    }

    /// Returns the tree that was read last in the current tab.
    pub fn latest_tree(&self) -> Option<Arc<Tree>> {
        self.latest.get(&self.current).cloned()
    }

    /// Returns the other open tabs by their labels, the newest first, with the tree that was read last in each.
    pub fn other_tabs(&self) -> Vec<(String, Option<Arc<Tree>>)> {
        self.live.read(|world| {
            let others = world.tabs().filter(|tab| !tab.closed && tab.target != self.current);
            let mut others: Vec<_> =
                others.map(|tab| (tab.label.clone(), self.latest.get(&tab.target).cloned())).collect();
            others.reverse();
            others
        })
    }

    /// Gives every listed element its ref: the one it has while it means the same, else a new one. Elements that
    /// have a ref although the tree would leave them out are listed from now on.
    fn mint_listed(&mut self, tree: &mut Tree) {
        let documents = documents(tree);
        let minted = self.mint_all(tree, &documents);
        for (at, reference) in minted {
            if let Some(node) = tree.nodes.get_mut(at as usize) {
                node.reference = Some(reference);
                node.listed = true;
            }
        }
    }

    fn mint_all(&mut self, tree: &Tree, documents: &[Option<(Arc<str>, Arc<str>)>]) -> Vec<(u32, Ref)> {
        let meanings = Meanings::new(tree);
        let mut minted = Vec::new();
        let tab: Arc<str> = self.current.as_str().into();
        // The listed containers of the node at hand, outermost first.
        let mut containers: Vec<(u32, Ref)> = Vec::new();
        for at in 0..u32::try_from(tree.nodes.len()).unwrap_or(u32::MAX) {
            while containers
                .last()
                .is_some_and(|(container, _)| tree.get(*container).is_some_and(|node| node.end <= at))
            {
                containers.pop();
            }
            let Some(node) = tree.get(at) else { continue };
            let Some(Some((frame, loader))) = documents.get(node.frame as usize) else { continue };
            if node.is_text {
                continue;
            }
            let key = Key { frame: Arc::clone(frame), loader: Arc::clone(loader), backend: node.backend };
            let asked_for = !node.listed && self.refs.has(&key) && !node.hidden.is_some_and(Hidden::is_left_out);
            if !node.listed && !asked_for {
                continue;
            }
            let container = containers.last().map(|(_, reference)| *reference);
            let reference = match self.refs.find(
                &key,
                |before| meanings.again(at, before),
                |before| meanings.holds_the_same(at, before),
            ) {
                Some(reference) => {
                    self.refs.refresh(reference, node.rect, container);
                    self.refs.retake(reference, || meanings.of(at));
                    reference
                }
                None => match meanings.of(at) {
                    Some(meaning) => self.refs.mint(self.entry(key, meaning, container, node.rect, &tab)),
                    None => continue,
                },
            };
            containers.push((at, reference));
            minted.push((at, reference));
        }
        minted
    }

    /// Gives an element its ref, also one that the tree leaves out. `None` when it is not on the page any more.
    pub fn mint_element(&mut self, tree: &Tree, found: &Found) -> Option<Ref> {
        self.mint_at(tree, tree.index_of(tree.frame_of(&found.frame)?, found.backend)?)
    }

    /// Gives the element of a node its ref; a piece of text stands for the element around it.
    pub fn mint_at(&mut self, tree: &Tree, at: u32) -> Option<Ref> {
        let node = tree.get(at)?;
        if node.is_text {
            return self.mint_at(tree, node.parent?);
        }
        if let Some(reference) = node.reference {
            return Some(reference);
        }
        let frame = tree.frames.get(node.frame as usize)?;
        let key = Key {
            frame: frame.frame_id.as_str().into(),
            loader: frame.loader_id.as_str().into(),
            backend: node.backend,
        };
        let meanings = Meanings::new(tree);
        if let Some(reference) =
            self.refs.find(&key, |before| meanings.again(at, before), |before| meanings.holds_the_same(at, before))
        {
            return Some(reference);
        }
        let container = tree.ancestors(at).find_map(|at| tree.get(at)?.reference);
        let tab = self.current.as_str().into();
        Some(self.refs.mint(self.entry(key, meanings.of(at)?, container, node.rect, &tab)))
    }

    /// Returns what a locator that finds nothing may have meant, best first: the very element where it is there
    /// unseen, then what is like it.
    pub fn nearest_to(&mut self, tree: &Tree, query: &Query, most: usize) -> Vec<Nearest> {
        let mut nearest = Vec::new();
        if let Some(at) = nearest::unseen(tree, query)
            && let Some(node) = tree.get(at)
            && let Some(reference) = self.mint_at(tree, at)
        {
            let is_labelled = controls(tree).get(&at).is_some_and(|control| control.label.is_some());
            let by_label = match node.input_type.as_deref() {
                Some("checkbox" | "radio") if is_labelled => "; `check` presses its label",
                _ => "",
            };
            let why = format!("hidden: {}{by_label}", node.hidden.map_or("", Hidden::reason));
            nearest.push(Nearest { reference, role: node.role.to_owned(), name: node.name.clone(), why });
        }
        nearest.extend(nearest::holding(tree, query));
        for near in nearest::like(tree, query, most) {
            if nearest.len() < most && nearest.iter().all(|known| known.reference != near.reference) {
                nearest.push(near);
            }
        }
        nearest
    }

    fn entry(&self, key: Key, meaning: Meaning, container: Option<Ref>, rect: Option<Rect>, tab: &Arc<str>) -> Entry {
        let minted = self.site.clone();
        Entry {
            key,
            tab: Arc::clone(tab),
            meaning,
            minted_meaning: None,
            container,
            rect,
            minted,
            handed_out: false,
            fingerprint: None,
            retake: false,
            seen: 0,
        }
    }

    /// Finds the element of a ref in a tree that was just read. Readers take it whatever it says by now, but a row
    /// without a name that holds another item is not what the ref named.
    ///
    /// # Errors
    /// `ref::unknown`, `ref::other_tab`, `ref::stale`, `ref::changed` for such a row, `tab::closed`.
    pub async fn locate(&mut self, text: &str, tree: &Tree, budget: &Budget) -> Result<u32> {
        let (reference, entry) = self.known(text)?;
        self.check_tab(reference, &entry)?;
        let frame = tree.frame_of(&entry.key.frame);
        let same_document =
            |frame: &u32| tree.frames.get(*frame as usize).is_some_and(|known| *known.loader_id == *entry.key.loader);
        match frame.filter(same_document).and_then(|frame| tree.index_of(frame, entry.key.backend)) {
            Some(at) if entry.meaning.is_row() => self.compare(reference, tree, at).map(|()| at),
            Some(at) => Ok(at),
            None => Err(self.lost(reference, &entry, StaleCause::Removed, budget).await),
        }
    }

    /// Returns the frame ids of the current tab, parents first.
    pub fn frame_ids(&self) -> Vec<String> {
        self.live.read(|world| {
            let read = world
                .frames_of(&self.current)
                .into_iter()
                .filter(|(_, frame)| frame.session.is_some() && frame.loader.is_some());
            read.map(|(id, _)| id.to_owned()).collect()
        })
    }

    /// Returns the frame id of a frame of the current tab by its label.
    pub fn frame_by_label(&self, label: &str) -> Option<String> {
        self.live.read(|world| {
            let named = world.frames_of(&self.current).into_iter().find(|(_, frame)| frame.label == label);
            named.map(|(id, _)| id.to_owned())
        })
    }

    /// Returns the frames of the current tab as messages name them, those that a text may have meant first: by its
    /// name or address, then by a label that is like it.
    pub fn frames_like(&self, text: &str) -> Vec<String> {
        let mut frames: Vec<(usize, String)> = self.live.read(|world| {
            let told = |(_, frame): (&str, &super::world::Frame)| {
                let (label, quoted) = (&frame.label, crate::script::quoted);
                let meant = !text.is_empty() && (frame.name.eq_ignore_ascii_case(text) || frame.url.contains(text));
                let distance = if meant { 0 } else { 1 + strsim::damerau_levenshtein(label, text) };
                let name =
                    if frame.name.is_empty() { String::new() } else { format!("named {}, ", quoted(&frame.name)) };
                (distance, format!("\"{label}\" ({name}{})", quoted(&frame.url)))
            };
            world.frames_of(&self.current).into_iter().map(told).collect()
        });
        // Equal ones stay in the order of the page.
        frames.sort_by_key(|&(distance, _)| distance);
        frames.into_iter().map(|(_, told)| told).collect()
    }

    /// Returns the session that serves a frame.
    ///
    /// # Errors
    /// `browser::protocol` while the frame moves to another process.
    pub fn session_of_frame(&self, frame: &str) -> Result<CdpSession> {
        let session = self.live.read(|world| world.frame(frame)?.session.clone());
        match session {
            Some(id) => Ok(self.cdp(&id)),
            None => Err(Error::BrowserProtocol {
                method: "Target.attachToTarget".into(),
                problem: "the frame has no session".into(),
            }),
        }
    }

    /// Finds an element by its backend id among the frames that the page's own session serves.
    pub fn served_here(&self, tree: &Tree, backend: i64) -> Option<Found> {
        let frames = self.live.read(|world| {
            let session = world.tab(&self.current)?.session.clone();
            let here = world.frames_of(&self.current).into_iter().filter(|(_, frame)| frame.session == session);
            Some(here.map(|(id, _)| id.to_owned()).collect::<Vec<String>>())
        })?;
        let holds = |frame: &String| tree.frame_of(frame).is_some_and(|at| tree.index_of(at, backend).is_some());
        frames.into_iter().find(holds).map(|frame| Found { frame, backend })
    }

    /// Returns the origin of the current document.
    pub fn origin(&self) -> String {
        self.live.read(|world| world.origin(&self.current).to_owned())
    }

    /// Returns the frames of a tree as scripts see them.
    pub fn describe_frames(&self, tree: &Tree) -> Vec<Value> {
        let top = self.origin();
        self.live.read(|world| {
            let describe = |frame: &TreeFrame| {
                let known = world.frame(&frame.frame_id);
                let parent = frame.parent.and_then(|parent| tree.frames.get(parent as usize));
                let owner = frame.owner.and_then(|owner| tree.get(owner)?.reference);
                let origin = world.origin(&frame.frame_id);
                json!({
                    "frame": frame.label,
                    "parent": parent.map(|parent| parent.label.as_str()),
                    "url": known.map_or(frame.url.as_str(), |known| known.url.as_str()),
                    "origin": origin,
                    "name": known.map_or("", |known| known.name.as_str()),
                    "ref": owner.map(|reference| reference.to_string()),
                    "cross_origin": origin != top,
                    "read": frame.read.is_ok(),
                })
            };
            tree.frames.iter().map(describe).collect()
        })
    }

    /// Remembers that the call under way gives these refs to the script.
    pub fn hand_out(&mut self, references: impl IntoIterator<Item = Ref>) {
        for reference in references {
            self.refs.hand_out(reference, self.site.as_ref());
        }
    }

    /// Remembers that a call of the script acted on the page.
    pub fn acted(&mut self, call: &str) {
        self.refs.acted(call.to_owned());
    }
}

/// Returns frame id and loader id of each frame of a tree.
fn documents(tree: &Tree) -> Vec<Option<(Arc<str>, Arc<str>)>> {
    let document = |frame: &TreeFrame| {
        frame.read.is_ok().then(|| (frame.frame_id.as_str().into(), frame.loader_id.as_str().into()))
    };
    tree.frames.iter().map(document).collect()
}
