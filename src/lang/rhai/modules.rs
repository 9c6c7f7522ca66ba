//! Compiling scripts, and `import`: the parent gives the source of a module by its name, the engine compiles and
//! checks it like the main script. Modules that a script names literally are loaded before it starts, so that a
//! fault in one of them shows before the first click.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use rhai::{AST, Engine, EvalAltResult, Module, ModuleResolver, Position, Scope, Shared};

use super::check::{self, Checked, Unsure, Verdict};
use super::compile::{self, Compiled, Doubtful};
use super::doubts;
use super::lexer::{Kind, Token};
use super::link::{Link, Record};
use super::names::Names;
use super::sources::{self, Located, Source};
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
    findings: RefCell<Vec<Record>>,
    unsure: RefCell<Vec<Unsure>>,
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
            findings: RefCell::default(),
            unsure: RefCell::default(),
            names: OnceCell::new(),
        }
    }

    /// Returns the functions that scripts can call.
    pub fn names(&self, engine: &Engine) -> &Names {
        self.names.get_or_init(|| Names::of(engine))
    }

    /// Compiles and checks a script and the modules that it imports. What is wrong with them is kept as findings.
    ///
    /// # Errors
    /// When the parent ends the run.
    pub fn load(&self, engine: &Engine, script: Script) -> Outcome<Rc<Source>> {
        self.load_below(engine, script, &mut Vec::new())
    }

    /// Returns all that is wrong with the scripts so far, by script and place.
    pub fn findings(&self) -> Vec<Record> {
        let place = |record: &Record| {
            let site = record.located.site.as_ref();
            let script = site.and_then(|site| self.link.sources().index(&site.script));
            (script, site.map(|site| (site.line, site.column)))
        };
        let mut findings = self.findings.borrow().clone();
        findings.extend(self.decided(Verdict::Wrong));
        findings.sort_by_key(place);
        findings
    }

    /// Returns what most likely does something else than was meant.
    pub fn doubts(&self) -> Vec<Record> {
        let sources = self.link.sources().each(Rc::clone);
        let all: Vec<&Source> = sources.iter().map(Rc::as_ref).collect();
        let mut doubts: Vec<Record> = all.iter().flat_map(|source| doubts::doubts(source, &all)).collect();
        doubts.extend(self.decided(Verdict::Doubted));
        doubts
    }

    fn decided(&self, verdict: Verdict) -> Vec<Record> {
        let sources = self.link.sources().each(Rc::clone);
        let sources: Vec<&Source> = sources.iter().map(Rc::as_ref).collect();
        let unsure = self.unsure.borrow();
        unsure.iter().filter(|call| call.verdict(&sources) == verdict).map(|call| call.record.clone()).collect()
    }

    fn note(&self, fault: Fault, located: Located) {
        self.findings.borrow_mut().push(Record::new(fault, located));
    }

    fn load_below(&self, engine: &Engine, script: Script, chain: &mut Vec<String>) -> Outcome<Rc<Source>> {
        let lines_before = self.link.sources().lines();
        let compiled = match self.too_large(&script, lines_before) {
            Some(fault) => {
                self.note(fault, Located::default());
                Compiled { ast: AST::empty(), text: String::new(), findings: Vec::new(), doubtful: Doubtful::default() }
            }
            None => compile::script(engine, &script, lines_before),
        };
        let Compiled { mut ast, text, findings, doubtful } = compiled;
        self.findings.borrow_mut().extend(findings);
        ast.set_source(&script.name);
        let (spans, script) = (Spans::of(&text), Script { text, ..script });
        let source = self.link.sources().add(Source { script, spans, ast, lines_before });
        chain.push(source.script.name.clone());
        let aliases = self.load_imports(engine, &source, chain)?;
        chain.pop();
        let Checked { faults, unsure } = check::script(self.names(engine), &source, &aliases, &doubtful);
        self.findings.borrow_mut().extend(faults);
        self.unsure.borrow_mut().extend(unsure);
        Ok(source)
    }

    fn too_large(&self, script: &Script, lines_before: usize) -> Option<Fault> {
        let (name, bytes, most) = (&script.name, script.text.len(), self.limits.source_bytes);
        let limit = |limit: &str, problem: String| Some(Fault::Limit { limit: limit.into(), problem });
        if bytes > most {
            return limit("source size", format!("`{name}` has {bytes} bytes, expected at most {most}"));
        }
        let lines = lines_before + sources::lines(script);
        if lines > sources::MOST_LINES {
            let most = sources::MOST_LINES;
            return limit("lines", format!("with `{name}` there are {lines} lines of script, expected at most {most}"));
        }
        None
    }

    /// Loads what a script imports by a literal name; returns the modules by alias.
    fn load_imports(
        &self,
        engine: &Engine,
        source: &Source,
        chain: &mut Vec<String>,
    ) -> Outcome<HashMap<String, Vec<Rc<Source>>>> {
        let mut aliases = HashMap::<_, Vec<_>>::new();
        for import in imports(source) {
            let script = match self.ask(&import.path, &source.script.name, &import.located) {
                Ok(script) => script,
                Err(error) => {
                    let record = self.link.record_of(&error).ok_or(error)?;
                    self.note(record.fault, record.located);
                    continue;
                }
            };
            if let Some(start) = chain.iter().position(|name| *name == script.name) {
                let mut circle: Vec<_> = chain.iter().skip(start).map(|name| format!("`{name}`")).collect();
                circle.push(format!("`{}`", script.name));
                let problem = format!("modules import each other in a circle: {}", circle.join(" → "));
                let fault = Fault::parse(problem, "move what they share into a third module");
                self.note(fault, import.located);
                continue;
            }
            let module = match self.link.sources().get(&script.name) {
                Some(known) => known,
                None if self.are_too_many() => {
                    self.note(self.too_many(), import.located);
                    break;
                }
                None => self.load_below(engine, script, chain)?,
            };
            if let Some(alias) = import.alias {
                aliases.entry(alias).or_default().push(module);
            }
        }
        Ok(aliases)
    }

    fn are_too_many(&self) -> bool {
        self.link.sources().len() > self.limits.modules
    }

    fn too_many(&self) -> Fault {
        Fault::Limit { limit: "modules".into(), problem: format!("more than {} modules", self.limits.modules) }
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
        let located = self.link.sources().locate(position, None);
        let script = self.ask(path, from, &located)?;
        let name = script.name.clone();
        if let Some(module) = self.evaluated.borrow().get(&name) {
            return Ok(Shared::clone(module));
        }
        let source = match self.link.sources().get(&name) {
            Some(known) => known,
            None if self.are_too_many() => return Err(self.link.throw(self.too_many(), located)),
            None => self.load(engine, script)?,
        };
        // A module whose name was only known now: the first fault in it ends the import.
        if let Some(first) = self.findings().into_iter().next() {
            return Err(self.link.throw(first.fault, first.located));
        }
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
