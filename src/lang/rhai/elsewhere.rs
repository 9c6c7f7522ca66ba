//! What other tools and languages call a function, and what there is here in its place. Names are compared in lower
//! case and without `_`: `waitForSelector` is `wait_for_selector`.

/// Another name for one of our functions, or of Rhai's.
const NAMES: &[(&[&str], &str)] = &[
    (&["navigate", "visit", "goto", "gotourl", "openurl", "navigateto", "loadurl"], "open"),
    (&["goback", "navigateback"], "back"),
    (&["goforward", "navigateforward"], "forward"),
    (&["refresh", "reloadpage"], "reload"),
    (&["currenturl", "geturl", "pageurl", "getcurrenturl"], "url"),
    (&["gettitle", "pagetitle"], "title"),
    (&["setvalue", "input", "filltext", "fillin", "setinputvalue"], "fill"),
    (&["typetext", "sendkeys", "presssequentially", "entertext"], "type"),
    (&["keypress", "presskey", "keyboardpress"], "press"),
    (&["tap", "clickelement", "clickon"], "click"),
    (&["tick", "setchecked"], "check"),
    (&["untick"], "uncheck"),
    (&["selectoption", "selectbyvalue", "selectbylabel", "selectbyvisibletext", "choose"], "select"),
    (&["snapshot", "ariasnapshot", "accessibilitytree", "gettree", "observe"], "tree"),
    (&["queryselector", "queryselectorall", "queryall", "findbycss", "css", "bycss", "cssselector"], "query"),
    (&["findall", "getall"], "find_all"),
    (&["innertext", "textcontent", "gettext", "gettextcontent", "textof"], "text"),
    (&["inputvalue", "getvalue", "valueof"], "value"),
    (&["getattribute", "attribute", "getattr"], "attr"),
    (&["boundingbox", "getboundingclientrect", "getrect"], "rect"),
    (&["waitfortext", "waituntiltext"], "wait_for"),
    (&["waitfortimeout", "waitms"], "sleep"),
    (&["evaluate", "executescript", "executejs", "runjs", "evaljs", "js", "executejavascript"], "eval_js"),
    (&["newpage", "opentab"], "new_tab"),
    (&["closepage"], "close_tab"),
    (&["switchtab", "switchtotab", "switchtowindow", "usetab"], "tab"),
    (&["pages", "windows", "gettabs", "windowhandles"], "tabs"),
    (&["acceptalert", "acceptdialog"], "accept"),
    (&["dismissalert", "dismissdialog"], "dismiss"),
    (&["asserttrue"], "assert"),
    (&["getarg", "param", "argument"], "arg"),
    (&["println", "echo", "puts", "printf"], "print"),
    (&["length", "size"], "len"),
    (&["includes", "has"], "contains"),
    (&["touppercase", "upper"], "to_upper"),
    (&["tolowercase", "lower"], "to_lower"),
    (&["substring", "substr"], "sub_string"),
    (&["slice"], "extract"),
    (&["append"], "push"),
    (&["str", "tostr"], "to_string"),
    (&["int"], "to_int"),
    (&["keysof"], "keys"),
];

/// What calls with so many arguments are here: the letters stand for the arguments.
const WRITTEN: &[(&[&str], usize, &str)] = &[
    (&["asserteq", "assertequal", "assertequals", "tobe", "toequal", "tostrictequal", "eql"], 2, "assert(A == B)"),
    (&["asserteq", "assertequal", "assertequals"], 3, "assert(A == B, C)"),
    (&["assertne", "assertnotequal", "assertnotequals", "assertnoteq"], 2, "assert(A != B)"),
    (&["assertcontains", "assertin", "tocontain", "tocontaintext"], 2, "assert(A.contains(B))"),
    (&["assertfalse", "tobefalse"], 1, "assert(!A)"),
    (&["tobetrue", "tobetruthy"], 1, "assert(A)"),
    (&["dblclick", "doubleclick"], 1, "click(A, #{count: 2})"),
    (&["rightclick", "contextclick"], 1, "click(A, #{button: \"right\"})"),
    (&["waitforurl"], 1, "wait_for(#{url: A})"),
    (&["getbytext", "findbytext", "getbylabel", "getbylabeltext", "getbyplaceholder", "findbylabel"], 1, "find(A)"),
    (&["getbyrole", "findbyrole"], 1, "find(#{role: A})"),
];

