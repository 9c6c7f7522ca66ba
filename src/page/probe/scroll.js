// What scrolls right now, so that nothing is aimed at while it slides away under the pointer.

/** How long a scroller counts as scrolling after its last step, in milliseconds; its end is told by `scrollend`. */
const STEP = 150;

/** How long a key that scrolls may take until it shows, in milliseconds. */
const KEY = 50;

const KEYS_THAT_SCROLL = new Set(["PageUp", "PageDown", "Home", "End", " ", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]);

const scrollers = new WeakMap();
let keyUntil = 0;

// What the page itself sends moves nothing.
const scrolled = (event) => event.isTrusted && scrollers.set(event.target, performance.now() + STEP);
const scrollEnded = (event) => event.isTrusted && scrollers.delete(event.target);
const keyed = (event) => {
  if (!event.isTrusted) return;
  const takesKeys = event.composedPath()[0];
  const inField = nodeType(takesKeys) === 1 && ["input", "textarea", "select"].includes(localName(takesKeys));
  if (KEYS_THAT_SCROLL.has(event.key) && !inField) keyUntil = performance.now() + KEY;
};

/** `document.open` takes listeners away; adding one that is there does nothing. */
const listenForScrolls = () => {
  for (const [type, listener] of [["scroll", scrolled], ["scrollend", scrollEnded], ["keydown", keyed]]) {
    addEventListener(type, listener, { capture: true, passive: true });
  }
};
listenForScrolls();

/** Whether the document or a container of the element is scrolling or about to. */
const isScrolling = (element) => {
  const now = performance.now();
  if (now < keyUntil) return true;
  const scrolls = (node) => now < (scrollers.get(node) ?? 0);
  return scrolls(ownerDocument(element)) || [...upward(element)].some(scrolls);
};
