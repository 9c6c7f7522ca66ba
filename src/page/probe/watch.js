// The watch over one press: it must reach the element it was aimed at, or nothing at all.

let watched = null;

const EVENTS = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];

/** Judges the press as it arrives, before any element hears of it, and swallows one that went astray. */
const judge = (event) => {
  if (!watched || !event.isTrusted || performance.now() > watched.end) return;
  const { type } = event;
  if (watched.landed === null && (type === "pointerdown" || type === "mousedown")) {
    const hit = isConnected(watched.target) ? hitAt(watched.target, event.clientX, event.clientY) : null;
    watched.landed = watched.force || (hit !== null && accepts(watched.target, hit));
    if (!watched.landed) {
      obstacle = hit ?? event.composedPath()[0];
      watched.moved = !isConnected(watched.target) || !same(watched.boxes, boxesOf(watched.target));
    }
  }
  if (watched.landed === false) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
};

const watch = (element, label, wants) => {
  // `document.open` takes listeners away; adding one that is there does nothing.
  for (const type of EVENTS) addEventListener(type, judge, { capture: true, passive: false });
  const target = label ?? element;
  watched = { target, boxes: boxesOf(target), landed: null, moved: false, force: wants.force, end: performance.now() + wants.watch };
};

/** Ends the watch and says what came of the press. */
const landed = async (element) => {
  // A form is sent in a task of its own after the press; then the browser knows of it before we answer.
  const sends = isConnected(element) && closest(element, "form") !== null;
  if (sends) await pause(0);
  const seen = watched;
  watched = null;
  return {
    landed: seen ? seen.landed : null,
    moved: seen ? seen.moved : false,
    after: describe(element),
  };
};
