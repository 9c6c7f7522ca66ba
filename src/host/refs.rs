//! Rows: what is known of refs.

use serde_json::{Value, json};

use super::Host;
use super::args::Args;
use crate::budget::Budget;
use crate::error::{Error, Result};
use crate::page::nearest;

pub async fn refs(host: &mut Host, _: Args, budget: Budget) -> Result<Value> {
    let tree = host.page.read_tree(&budget).await?;
    let live = tree.nodes.iter().filter(|node| node.listed).filter_map(|node| node.reference);
    Ok(live.map(|reference| Value::from(reference.to_string())).collect())
}

pub async fn lookup(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let text = args.reference(0, "ref")?;
    let Ok((reference, _)) = host.page.known(&text) else { return Ok(Value::Null) };
    let tree = host.page.read_tree(&budget).await?;
    match host.page.locate(&text, &tree, &budget).await {
        Ok(at) => {
            let mut map = tree.to_json(at).unwrap_or_default();
            map.insert("ref".into(), reference.to_string().into());
            Ok(Value::Object(map))
        }
        Err(
            Error::RefStale { .. } | Error::RefChanged { .. } | Error::RefOtherTab { .. } | Error::TabClosed { .. },
        ) => Ok(Value::Null),
        Err(error) => Err(error),
    }
}

pub async fn nearest(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let text = args.reference(0, "ref")?;
    let count = if args.len() == 2 { args.integer(1, "n")? } else { 5 };
    let count =
        usize::try_from(count).map_err(|_| args.wrong_value("n", &format!("the number `{count}`"), "0 or more"))?;
    let (reference, entry) = host.page.known(&text)?;
    let tree = host.page.read_tree(&budget).await?;
    // One more is asked for, since the element itself is the nearest while it lives.
    let ranked = nearest::rank(&tree, &host.page.wanted(&tree, &entry), count.saturating_add(1));
    let offered = nearest::offered(&tree, &ranked);
    let others = offered.into_iter().filter(|near| near.reference != reference);
    Ok(json!(others.take(count).collect::<Vec<_>>()))
}

pub async fn explain(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let text = args.reference(0, "ref")?;
    crate::act::explain::explain(&mut host.page, &text, &budget).await
}
