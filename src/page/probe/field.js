// Fields: what kind they are, putting the caret, writing what keys can't write, and reading back.

const inputValue = getter(HTMLInputElement, "value");
const setInputValue = setter(HTMLInputElement, "value");
const TEXTUAL = new Set(["text", "search", "email", "url", "tel", "password", "number"]);
const SET = new Set(["date", "time", "month", "week", "datetime-local", "color", "range"]);
const BUTTONS = new Set(["submit", "image", "reset", "button"]);
const TICKED = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"]);

const isEditable = (element) => element instanceof HTMLElement && getter(HTMLElement, "isContentEditable")(element);
const isTextual = (element) => localName(element) === "textarea" || TEXTUAL.has(typeOf(element)) || isEditable(element);

/** The control that text meant for `element` belongs to: a label's control, the one field inside a composite widget. */
const fieldOf = (element) => {
  const control = controlOf(element);
  if (control) return control;
  if (!isTextual(element) && ["combobox", "textbox", "searchbox", "spinbutton"].includes(role(element))) {
    const fields = [...selectAllIn(element, "input,textarea,[contenteditable]")].filter(isTextual);
    if (fields.length === 1) return fields[0];
  }
  return element;
};

/** Sorts a field: `text`, `lines`, `rich`, `set`, `select`, `keys`, or what it is in words. */
const kindOf = (field) => {
  const tag = localName(field);
  const type = typeOf(field);
  if (tag === "textarea") return { kind: "lines" };
  if (TEXTUAL.has(type)) return { kind: "text" };
  if (SET.has(type)) return { kind: "set", words: `a ${type} field`, instead: "fill" };
  if (type === "checkbox") return { words: "a checkbox", instead: "check" };
  if (type === "radio") return { words: "a radio button", instead: "check" };
  if (type === "file") return { words: "a file field", instead: null };
  if (type === "hidden") return { words: "a hidden field", instead: null };
  if (BUTTONS.has(type) || tag === "button" || role(field) === "button") return { words: "a button", instead: "click" };
  if (tag === "select") return { kind: "select", words: "a list of options", instead: "select" };
  if (isEditable(field)) return { kind: "rich" };
  if (TICKED.has(role(field))) return { words: `a ${role(field)}`, instead: "check" };
  if (["textbox", "searchbox", "combobox", "spinbutton", "application", "grid"].includes(role(field)) || tag === "canvas") {
    return { kind: "keys", words: "a widget that listens to keys", instead: "type" };
  }
  if (/^h[1-6]$/.test(tag)) return { words: "a heading", instead: null };
  if (tag === "a") return { words: "a link", instead: "click" };
  if (tag === "option") return { words: "an option", instead: "select" };
  return { words: `a \`${tag}\` element`, instead: null };
};

const isReadonly = (field) =>
  (localName(field) === "textarea" && getter(HTMLTextAreaElement, "readOnly")(field)) ||
  (TEXTUAL.has(typeOf(field)) && getter(HTMLInputElement, "readOnly")(field)) ||
  (SET.has(typeOf(field)) && matches(field, ":read-only") && hasAttribute(field, "readonly")) ||
  ariaOf(field, "readonly") === "true";

/** What waiting can't mend. */
const refuse = (element, verb) => {
  const field = fieldOf(element);
  const { kind, words, instead } = kindOf(field);
  const refused = (why) => ({ state: "refused", why, words: words ?? "a text field", instead: instead ?? null });
  switch (verb) {
    case "press":
      return localName(element) === "option" && boxesOf(element).length === 0 ? refused("option") : null;
    case "type":
      if (!["text", "lines", "rich", "keys"].includes(kind)) return refused("kind");
      return isReadonly(field) ? refused("readonly") : null;
    case "fill":
      if (kind === "select") return null;
      if (!["text", "lines", "rich", "set"].includes(kind)) return refused("kind");
      return isReadonly(field) ? refused("readonly") : null;
    case "select":
      return kind === "select" ? null : refused("kind");
    case "check":
    case "uncheck": {
      const radio = typeOf(field) === "radio" || ["radio", "menuitemradio"].includes(role(field));
      if (verb === "uncheck" && radio) return refused("radio");
      return ["checkbox", "radio"].includes(typeOf(field)) || TICKED.has(role(field)) ? null : refused("kind");
    }
    default:
      return null;
  }
};

