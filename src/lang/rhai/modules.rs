//! Compiling scripts, and `import`: the parent gives the source of a module by its name, the engine compiles and
//! checks it like the main script. Modules that a script names literally are loaded before it starts, so that a
//! fault in one of them shows before the first click.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use rhai::{Engine, EvalAltResult, Module, ModuleResolver, Position, Scope, Shared};

use super::check;
use super::lexer::{Kind, Token};
use super::link::Link;
use super::names::Names;
use super::parse;
use super::sources::{Located, Source};
use super::spans::Spans;
use crate::lang::fault::Fault;
use crate::lang::limits::Limits;
use crate::script::Script;

type Outcome<T> = Result<T, Box<EvalAltResult>>;

/// The scripts of a run as they are asked for, compiled and imported.
pub struct Modules {
    link: Rc<Link>,
    limits: Limits,
    /// Script name by the name of the importing script and the name in its `import`.
    asked: RefCell<HashMap<(String, String), String>>,
    evaluated: RefCell<HashMap<String, Shared<Module>>>,
    names: OnceCell<Names>,
}

/// A literal `import` in a script.
struct Import {
    path: String,
    alias: Option<String>,
    located: Located,
}

impl Modules {
    pub fn new(link: &Rc<Link>, limits: &Limits) -> Self {
        Self {
            link: Rc::clone(link),
            limits: limits.clone(),
            asked: RefCell::default(),
            evaluated: RefCell::default(),
            names: OnceCell::new(),
        }
    }

    /// Returns the functions that scripts can call.
    pub fn names(&self, engine: &Engine) -> &Names {
        self.names.get_or_init(|| Names::of(engine))
    }

    /// Compiles and checks a script and the modules that it imports.
    ///
    /// # Errors
    /// `script::parse`, `script::unknown_function`, `script::limit`, `args::count` with their place; what the
    /// parent says about a module.
    pub fn load(&self, engine: &Engine, script: Script) -> Outcome<Rc<Source>> {
        self.load_below(engine, script, &mut Vec::new())
    }

    fn load_below(&self, engine: &Engine, script: Script, chain: &mut Vec<String>) -> Outcome<Rc<Source>> {
        if script.text.len() > self.limits.source_bytes {
            let (name, bytes, most) = (&script.name, script.text.len(), self.limits.source_bytes);
            let problem = format!("`{name}` has {bytes} bytes, expected at most {most}");
            let fault = Fault::Limit { limit: "source size".into(), problem };
            return Err(self.link.throw(fault, Located::default()));
        }
        let spans = Spans::of(&script.text);
        let mut ast = engine.compile(&script.text).map_err(|error| {
            let (fault, site) = parse::explain(&script, &spans, &error);
            self.link.throw(fault, Located { site: Some(site), arguments: Vec::new() })
        })?;
        ast.set_source(&script.name);
        let source = self.link.sources().add(Source { script, spans, ast });
        chain.push(source.script.name.clone());
        let aliases = self.load_imports(engine, &source, chain)?;
        chain.pop();
        match check::script(self.names(engine), &source, &aliases) {
            Ok(()) => Ok(source),
            Err((fault, located)) => Err(self.link.throw(fault, located)),
        }
    }

    fn load_imports(
        &self,
        engine: &Engine,
        source: &Source,
        chain: &mut Vec<String>,
    ) -> Outcome<HashMap<String, Rc<Source>>> {
        let mut aliases = HashMap::new();
        for import in imports(source) {
            let script = self.ask(&import.path, &source.script.name, &import.located)?;
            if let Some(start) = chain.iter().position(|name| *name == script.name) {
                let mut circle: Vec<_> = chain.iter().skip(start).map(|name| format!("`{name}`")).collect();
                circle.push(format!("`{}`", script.name));
                let fault = Fault::Parse {
                    problem: format!("modules import each other in a circle: {}", circle.join(" → ")),
                    hint: Some("move what they share into a third module".into()),
                };
                return Err(self.link.throw(fault, import.located));
            }
            let module = match self.link.sources().get(&script.name) {
                Some(known) => known,
                None => {
                    self.count(&import.located)?;
                    self.load_below(engine, script, chain)?
                }
            };
            if let Some(alias) = import.alias {
                aliases.insert(alias, module);
            }
        }
        Ok(aliases)
    }

    fn count(&self, located: &Located) -> Outcome<()> {
        let most = self.limits.modules;
        if self.link.sources().len() <= most {
            return Ok(());
        }
        let fault = Fault::Limit { limit: "modules".into(), problem: format!("more than {most} modules") };
        Err(self.link.throw(fault, located.clone()))
    }

    /// Asks the parent for a module, once for each name and importing script.
    fn ask(&self, path: &str, from: &str, located: &Located) -> Outcome<Script> {
        let key = (from.to_owned(), path.to_owned());
        let known = self.asked.borrow().get(&key).and_then(|name| self.link.sources().get(name));
        if let Some(known) = known {
            return Ok(known.script.clone());
        }
        let script = self.link.import(path, from, located)?;
        self.asked.borrow_mut().insert(key, script.name.clone());
        Ok(script)
    }

    fn resolve(&self, engine: &Engine, from: &str, path: &str, position: Position) -> Outcome<Shared<Module>> {
        let located = self.link.sources().locate(from, position, None);
        let script = self.ask(path, from, &located)?;
        let name = script.name.clone();
        if let Some(module) = self.evaluated.borrow().get(&name) {
            return Ok(Shared::clone(module));
        }
        let source = match self.link.sources().get(&name) {
            Some(known) => known,
            None => {
                self.count(&located)?;
                self.load(engine, script)?
            }
        };
        let module: Shared<Module> = Module::eval_ast_as_new(Scope::new(), &source.ast, engine)
            .map_err(|error| EvalAltResult::ErrorInModule(name.clone(), error, position))?
            .into();
        self.evaluated.borrow_mut().insert(name, Shared::clone(&module));
        Ok(module)
    }
}

/// Resolves `import` for the engine.
pub struct Resolver(pub Rc<Modules>);

impl ModuleResolver for Resolver {
    fn resolve(
        &self,
        engine: &Engine,
        source: Option<&str>,
        path: &str,
        position: Position,
    ) -> Outcome<Shared<Module>> {
        let main = self.0.link.sources().main();
        self.0.resolve(engine, source.unwrap_or(&main), path, position)
    }
}

/// Finds `import "path" as alias`.
fn imports(source: &Source) -> Vec<Import> {
    let (script, tokens) = (&source.script, source.spans.tokens());
    let text = |token: Option<&Token>| token.map_or("", |token| token.text(&script.text)).to_owned();
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let Some(path) = tokens.get(index + 1).filter(|path| path.kind == Kind::Text) else { continue };
        let literal = path.text(&script.text);
        let plain =
            literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).filter(|path| !path.contains('\\'));
        if token.kind == Kind::Keyword
            && token.text(&script.text) == "import"
            && let Some(plain) = plain
        {
            let alias = (text(tokens.get(index + 2)) == "as").then(|| text(tokens.get(index + 3)));
            let site = source.spans.token((path.line, path.column)).site(&script.name);
            let located = Located { site: Some(site), arguments: Vec::new() };
            found.push(Import { path: plain.to_owned(), alias, located });
        }
    }
    found
}