/// What is done in another way here, as the next step.
const OTHERWISE: &[(&[&str], &str)] = &[
    (
        &["wait", "delay", "pause", "waitfor"],
        "`wait_for(text)` ends as soon as the text is there; `sleep(ms)` waits that many milliseconds",
    ),
    (
        &["waitforselector", "waitforelement", "waitforvisible", "waituntilvisible", "waitforlocator", "waituntil"],
        "`wait_for(text)` waits for a text, `wait_for(#{role: …, name: …})` for an element",
    ),
    (
        &["waitfornavigation", "waitforloadstate", "waitforload", "waitforpageload", "waitfornetworkidle"],
        "leave it out: `open(url)` and `click(ref)` wait for the page; `wait_for(#{url: …})` waits for an address",
    ),
    (&["waitforurl"], "write `wait_for(#{url: …})`"),
    (
        &["locator", "findelement", "findelements", "element", "elements", "getelement", "by"],
        "`find(role, name)` finds what people see, such as `find(\"button\", \"Save\")`; `query(css)` takes a CSS selector",
    ),
    (&["getbyrole", "findbyrole"], "write `find(role, name)`, such as `find(\"button\", \"Save\")`"),
    (&["getbytext", "findbytext"], "write `find(name)`, or `find(#{text: …})` for the row or block with this text"),
    (
        &["getbylabel", "getbylabeltext", "getbyplaceholder", "getbyalttext", "getbytitle", "findbylabel"],
        "write `find(name)`; `fill(#{label: value})` fills fields by their labels",
    ),
    (&["getbytestid", "findbytestid"], "write `query(\"[data-testid='…']\")[0]`"),
    (&["getelementbyid", "findbyid"], "write `query(\"#…\")[0]`"),
    (&["xpath", "findbyxpath", "byxpath"], "there is no XPath: `find(role, name)` and `query(css)` find elements"),
    (
        &["first", "last", "nth"],
        "the first of a list is `list[0]`, the last `list[-1]`; of several matches, `find(#{name: …, nth: 0})`",
    ),
    (
        &["innerhtml", "outerhtml", "html", "pagesource", "getcontent", "content"],
        "`tree()` and `text()` read the page; its HTML only `eval_js(code)` gives, with `--allow-js`",
    ),
    (
        &["isvisible", "isdisplayed", "exists", "ispresent", "isattached", "ishidden"],
        "`find_all(…).len() > 0` asks without waiting; `explain(ref)` says whether an element can be acted on",
    ),
    (
        &["isenabled", "isdisabled", "ischecked", "isselected", "getstate"],
        "`node(ref).states` holds words such as \"checked\" and \"disabled\"",
    ),
    (&["foreach"], "write `for item in list { … }`"),
    (&["count"], "write `find_all(…).len()`"),
    (
        &["expect", "assertthat", "verify", "should", "asserteq", "assertequal", "assertequals", "assertne"],
        "write `assert(condition, message)`, such as `assert(title() == \"Cart\")`",
    ),
    (
        &["assertvisible", "asserttext", "tobevisible", "tohavetext"],
        "`wait_for(text)` waits until it is there, or fails",
    ),
    (&["dblclick", "doubleclick"], "write `click(ref, #{count: 2})`"),
    (&["rightclick", "contextclick"], "write `click(ref, #{button: \"right\"})`"),
    (&["toggle"], "`check(ref)` ticks and `uncheck(ref)` unticks"),
    (
        &["frame", "framelocator", "switchtoframe", "contentframe", "switchframe"],
        "leave it out: refs reach into frames; `find(#{name: …, frame: …})` looks in one of `frames()` alone",
    ),
    (
        &["alert", "confirm", "prompt", "handledialog", "switchtoalert"],
        "`dialog()` reads the page's dialog, `accept()` and `dismiss()` answer it",
    ),
    (
        &["cookies", "getcookies", "setcookie", "addcookie", "localstorage", "sessionstorage"],
        "there is no function for it; with `--allow-js`, `eval_js(code)` reaches what the page's own scripts reach",
    ),
    (
        &["launch", "quit", "closebrowser", "newbrowser", "newcontext", "startbrowser"],
        "leave it out: a run starts a browser of its own and closes it",
    ),
    (&["require", "include", "source"], "write `import \"name\" as name;`, and call `name::…`"),
    (&["close"], "`close_tab()` closes the tab; the browser ends with the run"),
];

