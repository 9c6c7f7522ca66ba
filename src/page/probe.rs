//! Typed calls into the page script: the one script that runs in pages, in an isolated world.
//!
//! Invariant: it writes nothing into the page's DOM but what a call asks for (focus, caret, scroll position, the
//! value of a field), and leaves no trace that page scripts could see.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::call::{Failed, call_function, call_function_beside, returned};
use super::resolve::Sketch;
use super::told::Told;
use super::unsent::Unsent;
use super::{Element, Session, nearest};
use crate::budget::Budget;
use crate::cdp::protocol::dom::DescribeNodeParams;
use crate::cdp::{Failure, Pending};
use crate::error::{Nearest, Result};

/// The script; it defines `globalThis.pageboy` in its world and returns the origin of the document.
pub const SOURCE: &str = concat!(
    // A second start in the same world would lose what the first one watches.
    "(() => {\n\"use strict\";\nif (globalThis.pageboy) return;\n",
    include_str!("probe/base.js"),
    include_str!("probe/place.js"),
    include_str!("probe/scroll.js"),
    include_str!("probe/sketch.js"),
    include_str!("probe/ready.js"),
    include_str!("probe/watch.js"),
    include_str!("probe/format.js"),
    include_str!("probe/field.js"),
    include_str!("probe/guard.js"),
    include_str!("probe/unsent.js"),
    include_str!("probe/clicked.js"),
    include_str!("probe/tell.js"),
    include_str!("probe/follow.js"),
    include_str!("probe/examine.js"),
    include_str!("probe/offer.js"),
    "})();\nself.origin"
);

/// A point in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// What an action needs of an element before it acts.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Wants {
    /// The verb whose refusals are said at once.
    pub refuse: &'static str,
    /// How long the page script may wait, in milliseconds.
    pub wait: u64,
    /// How long the watch over the press stays set, in milliseconds; 0 for none.
    pub watch: u64,
    /// Skips every check.
    pub force: bool,
    /// For writing: parts of the same widget may lie over the field.
    pub tolerant: bool,
    /// Where to press, from the corner of the element.
    pub position: Option<Point>,
    pub prepare: Option<Prepare>,
}

/// How a field is made ready.
#[derive(Debug, Clone, Serialize)]
pub struct Prepare {
    /// `end`, `all` or `none`.
    pub caret: &'static str,
    /// What is written at once into fields that take no keys.
    pub text: Option<String>,
    /// How long nothing that is written may reach another field, in milliseconds; 0 where it may.
    pub guard: u64,
}

/// What the page script found.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Look {
    Gone,
    Ready(Box<Ready>),
    Hidden {
        reason: String,
        #[serde(flatten)]
        facts: Facts,
    },
    Disabled {
        #[serde(flatten)]
        facts: Facts,
    },
    Covered {
        inert: bool,
        #[serde(flatten)]
        facts: Facts,
    },
    Moving {
        #[serde(flatten)]
        facts: Facts,
    },
    Refused {
        why: Refusal,
        words: String,
        instead: Option<String>,
        #[serde(flatten)]
        facts: Facts,
    },
}

impl Facts {
    /// Whether the element holds a document of its own, in which a press lands.
    pub fn is_frame(&self) -> bool {
        matches!(self.tag.as_str(), "iframe" | "frame")
    }
}

impl Look {
    /// Returns what tells whether the element still means the same.
    pub fn sketch(&self) -> Sketch {
        match self {
            Self::Gone => Sketch::default(),
            Self::Ready(ready) => ready.facts.sketch.clone(),
            Self::Hidden { facts, .. }
            | Self::Disabled { facts }
            | Self::Covered { facts, .. }
            | Self::Moving { facts }
            | Self::Refused { facts, .. } => facts.sketch.clone(),
        }
    }
}

/// Why waiting would not help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    Kind,
    Readonly,
    /// An option of a drop-down list, which has no place on the page.
    Option,
    Radio,
}

