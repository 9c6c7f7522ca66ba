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

const fingerprint = (element) => {
  if (isSensitive(element) || shadowRoot(element) || hasAttribute(element, "aria-labelledby")) return null;
  const part = (name) => sketched(attribute(element, name));
  const tag = localName(element);
  const parts = [tag, ...["role", "aria-label", "title", "alt", "placeholder", "type"].map(part)];
  const type = (attribute(element, "type") ?? "").trim().toLowerCase();
  parts.push(tag === "input" && ["button", "submit", "reset", "image"].includes(type) ? part("value") : "");
  let seen = 0;
  for (const node of below(element)) {
    seen += 1;
    const texts = nodeType(node) === 3 ? [dataOf(node)] : ["aria-label", "alt", "title"].map((name) => attribute(node, name));
    if (nodeType(node) === 1 && (OPAQUE.has(localName(node)) || shadowRoot(node) || hasAttribute(node, "aria-labelledby"))) return null;
    parts.push(...texts.map(sketched).filter((text) => text !== ""));
    if (seen > LARGEST) return null;
  }
  const kind = LABELLED[tag];
  if (kind && type !== "hidden") {
    if (rootOf(element) instanceof ShadowRoot) return null;
    for (const label of getter(kind, "labels")(element) ?? []) parts.push(labelText(label));
  }
  return parts.join("\u001f");
};
