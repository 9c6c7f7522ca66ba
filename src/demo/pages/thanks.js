import { picture } from "/art.js";
import { enter, order } from "/shop.js";

/** Returns the address of the invoice, which the server writes from what stands in it. */
function invoice({ number, name, lines, shipping }) {
  const parts = new URLSearchParams({ number, name, shipping });
  for (const line of lines) parts.append("line", line);
  return `/invoice?${parts}`;
}

enter();
const placed = order();

if (placed) {
  document.querySelector("[data-picture]").append(picture("parcel"));
  document.querySelector("h1").textContent = `Thank you, ${placed.name.split(" ")[0]}`;
  document.querySelector("output").textContent = placed.number;
  document.querySelector("[data-invoice]").href = invoice(placed);
  const gift = document.querySelector("[data-gift]");
  gift.hidden = !placed.card;
  gift.textContent = `With a card: “${placed.card}”`;
} else {
  location.replace("/products");
}
