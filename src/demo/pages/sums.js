// The sums beside the cart and the checkout.

import { euros } from "/catalogue.js";
import { make } from "/make.js";
import { sums } from "/shop.js";

export function showSums() {
  const { goods, shipping, total } = sums();
  const pair = (label, text, className = "") => [
    make("dt", { className }, label),
    make("dd", { className }, text),
  ];
  document.querySelector(".sums").replaceChildren(
    ...pair("Goods", euros(goods)),
    ...pair("Shipping", shipping === 0 ? "Free" : euros(shipping)),
    ...pair("Total", euros(total), "total"),
  );
  return total;
}
