// <star-rating product="…">: five buttons in a closed shadow root, out of reach for the page's own scripts.

import { make } from "/make.js";
import { rate, rating } from "/shop.js";

const look = `
  :host { display: block; }
  .row { display: flex; gap: 4px; margin-left: -7px; }
  button { padding: 4px; border: 0; background: none; line-height: 0; cursor: pointer; border-radius: 8px; }
  button:focus-visible { outline: 3px solid var(--accent); }
  svg { width: 30px; height: 30px; fill: none; stroke: var(--edge); stroke-width: 1.2; transition: fill 120ms ease; }
  .on svg { fill: #d9a441; stroke: #a87415; }
  button:hover svg { fill: #e8bd68; }
  p { margin: 6px 0 0; color: var(--muted); font-size: 15px; }
`;

const star = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="m12 2.6 2.9 6 6.6.9-4.8 4.6 1.2 6.5-5.9-3.2-5.9 3.2
  1.2-6.5L2.5 9.5l6.6-.9z"/></svg>`;

class StarRating extends HTMLElement {
  static observedAttributes = ["product"];

  #buttons = [];
  #status = make("p", { role: "status" });

  constructor() {
    super();
    const root = this.attachShadow({ mode: "closed" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(look);
    root.adoptedStyleSheets = [sheet];
    const row = make("div", { className: "row", role: "group", ariaLabel: "Rating" });
    for (let stars = 1; stars <= 5; stars += 1) {
      const button = make("button", { type: "button", ariaLabel: stars === 1 ? "1 star" : `${stars} stars` });
      button.innerHTML = star;
      button.addEventListener("click", () => {
        rate(this.getAttribute("product"), stars);
        this.#show();
      });
      this.#buttons.push(button);
    }
    row.append(...this.#buttons);
    root.append(row, this.#status);
  }

  attributeChangedCallback() {
    this.#show();
  }

  #show() {
    const stars = rating(this.getAttribute("product"));
    this.#buttons.forEach((button, index) => {
      button.classList.toggle("on", index < stars);
      button.ariaPressed = String(index + 1 === stars);
    });
    this.#status.textContent = stars === 0 ? "Not rated yet." : `You gave it ${stars} of 5 stars.`;
  }
}

customElements.define("star-rating", StarRating);
