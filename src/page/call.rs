//! Commands to pages: each races its answer with the deadline, a dialog, a crash, a closed tab and the end of
//! the browser, and a failure becomes the error that says what happened.

use serde_json::{Value, json};

use super::Session;
use super::session::millis;
use super::world::{Dialog, OnDialog, Tab, World};
use crate::budget::Budget;
use crate::cdp::{CdpSession, Command, Failure, Pending, Reply};
use crate::error::{Error, Result};

impl Session {
    /// Sends a command to a page of the current tab and waits for its answer.
    ///
    /// # Errors
    /// `dialog::open` at once while a dialog is open or when one opens; `page::hung` at the deadline;
    /// `page::crashed`, `tab::closed`, `browser::gone`, `browser::protocol`; `budget::time` when a layer above
    /// the call set the deadline.
    pub async fn page_call<C: Command>(&self, session: &CdpSession, command: C, budget: &Budget) -> Result<Reply> {
        self.refuse_in_dialog()?;
        self.answered(session.start(command), budget).await.map_err(|failed| self.word(failed, budget))
    }

    /// Waits for the answer to a command that was sent before.
    ///
    /// # Errors
    /// As [`page_call`](Self::page_call), but not worded yet, so that the caller can read a refusal.
    pub async fn answered(&self, pending: Pending, budget: &Budget) -> Result<Reply, Failed> {
        tokio::select! {
            biased;
            reply = pending.reply(budget) => reply.map_err(Failed::Command),
            dialog = self.dialog_opens(budget) => Err(Failed::Dialog(dialog)),
        }
    }

    /// Words a failure as the error of the call.
    pub fn word(&self, failed: Failed, budget: &Budget) -> Error {
        match failed {
            Failed::Dialog(error) => error,
            Failed::Command(failure) => self.explain(failure, budget),
        }
    }

    /// Fails when a dialog is open in the current tab.
    ///
    /// # Errors
    /// `dialog::open`.
    pub fn refuse_in_dialog(&self) -> Result<()> {
        self.live.read(|world| match open_dialog(world, &self.current) {
            Some(error) => Err(error),
            None => Ok(()),
        })
    }

    async fn dialog_opens(&self, budget: &Budget) -> Error {
        match self.live.until(budget, |world| open_dialog(world, &self.current)).await {
            Ok(error) => error,
            // The command's own wait ends with the same budget and says why.
            Err(super::settle::Spent) => std::future::pending().await,
        }
    }

    /// Words a failed command. A page that did not answer is remembered as silent.
    pub fn explain(&self, failure: Failure, budget: &Budget) -> Error {
        let tab = self.live.read(|world| world.tab(&self.current).cloned());
        let label = tab.as_ref().map_or_else(String::new, |tab| tab.label.clone());
        match failure {
            Failure::Refused { method, message, .. } => {
                Error::BrowserProtocol { method: method.into(), problem: message }
            }
            Failure::NoAnswer { method, waited } => {
                if let Some(url) = self.leaving() {
                    return budget.overrun().unwrap_or_else(|| Error::WaitTimeout {
                        wanted: format!("an answer of the server to {}", crate::script::quoted(&url)),
                        change: crate::error::Change::Happen,
                        waited_ms: millis(waited),
                        now: None,
                        nearest: Vec::new(),
                    });
                }
                self.live.change(|world| {
                    if let Some(tab) = world.tab_mut(&self.current) {
                        tab.silent = true;
                    }
                });
                // A dialog of a tab in the same process, such as a popup, stops this one too.
                let elsewhere = self.live.read(|world| {
                    let open = world.tabs().find(|tab| tab.dialog.is_some())?;
                    open_dialog(world, &open.target)
                });
                budget.overrun().or(elsewhere).unwrap_or_else(|| Error::PageHung {
                    doing: format!("`{method}`"),
                    waited_ms: millis(waited),
                    freed: None,
                })
            }
            Failure::Cancelled { method } => budget.overrun().unwrap_or_else(|| Error::BrowserProtocol {
                method: method.into(),
                problem: "it was cancelled".into(),
            }),
            Failure::Crashed { .. } => Error::PageCrashed { tab: label },
            Failure::Detached { method } => match tab {
                Some(Tab { crashed: true, .. }) => Error::PageCrashed { tab: label },
                Some(Tab { closed: false, .. }) => Error::BrowserProtocol {
                    method: method.into(),
                    problem: "the frame went away while it was asked".into(),
                },
                _ => self.tab_closed(label),
            },
            Failure::Closed { reason } => Error::BrowserGone { reason },
            Failure::Garbled { method, problem } => Error::BrowserProtocol { method: method.into(), problem },
        }
    }

