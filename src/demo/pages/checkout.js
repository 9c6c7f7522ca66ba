// The checkout. The card is entered in a frame of the payment company, under the other name of this machine:
// another origin and another process. It says by message that the card was charged.

import { cardMessage } from "/card.js";
import { euros } from "/catalogue.js";
import { offerTowns } from "/towns.js";
import { cart, enter, placeOrder } from "/shop.js";
import { showSums } from "/sums.js";

enter();
if (cart().length === 0) location.replace("/cart");

const total = showSums();
const form = document.querySelector("#order");
const place = document.querySelector("[data-place]");
const paid = document.querySelector("[data-paid]");
const alert = document.querySelector(".alert");
const frame = document.querySelector("[data-pay]");

const payment = new URL(`/pay?cents=${total}`, location.href);
payment.hostname = location.hostname === "localhost" ? "127.0.0.1" : "localhost";
frame.src = payment.href;

window.addEventListener("message", (event) => {
  if (event.origin !== payment.origin || event.source !== frame.contentWindow) return;
  paid.textContent = `Paid with the card that ends in ${event.data.lastFour}.`;
  place.disabled = false;
});

offerTowns(form.elements.city, (town) => {
  form.elements.country.value = town.country;
});

form.addEventListener("input", () => {
  alert.hidden = true;
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const missing = [...form.elements].find((field) => !field.checkValidity());
  alert.hidden = !missing;
  if (missing) {
    alert.textContent = `Please fill in “${missing.labels[0].textContent}”.`;
    missing.focus();
    return;
  }
  const { name, city } = form.elements;
  if (confirm(`Send this order for ${euros(total)} to ${city.value}?`)) placeOrder(name.value, cardMessage());
});