const SECRET = /\b(current-password|new-password|one-time-code|cc-number|cc-csc)\b/;
const isSensitive = (field) =>
  typeOf(field) === "password" ||
  SECRET.test((attribute(field, "autocomplete") ?? "").toLowerCase()) ||
  !["none", ""].includes(styleOf(field).getPropertyValue("-webkit-text-security"));

const rawValue = (field) => {
  if (localName(field) === "input") return inputValue(field);
  if (localName(field) === "textarea") return getter(HTMLTextAreaElement, "value")(field);
  if (localName(field) === "select") return [...getter(HTMLSelectElement, "selectedOptions")(field)].map(labelOf).join(", ");
  if (isEditable(field)) return getter(HTMLElement, "innerText")(field).replace(/\u00a0/g, " ").replace(/\n$/, "");
  return null;
};
const shownValue = (field) => (isSensitive(field) ? null : rawValue(field));

/** Puts the focus into a field, the caret at its end or around all of it. */
const place = (field, caret) => {
  const view = viewOf(field);
  const had = deepFocus(rootOf(field)) === field;
  const kind = [HTMLElement, SVGElement, MathMLElement].find((candidate) => field instanceof candidate);
  if (kind && !(had && method(Document, "hasFocus")(ownerDocument(field)))) method(kind, "focus")(field, { preventScroll: true });
  const focus = deepFocus(rootOf(field));
  const focused = focus !== null && (focus === field || inside(field, focus));
  if (!focused || caret === "none") return focused;
  const selection = view.getSelection();
  const of = { input: HTMLInputElement, textarea: HTMLTextAreaElement }[localName(field)];
  if (caret === "all") {
    if (of) method(of, "select")(field);
    else if (isEditable(field)) selection.selectAllChildren(field);
    return focused;
  }
  if (of && !["number", "email"].includes(typeOf(field))) {
    const end = rawValue(field).length;
    method(of, "setSelectionRange")(field, end, end);
    return focused;
  }
  if (isEditable(field)) {
    selection.selectAllChildren(field);
    selection.collapseToEnd();
  }
  // Number and e-mail fields have no selection range of their own; the page's selection can still be moved in them.
  if (of) selection.modify("move", "forward", "documentboundary");
  return focused;
};

const tell = (field, ...types) => {
  for (const type of types) field.dispatchEvent(new (viewOf(field).Event)(type, { bubbles: true, composed: type === "input" }));
};

/** Returns a field of this kind that holds a text, as far as it takes it: nothing of the field itself is wiped. */
const copyWith = (field, text) => {
  const copy = method(Document, "createElement")(ownerDocument(field), "input");
  for (const name of ["type", "min", "max", "step"]) if (hasAttribute(field, name)) copy.setAttribute(name, attribute(field, name));
  setInputValue(copy, text);
  return copy;
};

/** Returns what a field of this kind makes of a text. */
const trial = (field, text) => inputValue(copyWith(field, text));

/** Whether the browser would not send the form of a date, number or the like with a text that the field can hold. */
const breaksLimits = (field, text) => {
  if (!(SET.has(typeOf(field)) || typeOf(field) === "number") || text === "") return false;
  const form = formOf(field);
  const isFree = form !== null && getter(HTMLFormElement, "noValidate")(form);
  return !isFree && !getter(HTMLInputElement, "validity")(copyWith(field, text)).valid;
};

/** Writes a date, time, color or range, which take no text. */
const setValue = (field, text) => {
  const accepted = trial(field, text);
  if (!sameSetting(field, text, accepted)) return false;
  if (inputValue(field) !== accepted) {
    setInputValue(field, accepted);
    tell(field, "input", "change");
  }
  return true;
};
const sameSetting = (field, wanted, kept) => {
  if (wanted === kept) return true;
  switch (typeOf(field)) {
    case "range":
    case "number":
      return wanted.trim() !== "" && kept !== "" && Number(wanted) === Number(kept);
    case "color":
      return wanted.trim().toLowerCase() === kept;
    case "datetime-local":
      return kept !== "" && wanted.trim().replace(" ", "T") === kept;
    default:
      return false;
  }
};

