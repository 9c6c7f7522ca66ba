import { picture } from "/art.js";
import { euros, product } from "/catalogue.js";
import { make } from "/make.js";
import { cart, enter, setCart } from "/shop.js";
import { showSums } from "/sums.js";

function row(line, index) {
  const one = product(line.id);
  const what = `${one.name}, ${line.option}`;
  const quantity = make("input", {
    type: "number",
    min: 1,
    max: 20,
    value: line.quantity,
    ariaLabel: `Quantity of ${what}`,
  });
  quantity.addEventListener("change", () => {
    if (quantity.checkValidity()) setLine(index, quantity.valueAsNumber);
  });
  const remove = make("button", { type: "button", className: "quiet", ariaLabel: `Remove ${what}` }, "Remove");
  remove.addEventListener("click", () => setLine(index, 0));
  const words = make("div", {}, make("strong", {}, one.name), make("div", { className: "muted small" }, line.option));
  const art = make("div", { className: `art ${one.tint}` }, picture(one.id));
  return make(
    "tr",
    {},
    make("td", {}, make("div", { className: "line" }, art, words)),
    make("td", {}, quantity),
    make("td", { className: "price" }, euros(one.cents * line.quantity)),
    make("td", {}, remove),
  );
}

function setLine(index, quantity) {
  const lines = cart();
  if (quantity === 0) lines.splice(index, 1);
  else lines[index].quantity = quantity;
  setCart(lines);
  show();
}

function show() {
  const lines = cart();
  document.querySelector("[data-empty]").hidden = lines.length > 0;
  document.querySelector("[data-full]").hidden = lines.length === 0;
  document.querySelector("tbody").replaceChildren(...lines.map(row));
  showSums();
}

enter();
show();
