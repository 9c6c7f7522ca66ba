// What scrolls right now, so that nothing is aimed at while it slides away under the pointer, and no key returns
// before what it scrolled has come to rest.

/** How long a scroller counts as scrolling after its last step, in milliseconds; its end is told by `scrollend`. */
const STEP = 150;

/** How long a key that scrolls may take until it shows, in milliseconds. */
const KEY = 50;

/** The same where something has room to scroll: a busy browser takes its time to begin. */
const KEY_WITH_ROOM = 300;

/** How long the page may go on drawing what a scroll has brought into view, in milliseconds. */
const REDRAW = 300;

/** By key: which way it scrolls. */
const SCROLLS = {
  PageDown: [0, 1], PageUp: [0, -1], End: [0, 1], Home: [0, -1], " ": [0, 1],
  ArrowDown: [0, 1], ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowLeft: [-1, 0],
};

/** By scroller: until when it counts as scrolling. */
const scrollers = new Map();

/** How many steps of scrolls there were. */
let steps = 0;

/** The last key that may scroll, which has not been waited for. */
let scrollKey = null;

// What the page itself sends moves nothing.
const scrolled = (event) => {
  if (!event.isTrusted) return;
  steps += 1;
  scrollers.set(event.target, performance.now() + STEP);
};
const scrollEnded = (event) => event.isTrusted && scrollers.delete(event.target);
const keyed = (event) => {
  if (!event.isTrusted || !SCROLLS[event.key]) return;
  const focus = event.composedPath()[0];
  const takesKeys = nodeType(focus) === 1 && (["input", "textarea", "select"].includes(localName(focus)) || isEditable(focus));
  if (!takesKeys) scrollKey = { event, focus, at: performance.now(), steps };
};

/** `document.open` takes listeners away; adding one that is there does nothing. */
const listenForScrolls = () => {
  for (const [type, listener] of [["scroll", scrolled], ["scrollend", scrollEnded], ["keydown", keyed]]) {
    addEventListener(type, listener, { capture: true, passive: true });
  }
};
listenForScrolls();

/** Whether anything in this document scrolls. */
const scrollsAnywhere = () => {
  const now = performance.now();
  for (const [node, until] of scrollers) if (until <= now) scrollers.delete(node);
  return scrollers.size > 0;
};

/** Whether the document or a container of the element is scrolling or about to. */
const isScrolling = (element) => {
  if (scrollKey && performance.now() < scrollKey.at + KEY) return true;
  return scrollsAnywhere() && [ownerDocument(element), ...upward(element)].some((node) => scrollers.has(node));
};

const scrollRange = (element, length, client) => getter(Element, length)(element) - getter(Element, client)(element);

/** Whether an element can scroll this way. */
const hasRoom = (element, [across, down]) => {
  const [offset, room, overflow] = down
    ? [getter(Element, "scrollTop")(element), scrollRange(element, "scrollHeight", "clientHeight"), "overflowY"]
    : [getter(Element, "scrollLeft")(element), scrollRange(element, "scrollWidth", "clientWidth"), "overflowX"];
  const page = ownerDocument(element);
  if (element === getter(Document, "scrollingElement")(page)) {
    const locks = [documentElement(page), inRoot(page, "body")].filter(Boolean);
    if (locks.some((part) => ["hidden", "clip"].includes(styleOf(part)[overflow]))) return false;
  } else if (!["auto", "scroll"].includes(styleOf(element)[overflow])) return false;
  return room > 1 && (down + across > 0 ? offset < room - 1 : offset > 0);
};

/** How long the last key may take to begin a scroll: not at all where the page took it for itself. */
const waitsFor = ({ event, focus }) => {
  const way = SCROLLS[event.key].map((step) => (event.key === " " && event.shiftKey ? -step : step));
  const root = getter(Document, "scrollingElement")(document);
  const around = nodeType(focus) === 1 ? [...upward(focus)] : [];
  const presses = event.key === " " && around.some((node) => ["button", "summary"].includes(localName(node)));
  if (event.defaultPrevented || presses) return 0;
  return [...around, root].some((node) => node && hasRoom(node, way)) ? KEY_WITH_ROOM : KEY;
};

/** Waits until what the last key scrolled is at rest and the page has drawn what came into view. Returns whether the
 * key was pressed here and scrolled nothing: then it may scroll what is around this frame. */
const scrollRests = async (patience) => {
  const end = performance.now() + patience;
  const key = scrollKey;
  scrollKey = null;
  if (key) {
    const begins = Math.min(key.at + waitsFor(key), end);
    while (steps === key.steps && performance.now() < begins) await frameTick(begins);
  }
  if (!scrollsAnywhere() && (!key || steps === key.steps)) return key !== null && !key.event.defaultPrevented && parent !== globalThis;
  while (scrollsAnywhere() && performance.now() < end) await frameTick(end);
  let redrawn = true;
  const drawing = new MutationObserver(() => { redrawn = true; });
  drawing.observe(document, { childList: true, characterData: true, subtree: true });
  for (const last = Math.min(performance.now() + REDRAW, end); redrawn && performance.now() < last; ) {
    redrawn = false;
    // Rows are drawn in the frame after the last step, or when that frame is over.
    await frameTick(last);
    await frameTick(last);
  }
  drawing.disconnect();
  return false;
};
