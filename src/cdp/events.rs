//! The events that we heed, decoded leniently: words stay text where the protocol has an enumeration, missing
//! values are empty. All other events are dropped by their name alone.

use serde::Deserialize;

use super::SessionId;

/// Something that happened, and on which session; `None` is the browser's own.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub session: Option<SessionId>,
    pub kind: EventKind,
}

/// What happened. A `frame` is a frame id, a `loader` the id of the document's load.
#[derive(Debug, Clone, PartialEq)]
pub enum EventKind {
    AttachedToTarget {
        session: SessionId,
        target: TargetInfo,
        waiting_for_debugger: bool,
    },
    DetachedFromTarget {
        session: SessionId,
    },
    TargetCreated(TargetInfo),
    TargetInfoChanged(TargetInfo),
    TargetDestroyed {
        target_id: String,
    },
    TargetCrashed {
        target_id: String,
    },
    /// `Inspector.targetCrashed`: the process of this session's target died.
    Crashed,
    FrameAttached {
        frame: String,
        parent: String,
    },
    FrameDetached {
        frame: String,
        /// `remove`, or `swap` when the frame goes on in another process.
        reason: String,
    },
    /// A frame shows a new document.
    FrameNavigated(FrameNavigated),
    NavigatedWithinDocument {
        frame: String,
        url: String,
        /// `fragment`, `historyApi` or `other`.
        navigation_type: String,
    },
    /// A navigation is under way; it may still lead to no document.
    FrameStartedNavigating {
        frame: String,
        loader: String,
        url: String,
        /// Such as `reload`, `sameDocument`, `differentDocument`, `historyDifferentDocument`.
        navigation_type: String,
    },
    /// The page itself asked for a navigation.
    FrameRequestedNavigation {
        frame: String,
        url: String,
        /// Such as `formSubmissionPost`, `scriptInitiated`, `anchorClick`.
        reason: String,
        /// `currentTab`, `newTab`, `newWindow` or `download`.
        disposition: String,
    },
    FrameStartedLoading {
        frame: String,
    },
    FrameStoppedLoading {
        frame: String,
    },
    /// A milestone of a document, such as `init`, `commit`, `DOMContentLoaded`, `load`. Sent only after
    /// `Page.setLifecycleEventsEnabled`.
    LifecycleEvent {
        frame: String,
        loader: String,
        name: String,
    },
    DialogOpening {
        frame: String,
        url: String,
        message: String,
        /// `alert`, `confirm`, `prompt` or `beforeunload`.
        kind: String,
        default_prompt: String,
        has_browser_handler: bool,
    },
    DialogClosed {
        frame: String,
        accepted: bool,
        user_input: String,
    },
    /// Sent on the browser's session after `Browser.setDownloadBehavior{eventsEnabled}`, else on the page's.
    DownloadWillBegin {
        frame: String,
        guid: String,
        url: String,
        suggested_filename: String,
    },
    DownloadProgress {
        guid: String,
        received_bytes: f64,
        /// Zero where the server does not say.
        total_bytes: f64,
        /// `inProgress`, `completed` or `canceled`.
        state: String,
        /// Where the file lies, once it is complete.
        file_path: Option<String>,
    },
    /// Sent only after `Page.setInterceptFileChooserDialog`.
    FileChooserOpened {
        frame: String,
        /// `selectSingle` or `selectMultiple`.
        mode: String,
        /// The file input; `None` for a chooser that a script opened without one.
        backend: Option<i64>,
    },
    WindowOpen {
        url: String,
        name: String,
        user_gesture: bool,
    },
}

/// The `frame` of `Page.frameNavigated`, with how it came about.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct FrameNavigated {
    #[serde(rename = "id")]
    pub frame: String,
    #[serde(rename = "parentId")]
    pub parent: Option<String>,
    #[serde(rename = "loaderId")]
    pub loader: String,
    pub name: String,
    /// Without the fragment.
    pub url: String,
    /// With its `#`, or empty.
    pub url_fragment: String,
    pub security_origin: String,
    pub mime_type: String,
    /// The address that could not be loaded, when an error page is shown in its place.
    pub unreachable_url: Option<String>,
    /// `Navigation`, or `BackForwardCacheRestore` when an old document came back with its loader and node ids.
    #[serde(skip)]
    pub navigation_type: String,
}

