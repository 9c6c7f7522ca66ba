// The question about cookies. It lies over the page until it is answered: what is below can be seen, but a click
// does not get there.

import { make } from "/make.js";

const KEY = "cookies";

export function askOnce() {
  if (sessionStorage.getItem(KEY)) return;
  const answer = (text, value, className) => {
    const button = make("button", { type: "button", className }, text);
    button.addEventListener("click", () => {
      sessionStorage.setItem(KEY, value);
      banner.remove();
    });
    return button;
  };
  const banner = make(
    "section",
    { className: "cookies", role: "dialog", "aria-labelledby": "cookies" },
    make(
      "div",
      { className: "card" },
      make("h2", { id: "cookies" }, "A cookie with your paper?"),
      make("p", { className: "muted" }, "Your cart needs none. One more would count visits, and you may say no."),
      make(
        "div",
        { className: "actions" },
        answer("Only what is needed", "needed", "button plain"),
        answer("Accept all", "all", "button"),
      ),
    ),
  );
  // First in the page, so that it comes first for the keyboard too.
  document.body.prepend(banner);
}
