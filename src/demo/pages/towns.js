// A text field that offers towns while one types. The server takes a moment, so the list is late, and what was
// asked for earlier must not overwrite what is asked for now.

import { make } from "/make.js";

const PAUSE = 120;

/** Offers towns below `field` and calls `chosen` with the one that was taken: `{ town, code, country }`. */
export function offerTowns(field, chosen) {
  const offer = field.parentElement.querySelector(".offer");
  const list = offer.querySelector("[role=listbox]");
  const status = offer.querySelector("[role=status]");
  let towns = [];
  let active = -1;
  let timer = 0;
  let asking = new AbortController();

  function close() {
    clearTimeout(timer);
    asking.abort();
    towns = [];
    offer.hidden = true;
    field.ariaExpanded = "false";
    list.replaceChildren();
    activate(-1);
  }

  function activate(index) {
    active = index;
    [...list.children].forEach((option, at) => {
      option.ariaSelected = String(at === index);
    });
    const option = list.children[index];
    if (option) field.setAttribute("aria-activedescendant", option.id);
    else field.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }

  function take(town) {
    field.value = town.town;
    close();
    chosen(town);
  }

  function show(found) {
    towns = found;
    list.replaceChildren(
      ...found.map((town, index) => {
        const place = make("span", { className: "muted small" }, `${town.code} ${town.country}`);
        const option = make("li", { id: `town-${index}`, role: "option", ariaSelected: "false" }, town.town, " ", place);
        // The field keeps the focus, as a combobox should.
        option.addEventListener("mousedown", (event) => event.preventDefault());
        option.addEventListener("click", () => take(town));
        return option;
      }),
    );
    activate(-1);
    status.textContent = found.length === 0 ? "No town of this name. It may stay as it is." : "";
  }

  async function ask(text) {
    asking = new AbortController();
    const { signal } = asking;
    try {
      const reply = await fetch(`/towns?q=${encodeURIComponent(text)}`, { signal });
      show(reply.ok ? await reply.json() : []);
    } catch {
      if (!signal.aborted) status.textContent = "The list of towns does not answer.";
    }
  }

  field.addEventListener("input", () => {
    close();
    const text = field.value.trim();
    if (text === "") return;
    status.textContent = "Looking …";
    offer.hidden = false;
    field.ariaExpanded = "true";
    timer = setTimeout(() => ask(text), PAUSE);
  });

  field.addEventListener("keydown", (event) => {
    if (offer.hidden) return;
    const count = towns.length;
    if (event.key === "Escape") close();
    else if (event.key === "ArrowDown" && count > 0) activate((active + 1) % count);
    else if (event.key === "ArrowUp" && count > 0) activate((active + count - (active < 0 ? 0 : 1)) % count);
    else if (event.key === "Enter" && active >= 0) take(towns[active]);
    else return;
    event.preventDefault();
  });

  field.addEventListener("blur", close);
}