/// A target as `Target.getTargets` and the target events describe it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TargetInfo {
    /// Equal to the frame id for a page and for a frame with a process of its own.
    pub target_id: String,
    /// `page`, `iframe`, `worker`, `service_worker`, `shared_worker`, `browser_ui`, …
    #[serde(rename = "type")]
    pub kind: String,
    pub title: String,
    pub url: String,
    pub attached: bool,
    pub opener_id: Option<String>,
    /// The frame that opened it.
    pub opener_frame_id: Option<String>,
    /// The parent frame of a frame with a process of its own.
    pub parent_frame_id: Option<String>,
    pub browser_context_id: Option<String>,
    /// Such as `prerender` or `portal`; empty for what people see.
    pub subtype: Option<String>,
}

/// The parameters of all heeded events in one: no name stands for two kinds of value.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Params {
    session_id: String,
    target_info: TargetInfo,
    target_id: String,
    waiting_for_debugger: bool,
    frame: FrameNavigated,
    frame_id: String,
    parent_frame_id: String,
    loader_id: String,
    name: String,
    window_name: String,
    url: String,
    reason: String,
    disposition: String,
    navigation_type: String,
    #[serde(rename = "type")]
    kind: String,
    message: String,
    default_prompt: Option<String>,
    has_browser_handler: bool,
    result: bool,
    user_input: String,
    user_gesture: bool,
    guid: String,
    suggested_filename: String,
    received_bytes: f64,
    total_bytes: f64,
    state: String,
    file_path: Option<String>,
    mode: String,
    backend_node_id: Option<i64>,
}

impl EventKind {
    /// Reads an event; `None` for one that we do not heed, whose parameters are then not looked at.
    pub(super) fn read(method: &str, params: &str) -> Option<Self> {
        let build = builder(method)?;
        match serde_json::from_str(params) {
            Ok(params) => Some(build(params)),
            Err(problem) => {
                tracing::warn!(method, %problem, "an event can't be read and is left out");
                None
            }
        }
    }
}

