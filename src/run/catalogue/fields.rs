//! Samples of the errors that concern several fields at once.

use super::{Sample, near};
use crate::error::{Error, FieldFault, FieldName, FieldProblem};
use crate::reference::Ref;

pub(super) fn samples() -> Vec<Sample> {
    let problem = |key: &str, fault: FieldFault| FieldProblem { key: key.into(), fault };
    let field = |key: &str, number: u32| FieldName { key: key.into(), label: key.into(), reference: Ref(number) };
    let locked = || Error::ActDisabled { reference: Ref(7), was: "textbox \"Note\"".into(), waited_ms: 5000 };
    let refused = vec![
        problem("Coupon", FieldFault::None { nearest: near(), elsewhere: None }),
        problem("Street", FieldFault::Ambiguous { matches: near() }),
        problem("Note", FieldFault::Unusable(Box::new(locked()))),
    ];
    let stopped = Error::FillStopped {
        field: Some(field("Note", 7)),
        filled: vec![field("Coupon", 31), field("Gift", 5)],
        not_started: vec![field("Name", 9)],
        lost: Vec::new(),
        error: Box::new(locked()),
    };
    let sample = |error| Sample(error, "fill(order)", "fill(order)", "order");
    vec![sample(Error::FieldsRefused { problems: refused, waited_ms: 5000 }), sample(stopped)]
}