/// What is planned and not there, with what does most of it today.
const NOT_YET: &[(&[&str], &str)] = &[
    (&["hover", "mouseover", "movetoelement"], "a `click(ref)` moves the pointer onto the element too"),
    (&["drag", "draganddrop", "dragto"], "nothing here drags"),
    (
        &["scroll", "scrollto", "scrollby", "scrollintoview", "scrollintoviewifneeded", "scrolldown"],
        "actions scroll to their element by themselves; `press(\"PageDown\")` and `press(\"End\")` scroll the page",
    ),
    (&["focus"], "`type`, `fill` and `press(ref, keys)` give the focus by themselves, and `click(ref)` does it alone"),
    (&["submit"], "write `fill(ref, text, #{submit: true})` or `press(ref, \"Enter\")`, or click the form's button"),
    (&["upload", "uploadfile", "setinputfiles", "attachfile", "choosefile"], "nothing here chooses a file"),
    (&["clickat", "mouseclick"], "write `click(ref, #{position: #{x: 5, y: 5}})` for a place in an element"),
    (&["screenshot", "takescreenshot", "capture", "getscreenshot"], "`tree()` and `text()` tell what the page shows"),
    (&["shadowdom"], "`tree()` lists what stands in shadow roots, and `shadow_query(host, css)` finds in them"),
    (
        &["waitstable", "waitforstable"],
        "actions wait until their element is at rest; `wait_for(text)` waits for the rest",
    ),
    (&["downloads", "waitfordownload", "download"], "the result of the `click(ref)` that starts a download names it"),
    (&["save", "writefile"], "hand rows out with `emit(row)` and send the output to a file"),
    (&["load", "readfile"], "pass values with `--arg name=value` and read them with `arg(name)`"),
    (&["secret"], "`arg(name)` reads what `--arg name=value` gives"),
];

/// What stands here for a name from elsewhere.
#[derive(Debug, PartialEq, Eq)]
pub enum Meant {
    Named(&'static str),
    /// The next step in words.
    Told(String),
}

/// Returns how a call from elsewhere is written here, with its own arguments.
pub fn written(name: &str, arguments: &[&str]) -> Option<String> {
    let plain = name.to_lowercase().replace('_', "");
    let is_meant =
        |(names, count, _): &&(&[&str], usize, &str)| names.contains(&plain.as_str()) && *count == arguments.len();
    let (.., template) = WRITTEN.iter().find(is_meant)?;
    let argument = |letter: char| match letter {
        'A' => arguments.first(),
        'B' => arguments.get(1),
        'C' => arguments.get(2),
        _ => None,
    };
    Some(template.chars().map(|letter| argument(letter).map_or_else(|| letter.into(), |a| (*a).to_owned())).collect())
}

/// Returns what a name from elsewhere means here.
pub fn meant(name: &str) -> Option<Meant> {
    let plain = name.to_lowercase().replace('_', "");
    let has = |names: &[&str]| names.contains(&plain.as_str());
    if let Some((_, known)) = NAMES.iter().find(|(names, _)| has(names)) {
        return Some(Meant::Named(known));
    }
    if let Some((_, hint)) = OTHERWISE.iter().find(|(names, _)| has(names)) {
        return Some(Meant::Told((*hint).to_owned()));
    }
    let (_, hint) = NOT_YET.iter().find(|(names, _)| has(names))?;
    Some(Meant::Told(format!("it is not in this version: {hint}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::table;
    use crate::lang::IN_WORKER;

    fn is_ours(name: &str) -> bool {
        table::function(name).is_some() || IN_WORKER.iter().any(|known| known.name == name)
    }

    #[test]
    fn no_name_from_elsewhere_is_one_of_ours() {
        let lists = NAMES.iter().map(|(names, _)| names);
        let lists = lists.chain(OTHERWISE.iter().chain(NOT_YET).map(|(names, _)| names));
        for name in lists.copied().flatten() {
            assert!(name.chars().all(|character| character.is_ascii_lowercase()), "{name}");
            let ours = table::functions().map(|row| row.name).chain(IN_WORKER.iter().map(|known| known.name));
            for known in ours {
                assert!(known != *name, "`{known}` is there by now");
            }
        }
    }

    /// The next step must be one that can be taken.
    #[test]
    fn every_call_in_a_hint_exists() {
        for (names, hint) in OTHERWISE.iter().chain(NOT_YET) {
            for written in hint.split('`').skip(1).step_by(2).filter(|written| written.contains('(')) {
                let name = written.split('(').next().unwrap_or(written);
                assert!(is_ours(name), "`{name}` in the hint for {names:?}");
            }
        }
    }

    #[test]
    fn names_are_known_however_they_are_written() {
        assert_eq!(meant("querySelector"), Some(Meant::Named("query")));
        assert_eq!(meant("query_selector"), Some(Meant::Named("query")));
        assert!(matches!(meant("waitForSelector"), Some(Meant::Told(hint)) if hint.contains("wait_for(#{role")));
        assert!(matches!(meant("hover"), Some(Meant::Told(hint)) if hint.starts_with("it is not in this version")));
        assert_eq!(meant("click"), None);
    }
}
