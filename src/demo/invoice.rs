//! The invoice of an order, written from what the page sends along: the shop keeps no orders.

use std::fmt::Write;

/// How many lines and letters an invoice takes.
const LINES: usize = 40;
const LETTERS: usize = 60;

/// No price is higher, so that no sum overflows.
const MOST_CENTS: u32 = 10_000_000;

/// What an invoice says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Invoice {
    number: String,
    name: String,
    lines: Vec<Line>,
    shipping: u32,
}

#[derive(Debug, PartialEq, Eq)]
struct Line {
    quantity: u32,
    goods: String,
    cents: u32,
}

impl Invoice {
    /// Reads the query of an address; `None` if anything in it is not as the shop's own pages write it.
    pub fn read(query: &str) -> Option<Self> {
        let mut invoice = Self { number: String::new(), name: String::new(), lines: Vec::new(), shipping: 0 };
        for (key, value) in url::form_urlencoded::parse(query.as_bytes()) {
            match key.as_ref() {
                "number" => invoice.number = number(&value)?,
                "name" => invoice.name = words(&value)?,
                "shipping" => invoice.shipping = cents(&value)?,
                "line" if invoice.lines.len() < LINES => invoice.lines.push(line(&value)?),
                _ => return None,
            }
        }
        let is_whole = !invoice.number.is_empty() && !invoice.name.is_empty() && !invoice.lines.is_empty();
        is_whole.then_some(invoice)
    }

    /// Returns the name of the file.
    pub fn file(&self) -> String {
        format!("invoice-{}.txt", self.number)
    }

    /// Returns the invoice as a page of text.
    pub fn text(&self) -> String {
        let mut text = format!("Quire & Co.\n\nInvoice {}\nFor {}\n\n", self.number, self.name);
        let mut row = |what: &str, cents: u32| {
            let euros = format!("€{}.{:02}", cents / 100, cents % 100);
            // Writing to a string does not fail.
            writeln!(text, "{what:<64}{euros:>12}").is_ok()
        };
        for line in &self.lines {
            row(&format!("{} × {}", line.quantity, line.goods), line.cents);
        }
        row("Shipping", self.shipping);
        row("Total", self.lines.iter().map(|line| line.cents).sum::<u32>() + self.shipping);
        text.push_str("\nPaid by card. This is a demo: nothing was sold.\n");
        text
    }
}

/// An order number goes into the name of a file and into a header.
fn number(text: &str) -> Option<String> {
    let digits = text.strip_prefix("PB-")?;
    (digits.len() == 5 && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.to_owned())
}

fn words(text: &str) -> Option<String> {
    let fits = text.chars().count() <= LETTERS && !text.chars().any(char::is_control);
    fits.then(|| text.trim().to_owned())
}

fn cents(text: &str) -> Option<u32> {
    text.parse().ok().filter(|cents| *cents <= MOST_CENTS)
}

/// Reads `quantity|goods|cents`.
fn line(text: &str) -> Option<Line> {
    let mut parts = text.split('|');
    let line =
        Line { quantity: parts.next()?.parse().ok()?, goods: words(parts.next()?)?, cents: cents(parts.next()?)? };
    parts.next().is_none().then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUERY: &str = "number=PB-24021&name=Ann+Example&shipping=450&line=2%7CTravel+notebook%2C+Dotted%7C3700";

    #[test]
    fn the_lines_and_the_shipping_make_the_total() {
        let invoice = Invoice::read(QUERY).expect("an invoice");
        assert_eq!(invoice.file(), "invoice-PB-24021.txt");
        let text = invoice.text();
        let rows: Vec<_> = text.lines().filter(|line| line.contains('€')).collect();
        assert_eq!(rows.len(), 3, "{text}");
        assert!(rows[0].starts_with("2 × Travel notebook, Dotted ") && rows[0].ends_with(" €37.00"), "{text}");
        assert!(rows[2].starts_with("Total ") && rows[2].ends_with(" €41.50"), "{text}");
        assert!(text.contains("For Ann Example\n"), "{text}");
    }

    #[test]
    fn what_the_shop_did_not_write_is_no_invoice() {
        let no = [
            String::new(),
            QUERY.replace("PB-24021", "..%2F..%2Fx"),
            QUERY.replace("PB-24021", "PB-%22%0D%0A1"),
            QUERY.replace("Ann+Example", ""),
            QUERY.replace("Ann+Example", "Ann%0AExample"),
            QUERY.replace("Ann+Example", &"x".repeat(LETTERS + 1)),
            QUERY.replace("450", "-450"),
            QUERY.replace("3700", "4000000000"),
            QUERY.replace("3700", "3700%7Cmore"),
            format!("{QUERY}&more=1"),
            format!("{QUERY}{}", "&line=1%7Ca%7C1".repeat(LINES)),
        ];
        for query in no {
            assert_eq!(Invoice::read(&query), None, "{query}");
        }
    }
}
