//! The one error enum. A variant carries facts, never sentences; `code`, `message` and `help` word them in
//! three exhaustive matches, so that the same error is a picture for people, JSON for programs and a map for
//! `catch`.
//!
//! Invariant: no variant holds source text of a script, and none is a catch-all for strings.

mod code;
mod fields;
mod help;
mod message;

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

pub use self::fields::{Elsewhere, FieldFault, FieldName, FieldProblem};
use crate::reference::Ref;
use crate::script::Site;

/// Why a call, a script or a command failed.
///
/// [`code`](Error::code) is permanent; [`facts`](Error::facts) are the fields by name.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged, rename_all_fields = "snake_case")]
#[non_exhaustive]
pub enum Error {
    /// The element behind a ref is gone.
    RefStale {
        #[serde(rename = "ref")]
        reference: Ref,
        /// What the ref named when it was minted, such as `button "Save"`.
        was: String,
        cause: StaleCause,
        /// The call that ended it, such as `click("ref_3")`, when known.
        by: Option<String>,
        /// The frame whose document was replaced, or which is gone; `None` for the page itself.
        frame: Option<String>,
        nearest: Vec<Nearest>,
        /// Where the script minted the ref, when it did so in this run.
        #[serde(skip)]
        minted: Option<Site>,
    },
    /// The element is alive but means something else.
    RefChanged {
        #[serde(rename = "ref")]
        reference: Ref,
        was: String,
        now: String,
        nearest: Vec<Nearest>,
        #[serde(skip)]
        minted: Option<Site>,
    },
    /// The text was never handed out as a ref.
    RefUnknown {
        #[serde(rename = "ref")]
        reference: String,
        /// The call with a `find` in it, where the text was meant as a name.
        instead: Option<String>,
        nearest: Vec<Nearest>,
    },
    /// The ref belongs to a tab that is not the current one.
    RefOtherTab {
        #[serde(rename = "ref")]
        reference: Ref,
        was: String,
        tab: String,
        current: String,
        #[serde(skip)]
        minted: Option<Site>,
    },
    /// No element matches a locator.
    FindNone {
        wanted: String,
        /// Where it was looked for, such as `on "http://shop.test/"`.
        looked: String,
        waited_ms: u64,
        /// Which one of several was wanted, where there are some and not as many.
        nth: Option<usize>,
        /// How many there are then.
        matches: usize,
        /// Whether `nearest` match and stand outside of where it was looked for.
        elsewhere: bool,
        /// The name that was looked for, where it is the word of a role.
        role: Option<String>,
        nearest: Vec<Nearest>,
    },
    /// Several elements match a locator that must name one.
    FindAmbiguous { wanted: String, matches: Vec<Nearest>, total: usize },
    /// The frozen tree that was asked for is no longer the latest.
    SnapshotStale { snapshot: String, latest: Option<String> },
    /// The element can't be seen.
    ActHidden {
        #[serde(rename = "ref")]
        reference: Ref,
        was: String,
        reason: String,
        waited_ms: u64,
    },
    /// The control is disabled.
    ActDisabled {
        #[serde(rename = "ref")]
        reference: Ref,
        was: String,
        waited_ms: u64,
    },
    /// Another element would receive the input.
    ActCovered {
        #[serde(rename = "ref")]
        reference: Ref,
        was: String,
        /// The element on top; its ref can be acted on.
        coverer: Option<Nearest>,
        /// Whether the element is inert, as behind a modal dialog.
        inert: bool,
        waited_ms: u64,
    },
    /// The element did not come to rest.
    ActMoving {
        #[serde(rename = "ref")]
        reference: Ref,
        was: String,
        waited_ms: u64,
    },
    /// The element takes no text.
    ActNotTypable {
        #[serde(rename = "ref")]
        reference: Ref,
        was: String,
        /// What it is instead, such as `a checkbox`.
        kind: String,
        /// The function for it, such as `check(ref)`.
        instead: Option<String>,
    },
    /// The field can't be written.
    ActReadonly {
        #[serde(rename = "ref")]
        reference: Ref,
        was: String,
    },
    /// The option is not there, not unique or disabled.
    ActNoOption {
        #[serde(rename = "ref")]
        reference: Ref,
        was: String,
        wanted: String,
        reason: NoOption,
        options: Vec<String>,
    },
    /// The page kept something other than what was written.
    ActNotKept {
        #[serde(rename = "ref")]
        reference: Ref,
        was: String,
        wanted: String,
        kept: String,
        /// What the field takes, such as `a date as YYYY-MM-DD`, where that is known.
        expected: Option<String>,
    },
    /// Keys of a map of fields can't be used; nothing was touched.
    FieldsRefused {
        /// With the facts of the only problem, where there is one, as facts of the whole.
        #[serde(flatten, serialize_with = "fields::problems")]
        problems: Vec<FieldProblem>,
        waited_ms: u64,
    },
    /// One of several fields failed.
    FillStopped {
        /// The field; `None` when all are filled and the form was not sent.
        field: Option<FieldName>,
        filled: Vec<FieldName>,
        not_started: Vec<FieldName>,
        /// All that lost their values to the filling of a later one.
        lost: Vec<FieldProblem>,
        /// What went wrong first; its code and facts are those of the whole.
        #[serde(flatten, serialize_with = "fields::facts")]
        error: Box<Self>,
    },
    /// It is not known whether the input arrived.
    ActUnknown {
        #[serde(rename = "ref")]
        reference: Option<Ref>,
        was: String,
        evidence: String,
    },
    /// A JavaScript dialog blocks the page.
    DialogOpen { kind: String, text: String, tab: String },
    /// The address led to no document.
    NavFailed { url: String, reason: String },
    /// What was waited for did not happen.
    WaitTimeout {
        wanted: String,
        change: Change,
        waited_ms: u64,
        /// What there is instead, such as the address of the page.
        now: Option<String>,
        nearest: Vec<Nearest>,
    },
    /// The page does not answer.
    PageHung { doing: String, waited_ms: u64, freed: Option<String> },
    /// The page's process died.
    PageCrashed { tab: String },
    /// `accept` or `dismiss` without a dialog.
    DialogNone { function: String },
    /// The tab is closed.
    TabClosed { tab: String, open: Vec<String> },
    /// A function was called with the wrong number of arguments.
    ArgsCount {
        function: String,
        found: usize,
        takes: String,
        /// The call as it should be, in words, where more is known than the forms.
        hint: Option<String>,
    },
    /// An argument has the wrong type.
    ArgsType {
        function: String,
        parameter: String,
        found: String,
        expected: String,
        takes: String,
        /// As for `ArgsCount`.
        hint: Option<String>,
    },
    /// An argument has a value that can't be used.
    ArgsValue { function: String, parameter: String, found: String, expected: String },
    /// The script wants an argument of the run that was not given.
    ArgMissing { name: String },
    /// There is no role of this name.
    RoleUnknown { role: String, suggestion: Option<String> },
    /// No tab ever had this id.
    TabUnknown { tab: String, open: Vec<String> },
    /// An option shall be chosen in what is no native list.
    ListExpected {
        #[serde(rename = "ref")]
        reference: Ref,
        was: String,
        /// What it is instead, such as `a text field`.
        kind: String,
        /// The call for it, such as `fill("ref_3", text)`.
        instead: Option<String>,
    },
    /// An option is not known to the function.
    ArgsOption { function: String, option: String, suggestion: Option<String>, known: Vec<String> },
    /// The script file can't be read.
    ScriptFile { path: String, reason: String },
    /// The script is not valid.
    ScriptParse { problem: String, hint: Option<String> },
    /// The script calls a function that does not exist.
    ScriptUnknownFunction {
        function: String,
        suggestion: Option<String>,
        takes: Option<String>,
        /// What does it here, in words, where no single function does.
        hint: Option<String>,
    },
    /// The script threw a value or the engine stopped it.
    ScriptError { problem: String, hint: Option<String> },
    /// `assert` or `fail` ended the script.
    ScriptAssert { problem: String },
    /// The script went past an engine limit.
    ScriptLimit { limit: String, problem: String },
    /// An address is outside what the run may load.
    PolicyOrigin {
        url: String,
        expected: String,
        /// The whole address, where what looks like a scheme is the name of a host.
        suggestion: Option<String>,
    },
    /// The run may not do what the call needs.
    PolicyRight { function: String, right: String },
    /// The call would take the value out of a sensitive field.
    PolicySecret { function: String },
    /// A deadline of the run or of a `within` passed.
    BudgetTime {
        layer: String,
        limit_ms: u64,
        /// The call that was under way, such as `wait_for("Thank you")`.
        during: Option<String>,
    },
    /// The run was ended from outside.
    RunCancelled {
        /// The call that was under way.
        during: Option<String>,
    },
    /// The run printed more than it may.
    BudgetOutput { limit_bytes: usize },
    /// No browser is installed.
    BrowserMissing { looked: Vec<String> },
    /// A browser can't be installed.
    BrowserInstall {
        /// What was tried, such as a command or an address.
        what: String,
        reason: String,
        trouble: InstallTrouble,
    },
    /// The browser did not start.
    BrowserLaunch { what: String, reason: String },
    /// A running browser can't be attached to.
    BrowserAttach { endpoint: String, reason: String },
    /// The connection to the browser ended.
    BrowserGone { reason: String },
    /// The browser refused or garbled a command.
    BrowserProtocol { method: String, problem: String },
    /// The disk has no room for what is to be written.
    IoDiskFull { path: String, needed_mb: u64 },
    /// A file can't be written or read.
    IoFailed { path: String, reason: String },
    /// A port can't be listened on.
    IoPort { port: u16, reason: String },
    /// Something of the system other than a file can't be used.
    IoSystem { what: Resource, reason: String },
    /// The command line can't be used.
    Usage { problem: String, hint: String },
    /// A fault in pageboy itself.
    InternalBug { problem: String },
}

