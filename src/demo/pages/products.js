// The shelf. Each key in the filter field builds the whole list anew, as many frameworks do: a tile that looks
// the same afterwards is another element.

import { picture } from "/art.js";
import { euros, products } from "/catalogue.js";
import { make } from "/make.js";
import { enter } from "/shop.js";

const shelf = document.querySelector(".shelf");
const filter = document.querySelector("#filter");
const sort = document.querySelector("#sort");
const count = document.querySelector("[data-count]");
const nothing = document.querySelector(".nothing");

const orders = {
  shelf: () => 0,
  cheap: (a, b) => a.cents - b.cents,
  dear: (a, b) => b.cents - a.cents,
  name: (a, b) => a.name.localeCompare(b.name, "en"),
};

function tile(one) {
  const link = make("a", { href: `/product?id=${one.id}` }, one.name);
  const price = make("data", { className: "price", value: (one.cents / 100).toFixed(2) }, euros(one.cents));
  return make(
    "li",
    { className: "tile" },
    make("div", { className: `art ${one.tint}` }, picture(one.id)),
    make(
      "div",
      { className: "tile-text" },
      make("h2", {}, link),
      price,
      make("p", { className: "muted" }, one.line),
    ),
  );
}

function show() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = products
    .filter((one) => words.every((word) => `${one.name} ${one.line}`.toLowerCase().includes(word)))
    .sort(orders[sort.value]);
  shelf.replaceChildren(...matches.map(tile));
  nothing.hidden = matches.length > 0;
  count.textContent =
    matches.length === products.length ? `${products.length} products` : `${matches.length} of ${products.length} products`;
}

enter();
show();
filter.addEventListener("input", show);
sort.addEventListener("change", show);
