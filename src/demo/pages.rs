//! The files of the shop and their types. All of them are part of the binary.

/// One file that the server hands out.
pub(super) struct Page {
    /// The path of its address.
    pub path: &'static str,
    pub content_type: &'static str,
    pub text: &'static str,
}

/// Returns the page at a path.
pub(super) fn page(path: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.path == path)
}

macro_rules! pages {
    ($($path:literal $kind:literal $file:literal)*) => {
        const PAGES: &[Page] = &[
            $(Page { path: $path, content_type: $kind, text: include_str!(concat!("pages/", $file)) },)*
        ];
    };
}

pages! {
    "/" "text/html; charset=utf-8" "sign_in.html"
    "/products" "text/html; charset=utf-8" "products.html"
    "/product" "text/html; charset=utf-8" "product.html"
    "/cart" "text/html; charset=utf-8" "cart.html"
    "/checkout" "text/html; charset=utf-8" "checkout.html"
    "/pay" "text/html; charset=utf-8" "pay.html"
    "/thanks" "text/html; charset=utf-8" "thanks.html"
    "/shop.css" "text/css; charset=utf-8" "shop.css"
    "/rooms.css" "text/css; charset=utf-8" "rooms.css"
    "/order.css" "text/css; charset=utf-8" "order.css"
    "/pay.css" "text/css; charset=utf-8" "pay.css"
    "/icon.svg" "image/svg+xml" "icon.svg"
    "/art.js" "text/javascript; charset=utf-8" "art.js"
    "/cart.js" "text/javascript; charset=utf-8" "cart.js"
    "/catalogue.js" "text/javascript; charset=utf-8" "catalogue.js"
    "/checkout.js" "text/javascript; charset=utf-8" "checkout.js"
    "/make.js" "text/javascript; charset=utf-8" "make.js"
    "/pay.js" "text/javascript; charset=utf-8" "pay.js"
    "/product.js" "text/javascript; charset=utf-8" "product.js"
    "/products.js" "text/javascript; charset=utf-8" "products.js"
    "/rating.js" "text/javascript; charset=utf-8" "rating.js"
    "/shop.js" "text/javascript; charset=utf-8" "shop.js"
    "/sign_in.js" "text/javascript; charset=utf-8" "sign_in.js"
    "/sums.js" "text/javascript; charset=utf-8" "sums.js"
    "/thanks.js" "text/javascript; charset=utf-8" "thanks.js"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module that is missing from the table would only show as a dead page in a browser.
    #[test]
    fn every_address_in_the_pages_is_served() {
        for file in PAGES {
            let is_address =
                |piece: &&str| piece.strip_prefix('/').is_some_and(|rest| rest.starts_with(char::is_alphabetic));
            for piece in file.text.split(['"', '`']).filter(is_address) {
                let path = piece.split(['?', ' ', '<', '\n']).next().unwrap_or(piece);
                assert!(page(path).is_some(), "{} names {path}", file.path);
            }
        }
    }

    #[test]
    fn no_page_reaches_out_or_holds_inline_handlers() {
        for file in PAGES {
            let text = file.text.replace("http://www.w3.org/2000/svg", "");
            assert!(!text.contains("http://") && !text.contains("https://"), "{} names another host", file.path);
            assert!(!text.contains(" onclick=") && !text.contains("<style"), "{} holds inline code", file.path);
        }
    }
}