/// An element that can be acted on now.
#[derive(Debug, Clone, Deserialize)]
pub struct Ready {
    #[serde(flatten)]
    pub facts: Facts,
    /// Where to act, in the coordinates of the outermost document that could be read.
    pub outer: Point,
    /// How many frames up that document is.
    pub levels: usize,
    /// A frame on the way is rotated or skewed: the point is not exact.
    pub turned: bool,
    pub by_label: bool,
    pub rect: Rect,
    pub prepared: Option<Prepared>,
}

/// A rectangle in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// What an action reports of its element and compares afterwards.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Facts {
    #[serde(flatten)]
    pub sketch: Sketch,
    #[serde(default)]
    pub tag: String,
    pub href: Option<String>,
    #[serde(default)]
    pub states: serde_json::Map<String, Value>,
    pub popup: Option<String>,
    #[serde(default)]
    pub opens_tab: bool,
    /// The element was pressed, and no click on it followed.
    #[serde(skip)]
    pub unclicked: bool,
    /// The form that the action was to send was refused by the browser.
    pub unsent: Option<Unsent>,
    /// What the page told people since the press.
    pub told: Option<Told>,
    /// What the field takes, in words, where the browser does not send what it holds.
    pub takes: Option<String>,
    /// The addresses that a link with a `download` attribute asked to save.
    #[serde(default)]
    pub downloads: Vec<String>,
}

/// A field with the focus.
#[derive(Debug, Clone, Deserialize)]
pub struct Prepared {
    /// `text`, `lines`, `rich`, `set`, `select`, `keys`; none for what is no field.
    pub kind: Option<String>,
    pub sensitive: bool,
    /// Takes one or two characters, as the boxes of a one-time code.
    pub single: bool,
    pub empty: bool,
    #[serde(default)]
    pub focused: bool,
    /// The field could hold the value, and the browser would not send it: it is beyond the limits of the field, and
    /// was not written.
    #[serde(default)]
    pub beyond: bool,
    /// Whether the value was accepted, for fields that are set.
    pub set: Option<bool>,
    /// What the field takes, in words, where it refused the value.
    #[serde(default)]
    pub rule: Option<String>,
    pub value: Option<String>,
}

/// What became of a press.
#[derive(Debug, Clone, Deserialize)]
pub struct Landed {
    /// `None` when the frame saw no press.
    pub landed: Option<bool>,
    /// The element left the place where it was pressed.
    pub moved: bool,
    /// A press after the first one would have reached another element, and was swallowed.
    pub strayed: bool,
    /// A click followed the press and reached the element, or it took the element away.
    pub clicked: bool,
    pub after: Facts,
}

/// What a field holds.
#[derive(Debug, Clone, Deserialize)]
pub struct Kept {
    pub kept: bool,
    /// The field is not on the page any more.
    pub gone: bool,
    /// The focus was elsewhere; what would have been written there was swallowed.
    pub strayed: bool,
    pub sensitive: bool,
    /// Left out for sensitive fields.
    pub value: Option<String>,
    /// What the field takes, in words, where it kept something else.
    pub rule: Option<String>,
    pub after: Facts,
}

/// Whether a field still holds what was written into it.
#[derive(Debug, Clone, Deserialize)]
pub struct Still {
    pub kept: bool,
    pub gone: bool,
    pub sensitive: bool,
    pub value: Option<String>,
}

/// Why an option of a list can't be chosen.
#[derive(Debug, Clone, Deserialize)]
pub struct Lacking {
    /// `disabled`, `ambiguous` or `missing`.
    pub reason: String,
    pub wanted: String,
    /// The first of those that there are.
    pub options: Vec<String>,
    /// How many there are beyond them.
    pub more: usize,
}

/// What became of a choice in a native select.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Choice {
    Chosen {
        value: Option<String>,
        after: Box<Facts>,
    },
    NotKept {
        labels: Vec<String>,
        held: Vec<String>,
    },
    NoOption(Lacking),
    /// Several were asked for, the list takes one.
    Single,
}

