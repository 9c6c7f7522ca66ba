//! Travelling: what `open` reports, what it refuses and why, history, tabs and popups.

use serde_json::{Value, json};

use crate::certificate::Untrusted;
use crate::site;
use crate::stage::Stage;

fn opens(url: &str) -> Stage {
    Stage::blank().arg("url", url).script("open(arg(\"url\"))")
}

#[test]
fn open_gives_url_status_and_title() {
    let outcome = opens(&site::url("/pages/basic.html")).ok();
    assert_eq!(*outcome.value(), json!({"url": site::url("/pages/basic.html"), "status": 200, "title": "Basic"}));
}

#[test]
fn a_status_of_four_or_five_hundred_is_no_error() {
    for status in [404, 500, 503] {
        let url = site::url(&format!("/_/status/{status}"));
        let outcome = opens(&url).ok();
        assert_eq!(*outcome.value(), json!({"url": url, "status": status, "title": format!("Status {status}")}));
    }
}

#[test]
fn redirects_are_followed() {
    let outcome = opens(&site::url("/_/hop?to=/pages/second.html")).ok();
    assert_eq!(outcome.value()["url"], json!(site::url("/pages/second.html")));
    assert_eq!(outcome.value()["status"], 200);
}

#[test]
fn no_document_is_an_error_with_the_reason_in_words() {
    let free =
        std::net::TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).expect("a port").port();
    for (url, words) in [
        (format!("http://127.0.0.1:{free}/"), "refused"),
        ("http://no-such-host.invalid/".to_owned(), "name"),
        (site::url("/_/loop"), "redirect"),
        (format!("https://127.0.0.1:{}/", site::port()), "ssl"),
        (site::url("/_/empty"), ""),
        (site::url("/_/attachment"), ""),
    ] {
        let outcome = opens(&url).fails("nav::failed");
        assert_eq!(*outcome.fact("url"), url, "{outcome}");
        let reason = outcome.fact("reason").as_str().unwrap_or_default().to_lowercase();
        assert!(reason.contains(words) && !reason.is_empty(), "{url}: {reason}");
        assert!(!reason.contains("net::"), "in words: {reason}");
    }
}

#[test]
fn a_bad_certificate_is_named() {
    let server = Untrusted::start();
    let outcome = opens(&server.url()).fails("nav::failed");
    let reason = outcome.fact("reason").as_str().unwrap_or_default().to_lowercase();
    assert!(reason.contains("certificate"), "{reason}");
}

#[test]
fn other_schemes_are_refused_before_they_are_tried() {
    for url in [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "chrome://version",
        "data:text/html,x",
        "view-source:http://127.0.0.1/",
    ] {
        let outcome = opens(url).fails("policy::origin");
        assert_eq!(outcome.underlined(), "open(arg(\"url\"))", "{outcome}");
    }
    assert_eq!(opens("about:blank").ok().value()["url"], "about:blank");
}

#[test]
fn what_is_no_address_is_an_argument_error() {
    for url in ["", "no address", "http://"] {
        let outcome = opens(url).run();
        assert!(matches!(outcome.code(), Some("args::value" | "nav::failed")), "{url:?}: {outcome}");
    }
}

#[test]
fn open_after_a_failure_works_and_the_failed_page_holds_nothing() {
    let outcome = Stage::page("basic.html")
        .arg("bad", &site::url("/_/loop"))
        .arg("good", &site::url("/pages/second.html"))
        .script(
            r#"
            let code = "";
            try { open(arg("bad")) } catch (e) { code = e.code; }
            let after = open(arg("good"));
            [code, after.title, find("heading", "Second").contains("ref_")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["nav::failed", "Second", true]));
}

