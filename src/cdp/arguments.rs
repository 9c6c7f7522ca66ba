//! The command line of a browser that we launch.

use std::ffi::OsString;
use std::path::Path;

/// For every browser: no questions, no updates, no traffic of its own, no throttling of what is not in front.
const ALWAYS: &[&str] = &[
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-prompt-on-repost",
    "--disable-quic",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-service-autorun",
    // The crash handler would leave the process group and outlive the browser.
    "--disable-breakpad",
    "--disable-crash-reporter",
    // A hung page is the host's to free; Chromium's own monitor would ask a person.
    "--disable-hang-monitor",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    // Without it Chromium drops navigations of a page that navigates more than 200 times in 10 s.
    "--disable-ipc-flooding-protection",
    // Input that comes before the first frame of a new document is else thrown away.
    "--allow-pre-commit-input",
    "--force-color-profile=srgb",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
    concat!(
        "--disable-features=",
        "AcceptCHFrame,",
        "DestroyProfileOnBrowserClose,",
        "DialMediaRouteProvider,",
        "GlobalMediaControls,",
        // Plain http addresses are what people test; the upgrade tries https first.
        "HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,",
        "LensOverlay,",
        "MediaRouter,",
        "OptimizationHints,",
        // Keeps showing the old document, and ignores input, until the new one has painted.
        "PaintHolding,",
        "Translate",
    ),
];

/// Without a window: no GPU, no scroll bars in pictures, and a mouse that can hover.
const HEADLESS: &[&str] = &[
    "--headless=new",
    "--disable-gpu",
    "--hide-scrollbars",
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
];

/// What decides about the arguments.
pub(super) struct Situation<'a> {
    pub headed: bool,
    pub window: (u32, u32),
    pub profile: &'a Path,
    /// Chromium refuses to start its sandbox as root.
    pub root: bool,
    /// Whether `/dev/shm` is too small for the shared memory of a page, as in a plain container.
    pub little_shared_memory: bool,
    pub more: &'a [String],
}

/// Returns the command line; the caller's own arguments come last but for the first page.
pub(super) fn arguments(situation: &Situation<'_>) -> Vec<OsString> {
    let (width, height) = situation.window;
    let mut arguments: Vec<OsString> = ALWAYS.iter().map(OsString::from).collect();
    let mut profile = OsString::from("--user-data-dir=");
    profile.push(situation.profile);
    arguments.push(profile);
    arguments.push(format!("--window-size={width},{height}").into());
    if !situation.headed {
        arguments.extend(HEADLESS.iter().map(OsString::from));
    }
    if situation.root {
        arguments.push("--no-sandbox".into());
        if situation.headed {
            // Keeps the bar away that warns of `--no-sandbox`.
            arguments.push("--test-type".into());
        }
    }
    if situation.little_shared_memory {
        arguments.push("--disable-dev-shm-usage".into());
    }
    arguments.extend(situation.more.iter().map(OsString::from));
    arguments.push("about:blank".into());
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(headed: bool, root: bool) -> Vec<OsString> {
        let more = ["--lang=de".to_owned()];
        let profile = Path::new("/tmp/p");
        arguments(&Situation { headed, window: (1280, 800), profile, root, little_shared_memory: false, more: &more })
    }

    #[test]
    fn the_sandbox_is_given_up_only_as_root() {
        let has = |arguments: &[OsString]| arguments.iter().any(|argument| argument == "--no-sandbox");
        assert!(has(&of(false, true)));
        assert!(!has(&of(false, false)) && !has(&of(true, false)));
    }

    #[test]
    fn headless_is_said_once_and_the_page_comes_last() {
        let arguments = of(false, false);
        assert_eq!(arguments.iter().filter(|argument| *argument == "--headless=new").count(), 1);
        assert_eq!(arguments.last().unwrap(), "about:blank");
        assert!(arguments.contains(&"--user-data-dir=/tmp/p".into()) && arguments.contains(&"--lang=de".into()));
        assert!(!of(true, false).contains(&"--headless=new".into()));
    }

    #[test]
    fn the_back_forward_cache_stays_on() {
        assert!(of(false, false).iter().all(|argument| !argument.to_string_lossy().contains("BackForwardCache")));
    }
}