/// Why a ref is stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StaleCause {
    /// The element left the document.
    Removed,
    /// The element left the document and an equal one stands in its place.
    Replaced,
    /// The frame shows another document.
    DocumentReplaced,
    /// The frame is gone.
    FrameGone,
}

/// Why an option can't be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoOption {
    Missing,
    Disabled,
    /// Several options carry this label.
    Ambiguous,
}

/// What kept a browser from being installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InstallTrouble {
    /// The server was not reached, or went silent.
    Network,
    /// The server's certificate could not be checked.
    Certificates,
    /// The server answered, but not with a browser.
    Answer,
    /// There is no browser to download for this machine, and no package that is known.
    Machine,
    /// The package manager failed.
    Packages,
}

/// Something of the system other than a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    /// The standard output.
    Output,
    /// Where a question is asked and answered.
    Terminal,
    /// Signals such as Ctrl-C.
    Signals,
    /// The file of the program that runs.
    Program,
    /// The threads that calls wait on.
    Threads,
    /// A process that measures beside this one.
    Process,
    /// Listening on the loopback address.
    Loopback,
}

/// What a wait is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    Appear,
    Disappear,
    /// An address.
    Reach,
    /// Anything else.
    Happen,
}

/// A live ref that is offered in place of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Nearest {
    #[serde(rename = "ref")]
    pub reference: Ref,
    pub role: String,
    pub name: String,
    /// Why it is near, such as `same role and name`.
    pub why: String,
}