/// What stands against writing a field.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Survey {
    Gone,
    Fine,
    Disabled,
    Refused {
        why: Refusal,
        words: String,
        instead: Option<String>,
    },
    /// Its kind or its length does not allow the text.
    Unfit {
        sensitive: bool,
        /// What it takes, in words.
        rule: Option<String>,
    },
    NoOption(Lacking),
    /// Several options for a list that takes one.
    Single,
}

/// The field before read back, and a look at the next one where that kept its value.
#[derive(Debug, Clone, Deserialize)]
pub struct Followed {
    pub held: Kept,
    pub look: Option<Look>,
}

/// What an action would meet.
#[derive(Debug, Clone, Deserialize)]
pub struct Examined {
    #[serde(flatten)]
    pub look: Look,
    /// It has to be scrolled to in its own frame.
    #[serde(default)]
    pub outside: bool,
    #[serde(default)]
    pub disabled: bool,
    #[serde(default)]
    pub readonly: bool,
}

/// A point followed out of a frame.
#[derive(Debug, Clone, Deserialize)]
pub struct Through {
    pub outer: Point,
    pub levels: usize,
    /// Width and height inside the iframe.
    pub inner: Point,
    pub covered: bool,
    pub turned: bool,
}

impl Session {
    /// Runs a function of the page script on an element. Returns `None` when the document went away under the
    /// call. One round trip.
    ///
    /// # Errors
    /// As [`page_call`](Session::page_call); `browser::protocol` when the script threw.
    pub async fn probe<T: for<'a> Deserialize<'a>>(
        &self,
        element: &Element,
        function: &'static str,
        args: &[Value],
        budget: &Budget,
    ) -> Result<Option<T>> {
        self.refuse_in_dialog()?;
        self.probed(element, element.session.start(call_function(element, function, args)), budget).await
    }

    /// As [`probe`](Self::probe), with another element of the same document as the last argument.
    ///
    /// # Errors
    /// As [`probe`](Self::probe).
    pub async fn probe_beside<T: for<'a> Deserialize<'a>>(
        &self,
        element: &Element,
        function: &'static str,
        args: &[Value],
        beside: &Element,
        budget: &Budget,
    ) -> Result<Option<T>> {
        self.refuse_in_dialog()?;
        let asked = element.session.start(call_function_beside(element, function, args, beside));
        self.probed(element, asked, budget).await
    }

    /// Asks many elements together, each with its own arguments; `None` for those whose document went away.
    ///
    /// # Errors
    /// As [`probe`](Self::probe).
    pub async fn probe_all<T: for<'a> Deserialize<'a>>(
        &self,
        questions: &[(&Element, Vec<Value>)],
        function: &'static str,
        budget: &Budget,
    ) -> Result<Vec<Option<T>>> {
        self.refuse_in_dialog()?;
        let start =
            |(element, args): &(&Element, Vec<Value>)| element.session.start(call_function(element, function, args));
        let asked: Vec<Pending> = questions.iter().map(start).collect();
        let mut answers = Vec::with_capacity(asked.len());
        for (pending, (element, _)) in asked.into_iter().zip(questions) {
            answers.push(self.probed(element, pending, budget).await?);
        }
        Ok(answers)
    }

    async fn probed<T: for<'a> Deserialize<'a>>(
        &self,
        element: &Element,
        pending: Pending,
        budget: &Budget,
    ) -> Result<Option<T>> {
        let value = match self.answered(pending, budget).await {
            Ok(reply) => returned(&reply).map_err(|failure| self.explain(failure, budget))?,
            Err(failed) => return self.unless_lost(element, failed, budget).map(|()| None),
        };
        let garbled = |problem: serde_json::Error| {
            self.explain(
                Failure::Garbled { method: "Runtime.callFunctionOn".into(), problem: problem.to_string() },
                budget,
            )
        };
        serde_json::from_value(value).map(Some).map_err(garbled)
    }