    /// Runs a function of the page script on an element, in the isolated world.
    ///
    /// # Errors
    /// As [`page_call`](Self::page_call).
    pub async fn on(&self, element: &super::Element, function: &str, args: &[Value], budget: &Budget) -> Result<Value> {
        let reply = self.page_call(&element.session, call_function(element, function, args), budget).await?;
        returned(&reply).map_err(|failure| self.explain(failure, budget))
    }
}

/// Why there is no answer to a page command.
#[derive(Debug)]
pub enum Failed {
    Command(Failure),
    /// A dialog opened, or was open before.
    Dialog(Error),
}

/// Returns the command that runs a function of the page script with the element as its first argument.
pub fn call_function(
    element: &super::Element,
    function: &str,
    args: &[Value],
) -> crate::cdp::js::runtime::CallFunctionOnParams {
    use crate::cdp::js::runtime::{CallArgument, CallFunctionOnParams};
    let declaration = format!(
        "function(row, numbered, ...given) {{ globalThis.pageboy.known(this, row, numbered); \
         return globalThis.pageboy.{function}(this, ...given) }}"
    );
    let mut params = CallFunctionOnParams::new(declaration);
    params.object_id = Some(element.object_id.clone().into());
    params.return_by_value = Some(true);
    params.await_promise = Some(true);
    let argument = |value: &Value| CallArgument { value: Some(value.clone()), ..Default::default() };
    let known = [json!(element.row), json!(element.numbered)];
    params.arguments = Some(known.iter().chain(args).map(argument).collect());
    params
}

/// As [`call_function`], with another element of the same document as the last argument.
pub fn call_function_beside(
    element: &super::Element,
    function: &str,
    args: &[Value],
    beside: &super::Element,
) -> crate::cdp::js::runtime::CallFunctionOnParams {
    use crate::cdp::js::runtime::CallArgument;
    let mut params = call_function(element, function, args);
    let object = CallArgument { object_id: Some(beside.object_id.clone().into()), ..Default::default() };
    params.arguments.get_or_insert_default().push(object);
    params
}

/// Reads the value that a function in the page returned.
///
/// # Errors
/// [`Failure::Refused`] when it threw.
pub fn returned(reply: &Reply) -> Result<Value, Failure> {
    let mut result: Value = reply.decode()?;
    if let Some(details) = result.get("exceptionDetails") {
        let thrown = details.pointer("/exception/description").or_else(|| details.get("text"));
        let message = thrown.and_then(Value::as_str).unwrap_or("the page script threw").to_owned();
        return Err(Failure::Refused { method: "Runtime.callFunctionOn".into(), code: 0, message });
    }
    Ok(result.pointer_mut("/result/value").map_or(json!(null), Value::take))
}

fn open_dialog(world: &World, target: &str) -> Option<Error> {
    if world.on_dialog != OnDialog::Fail {
        return None;
    }
    let tab = world.tab(target)?;
    let Dialog { kind, message, .. } = tab.dialog.clone()?;
    Some(Error::DialogOpen { kind, text: message, tab: tab.label.clone() })
}
