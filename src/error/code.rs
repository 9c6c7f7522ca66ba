//! The permanent code of each error.

use super::Error;

impl Error {
    /// Returns the permanent code, `family::what`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::RefStale { .. } => "ref::stale",
            Self::RefChanged { .. } => "ref::changed",
            Self::RefUnknown { .. } => "ref::unknown",
            Self::RefOtherTab { .. } => "ref::other_tab",
            Self::FindNone { .. } => "find::none",
            Self::FindAmbiguous { .. } => "find::ambiguous",
            Self::SnapshotStale { .. } => "snapshot::stale",
            Self::ActHidden { .. } => "act::hidden",
            Self::ActDisabled { .. } => "act::disabled",
            Self::ActCovered { .. } => "act::covered",
            Self::ActMoving { .. } => "act::moving",
            Self::ActNotTypable { .. } => "act::not_typable",
            Self::ActReadonly { .. } => "act::readonly",
            Self::ActNoOption { .. } => "act::no_option",
            Self::ActNotKept { .. } => "act::not_kept",
            Self::FieldsRefused { problems, .. } => super::fields::code(problems),
            Self::FillStopped { error, .. } => error.code(),
            Self::ActUnknown { .. } => "act::unknown",
            Self::DialogOpen { .. } => "dialog::open",
            Self::NavFailed { .. } => "nav::failed",
            Self::WaitTimeout { .. } => "wait::timeout",
            Self::PageHung { .. } => "page::hung",
            Self::PageCrashed { .. } => "page::crashed",
            Self::DialogNone { .. }
            | Self::ArgMissing { .. }
            | Self::RoleUnknown { .. }
            | Self::TabUnknown { .. }
            | Self::ListExpected { .. }
            | Self::ArgsValue { .. } => "args::value",
            Self::TabClosed { .. } => "tab::closed",
            Self::ArgsCount { .. } => "args::count",
            Self::ArgsType { .. } => "args::type",
            Self::ArgsOption { .. } => "args::option",
            Self::ScriptFile { .. } => "script::file",
            Self::ScriptParse { .. } => "script::parse",
            Self::ScriptUnknownFunction { .. } => "script::unknown_function",
            Self::ScriptError { .. } => "script::error",
            Self::ScriptAssert { .. } => "script::assert",
            Self::ScriptLimit { .. } => "script::limit",
            Self::PolicyOrigin { .. } => "policy::origin",
            Self::PolicyRight { .. } => "policy::right",
            Self::PolicySecret { .. } => "policy::secret",
            Self::BudgetTime { .. } | Self::RunCancelled { .. } => "budget::time",
            Self::BudgetOutput { .. } => "budget::output",
            Self::BrowserMissing { .. } | Self::BrowserInstall { .. } => "browser::missing",
            Self::BrowserLaunch { .. } | Self::BrowserAttach { .. } => "browser::launch",
            Self::BrowserGone { .. } => "browser::gone",
            Self::BrowserProtocol { .. } => "browser::protocol",
            Self::IoDiskFull { .. } => "io::disk_full",
            Self::IoFailed { .. } | Self::IoPort { .. } | Self::IoSystem { .. } => "io::failed",
            Self::Usage { .. } => "usage",
            Self::InternalBug { .. } => "internal::bug",
        }
    }
}
