// What every page behind the door shares: who is signed in, the cart, the order. All of it lives in this tab's
// session storage, so two tabs are two customers and nothing outlives the browser.

import { askOnce } from "/banner.js";
import { product } from "/catalogue.js";

const read = (key, otherwise) => JSON.parse(sessionStorage.getItem(key)) ?? otherwise;
const write = (key, value) => sessionStorage.setItem(key, JSON.stringify(value));

export const customer = () => read("customer", null);

export function signIn(name) {
  write("customer", name);
  location.assign("/products");
}

export const cart = () => read("cart", []);

export function setCart(lines) {
  write("cart", lines);
  showCount();
}

export function addToCart(id, option, quantity) {
  const lines = cart();
  const same = lines.find((line) => line.id === id && line.option === option);
  if (same) same.quantity += quantity;
  else lines.push({ id, option, quantity });
  setCart(lines);
}

const SHIPPING = 450;
const FREE_FROM = 5000;

/** Returns the sums of the cart in cents. */
export function sums() {
  const goods = cart().reduce((sum, line) => sum + product(line.id).cents * line.quantity, 0);
  const shipping = goods === 0 || goods >= FREE_FROM ? 0 : SHIPPING;
  return { goods, shipping, total: goods + shipping };
}

/** Returns the order number: the same cart always gets the same one. */
export function orderNumber() {
  const text = cart()
    .map((line) => [line.id, line.option, line.quantity].join(":"))
    .join("|");
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0), 0x01000193) >>> 0;
  return `PB-${10000 + (hash % 90000)}`;
}

/** Empties the cart and keeps what the last page and the invoice say about it. */
export function placeOrder(name, card) {
  const lines = cart().map(({ id, option, quantity }) => {
    const { name: goods, cents } = product(id);
    return `${quantity}|${goods}, ${option}|${quantity * cents}`;
  });
  write("order", { number: orderNumber(), name, card, lines, shipping: sums().shipping });
  setCart([]);
  location.assign("/thanks");
}

export const order = () => read("order", null);

/** The sheets of the archive that come as samples, by number. */
export const samples = () => read("samples", []);
export const setSamples = (numbers) => write("samples", numbers);

export const rating = (id) => read(`rating:${id}`, 0);
export const rate = (id, stars) => write(`rating:${id}`, stars);

function showCount() {
  const link = document.querySelector("[data-cart]");
  const count = cart().reduce((sum, line) => sum + line.quantity, 0);
  if (link) link.textContent = count === 0 ? "Cart" : `Cart (${count})`;
}

/** Sends people who are not signed in back to the door; fills the bar and asks about cookies for the others. */
export function enter() {
  if (!customer()) {
    location.replace("/");
    return;
  }
  showCount();
  askOnce();
}
