import "/rating.js";

import { picture } from "/art.js";
import { euros, product } from "/catalogue.js";
import { make } from "/make.js";
import { addToCart, enter } from "/shop.js";

enter();

const id = new URLSearchParams(location.search).get("id");
const one = product(id);

if (one) show();
else location.replace("/products");

function show() {
  const art = document.querySelector("[data-art]");
  art.classList.add(one.tint);
  art.append(picture(one.id));
  document.title = `${one.name} · Quire & Co.`;
  document.querySelector("h1").textContent = one.name;
  document.querySelector(".price").textContent = euros(one.cents);
  document.querySelector("[data-text]").textContent = one.text;
  document.querySelector("[data-option]").textContent = one.option.label;
  document.querySelector("#option").append(...one.option.choices.map((choice) => make("option", {}, choice)));
  document.querySelector("star-rating").setAttribute("product", one.id);
  document.querySelector("form").addEventListener("submit", add);
  showGuide();
  showTimes();
}

/** The guide opens in a window of its own, which says by message what was chosen. */
function showGuide() {
  const link = document.querySelector("[data-guide]");
  link.textContent = `${one.option.label} guide`;
  link.href = `/guide?product=${one.id}`;
  link.addEventListener("click", (event) => {
    event.preventDefault();
    window.open(link.href, link.target, "popup,width=520,height=620");
  });
  window.addEventListener("message", (event) => {
    if (event.origin !== location.origin || !one.option.choices.includes(event.data.choice)) return;
    document.querySelector("#option").value = event.data.choice;
    document.querySelector("[data-added]").textContent = `${event.data.choice} it is.`;
  });
}

/** The delivery times come from the carrier, which takes its time. */
async function showTimes() {
  const times = document.querySelector(".times");
  try {
    const reply = await fetch(`/delivery?product=${one.id}`);
    if (!reply.ok) throw new Error(reply.statusText);
    const zones = await reply.json();
    const pairs = zones.flatMap(({ to, days }) => [make("dt", {}, to), make("dd", {}, days)]);
    times.replaceChildren(make("dl", {}, ...pairs));
  } catch {
    times.replaceChildren(make("p", { className: "muted", role: "status" }, "The carrier does not answer."));
  }
  times.ariaBusy = "false";
}

function add(event) {
  event.preventDefault();
  const { option, quantity } = event.target.elements;
  addToCart(one.id, option.value, quantity.valueAsNumber);
  const added = document.querySelector("[data-added]");
  added.textContent = `${quantity.value} × ${one.name} (${option.value}) is in your cart.`;
}
