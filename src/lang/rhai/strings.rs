//! String and array methods that people expect and Rhai lacks or has in another form: `trim` and `replace` give the
//! changed text back, `join`, `repeat` and `lines` exist.

use std::rc::Rc;

use rhai::{Array, Dynamic, Engine, EvalAltResult, ImmutableString, NativeCallContext, Position};

use super::link::Link;
use crate::lang::fault::Fault;
use crate::lang::limits::Limits;
use crate::reference::Ref;

type Outcome<T> = Result<T, Box<EvalAltResult>>;

/// Registers the methods. They win over those of the standard packages.
pub fn register(engine: &mut Engine, limits: &Limits, link: &Rc<Link>) {
    let most = limits.string_bytes;
    let line = Rc::clone(link);
    engine.register_fn("clear", move |context: NativeCallContext, text: &mut ImmutableString| -> Outcome<()> {
        // Who empties a ref means the field: the text of a ref has nothing to be emptied for.
        if text.parse::<Ref>().is_ok() {
            let fault = Fault::hinted(
                "`clear` changes the text of the ref, and nothing on the page",
                "empty the field with `fill(ref, \"\")`",
            );
            return Err(line.throw(fault, line.sources().of_call(&context)));
        }
        *text = ImmutableString::new();
        Ok(())
    });
    engine.register_fn("trim", |text: &mut ImmutableString| {
        *text = text.trim().into();
        text.clone()
    });
    // The engine measures a text only when it is there; this one would be built first, whatever its size.
    engine.register_fn(
        "replace",
        move |text: &mut ImmutableString, old: &str, new: &str| -> Outcome<ImmutableString> {
            let growth = text.matches(old).count().saturating_mul(new.len().saturating_sub(old.len()));
            fits(text.len().saturating_add(growth), most)?;
            *text = text.replace(old, new).into();
            Ok(text.clone())
        },
    );
    engine.register_fn("repeat", move |text: &str, times: i64| -> Outcome<String> {
        let times = usize::try_from(times).unwrap_or(0);
        fits(text.len().saturating_mul(times), most)?;
        Ok(text.repeat(times))
    });
    engine.register_fn("lines", |text: &str| -> Array {
        text.lines().map(|line| Dynamic::from(line.to_owned())).collect()
    });
    engine.register_fn("join", move |list: &mut Array, between: &str| -> Outcome<String> {
        let texts: Vec<String> = list.iter().map(ToString::to_string).collect();
        let length = texts.iter().map(|text| text.len().saturating_add(between.len())).sum();
        fits(length, most)?;
        Ok(texts.join(between))
    });
}

fn fits(length: usize, most: usize) -> Outcome<()> {
    if length <= most {
        return Ok(());
    }
    Err(EvalAltResult::ErrorDataTooLarge("Length of string".into(), Position::NONE).into())
}