impl Nearest {
    /// Returns the ref, role and name as they stand in a tree line.
    pub fn line(&self) -> String {
        format!("{}  {} {}", self.reference, self.role, crate::script::quoted(&self.name))
    }
}

/// The result of everything that can fail in pageboy.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Returns the fields by name, as they stand in the outcome and in a script's `catch`.
    pub fn facts(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(map)) => map,
            _ => Map::new(),
        }
    }

    /// Returns the error as one map: `code`, `message`, `help` and the facts.
    pub fn to_map(&self) -> Map<String, Value> {
        let mut map = Map::new();
        map.insert("code".into(), self.code().into());
        map.insert("message".into(), self.to_string().into());
        map.insert("help".into(), self.help().into());
        map.extend(self.facts());
        map
    }

    /// Adds the call that was under way to an error that says how the run or a `within` ended.
    #[must_use]
    pub fn during(mut self, call: &str) -> Self {
        let mut error = &mut self;
        while let Self::FillStopped { error: inner, .. } = error {
            error = inner;
        }
        if let Self::BudgetTime { during, .. } | Self::RunCancelled { during } = error {
            during.get_or_insert_with(|| call.to_owned());
        }
        self
    }

    /// Returns the refs that are offered instead, best first.
    pub fn nearest(&self) -> &[Nearest] {
        match self {
            Self::RefStale { nearest, .. }
            | Self::RefChanged { nearest, .. }
            | Self::RefUnknown { nearest, .. }
            | Self::FindNone { nearest, .. }
            | Self::WaitTimeout { nearest, .. } => nearest,
            Self::FindAmbiguous { matches, .. } => matches,
            Self::FieldsRefused { problems, .. } => {
                problems.iter().map(FieldProblem::nearest).find(|nearest| !nearest.is_empty()).unwrap_or_default()
            }
            Self::FillStopped { error, .. } => error.nearest(),
            _ => &[],
        }
    }

    /// Returns where the script minted the ref that this error is about.
    pub fn minted(&self) -> Option<&Site> {
        match self {
            Self::RefStale { minted, .. } | Self::RefChanged { minted, .. } | Self::RefOtherTab { minted, .. } => {
                minted.as_ref()
            }
            Self::FillStopped { error, .. } => error.minted(),
            Self::FieldsRefused { problems, .. } => fields::only(problems)?.minted(),
            _ => None,
        }
    }

    /// Returns the exit code of a process that ends with this error.
    pub fn exit_code(&self) -> u8 {
        let code = self.code();
        match code.split("::").next().unwrap_or(code) {
            "args" | "usage" => 2,
            "script" => match self {
                Self::ScriptParse { .. } | Self::ScriptUnknownFunction { .. } => 2,
                Self::ScriptFile { .. } => 6,
                Self::ScriptLimit { .. } => 4,
                _ => 1,
            },
            "policy" | "budget" => 4,
            "browser" => 5,
            "io" => 6,
            "internal" => 70,
            _ => 3,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        message::write(self, formatter)
    }
}

impl std::error::Error for Error {}
