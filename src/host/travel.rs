//! Rows: addresses, history, tabs and dialogs.

use serde_json::{Value, json};

use super::Host;
use super::args::{Args, one_of};
use super::expected::{POLICIES, WAITS};
use crate::act::dialogs;
use crate::act::navigate::{self, Until};
use crate::budget::Budget;
use crate::error::{Error, Result};
use crate::page::world::OnDialog;

pub async fn open(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let url = args.string(0, "url")?;
    let options = args.options(1)?;
    let until = match options.word("wait", &WAITS)? {
        Some("none") => Until::Committed,
        Some("dom") => Until::Dom,
        _ => Until::Load,
    };
    let url = host.rights.address(&url, &host.page.url()?)?;
    let budget = host.timed(options.milliseconds("timeout")?, budget);
    navigate::open(&mut host.page, &url, until, &budget).await
}

pub async fn reload(host: &mut Host, _: Args, budget: Budget) -> Result<Value> {
    navigate::reload(&mut host.page, &budget).await
}

pub async fn back(host: &mut Host, _: Args, budget: Budget) -> Result<Value> {
    navigate::history(&mut host.page, -1, &budget).await
}

pub async fn forward(host: &mut Host, _: Args, budget: Budget) -> Result<Value> {
    navigate::history(&mut host.page, 1, &budget).await
}

pub async fn url(host: &mut Host, _: Args, _: Budget) -> Result<Value> {
    Ok(host.page.url()?.into())
}

pub async fn title(host: &mut Host, _: Args, budget: Budget) -> Result<Value> {
    host.page.page()?;
    let target = host.page.target().to_owned();
    host.page.evaluate(&target, "document.title", &budget).await
}

pub async fn tabs(host: &mut Host, _: Args, _: Budget) -> Result<Value> {
    let targets: Vec<String> =
        host.page.live().read(|world| world.tabs().filter(|tab| !tab.closed).map(|tab| tab.target.clone()).collect());
    Ok(targets.iter().map(|target| describe(host, target)).collect())
}

pub async fn tab(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let target = target_of(host, &args)?;
    host.page.tab_attached(&target, &budget).await?;
    host.page.select_tab(&target);
    Ok(describe(host, &target))
}

pub async fn new_tab(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let url = match args.get(0) {
        Some(_) => Some(host.rights.address(&args.string(0, "url")?, "about:blank")?),
        None => None,
    };
    let target = host.page.new_tab(&budget).await?;
    if let Some(url) = url {
        navigate::open(&mut host.page, &url, Until::Load, &budget).await?;
    }
    Ok(describe(host, &target))
}

pub async fn close_tab(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let target = match args.get(0) {
        Some(_) => target_of(host, &args)?,
        None => host.page.tab()?.target,
    };
    host.page.close_tab(&target, &budget).await?;
    Ok(Value::Null)
}

pub async fn dialog(host: &mut Host, _: Args, _: Budget) -> Result<Value> {
    dialogs::open(&host.page)
}

pub async fn accept(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let text = match args.get(0) {
        Some(_) => Some(args.text(0, "text")?),
        None => None,
    };
    dialogs::answer(&host.page, true, text, &budget).await
}

pub async fn dismiss(host: &mut Host, _: Args, budget: Budget) -> Result<Value> {
    dialogs::answer(&host.page, false, None, &budget).await
}

pub async fn on_dialog(host: &mut Host, args: Args, _: Budget) -> Result<Value> {
    let policy = args.string(0, "policy")?;
    host.page.set_on_dialog(match policy.as_str() {
        "accept" => OnDialog::Accept,
        "dismiss" => OnDialog::Dismiss,
        "fail" => OnDialog::Fail,
        other => {
            let expected = one_of(&POLICIES);
            return Err(args.wrong_value("policy", &crate::script::own(other), &expected));
        }
    });
    Ok(Value::Null)
}

/// Returns the target of the tab that the first argument names: its id or a map of `tabs()`.
fn target_of(host: &Host, args: &Args) -> Result<String> {
    let label = match args.get(0) {
        Some(Value::String(label)) => label.clone(),
        Some(Value::Object(map)) => map.get("tab").and_then(Value::as_str).unwrap_or("").to_owned(),
        other => return Err(args.wrong_type("id", other.unwrap_or(&Value::Null), "a tab id such as \"tab_1\"")),
    };
    let known = host.page.live().read(|world| world.tab_by_label(&label).map(|tab| (tab.target.clone(), tab.closed)));
    match known {
        Some((target, false)) => Ok(target),
        _ => {
            let open = host
                .page
                .live()
                .read(|world| world.tabs().filter(|tab| !tab.closed).map(|tab| tab.label.clone()).collect());
            Err(if known.is_some() {
                Error::TabClosed { tab: label, open }
            } else {
                Error::TabUnknown { tab: label, open }
            })
        }
    }
}

fn describe(host: &Host, target: &str) -> Value {
    host.page.live().read(|world| {
        let tab = world.tab(target);
        let opener = tab.and_then(|tab| tab.opener.as_ref()).and_then(|opener| world.tab(opener));
        json!({
            "tab": tab.map(|tab| tab.label.as_str()),
            "url": world.frame(target).map(|frame| frame.url.as_str()),
            "title": tab.map(|tab| tab.title.as_str()),
            "opener": opener.map(|tab| tab.label.as_str()),
            "current": target == host.page.target(),
        })
    })
}
