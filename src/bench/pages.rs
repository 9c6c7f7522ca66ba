//! The pages of the bench, made anew in each run: shops of a given number of accessible nodes, a form of fifty
//! fields, frames and shadow roots.

use axum::Router;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use tokio::net::TcpListener;
use tokio_util::task::AbortOnDropHandle;

use crate::error::{Error, Resource, Result};

/// The cards of the shops, and how many nodes that are not ignored `Accessibility.getFullAXTree` counts there.
pub const SHOPS: [Shop; 4] = [
    Shop { cards: 7, nodes: 107 },
    Shop { cards: 71, nodes: 1_003 },
    Shop { cards: 714, nodes: 10_005 },
    Shop { cards: 3_571, nodes: 50_003 },
];

/// The number of text fields, selects and checkboxes of the form.
pub const FIELDS: (usize, usize, usize) = (30, 10, 10);

#[derive(Debug, Clone, Copy)]
pub struct Shop {
    pub cards: usize,
    pub nodes: usize,
}

impl Shop {
    pub fn path(self) -> String {
        format!("cards/{}", self.cards)
    }
}

/// A server of the pages on loopback. It stops when it is dropped.
#[derive(Debug)]
pub struct Pages {
    port: u16,
    _serving: AbortOnDropHandle<()>,
}

impl Pages {
    /// # Errors
    /// `io::failed` when no port can be listened on.
    pub async fn serve() -> Result<Self> {
        let failed = |error: std::io::Error| Error::IoSystem { what: Resource::Loopback, reason: error.to_string() };
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let app = Router::new().fallback(move |address: Uri| async move { answer(address.path(), port) });
        let serving = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, app).await {
                tracing::warn!(%error, "the pages of the bench stopped");
            }
        });
        Ok(Self { port, _serving: AbortOnDropHandle::new(serving) })
    }

    /// Returns the address of a page, such as `form`.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}", self.port)
    }
}

fn answer(path: &str, port: u16) -> Response {
    match page(path, port) {
        Some(html) => ([(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")], html)
            .into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Returns the page at a path; frames of another origin stand under the other loopback name.
fn page(path: &str, port: u16) -> Option<String> {
    let (kind, number) = match path.trim_start_matches('/').split_once('/') {
        Some((kind, number)) => (kind, number.parse().ok()?),
        None => (path.trim_start_matches('/'), 0),
    };
    match kind {
        "cards" => Some(shop(number)),
        "form" => Some(form()),
        "frame" => Some(document(
            &format!("Frame {number}"),
            &format!("<p>Inside frame {number}</p><button data-id=\"frame{number}\">Frame button {number}</button>"),
            "",
        )),
        "frames" => Some(frames(20, "")),
        "xframes" => Some(frames(5, &format!("http://localhost:{port}"))),
        "shadow" => Some(shadow()),
        _ => None,
    }
}

/// Each page counts the trusted clicks on its buttons in `__n`.
fn document(title: &str, body: &str, script: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title><style>\
         body{{font:14px sans-serif;margin:8px}}\
         article{{display:inline-block;width:200px;height:150px;border:1px solid #999;margin:4px;padding:4px;\
         vertical-align:top}}iframe{{width:220px;height:90px}}label{{display:block;margin:2px}}</style></head>\
         <body>{body}<script>window.__n=0;addEventListener('click',e=>{{\
         if(e.isTrusted&&e.composedPath()[0].closest?.('button'))window.__n++}},true);{script}</script></body></html>"
    )
}

fn shop(cards: usize) -> String {
    let card = |i: usize| {
        let (euros, cents, item) = ((i * 37) % 500, (i * 13) % 100, 100_000 + i);
        format!(
            "<article><h3>Product {i}</h3><p>Price {euros}.{cents:02} EUR, item number {item}</p>\
             <a href=\"#p{i}\">Details of product {i}</a> \
             <button data-id=\"add{i}\">Add product {i} to cart</button></article>\n"
        )
    };
    let cards: String = (1..=cards).map(card).collect();
    let header = "<header><h1>Shop</h1><p id=\"status\" role=\"status\">ready</p></header>";
    document("Shop", &format!("{header}<main>{cards}</main>"), "")
}

fn form() -> String {
    let (texts, selects, checks) = FIELDS;
    let mut body = String::from(
        "<h1>Sign up</h1><form onsubmit=\"event.preventDefault();\
         window.__sent=JSON.stringify([...new FormData(this)]);\
         document.getElementById('done').textContent='sent'\">",
    );
    let options: String =
        ["red", "green", "blue", "black"].map(|c| format!("<option value=\"{c}\">{c}</option>")).concat();
    let labels = (1..=texts)
        .map(|i| format!("<label>Text field {i} <input type=\"text\" name=\"t{i}\"></label>\n"))
        .chain((1..=selects).map(|i| format!("<label>Choice {i} <select name=\"s{i}\">{options}</select></label>\n")))
        .chain(
            (1..=checks).map(|i| format!("<label><input type=\"checkbox\" name=\"c{i}\"> Accept rule {i}</label>\n")),
        );
    body.extend(labels);
    body.push_str("<button>Submit form</button></form><p id=\"done\" role=\"status\"></p>");
    document("Form", &body, "")
}

fn frames(count: usize, host: &str) -> String {
    let frames = (1..=count).map(|i| format!("<iframe title=\"frame {i}\" src=\"{host}/frame/{i}\"></iframe>"));
    let body = format!("<h1>Frames</h1><button data-id=\"top\">Top button</button>{}", frames.collect::<String>());
    document("Frames", &body, "")
}

fn shadow() -> String {
    let hosts = |tag: &str, count: usize| (1..=count).map(|i| format!("<x-{tag} n=\"{i}\"></x-{tag}>")).collect();
    let (open, closed): (String, String) = (hosts("open", 200), hosts("closed", 50));
    document(
        "Shadow",
        &format!("<h1>Shadow roots</h1>{open}{closed}"),
        "const def=(tag,mode,word)=>customElements.define(tag,class extends HTMLElement{connectedCallback(){\
         const r=this.attachShadow({mode});\
         r.innerHTML='<button>'+word+' button '+this.getAttribute('n')+'</button>'}});\
         def('x-open','open','Open');def('x-closed','closed','Closed');",
    )
}
