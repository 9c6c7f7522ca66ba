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
}

function add(event) {
  event.preventDefault();
  const { option, quantity } = event.target.elements;
  addToCart(one.id, option.value, quantity.valueAsNumber);
  const added = document.querySelector("[data-added]");
  added.textContent = `${quantity.value} × ${one.name} (${option.value}) is in your cart.`;
}