#[test]
fn open_waits_as_told() {
    let slow = site::url("/_/slow?ms=1500");
    let outcome = Stage::blank().arg("url", &slow).script("open(arg(\"url\"), #{timeout: 300})").run();
    assert!(matches!(outcome.code(), Some("nav::failed" | "page::hung" | "wait::timeout")), "{outcome}");
    assert_eq!(opens(&slow).ok().value()["title"], "Slow");
    let half = site::url("/_/hanging-body");
    let script = "open(arg(\"url\"), #{wait: \"none\"}); find(\"button\", \"Go on\").contains(\"ref_\")";
    assert_eq!(*Stage::blank().arg("url", &half).script(script).ok().value(), json!(true));
}

#[test]
fn history_reload_url_and_title() {
    let outcome = Stage::page("basic.html")
        .arg("second", &site::url("/pages/second.html"))
        .script(
            r#"
            open(arg("second"));
            let seen = [title()];
            back(); seen.push(title());
            forward(); seen.push(title());
            eval_js("document.title = 'Renamed'"); seen.push(title());
            reload(); seen.push(title());
            seen.push(url() == arg("second"));
            seen
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["Second", "Basic", "Second", "Renamed", "Second", true]));
}

#[test]
fn tabs_are_listed_opened_switched_and_closed() {
    let outcome = Stage::page("basic.html")
        .arg("second", &site::url("/pages/second.html"))
        .script(
            r#"
            let home = tabs()[0].tab;
            new_tab(arg("second"));
            let two = tabs();
            emit(two);
            let there = title();
            let id = "";
            for open in two { if open.current { id = open.tab; } }
            tab(home);
            let here = title();
            close_tab(id);
            let code = "";
            try { tab(id) } catch (e) { code = e.code; }
            [there, here, id != home, tabs().len(), code]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["Second", "Basic", true, 1, "tab::closed"]));
    let rows = outcome.rows()[0].as_array().expect("tabs");
    assert_eq!(rows.len(), 2, "{outcome}");
    for row in rows {
        for key in ["tab", "url", "title", "opener", "current"] {
            assert!(row.get(key).is_some(), "{key} of {row}");
        }
    }
    assert_eq!(rows.iter().filter(|row| row["current"] == true).count(), 1);
}

#[test]
fn a_popup_is_reported_and_does_not_become_current() {
    let outcome = Stage::page("popups.html")
        .script(
            r#"
            let report = click(find("button", "Window"));
            let current = title();
            tab(report.opened_tab);
            find("heading", "Second");
            let opener = ();
            for open in tabs() { if open.current { opener = open.opener; } }
            [current, title(), opener != ()]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["Popups", "Second", true]));
}

#[test]
fn a_tab_that_the_page_closes_is_closed() {
    let outcome = Stage::page("popups.html")
        .script(
            r#"
            let home = tabs()[0].tab;
            let report = click(find("button", "Window"));
            tab(report.opened_tab);
            let save = find("button", "Save");
            eval_js("window.close()");
            sleep(300);
            let code = "";
            try { click(save) } catch (e) { code = e.code; }
            tab(home);
            [code, title()]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["tab::closed", "Popups"]));
}

#[test]
fn each_run_starts_without_cookies_of_another() {
    let script = r#"
        let before = eval_js("document.cookie");
        eval_js("document.cookie = 'seen=yes'; localStorage.setItem('seen', 'yes'); 1");
        [before, eval_js("document.cookie")]
    "#;
    for _ in 0..2 {
        assert_eq!(*Stage::page("basic.html").script(script).ok().value(), json!(["", "seen=yes"]));
    }
}

#[test]
fn a_crashed_page_is_told_and_left_by_open() {
    let outcome = Stage::page("basic.html")
        .own_browser()
        .flag("--allow-all")
        .arg("again", &site::url("/pages/second.html"))
        .script(
            r#"
            let save = find("button", "Save");
            let codes = [];
            try { open("chrome://crash") } catch (e) { codes.push(e.code); }
            codes.clear();
            try { tree() } catch (e) { codes.push(e.code); }
            open(arg("again"));
            try { click(save) } catch (e) { codes.push(e.code); }
            [codes, title()]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([["page::crashed", "ref::stale"], "Second"]));
    assert_ne!(*outcome.value(), Value::Null);
}
