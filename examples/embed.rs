//! Runs a script from a program of your own. `cargo run --example embed`
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example shows what it did")]

use std::error::Error;

use pageboy::demo::DemoServer;
use pageboy::{LaunchOptions, RunOptions, Script, Session};

const SCRIPT: &str = r#"
    open(arg("shop"));
    fill(find("User name"), "ann");
    fill(find("textbox", "Password"), "paper-plane");
    click(find("button", "Sign in"));
    for link in find_all(#{ role: "link", within: find("list", "Products") }) {
        emit(#{ product: text(link) });
    }
    title()
"#;

fn main() -> Result<(), Box<dyn Error>> {
    // Scripts run in a second process, which is this program again. In the first one the call returns at once.
    pageboy::serve_worker();

    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let shop = DemoServer::start(None).await?;
        let mut session = Session::launch(LaunchOptions::default()).await?;

        let script = Script::from_text("shelf.rhai", SCRIPT);
        let outcome = session.run(&script, RunOptions::default().arg("shop", shop.url())).await;

        match &outcome.result {
            Ok(title) => println!("{}: {} products", title.as_str().unwrap_or("?"), outcome.rows.len()),
            Err(failure) => eprintln!("{}: {}\n{}", failure.error.code(), failure.error, failure.error.help()),
        }

        session.close().await?;
        shop.stop().await;
        Ok(())
    })
}
