//! Row: the script's own JavaScript in the page.

use std::collections::HashMap;

use serde_json::Value;

use super::Host;
use super::args::Args;
use crate::budget::Budget;
use crate::error::Result;
use crate::page::javascript::ELEMENT;

pub async fn eval_js(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let code = args.string(0, "code")?;
    let budget = host.timed(args.options(1)?.milliseconds("timeout")?, budget);
    let mut value = host.page.evaluate_script(&code, &budget).await?;
    let mut refs: HashMap<i64, Value> = HashMap::new();
    walk(&mut value, &mut |backend, _| {
        refs.insert(backend, Value::Null);
    });
    if refs.is_empty() {
        return Ok(value);
    }
    let tree = host.page.read_tree(&budget).await?;
    for (&backend, reference) in &mut refs {
        let minted = host.page.served_here(&tree, backend).and_then(|found| host.page.mint_element(&tree, &found));
        *reference = minted.map_or(Value::Null, |minted| minted.to_string().into());
    }
    walk(&mut value, &mut |backend, place| *place = refs.get(&backend).cloned().unwrap_or_default());
    Ok(value)
}

/// Visits each element that stands in the value. Values nest no deeper than they are read.
fn walk(value: &mut Value, visit: &mut impl FnMut(i64, &mut Value)) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if let Some(backend) = value.get(ELEMENT).and_then(Value::as_i64) {
            visit(backend, value);
            continue;
        }
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(map) => open.extend(map.values_mut()),
            _ => {}
        }
    }
}
