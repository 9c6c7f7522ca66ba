//! Binds the rows of the host's function table. A row is registered for no argument up to one more than it takes,
//! so that the host can say `args::count` in its own words; the first argument may stand before a dot.

use std::any::TypeId;
use std::rc::Rc;

use rhai::{Dynamic, Engine, EvalAltResult, NativeCallContext};
use serde_json::Value;

use super::link::Link;
use super::sources::Located;
use super::tree::Tree;
use super::value;
use crate::host::function::{Effect, Function, parameters};
use crate::host::table;
use crate::lang::fault::Fault;

/// Methods of a tree that share their name with a function, and the rows behind them.
const TREE_METHODS: &[(&str, &str)] = &[("find", "tree_find"), ("find_all", "tree_find_all")];

/// Returns the rows that scripts can call.
pub fn callable() -> impl Iterator<Item = &'static Function> {
    table::functions().filter(|row| row.effect != Effect::Engine)
}

/// Registers every row.
pub fn register(engine: &mut Engine, link: &Rc<Link>) {
    for row in callable() {
        for count in 0..=row.arity.1 + 1 {
            let mut types = vec![TypeId::of::<Dynamic>(); count];
            bind(engine, link, row, &types);
            // Rhai's own `sleep` and `log` take a number of exactly this type and would win otherwise.
            if count == 1 {
                for exact in [TypeId::of::<i64>(), TypeId::of::<f64>()] {
                    types.fill(exact);
                    bind(engine, link, row, &types);
                }
            }
        }
    }
}

fn bind(engine: &mut Engine, link: &Rc<Link>, row: &'static Function, types: &[TypeId]) {
    let link = Rc::clone(link);
    engine.register_raw_fn(row.name, types, move |context, args| call(&link, row, &context, args));
}

fn call(
    link: &Link,
    row: &Function,
    context: &NativeCallContext,
    args: &mut [&mut Dynamic],
) -> Result<Dynamic, Box<EvalAltResult>> {
    let located = link.sources().of_call(context);
    if let Some((_, hidden)) = TREE_METHODS.iter().find(|(name, _)| *name == row.name)
        && let Some((tree, rest)) = args.split_first()
        && let Some(snapshot) = tree.read_lock::<Tree>().map(|tree| tree.snapshot())
    {
        let mut values = vec![snapshot];
        for (index, arg) in rest.iter().enumerate() {
            values.push(argument(link, row.name, &parameter(row, rest.len(), index), arg, &located)?);
        }
        return link.call(hidden, values, &located).map(value::dynamic);
    }
    let count = args.len();
    let mut values = Vec::with_capacity(count);
    for (index, arg) in args.iter().enumerate() {
        values.push(argument(link, row.name, &parameter(row, count, index), arg, &located)?);
    }
    let result = link.call(row.name, values, &located)?;
    Ok(match Tree::from_result(&result) {
        Some(tree) => Dynamic::from(tree),
        None => value::dynamic(result),
    })
}

/// Converts an argument for the host.
///
/// # Errors
/// `args::type` for what no host function takes.
pub fn argument(
    link: &Link,
    function: &str,
    parameter: &str,
    value: &Dynamic,
    located: &Located,
) -> Result<Value, Box<EvalAltResult>> {
    value::argument(value).map_err(|unfit| {
        let takes = table::function(function).map(Function::takes).unwrap_or_default();
        let fault = Fault::ArgsType {
            function: function.to_owned(),
            parameter: parameter.to_owned(),
            found: unfit.found,
            expected: unfit.expected.to_owned(),
            takes,
            hint: None,
        };
        link.throw(fault, located.clone())
    })
}

/// Returns the name of a parameter by the first signature that has so many.
fn parameter(row: &Function, count: usize, index: usize) -> String {
    let names = |signature: &'static str| parameters(signature);
    let fitting = row.signatures.iter().map(|signature| names(signature)).find(|names| names.len() >= count);
    let name = fitting.and_then(|names| names.into_iter().nth(index));
    name.unwrap_or_else(|| format!("argument {}", index + 1))
}