/// Returns how to make an event of its parameters; `None` for one that we do not heed.
fn builder(method: &str) -> Option<fn(Params) -> EventKind> {
    Some(match method {
        "Target.attachedToTarget" => |p| EventKind::AttachedToTarget {
            session: p.session_id.into(),
            target: p.target_info,
            waiting_for_debugger: p.waiting_for_debugger,
        },
        "Target.detachedFromTarget" => |p| EventKind::DetachedFromTarget { session: p.session_id.into() },
        "Target.targetCreated" => |p| EventKind::TargetCreated(p.target_info),
        "Target.targetInfoChanged" => |p| EventKind::TargetInfoChanged(p.target_info),
        "Target.targetDestroyed" => |p| EventKind::TargetDestroyed { target_id: p.target_id },
        "Target.targetCrashed" => |p| EventKind::TargetCrashed { target_id: p.target_id },
        "Inspector.targetCrashed" => |_| EventKind::Crashed,
        "Page.frameAttached" => |p| EventKind::FrameAttached { frame: p.frame_id, parent: p.parent_frame_id },
        "Page.frameDetached" => |p| EventKind::FrameDetached { frame: p.frame_id, reason: p.reason },
        "Page.frameNavigated" => |p| {
            // The type is `type` in the protocol; it stands beside the frame.
            EventKind::FrameNavigated(FrameNavigated { navigation_type: p.kind, ..p.frame })
        },
        "Page.navigatedWithinDocument" => {
            |p| EventKind::NavigatedWithinDocument { frame: p.frame_id, url: p.url, navigation_type: p.navigation_type }
        }
        "Page.frameStartedNavigating" => |p| EventKind::FrameStartedNavigating {
            frame: p.frame_id,
            loader: p.loader_id,
            url: p.url,
            navigation_type: p.navigation_type,
        },
        "Page.frameRequestedNavigation" => |p| EventKind::FrameRequestedNavigation {
            frame: p.frame_id,
            url: p.url,
            reason: p.reason,
            disposition: p.disposition,
        },
        "Page.frameStartedLoading" => |p| EventKind::FrameStartedLoading { frame: p.frame_id },
        "Page.frameStoppedLoading" => |p| EventKind::FrameStoppedLoading { frame: p.frame_id },
        "Page.lifecycleEvent" => |p| EventKind::LifecycleEvent { frame: p.frame_id, loader: p.loader_id, name: p.name },
        "Page.javascriptDialogOpening" => |p| EventKind::DialogOpening {
            frame: p.frame_id,
            url: p.url,
            message: p.message,
            kind: p.kind,
            default_prompt: p.default_prompt.unwrap_or_default(),
            has_browser_handler: p.has_browser_handler,
        },
        "Page.javascriptDialogClosed" => {
            |p| EventKind::DialogClosed { frame: p.frame_id, accepted: p.result, user_input: p.user_input }
        }
        "Page.downloadWillBegin" | "Browser.downloadWillBegin" => |p| EventKind::DownloadWillBegin {
            frame: p.frame_id,
            guid: p.guid,
            url: p.url,
            suggested_filename: p.suggested_filename,
        },
        "Page.downloadProgress" | "Browser.downloadProgress" => |p| EventKind::DownloadProgress {
            guid: p.guid,
            received_bytes: p.received_bytes,
            total_bytes: p.total_bytes,
            state: p.state,
            file_path: p.file_path,
        },
        "Page.fileChooserOpened" => {
            |p| EventKind::FileChooserOpened { frame: p.frame_id, mode: p.mode, backend: p.backend_node_id }
        }
        "Page.windowOpen" => {
            |p| EventKind::WindowOpen { url: p.url, name: p.window_name, user_gesture: p.user_gesture }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unheeded_events_are_dropped_without_a_look_at_their_parameters() {
        assert_eq!(EventKind::read("Network.requestWillBeSentExtraInfo", "not json"), None);
    }

    #[test]
    fn unknown_words_keys_and_missing_values_are_no_obstacle() {
        let params = r#"{"frame":{"id":"F","loaderId":"L","url":"http://a/","later":{}},"type":"NewKind","x":[1]}"#;
        let Some(EventKind::FrameNavigated(navigated)) = EventKind::read("Page.frameNavigated", params) else {
            panic!("not read")
        };
        assert_eq!((navigated.frame.as_str(), navigated.loader.as_str()), ("F", "L"));
        assert_eq!((navigated.parent, navigated.unreachable_url), (None, None));
        assert_eq!(navigated.navigation_type, "NewKind");
    }

    #[test]
    fn an_event_with_a_wrong_type_is_left_out() {
        assert_eq!(EventKind::read("Page.frameStartedLoading", r#"{"frameId":7}"#), None);
    }

    #[test]
    fn a_target_names_its_parent_frame() {
        let params = r#"{"sessionId":"S","targetInfo":{"targetId":"T","type":"iframe","title":"","url":"",
            "attached":true,"canAccessOpener":false,"parentFrameId":"P"},"waitingForDebugger":false}"#;
        let Some(EventKind::AttachedToTarget { session, target, waiting_for_debugger: false }) =
            EventKind::read("Target.attachedToTarget", params)
        else {
            panic!("not read")
        };
        assert_eq!((&*session, target.kind.as_str(), target.parent_frame_id.as_deref()), ("S", "iframe", Some("P")));
    }

    #[test]
    fn a_crash_has_no_parameters() {
        assert_eq!(EventKind::read("Inspector.targetCrashed", "{}"), Some(EventKind::Crashed));
    }
}