/** Gets a field ready to be written: focus and caret, or the writing itself where keys are of no use. */
const prepare = (element, how) => {
  const field = fieldOf(element);
  const { kind } = kindOf(field);
  const facts = { kind: kind ?? null, sensitive: isSensitive(field), single: false, empty: rawValue(field) === "" };
  if (kind === "select") return facts;
  facts.focused = place(field, kind === "set" ? "none" : how.caret);
  facts.single = localName(field) === "input" && [1, 2].includes(getter(HTMLInputElement, "maxLength")(field));
  facts.beyond = typeof how.text === "string" && breaksLimits(field, how.text);
  if (facts.beyond) {
    guard(field, { guard: 0 });
    return { ...facts, rule: ruleOf(field, how.text), value: shownValue(field) };
  }
  if (kind === "set" && how.text !== undefined) facts.set = setValue(field, how.text);
  const isKeyed = ["text", "lines", "rich"].includes(kind) && !(facts.single && how.caret === "end");
  guard(field, isKeyed && facts.focused ? how : { guard: 0 });
  if (facts.set === false) facts.rule = ruleOf(field, how.text);
  facts.value = shownValue(field);
  return facts;
};

const holds = (field, wanted) => {
  const kept = rawValue(field) ?? "";
  const lines = wanted.replace(/\r\n?/g, "\n");
  if (kept === lines) return true;
  const type = typeOf(field);
  if (sameSetting(field, wanted, kept)) return true;
  if ((type === "email" || type === "url") && kept === wanted.trim()) return true;
  if (isEditable(field) && kept.replace(/\n+/g, "\n").trim() === lines.replace(/\n+/g, "\n").trim()) return true;
  return type !== "password" && isFormatted(lines, kept);
};

const FORMS = {
  date: "a date as YYYY-MM-DD",
  time: "a time as HH:MM",
  month: "a month as YYYY-MM",
  week: "a week as YYYY-Www, such as 2031-W07",
  "datetime-local": "a moment as YYYY-MM-DDTHH:MM",
  color: "a color as #rrggbb",
  number: "a number",
  range: "a number",
};

/** The steps that the values of a field go in, in words: its own, or those of its kind where a text breaks them. */
const stepsOf = (field, text) => {
  const type = typeOf(field);
  const [usual, unit] = { number: [1, ""], range: [1, ""], date: [1, " days"], week: [1, " weeks"], month: [1, " months"], time: [60, " seconds"], "datetime-local": [60, " seconds"] }[type] ?? [0, ""];
  const given = Number(attribute(field, "step") ?? "");
  const isBroken = getter(HTMLInputElement, "validity")(copyWith(field, text)).stepMismatch;
  if (usual === 0 || (!(given > 0) && !isBroken)) return null;
  const step = given > 0 ? given : usual;
  if (unit === " seconds" && step % 60 === 0) return step === 60 ? "in steps of a minute" : `in steps of ${step / 60} minutes`;
  return `in steps of ${step}${unit}`;
};

/** Whether one line is all that a field holds. */
const isOneLine = (field) => TEXTUAL.has(typeOf(field)) && typeOf(field) !== "number";

/** What a field takes, in words, where its kind or its attributes tell. */
const ruleOf = (field, text) => {
  const type = typeOf(field);
  if (isOneLine(field) && /[\r\n]/.test(text)) return "one line";
  const most = { input: HTMLInputElement, textarea: HTMLTextAreaElement }[localName(field)];
  if (!FORMS[type]) {
    const length = most ? getter(most, "maxLength")(field) : -1;
    return length >= 0 ? `at most ${length} characters` : null;
  }
  const range = type === "range" ? { min: "0", max: "100" } : {};
  const limit = (name) => attribute(field, name) || range[name];
  const words = [FORMS[type]];
  if (limit("min")) words.push(`from ${limit("min")}`);
  if (limit("max")) words.push(`${limit("min") ? "" : "up "}to ${limit("max")}`);
  const steps = stepsOf(field, text);
  if (steps) words.push(steps);
  return words.join(" ");
};

/** Reads back what a field holds; gives pages that render later a moment. */
const kept = (element, wanted, patience) => {
  const strayed = unguard();
  const read = () => {
    let field = fieldOf(element);
    if (!isConnected(field)) {
      // The page put a fresh field in place, with focus and text kept.
      const focus = deepFocus(ownerDocument(field));
      if (focus && localName(focus) === localName(field) && isTextual(focus)) field = focus;
    }
    // What a field held that is gone, the page does not hold.
    const gone = !isConnected(field);
    const matching = !gone && !strayed && holds(field, wanted);
    const rule = matching ? null : ruleOf(field, wanted);
    return { kept: matching, gone, strayed, sensitive: isSensitive(field), value: shownValue(field), rule, after: describe(element) };
  };
  const now = read();
  if (now.kept || strayed) return now;
  const wait = async () => {
    let seen = now;
    for (const end = performance.now() + patience; !seen.kept && performance.now() < end; seen = read()) await frameTick(end);
    return seen;
  };
  return wait();
};

