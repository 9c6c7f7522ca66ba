// Forms that the browser refuses to send because of what their fields hold. Only what it did itself counts: it tells
// the fields with `invalid` events, and a form that is sent after all with `submit`. Nothing is asked that would
// make events.

/** The last `invalid` event of each field, and the last form that was sent. */
const invalid = new Map();
let sent = { form: null, at: -1 };

/** What may send a form, and since when. */
let attempt = null;

const noteForm = (event) => {
  if (!event.isTrusted) return;
  const now = performance.now();
  if (event.type === "submit") {
    sent = { form: event.target, at: now };
    return;
  }
  // What was noted long ago is of no use any more.
  for (const [field, at] of invalid) if (now - at > 10000) invalid.delete(field);
  // Taken out first, so that the order is that of the last events.
  invalid.delete(event.target);
  invalid.set(event.target, now);
};

const listenForForms = (root) => {
  // `document.open` takes listeners away; adding one that is there does nothing.
  for (const type of ["invalid", "submit"]) root.addEventListener(type, noteForm, { capture: true, passive: true });
};
listenForForms(globalThis);

const SENDERS = { button: HTMLButtonElement, input: HTMLInputElement };
const OWNED = { ...SENDERS, select: HTMLSelectElement, textarea: HTMLTextAreaElement, output: HTMLOutputElement, fieldset: HTMLFieldSetElement, object: HTMLObjectElement };
const formOf = (field) => {
  const of = OWNED[localName(field)];
  return of ? getter(of, "form")(field) : closest(field, "form");
};

/** What an action on an element would send: the form of a button, or of the field that gets an Enter. */
const attend = (element, since = performance.now()) => {
  const isSender = (node) => {
    const of = SENDERS[localName(node)];
    return of !== undefined && ["submit", "image"].includes(getter(of, "type")(node));
  };
  const pressed = closest(element, "button,input") ?? element;
  const sender = isSender(pressed) ? pressed : null;
  const isField = !sender && (isTextual(element) || ["text", "set"].includes(kindOf(element).kind));
  const form = sender || isField ? formOf(pressed) : null;
  attempt = form ? { form, sender, since } : null;
  // These events do not leave the shadow tree that the form stands in.
  for (const root of [globalThis, rootOf(element)]) listenForForms(root);
};

/** What a field is called, by what people see. */
const calledOf = (field) => {
  const label = OWNED[localName(field)] ? labelsOf(field).map(labelText).find((text) => text !== "") : undefined;
  const words = ["aria-label", "placeholder", "title", "name", "id"].map((name) => attribute(field, name));
  const by = inRoot(rootOf(field), "getElementById", (attribute(field, "aria-labelledby") ?? "").split(" ")[0]);
  return [by ? labelText(by) : "", label, ...words].map((text) => folded(text).replace(/^[\s*:]+|[\s*:]+$/g, "")).find((text) => text !== "") ?? localName(field);
};

/** What the browser says of a field that it refuses; nothing where that would tell a secret. */
const refusalOf = (field) => {
  const of = OWNED[localName(field)];
  const message = of ? folded(getter(of, "validationMessage")(field)) : "";
  // The browser quotes what it refuses.
  return isSensitive(field) && message.includes(rawValue(field) || "\u0000") ? "" : message;
};

/** Says which field keeps the form of the last attempt from being sent; `null` where it was sent or never tried. */
const unsent = () => {
  const tried = attempt;
  attempt = null;
  if (!tried || (sent.at >= tried.since && sent.form === tried.form)) return null;
  const off = (of, key, node) => node !== null && getter(of, key)(node);
  if (off(HTMLFormElement, "noValidate", tried.form) || off(SENDERS[tried.sender ? localName(tried.sender) : "input"], "formNoValidate", tried.sender)) return null;
  const isMeant = (field) => isConnected(field) && formOf(field) === tried.form && matches(field, ":invalid");
  const fields = [...invalid].filter(([field, at]) => at >= tried.since && isMeant(field)).map(([field]) => field);
  if (fields.length === 0) return null;
  const [first] = fields;
  return { label: calledOf(first), message: refusalOf(first), more: fields.length - 1, unseen: boxesOf(first).length === 0 };
};

/** The last Enter, which goes where the focus is. */
let entered = null;
addEventListener("keydown", (event) => {
  if (!event.isTrusted || event.key !== "Enter") return;
  const field = event.composedPath()[0];
  entered = nodeType(field) === 1 ? { field, at: performance.now() } : null;
  if (entered) listenForForms(rootOf(field));
}, { capture: true, passive: true });

/** As `unsent`, for an Enter that was pressed just now. */
const unsentByEnter = () => {
  if (!entered || performance.now() - entered.at > 10000) return null;
  attend(entered.field, entered.at);
  entered = null;
  return unsent();
};
