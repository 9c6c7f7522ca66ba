// The guard over one writing: what is meant for a field reaches no other one, wherever the page moves the focus.

let guarded = null;

const WRITTEN = ["keydown", "keypress", "textInput", "beforeinput"];

/** The hosts of the shadow trees that a node stands in: what events of closed ones tell of it. */
const isHostOf = (candidate, node) => {
  for (let root = rootOf(node); root instanceof ShadowRoot; root = rootOf(getter(ShadowRoot, "host")(root))) {
    if (getter(ShadowRoot, "host")(root) === candidate) return true;
  }
  return false;
};

/** Whether what is written at `target` is written into the field. */
const isMeant = (field, target) => {
  if (nodeType(target) !== 1) return false;
  if (target === field || inside(field, target) || isHostOf(target, field)) return true;
  if (isEditable(target) && inside(target, field)) return true;
  // A page that draws the field anew goes on in the fresh one.
  return !isConnected(field) && localName(target) === localName(field);
};

/** Boxes of few characters that are full move the focus on to the next one. */
const isFull = (field) => {
  const most = localName(field) === "input" ? getter(HTMLInputElement, "maxLength")(field) : -1;
  return most > 0 && inputValue(field).length >= most;
};

/** Swallows what would be written elsewhere. Keys with names of their own, such as Tab, are nobody's text. */
const guardAgainst = (event) => {
  if (!guarded || !event.isTrusted || performance.now() > guarded.end) return;
  if (event.type === "keydown" && event.key.length > 1 && !["Backspace", "Enter"].includes(event.key)) return;
  const target = event.composedPath()[0];
  if (isMeant(guarded.field, target) || (guarded.goesOn && isFull(guarded.field))) return;
  guarded.strayed ??= target;
  event.preventDefault();
  event.stopImmediatePropagation();
};

const guard = (field, how) => {
  guarded = how.guard > 0 ? { field, goesOn: how.caret === "end", strayed: null, end: performance.now() + how.guard } : null;
  // `document.open` takes listeners away; adding one that is there does nothing.
  for (const type of WRITTEN) addEventListener(type, guardAgainst, { capture: true, passive: false });
};

/** Ends the guard; returns whether something was swallowed. */
const unguard = () => {
  const strayed = guarded?.strayed ?? null;
  guarded = null;
  if (strayed) obstacle = strayed;
  return strayed !== null;
};