const labelOf = (option) => folded(getter(HTMLOptionElement, "label")(option));

/** Finds the options by label or value: exact labels, then values, then labels in any case. */
const match = (options, wanted) => {
  const label = folded(wanted);
  const levels = [
    (option) => labelOf(option) === label,
    (option) => getter(HTMLOptionElement, "value")(option) === wanted,
    (option) => labelOf(option).toLowerCase() === label.toLowerCase(),
  ];
  for (const level of levels) {
    const found = options.filter(level);
    if (found.length > 0) return found;
  }
  return [];
};

/** Returns the options that are meant, or why one of them can't be chosen. */
const chosenOf = (select, wanted) => {
  const options = [...getter(HTMLSelectElement, "options")(select)];
  const chosen = new Set();
  const none = (reason, text, list) => ({
    refused: {
      state: "no_option",
      reason,
      wanted: text,
      options: list.slice(0, 40).map((option) => (reason === "ambiguous" ? getter(HTMLOptionElement, "value")(option) : labelOf(option))),
      more: Math.max(list.length - 40, 0),
    },
  });
  if (!getter(HTMLSelectElement, "multiple")(select) && wanted.length !== 1) return { refused: { state: "single" } };
  for (const text of wanted) {
    const found = match(options, text);
    if (found.length === 0) return none("missing", text, options.filter((option) => !matches(option, ":disabled")));
    if (found.length > 1) return none("ambiguous", text, found);
    if (matches(found[0], ":disabled")) return none("disabled", text, options.filter((option) => !matches(option, ":disabled")));
    chosen.add(found[0]);
  }
  return { options, chosen };
};

/** Chooses options of a native select; nothing is touched unless every one is there, alone and enabled. */
const choose = (element, wanted) => {
  const select = fieldOf(element);
  const { refused, options, chosen } = chosenOf(select, wanted);
  if (refused) return refused;
  const multiple = getter(HTMLSelectElement, "multiple")(select);
  const selected = getter(HTMLOptionElement, "selected");
  if (options.some((option) => selected(option) !== chosen.has(option))) {
    place(select, "none");
    for (const option of options) {
      if (multiple || chosen.has(option)) setter(HTMLOptionElement, "selected")(option, chosen.has(option));
    }
    tell(select, "input", "change");
  }
  const held = [...getter(HTMLSelectElement, "options")(select)].filter(selected).map(labelOf);
  const labels = [...chosen].map(labelOf);
  const kept = held.length === labels.length && labels.every((label) => held.includes(label));
  return {
    state: kept || !isConnected(select) ? "chosen" : "not_kept",
    labels,
    held,
    value: shownValue(select),
    after: describe(element),
  };
};

/** `true`, `false` or `mixed`, natively or by ARIA. */
const ticked = (element, wanted, patience) => {
  const read = () => describe(fieldOf(element)).states?.checked ?? "false";
  if (wanted === undefined || read() === wanted || !isConnected(element)) return read();
  const wait = async () => {
    for (const end = performance.now() + patience; read() !== wanted && performance.now() < end; ) await frameTick(end);
    return read();
  };
  return wait();
};

/** Sends what was written on its way: the form where there is one, else the caller presses keys. */
const submit = async (element, patience) => {
  const field = fieldOf(element);
  noteTold(field);
  const list = ariaOf(field, "controls") ?? ariaOf(field, "owns");
  const autocomplete = ariaOf(field, "autocomplete");
  const listbox = () => {
    const box = list && inRoot(rootOf(field), "getElementById", list.split(" ")[0]);
    return box && (role(box) === "listbox" || selectAllIn(box, "[role=option]").length > 0) ? box : null;
  };
  if (role(field) === "combobox" || listbox() || (autocomplete && autocomplete !== "none")) {
    const offered = () => [...selectAllIn(listbox() ?? documentElement(ownerDocument(field)), "[role=option]")].some((option) => checkVisibility(option));
    for (const end = performance.now() + patience; !offered() && performance.now() < end; ) await pause(30);
    return { way: offered() ? "combobox" : "enter", unsent: null };
  }
  const form = formOf(field) ?? closest(field, "form");
  if (!form) return { way: "enter", unsent: null };
  attend(field);
  method(HTMLFormElement, "requestSubmit")(form);
  return { way: "form", unsent: unsent() };
};
