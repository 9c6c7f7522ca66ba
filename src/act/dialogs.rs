//! Answering JavaScript dialogs.

use serde_json::{Value, json};

use super::outcome::{self, Mark};
use crate::budget::Budget;
use crate::cdp::Failure;
use crate::cdp::js::runtime::EvaluateParams;
use crate::cdp::protocol::page::HandleJavaScriptDialogParams;
use crate::error::{Error, Result};
use crate::page::Session;
use crate::page::world::{Dialog, World};

/// Returns the open dialog of the current tab as `{type, message, default}`, or null.
///
/// # Errors
/// `tab::closed`, `browser::gone`.
pub fn open(page: &Session) -> Result<Value> {
    Ok(page.tab()?.dialog.map_or(Value::Null, |dialog| describe(&dialog)))
}

/// Returns a dialog as scripts see it.
pub fn describe(dialog: &Dialog) -> Value {
    json!({ "type": dialog.kind, "message": dialog.message, "default": dialog.default })
}

/// Accepts or dismisses the open dialog and waits until it is gone. A prompt that is accepted without a text
/// keeps its default.
///
/// # Errors
/// `args::value` when none is open.
pub async fn answer(page: &Session, accept: bool, text: Option<String>, budget: &Budget) -> Result<Value> {
    let tab = page.tab()?;
    let function = if accept { "accept" } else { "dismiss" };
    let (Some(dialog), Some(session)) = (tab.dialog, tab.session) else {
        return Err(Error::DialogNone { function: function.into() });
    };
    let mark = Mark::take(page);
    let mut params = HandleJavaScriptDialogParams::new(accept);
    if accept && dialog.kind == "prompt" {
        params.prompt_text = Some(text.unwrap_or(dialog.default.clone()));
    }
    let session = page.cdp(&session);
    match session.call(params, budget).await {
        Ok(_) => {}
        // The dialog went away by itself, with its page.
        Err(Failure::Refused { .. }) => page.live().change(|world| {
            if let Some(id) = session.id() {
                world.dialog_answered(id);
            }
        }),
        Err(failure) => return Err(page.explain(failure, budget)),
    }
    let seen = tab.dialogs_seen;
    let answered = |world: &World| {
        let tab = world.tab(&tab.target);
        tab.is_none_or(|tab| tab.closed || tab.dialog.is_none() || tab.dialogs_seen > seen).then_some(())
    };
    page.live().until(budget, answered).await.map_err(|_| page.out_of_time("an end to the dialog", budget))?;
    // The page's script goes on where the dialog stopped it; what it sets going belongs to the answer. A page that
    // opens the next dialog or leaves does not answer, which is no error of this call.
    let went_on = page.page_call(&session, EvaluateParams::new("0"), budget).await;
    tracing::debug!(ok = went_on.is_ok(), "the page went on after its dialog");
    outcome::settle(page, &mark, false, &[], budget).await;
    Ok(describe(&dialog))
}
