// The window with the choices of a product. It was opened by the product's page and tells it what was chosen.

import { product } from "/catalogue.js";
import { make } from "/make.js";

const notes = {
  Plain: "For drawings and for people who write straight anyway.",
  Lined: "Lines 7 mm apart, grey enough to disappear behind ink.",
  Dotted: "A dot each 5 mm: tables, plans and sketches on one page.",
  Fine: "0.5 mm. For small hands and narrow margins.",
  Medium: "0.7 mm. The nib to take if you are not sure.",
  Broad: "1.0 mm. Shows the colour of an ink and needs room.",
  "Blue black": "Writes blue and is nearly black the next day.",
  "Oak brown": "Warm and quiet, as in old account books.",
  Cream: "Easy on the eyes, and kind to brown ink.",
  White: "Colours come out as they are.",
  "Three pencils": "You have a knife or a sharpener already.",
  "Three pencils and a sharpener": "Brass, with two blades, and it fits in the box.",
  Black: "A woven cable that vanishes on a dark desk.",
  Linen: "Undyed linen over the cable, made to be seen.",
  "10 mm": "For photographs and small corners.",
  "15 mm": "For sketches, notes and parcels.",
  "20 mm": "For posters and for masking a drawing board.",
};

const one = product(new URLSearchParams(location.search).get("product"));

function choose(choice) {
  if (window.opener) {
    window.opener.postMessage({ choice }, location.origin);
    window.close();
  } else {
    location.assign(`/product?id=${one.id}`);
  }
}

function row(choice) {
  const button = make("button", { type: "button", className: "button plain" }, `Choose ${choice}`);
  button.addEventListener("click", () => choose(choice));
  return make(
    "li",
    { className: "card" },
    make("div", {}, make("h2", {}, choice), make("p", { className: "muted small" }, notes[choice] ?? "")),
    button,
  );
}

if (one) {
  const title = `${one.option.label} guide`;
  document.title = `${title} · Quire & Co.`;
  document.querySelector("h1").textContent = title;
  document.querySelector(".choices").append(...one.option.choices.map(row));
} else {
  document.querySelector("h1").textContent = "There is no guide for this";
}