    /// Takes the loss of an element's world for no error: whoever needs that world makes it anew.
    fn unless_lost(&self, element: &Element, failed: Failed, budget: &Budget) -> Result<()> {
        match failed {
            Failed::Command(failure) if is_lost(&failure) => {
                self.forget_world(&element.frame);
                Ok(())
            }
            failed => Err(self.word(failed, budget)),
        }
    }

    /// Returns the backend id of what lay in the way at the last look; `None` when nothing did. Two round trips.
    ///
    /// # Errors
    /// As [`page_call`](Session::page_call).
    pub async fn obstacle(&self, element: &Element, budget: &Budget) -> Result<Option<i64>> {
        let mut params = call_function(element, "obstacle", &[]);
        params.return_by_value = Some(false);
        let reply = match self.answered(element.session.start(params), budget).await {
            Ok(reply) => reply,
            Err(failed) => return self.unless_lost(element, failed, budget).map(|()| None),
        };
        let object: Value = reply.decode().map_err(|failure| self.explain(failure, budget))?;
        let Some(id) = object.pointer("/result/objectId").and_then(Value::as_str) else { return Ok(None) };
        let params = DescribeNodeParams { object_id: Some(id.to_owned().into()), ..Default::default() };
        let described: Value = match self.answered(element.session.start(params), budget).await {
            Ok(reply) => reply.decode().map_err(|failure| self.explain(failure, budget))?,
            Err(Failed::Command(Failure::Refused { .. })) => return Ok(None),
            Err(failed) => return Err(self.word(failed, budget)),
        };
        Ok(described.pointer("/node/backendNodeId").and_then(Value::as_i64))
    }

    /// Returns what lies over an element as errors show it, with a ref. `None` when it is gone. Reads the page.
    ///
    /// # Errors
    /// As [`read_tree`](Session::read_tree).
    pub async fn shown(&mut self, over: &Element, backend: i64, budget: &Budget) -> Result<Option<Nearest>> {
        let tree = self.read_tree(budget).await?;
        let served = self.session_of_frame(&over.frame)?;
        // What lies over a frame may stand in a document around it, which the same process serves.
        let mut frames = self
            .frame_ids()
            .into_iter()
            .filter(|frame| self.session_of_frame(frame).is_ok_and(|session| session.id() == served.id()));
        let Some(hit) = frames.find_map(|frame| tree.index_of(tree.frame_of(&frame)?, backend)) else {
            return Ok(None);
        };
        let covered = tree.frame_of(&over.frame).and_then(|frame| tree.index_of(frame, over.backend));
        let (at, name) = nearest::coverer(&tree, hit, covered);
        let Some(node) = tree.get(at) else { return Ok(None) };
        let role = node.role.to_owned();
        Ok(self.mint_at(&tree, at).map(|reference| Nearest { reference, role, name, why: String::new() }))
    }

    /// Returns whether the focus of the current tab is in a field whose value may not leave it. One round trip for
    /// each frame.
    ///
    /// # Errors
    /// As [`page_call`](Session::page_call).
    pub async fn focus_is_sensitive(&mut self, budget: &Budget) -> Result<bool> {
        for frame in self.frame_ids() {
            let asked = self.evaluate(&frame, "globalThis.pageboy.hasSensitiveFocus()", budget).await?;
            if asked == Value::Bool(true) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether a failure says that the document of the call is gone.
fn is_lost(failure: &Failure) -> bool {
    match failure {
        Failure::Detached { .. } => true,
        Failure::Refused { message, .. } => ["context", "Cannot find", "navigated or closed", "Could not find object"]
            .iter()
            .any(|part| message.contains(part)),
        _ => false,
    }
}

/// Writes the arguments of a call.
pub fn arguments<T: Serialize>(argument: &T) -> [Value; 1] {
    [serde_json::to_value(argument).unwrap_or_else(|_| json!({}))]
}
