//! One row of the function table: what a script function is called, takes and does.

/// What a call does to the world outside the script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Read,
    Act,
    Eval,
    Run,
    /// Belongs to the engine's side of a control function or a value; scripts can't name it.
    Engine,
}

/// One function that scripts can call.
#[derive(Debug)]
pub struct Function {
    pub name: &'static str,
    pub signatures: &'static [&'static str],
    pub arity: (usize, usize),
    pub options: &'static [(&'static str, &'static str)],
    pub effect: Effect,
    pub doc: &'static str,
    pub example: &'static str,
}

impl Function {
    /// Returns the forms as one text for messages: `click(ref, #{…})`.
    pub fn takes(&self) -> String {
        self.signatures.join("` or `")
    }
}
