//! Every function that scripts can call.

use super::function::{Effect, Function};

/// Returns all rows in documentation order, those that only engines use last.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    ROWS.iter()
}

pub fn function(name: &str) -> Option<&'static Function> {
    functions().find(|function| function.name == name)
}

const fn row(name: &'static str, signatures: &'static [&'static str], arity: (usize, usize), effect: Effect) -> Function {
    Function { name, signatures, arity, options: &[], effect, doc: "", example: "" }
}

use Effect::{Act as Input, Act as Travel, Engine, Eval, Read, Run};

const ROWS: &[Function] = &[
    row("open", &["open(url, #{timeout, wait})"], (1, 2), Travel),
    row("url", &["url()"], (0, 0), Read),
    row("title", &["title()"], (0, 0), Read),
    row("back", &["back()"], (0, 0), Travel),
    row("forward", &["forward()"], (0, 0), Travel),
    row("reload", &["reload()"], (0, 0), Travel),
    row("tree", &["tree()", "tree(#{filter, max_depth, ref, frames})"], (0, 1), Read),
    row("find", &["find(role, name)", "find(name)", "find(#{role, name, text, within, nth, exact, frame, timeout})"], (1, 2), Read),
    row("find_all", &["find_all(role, name)", "find_all(#{role, name, text, within, exact, frame})"], (1, 2), Read),
    row("query", &["query(css, #{within, frame})"], (1, 2), Read),
    row("text", &["text(ref)", "text()"], (0, 1), Read),
    row("value", &["value(ref)"], (1, 1), Read),
    row("node", &["node(ref)"], (1, 1), Read),
    row("attr", &["attr(ref, name)"], (2, 2), Read),
    row("click", &["click(ref, #{button, count, modifiers, position, force, timeout})"], (1, 2), Input),
    row("type", &["type(ref, text, #{delay, submit})"], (2, 3), Input),
    row("fill", &["fill(ref, text, #{submit})", "fill(#{label: value})"], (1, 3), Input),
    row("select", &["select(ref, option)", "select(ref, [options])"], (2, 2), Input),
    row("check", &["check(ref)"], (1, 1), Input),
    row("uncheck", &["uncheck(ref)"], (1, 1), Input),
    row("press", &["press(keys)", "press(ref, keys)"], (1, 2), Input),
    row("wait_for", &["wait_for(text)", "wait_for(#{role, name, text, ref, gone, url, value, timeout})"], (1, 1), Read),
    row("sleep", &["sleep(ms)"], (1, 1), Run),
    row("eval_js", &["eval_js(code, #{timeout})", "eval_js(ref, code)"], (1, 3), Eval),
    row("frames", &["frames()"], (0, 0), Read),
    row("shadow_query", &["shadow_query(host, css)", "shadow_query(css)"], (1, 2), Read),
    row("refs", &["refs()"], (0, 0), Read),
    row("lookup", &["lookup(ref)"], (1, 1), Read),
    row("nearest", &["nearest(ref, n)"], (1, 2), Read),
    row("tabs", &["tabs()"], (0, 0), Read),
    row("tab", &["tab(id)"], (1, 1), Travel),
    row("new_tab", &["new_tab(url)"], (0, 1), Travel),
    row("close_tab", &["close_tab(id)"], (0, 1), Travel),
    row("dialog", &["dialog()"], (0, 0), Read),
    row("accept", &["accept(text)", "accept()"], (0, 1), Input),
    row("dismiss", &["dismiss()"], (0, 0), Input),
    row("on_dialog", &["on_dialog(what)"], (1, 1), Run),
    row("arg", &["arg(name, otherwise)"], (1, 2), Run),
    row("args", &["args()"], (0, 0), Run),
    row("log", &["log(value)"], (1, 1), Run),
    row("emit", &["emit(row)"], (1, 1), Run),
    row("assert", &["assert(cond, message)"], (1, 2), Run),
    row("fail", &["fail(message)"], (1, 1), Run),
    row("remaining", &["remaining()"], (0, 0), Run),
    row("step_begin", &["step_begin(name)"], (1, 1), Engine),
    row("step_end", &["step_end(ok)"], (1, 1), Engine),
    row("within_begin", &["within_begin(ms)"], (1, 1), Engine),
    row("within_end", &["within_end()"], (0, 0), Engine),
    row("tree_nodes", &["tree_nodes(snapshot_id)"], (1, 1), Engine),
    row("tree_get", &["tree.get(ref)"], (2, 2), Engine),
    row("tree_find", &["tree.find(role, name)"], (2, 3), Engine),
    row("tree_find_all", &["tree.find_all(role, name)"], (2, 3), Engine),
];
