// Two thousand sheets in a list of which only the rows in sight exist. A row that leaves on one side comes in again
// on the other with another sheet: the same elements all the time, with changing meaning.

import { make } from "/make.js";
import { COUNT, sheet } from "/papers.js";
import { enter, samples, setSamples } from "/shop.js";

const HEIGHT = 68;
const ROWS = 16;

const view = document.querySelector(".sheets");
const list = view.querySelector("ul");
const jump = document.querySelector(".jump");
const shown = document.querySelector("[data-shown]");
const chosen = document.querySelector("[data-samples]");

function emptyRow() {
  const row = {
    number: 0,
    swatch: make("span", { className: "swatch" }),
    name: make("strong"),
    from: make("span", { className: "muted small" }),
    label: make("span", { className: "muted small" }),
    button: make("button", { type: "button", className: "button plain" }),
  };
  row.element = make(
    "li",
    { ariaSetSize: COUNT },
    row.swatch,
    row.label,
    make("div", {}, row.name, row.from),
    row.button,
  );
  row.button.addEventListener("click", () => toggle(row));
  return row;
}

const rows = Array.from({ length: ROWS }, emptyRow);

function fill(row, number) {
  if (row.number === number) return;
  const { name, from, color } = sheet(number);
  row.number = number;
  row.element.ariaPosInSet = number;
  row.element.style.transform = `translateY(${(number - 1) * HEIGHT}px)`;
  row.swatch.style.background = color;
  row.label.textContent = `No. ${String(number).padStart(4, "0")}`;
  row.name.textContent = name;
  row.from.textContent = from;
  showSample(row);
}

function showSample(row) {
  const isChosen = samples().includes(row.number);
  row.button.ariaLabel = `Sample of ${row.name.textContent}`;
  row.button.ariaPressed = String(isChosen);
  row.button.textContent = isChosen ? "Chosen" : "Sample";
}

function toggle(row) {
  const others = samples().filter((number) => number !== row.number);
  setSamples(others.length < samples().length ? others : [...others, row.number]);
  showSample(row);
  showSamples();
}

function showSamples() {
  const count = samples().length;
  chosen.textContent = count === 0 ? "" : `${count} ${count === 1 ? "sample" : "samples"} chosen.`;
}

function show() {
  const top = Math.floor(view.scrollTop / HEIGHT);
  const seen = Math.ceil(view.clientHeight / HEIGHT);
  const first = Math.max(0, Math.min(top - Math.floor((ROWS - seen) / 2), COUNT - ROWS));
  for (let index = first; index < first + ROWS; index += 1) fill(rows[index % ROWS], index + 1);
  shown.textContent = `Sheets ${top + 1} to ${Math.min(top + seen, COUNT)} of ${COUNT}`;
}

enter();
list.style.height = `${COUNT * HEIGHT}px`;
list.append(...rows.map((row) => row.element));
show();
showSamples();
view.addEventListener("scroll", show, { passive: true });
window.addEventListener("resize", show);

jump.addEventListener("submit", (event) => {
  event.preventDefault();
  const { valueAsNumber } = jump.elements.sheet;
  if (valueAsNumber >= 1) view.scrollTop = (valueAsNumber - 1) * HEIGHT;
});
