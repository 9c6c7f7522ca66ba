// Access to the DOM that a page can't bend. The isolated world has its own prototypes, so pages can't replace
// these functions; but `form.isConnected` is still whatever `<input name=isConnected>` makes of it, in every
// world, therefore members are taken from the prototypes and never from the nodes.
const getter = (of, key) => {
  const { get } = Object.getOwnPropertyDescriptor(of.prototype, key);
  return (node) => Reflect.apply(get, node, []);
};
const setter = (of, key) => {
  const { set } = Object.getOwnPropertyDescriptor(of.prototype, key);
  return (node, value) => Reflect.apply(set, node, [value]);
};
const method = (of, key) => {
  const call = of.prototype[key];
  return (node, ...rest) => Reflect.apply(call, node, rest);
};

const nodeType = getter(Node, "nodeType");
const parentNode = getter(Node, "parentNode");
const ownerDocument = getter(Node, "ownerDocument");
const inADocument = getter(Node, "isConnected");
/** An element that was adopted by another document is gone from this one. */
const isConnected = (node) => inADocument(node) && ownerDocument(node) === document;
const textContent = getter(Node, "textContent");
const rootOf = method(Node, "getRootNode");
const contains = method(Node, "contains");
const localName = getter(Element, "localName");
const attribute = method(Element, "getAttribute");
const hasAttribute = method(Element, "hasAttribute");
const matches = method(Element, "matches");
const closest = method(Element, "closest");
const assignedSlot = getter(Element, "assignedSlot");
const shadowRoot = getter(Element, "shadowRoot");
const selectAllIn = method(Element, "querySelectorAll");
const clientRects = method(Element, "getClientRects");
const boundingRect = method(Element, "getBoundingClientRect");
const checkVisibility = method(Element, "checkVisibility");
const scrollIntoView = method(Element, "scrollIntoView");
const clientLeft = getter(Element, "clientLeft");
const clientTop = getter(Element, "clientTop");
const visibilityState = getter(Document, "visibilityState");
const timeline = getter(Document, "timeline");
const documentElement = getter(Document, "documentElement");
const defaultView = getter(Document, "defaultView");

/** Calls a member that documents and shadow roots have in common. */
const inRoot = (root, key, ...rest) => {
  const kinds = nodeType(root) === 9 ? [Document] : [ShadowRoot, DocumentFragment];
  const { get, value } = kinds.map((kind) => Object.getOwnPropertyDescriptor(kind.prototype, key)).find(Boolean);
  return get ? Reflect.apply(get, root, []) : Reflect.apply(value, root, rest);
};

const viewOf = (node) => defaultView(ownerDocument(node));
const styleOf = (element) => viewOf(element).getComputedStyle(element);
const folded = (text) => (text ?? "").replace(/\s+/g, " ").trim();
const role = (element) => folded(attribute(element, "role")).split(" ")[0].toLowerCase();
const typeOf = (element) => (localName(element) === "input" ? getter(HTMLInputElement, "type")(element) : null);

/** The parent in the flat tree; a closed slot is passed over, its host is not. */
const flatParent = (node) => {
  if (nodeType(node) === 1) {
    const slot = assignedSlot(node);
    if (slot) return slot;
  }
  const parent = parentNode(node);
  if (!parent) return null;
  if (nodeType(parent) === 11) return parent instanceof ShadowRoot ? getter(ShadowRoot, "host")(parent) : null;
  return nodeType(parent) === 1 ? parent : null;
};

/** Walks from an element to the root of the flat tree, itself first. */
function* upward(element) {
  for (let node = element; node; node = flatParent(node)) yield node;
}

/** The slots in the tree that holds `target` and that `target` contains, for closed roots. */
const slottedInto = (target, node) => {
  const root = rootOf(target);
  if (nodeType(root) !== 11) return false;
  const slots = [...selectAllIn(target, "slot")];
  if (localName(target) === "slot") slots.push(target);
  const assigned = method(HTMLSlotElement, "assignedElements");
  return slots.some((slot) => assigned(slot, { flatten: true }).some((light) => contains(light, node)));
};

/** Whether `node` is `target` or stands inside it as people see it. */
const inside = (target, node) => {
  for (const at of upward(node)) if (at === target) return true;
  return slottedInto(target, node);
};

/** The element that has the focus, down through shadow roots and same-origin frames; closed roots end it. */
const deepFocus = (root) => {
  let focus = inRoot(root, "activeElement");
  while (focus && shadowRoot(focus)) {
    const inner = inRoot(shadowRoot(focus), "activeElement");
    if (!inner) break;
    focus = inner;
  }
  return focus;
};

/** Waits for the next frame, not longer than until `end`. */
const frameTick = (end = Infinity) =>
  new Promise((done) => {
    requestAnimationFrame(() => done());
    // A hidden tab paints no frames, a busy machine paints them late.
    setTimeout(done, Math.min(visibilityState(document) === "hidden" ? 30 : 400, end - performance.now()));
  });
/** Whether timers run here. In frames whose sandbox forbids scripts they never do. */
let timersRun = false;
setTimeout(() => (timersRun = true), 0);

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
