//! What the shop's pages ask the server for: towns, delivery times, invoices, and what it thinks of a picture.

use std::borrow::Cow;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::invoice::Invoice;
use super::picture::{Picture, Refused, shown_name};
use super::towns;
use crate::budget::Budget;
use crate::page::settle;

/// Pages that wait for a server are what scripts meet outside, so the shop takes its time.
const TOWNS_TAKE: Duration = Duration::from_millis(250);
const CARRIER_TAKES: Duration = Duration::from_millis(1200);

/// Returns the services. They give up waiting when the server closes.
pub(super) fn services(closing: CancellationToken) -> Router {
    Router::new()
        .route("/towns", get(offer_towns))
        .route("/delivery", get(delivery))
        .route("/invoice", get(invoice))
        .route("/covers", post(cover))
        .with_state(Budget::new(closing))
}

async fn offer_towns(State(open): State<Budget>, address: Uri) -> Response {
    after(TOWNS_TAKE, &open, || towns::beginning_with(&parameter(&address, "q"))).await
}

async fn delivery(State(open): State<Budget>, address: Uri) -> Response {
    // A lamp goes by another van.
    let extra = if parameter(&address, "product") == "desk-lamp" { 2 } else { 0 };
    after(CARRIER_TAKES, &open, || {
        let zones = [("Austria, Germany", 2), ("Belgium, Denmark, France", 3), ("Ireland, Portugal", 4)];
        let times = zones.map(|(to, days)| {
            let days = days + extra;
            json!({ "to": to, "days": format!("{days} to {} days", days + 1) })
        });
        Value::from(times.to_vec())
    })
    .await
}

/// Answers after `delay`, or at once with an error when the server closes meanwhile.
async fn after(delay: Duration, open: &Budget, answer: impl FnOnce() -> Value) -> Response {
    match settle::pause(delay, open).await {
        Ok(()) => as_json(&answer()),
        Err(settle::Spent) => (StatusCode::SERVICE_UNAVAILABLE, "The shop is closing.\n").into_response(),
    }
}

async fn invoice(address: Uri) -> Response {
    match Invoice::read(address.query().unwrap_or_default()) {
        Some(invoice) => (
            [
                (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
                (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}\"", invoice.file())),
                (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
            ],
            invoice.text(),
        )
            .into_response(),
        None => (StatusCode::BAD_REQUEST, "This is no order of the shop.\n").into_response(),
    }
}

async fn cover(address: Uri, body: Body) -> Response {
    match Picture::read(body).await {
        Ok(Picture { kind, bytes }) => {
            as_json(&json!({ "name": shown_name(&parameter(&address, "name")), "kind": kind, "bytes": bytes }))
        }
        Err(Refused::TooLarge) => (StatusCode::PAYLOAD_TOO_LARGE, "The picture is larger than 2 MB.").into_response(),
        Err(Refused::NoPicture) => {
            (StatusCode::UNSUPPORTED_MEDIA_TYPE, "This is not a PNG, JPEG, WebP or GIF picture.").into_response()
        }
        Err(Refused::Broken) => (StatusCode::BAD_REQUEST, "The picture did not arrive whole.").into_response(),
    }
}

fn as_json(value: &Value) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (headers, value.to_string()).into_response()
}

/// Returns a parameter of an address; empty if there is none.
fn parameter<'a>(address: &'a Uri, name: &str) -> Cow<'a, str> {
    let query = address.query().unwrap_or_default();
    let mut pairs = url::form_urlencoded::parse(query.as_bytes());
    pairs.find_map(|(key, value)| (key == name).then_some(value)).unwrap_or_default()
}
