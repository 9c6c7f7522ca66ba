// The sketch of an element: the twin of `fingerprint` in `snapshot/fingerprint.rs`, which fixes its parts.

const LARGEST = 300;
const SILENT = new Set(["script", "style", "noscript", "template", "textarea"]);
const OPAQUE = new Set(["slot", "iframe", "frame", "object", "embed"]);
const firstChild = getter(Node, "firstChild");
const nextSibling = getter(Node, "nextSibling");
const dataOf = getter(CharacterData, "data");

const sketched = (text) => (text ?? "").replace(/[\p{White_Space}\u001f]+/gu, " ").replace(/^ | $/g, "");

/** Visits elements and texts below a node in document order, not what stands below silent elements. */
function* below(top) {
  let node = firstChild(top);
  while (node) {
    const type = nodeType(node);
    if (type === 1 || type === 3) yield node;
    let next = type === 1 && !SILENT.has(localName(node)) ? firstChild(node) : null;
    for (let at = node; !next && at && at !== top; at = parentNode(at)) next = nextSibling(at);
    node = next;
  }
}

const labelText = (label) => {
  let text = "";
  for (const node of below(label)) if (nodeType(node) === 3) text += dataOf(node);
  return sketched(text);
};

const LABELLED = {
  button: HTMLButtonElement,
  input: HTMLInputElement,
  meter: HTMLMeterElement,
  output: HTMLOutputElement,
  progress: HTMLProgressElement,
  select: HTMLSelectElement,
  textarea: HTMLTextAreaElement,
};

/** Pushes the texts below a node; says whether all of them can be seen from here. */
const addBelow = (top, parts) => {
  let seen = 0;
  for (const node of below(top)) {
    seen += 1;
    const texts = nodeType(node) === 3 ? [dataOf(node)] : ["aria-label", "alt", "title", "aria-hidden"].map((name) => attribute(node, name));
    if (nodeType(node) === 1 && (OPAQUE.has(localName(node)) || shadowRoot(node) || hasAttribute(node, "aria-labelledby"))) return false;
    parts.push(...texts.map(sketched).filter((text) => text !== ""));
    if (seen > LARGEST) return false;
  }
  return true;
};

/** How many parents up the row of an element stands, as the host said it. */
const rowLevels = new WeakMap();

/** Elements that digits in their names tell from others, as the host said it. */
const numbered = new WeakSet();

const known = (element, levels, isNumbered) => {
  rowLevels.set(element, levels);
  if (isNumbered) numbered.add(element);
  else numbered.delete(element);
};

/** The sketch of the row, `""` for an element without one, `null` where it can't be told. */
const rowSketch = (element) => {
  const levels = rowLevels.get(element);
  if (!levels) return "";
  let row = element;
  for (let level = 0; level < levels && row; level += 1) row = parentNode(row);
  if (!row || nodeType(row) !== 1 || hasAttribute(row, "aria-labelledby")) return null;
  const parts = [localName(row), ...["role", "aria-label"].map((name) => sketched(attribute(row, name)))];
  return addBelow(row, parts) ? parts.join("\u001f") : null;
};

const ownParts = (element) => {
  if (isSensitive(element) || shadowRoot(element) || hasAttribute(element, "aria-labelledby")) return null;
  const part = (name) => sketched(attribute(element, name));
  const tag = localName(element);
  const parts = [tag, ...["role", "aria-label", "title", "alt", "placeholder", "type"].map(part)];
  const type = (attribute(element, "type") ?? "").trim().toLowerCase();
  parts.push(tag === "input" && ["button", "submit", "reset", "image"].includes(type) ? part("value") : "");
  if (!addBelow(element, parts)) return null;
  const kind = LABELLED[tag];
  if (kind && type !== "hidden") {
    if (rootOf(element) instanceof ShadowRoot) return null;
    for (const label of getter(kind, "labels")(element) ?? []) parts.push(labelText(label));
  }
  return parts;
};

/** Which of the elements below can't be seen: words that a class alone shows or hides. */
const unseenBelow = (element) => {
  const elements = [...below(element)].filter((node) => nodeType(node) === 1);
  const unseen = elements.flatMap((node, at) => (checkVisibility(node, { visibilityProperty: true }) ? [] : [at + 1]));
  return unseen.length === 0 ? [] : [`unseen ${unseen.join(" ")}`];
};

const fingerprint = (element) => {
  const texts = ownParts(element);
  const own = texts && [...texts, ...unseenBelow(element)];
  const row = rowSketch(element);
  if (own === null || row === null) return null;
  return row === "" ? own.join("\u001f") : [...own, `row ${own.length}`, row].join("\u001f");
};
