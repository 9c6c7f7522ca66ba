//! The pages of the shop and the files that they load. All of them are part of the binary.

use std::borrow::Cow;

const HTML: &str = "text/html; charset=utf-8";
const LAYOUT: &str = include_str!("pages/layout.html");
const HEADER: &str = include_str!("pages/header.html");
const FOOTER: &str = include_str!("pages/footer.html");

/// What the server hands out for an address.
pub(super) struct Page {
    pub content_type: &'static str,
    /// How long browsers may keep it. A minute spares a customer most of the requests, and a newer shop on the same
    /// port is seen soon.
    pub kept: &'static str,
    pub text: Cow<'static, str>,
}

/// Returns the page or the file at a path.
pub(super) fn page(path: &str) -> Option<Page> {
    if let Some(room) = ROOMS.iter().find(|room| room.path == path) {
        return Some(Page { content_type: HTML, kept: "no-store", text: room.html().into() });
    }
    let (_, content_type, text) = FILES.iter().find(|(file, _, _)| *file == path)?;
    Some(Page { content_type, kept: "max-age=60", text: (*text).into() })
}

/// A page of the shop: what is its own in the layout that all of them share.
struct Room {
    path: &'static str,
    title: &'static str,
    /// Names its script and the class of its body.
    name: &'static str,
    sheet: &'static str,
    /// Whether the shop's header and footer stand around it.
    is_inside: bool,
    content: &'static str,
}

impl Room {
    fn html(&self) -> String {
        let here = format!("<a href=\"{}\"", self.path);
        let header = HEADER.replace(&here, &format!("{here} aria-current=\"page\""));
        let around = |part: &str| if self.is_inside { part.to_owned() } else { String::new() };
        LAYOUT
            .replace("{{title}}", self.title)
            .replace("{{sheet}}", self.sheet)
            .replace("{{script}}", &format!("/{}.js", self.name))
            .replace("{{room}}", self.name)
            .replace("{{header}}", &around(&header))
            .replace("{{footer}}", &around(FOOTER))
            .replace("{{content}}", self.content)
    }
}

macro_rules! rooms {
    ($($path:literal $title:literal $name:literal $sheet:literal $is_inside:literal)*) => {
        const ROOMS: &[Room] = &[
            $(Room {
                path: $path,
                title: $title,
                name: $name,
                sheet: $sheet,
                is_inside: $is_inside,
                content: include_str!(concat!("pages/", $name, ".html")),
            },)*
        ];
    };
}

rooms! {
    "/" "Sign in" "sign_in" "/rooms.css" false
    "/products" "Products" "products" "/rooms.css" true
    "/product" "Product" "product" "/rooms.css" true
    "/guide" "Guide" "guide" "/rooms.css" false
    "/archive" "Paper archive" "archive" "/archive.css" true
    "/cover" "Your own cover" "cover" "/rooms.css" true
    "/cart" "Cart" "cart" "/order.css" true
    "/checkout" "Checkout" "checkout" "/order.css" true
    "/thanks" "Thank you" "thanks" "/order.css" true
}

macro_rules! files {
    ($($path:literal $kind:literal)*) => {
        const FILES: &[(&str, &str, &str)] = &[
            ("/pay", HTML, include_str!("pages/pay.html")),
            $(($path, $kind, include_str!(concat!("pages", $path))),)*
        ];
    };
}

files! {
    "/archive.css" "text/css; charset=utf-8"
    "/order.css" "text/css; charset=utf-8"
    "/pay.css" "text/css; charset=utf-8"
    "/rooms.css" "text/css; charset=utf-8"
    "/shop.css" "text/css; charset=utf-8"
    "/icon.svg" "image/svg+xml"
    "/archive.js" "text/javascript; charset=utf-8"
    "/art.js" "text/javascript; charset=utf-8"
    "/banner.js" "text/javascript; charset=utf-8"
    "/card.js" "text/javascript; charset=utf-8"
    "/cart.js" "text/javascript; charset=utf-8"
    "/catalogue.js" "text/javascript; charset=utf-8"
    "/checkout.js" "text/javascript; charset=utf-8"
    "/cover.js" "text/javascript; charset=utf-8"
    "/guide.js" "text/javascript; charset=utf-8"
    "/make.js" "text/javascript; charset=utf-8"
    "/papers.js" "text/javascript; charset=utf-8"
    "/pay.js" "text/javascript; charset=utf-8"
    "/product.js" "text/javascript; charset=utf-8"
    "/products.js" "text/javascript; charset=utf-8"
    "/rating.js" "text/javascript; charset=utf-8"
    "/shop.js" "text/javascript; charset=utf-8"
    "/sign_in.js" "text/javascript; charset=utf-8"
    "/sums.js" "text/javascript; charset=utf-8"
    "/thanks.js" "text/javascript; charset=utf-8"
    "/towns.js" "text/javascript; charset=utf-8"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the server answers by itself; its own tests ask for each of them.
    const SERVICES: &[&str] = &["/covers", "/delivery", "/invoice", "/towns"];

    fn texts() -> impl Iterator<Item = (&'static str, Cow<'static, str>)> {
        let rooms = ROOMS.iter().map(|room| (room.path, room.html().into()));
        rooms.chain(FILES.iter().map(|(path, _, text)| (*path, (*text).into())))
    }

    /// A module that is missing from the table would only show as a dead page in a browser.
    #[test]
    fn every_address_in_the_pages_is_served() {
        for (file, text) in texts() {
            let is_address =
                |piece: &&str| piece.strip_prefix('/').is_some_and(|rest| rest.starts_with(char::is_alphabetic));
            for piece in text.split(['"', '`']).filter(is_address) {
                let path = piece.split(['?', ' ', '<', '\n']).next().unwrap_or(piece);
                assert!(page(path).is_some() || SERVICES.contains(&path), "{file} names {path}");
            }
        }
    }

    #[test]
    fn no_page_reaches_out_or_holds_inline_code() {
        for (file, text) in texts() {
            let text = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!text.contains("http://") && !text.contains("https://"), "{file} names another host");
            for banned in [" onclick=", "<style", " style=\""] {
                assert!(!text.contains(banned), "{file} holds `{banned}`");
            }
        }
    }

    #[test]
    fn a_page_is_filled_in_and_marks_where_one_is() {
        let cart = page("/cart").map(|page| page.text.into_owned()).unwrap_or_default();
        assert!(!cart.contains("{{") && cart.contains("<title>Cart · Quire"), "{cart}");
        assert!(cart.contains("<a href=\"/cart\" aria-current=\"page\""), "{cart}");
        assert_eq!(cart.matches("aria-current").count(), 1, "{cart}");
        let door = page("/").map(|page| page.text.into_owned()).unwrap_or_default();
        assert!(door.contains("Welcome back") && !door.contains("<header"), "{door}");
    }
}
