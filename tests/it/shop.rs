//! The built-in shop: the demo and the scripts that come with it run as the README says.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::json;

use crate::process::Running;
use crate::stage::{Stage, pageboy};

#[test]
fn the_demo_shows_each_step_and_prints_the_order_number() {
    let ended = Running::start(pageboy().arg("demo")).end_within(Duration::from_mins(1));
    assert_eq!(ended.exit(), 0, "{}\n{}", ended.stdout, ended.stderr);
    let all = format!("{}{}", ended.stdout, ended.stderr).to_lowercase();
    assert!(all.contains("order"), "{all}");
    assert!(all.lines().count() >= 5, "{all}");
    assert!(all.bytes().any(|byte| byte.is_ascii_digit()), "{all}");
}

/// The shop, served until dropped.
struct Served {
    child: Child,
    address: String,
}

impl Served {
    fn start() -> Self {
        let mut command = pageboy();
        command.args(["demo", "--serve"]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("pageboy starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let address = output.lines().map_while(Result::ok).find_map(|line| {
            let start = line.find("http://")?;
            line[start..].split_whitespace().next().map(|url| url.trim_end_matches(['.', ',']).to_owned())
        });
        Self { child, address: address.expect("the address of the shop") }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.child.kill().expect("it still serves");
        self.child.wait().expect("it ends");
    }
}

fn script(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_scripts_of_the_shop_do_what_they_say() {
    let shop = Served::start();
    let run = |name: &str| Stage::blank().arg("shop", &shop.address).without_js().script(&script(name));
    let bought = run("quickstart.rhai").ok();
    assert!(bought.json()["steps"].as_array().map_or(0, Vec::len) >= 4, "{bought}");
    assert!(bought.text().bytes().any(|byte| byte.is_ascii_digit()), "an order number: {bought}");
    let stale = run("stale.rhai").fails("ref::stale");
    assert_eq!(*stale.fact("cause"), "replaced", "{stale}");
    assert_eq!(stale.nearest().first().map(String::as_str), Some("link \"Travel notebook\""), "{stale}");
    assert_eq!(stale.underlined(), "click(notebook)");
    let prices = run("prices.rhai").ok();
    assert_eq!(prices.rows().len(), 8, "{prices}");
    let sorted = prices.rows().is_sorted_by(|a, b| a["price"].as_f64() <= b["price"].as_f64());
    assert!(sorted && prices.rows().iter().all(|row| row["product"].is_string()), "{prices}");
    run("recover.rhai").ok();
}

#[test]
fn the_scripts_for_the_awkward_parts_of_the_shop_do_what_they_say() {
    let shop = Served::start();
    let run = |name: &str| Stage::blank().arg("shop", &shop.address).without_js().script(&script(name)).ok();
    let covered = run("covered.rhai");
    assert!(covered.printed().contains("covered by dialog \"A cookie with your paper?\""), "{covered}");
    assert_eq!(*covered.value(), "Brass desk lamp · Quire & Co.");
    let combobox = run("combobox.rhai");
    assert_eq!(*combobox.value(), json!(["Lisbon, Portugal", "Galway, Ireland"]));
    assert_eq!(combobox.printed().lines().count(), 6, "the towns that were offered: {combobox}");
    let popup = run("popup.rhai");
    assert_eq!(*popup.value(), "Broad");
    assert_eq!(popup.printed().lines().count(), 2, "the two tabs: {popup}");
    let archive = run("archive.rhai");
    assert_eq!(*archive.value(), "1 sample chosen.");
    assert!(archive.printed().contains("was button \"Sample of Amalfi laid, cream\", now it is button"), "{archive}");
    let slow = run("slow.rhai");
    assert!(slow.printed().contains("busy"), "{slow}");
    assert!(slow.text().contains("Ireland, Portugal\n4 to 5 days"), "{slow}");
}

#[test]
fn every_script_is_run_by_a_test() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
    let tests = include_str!("shop.rs");
    for entry in std::fs::read_dir(folder).expect("the scripts").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(tests.contains(&format!("run(\"{name}\")")), "no test runs scripts/{name}");
    }
}
