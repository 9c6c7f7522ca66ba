//! The Rhai engine as scripts get it: every limit set, `eval` out, our functions in.

use std::rc::Rc;

use rhai::packages::{Package, StandardPackage};
use rhai::{Engine, OptimizationLevel};

use super::link::Link;
use super::modules::{Modules, Resolver};
use super::sources::place;
use super::{bind, control, strings, tree};
use crate::lang::limits::Limits;

/// Builds the engine of one run.
pub fn build(limits: &Limits, link: &Rc<Link>, modules: &Rc<Modules>) -> Engine {
    let mut engine = Engine::new_raw();
    engine.register_global_module(StandardPackage::new().as_shared_module());
    limit(&mut engine, limits);
    // Folding would move positions and drop what the checks must see.
    engine.set_optimization_level(OptimizationLevel::None);
    engine.set_strict_variables(true);
    engine.set_fail_on_invalid_map_property(true);
    engine.set_fast_operators(true);
    engine.disable_symbol("eval");
    engine.set_max_strings_interned(256);

    strings::register(&mut engine, limits, link);
    bind::register(&mut engine, link);
    control::register(&mut engine, link, modules);
    tree::register(&mut engine, link);
    engine.set_module_resolver(Resolver(Rc::clone(modules)));

    let line = Rc::clone(link);
    engine.on_print(move |text| line.print(text));
    let line = Rc::clone(link);
    engine.on_debug(move |text, _, position| {
        let found = place(position).and_then(|place| line.sources().find(place));
        let at = found.map(|(source, (row, column))| format!("{}:{row}:{column} ", source.script.name));
        line.print(&format!("{}{text}", at.unwrap_or_default()));
    });
    let line = Rc::clone(link);
    engine.on_progress(move |operations| line.must_stop(operations));
    engine
}

fn limit(engine: &mut Engine, limits: &Limits) {
    engine.set_max_operations(limits.operations);
    engine.set_max_call_levels(limits.call_levels);
    engine.set_max_expr_depths(limits.expression_depth, limits.expression_depth);
    engine.set_max_string_size(limits.string_bytes);
    engine.set_max_array_size(limits.array_items);
    engine.set_max_map_size(limits.map_entries);
    engine.set_max_functions(limits.functions);
    engine.set_max_variables(limits.variables);
    engine.set_max_modules(limits.modules);
}
