// The watch over one press: it must reach the element it was aimed at, or nothing at all.

let watched = null;

const EVENTS = ["pointermove", "mousemove", "pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];

/** What an event of the watched press hits. */
const pressed = (event) => (isConnected(watched.target) ? hitAt(watched.target, event.clientX, event.clientY) : null);

/** Judges the press as it arrives, before any element hears of it, and swallows one that went astray. */
const judge = (event) => {
  if (!watched || !event.isTrusted || performance.now() > watched.end) return;
  const { type } = event;
  if (!watched.met) {
    // The first event of our own pointer, before the page can answer it: what differs now was changed by others.
    watched.met = true;
    watched.changed =
      !watched.force && (differs(watched.own, ownSketch(watched.element)) || differs(watched.row, rowSketch(watched.element)));
  }
  if (type === "pointermove" || type === "mousemove") return;
  if (watched.landed === null && (type === "pointerdown" || type === "mousedown")) {
    const hit = pressed(event);
    watched.landed = watched.force || (!watched.changed && hit !== null && accepts(watched.target, hit));
    if (!watched.landed) {
      obstacle = hit ?? event.composedPath()[0];
      watched.moved = !isConnected(watched.target) || !same(watched.boxes, boxesOf(watched.target));
    }
  } else if (watched.landed && !watched.force && type === "pointerdown") {
    // The first press of a double click may have put something else in its place.
    const hit = pressed(event);
    watched.strayed ||= !(hit && accepts(watched.target, hit)) && !isTwin(event.composedPath()[0]);
  }
  if (watched.landed === false || watched.strayed) {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else if (type === "click" || type === "auxclick") {
    watched.clicked ||= event.composedPath().includes(watched.target) || !isConnected(watched.target);
  }
};

/** Whether a press hits what the first press of the same click built in place of its element. */
const isTwin = (hit) => {
  const kind = localName(watched.element);
  for (const at of upward(hit)) {
    if (localName(at) !== kind) continue;
    rowLevels.set(at, rowLevels.get(watched.element));
    const own = ownSketch(at);
    return own !== null && own === watched.own && rowSketch(at) === watched.row;
  }
  return false;
};

const isFrame = (element) => ["iframe", "frame"].includes(localName(element));

/** Counters in a name may count on; numbers in a row, and those that tell one of a series, are what it is. */
const ownSketch = (element) => {
  const own = ownParts(element)?.join("\u001f") ?? null;
  return numbered.has(element) ? own : (own?.replace(/[\d.,]+/g, "") ?? null);
};
const differs = (before, now) => before !== null && now !== null && before !== now;

const watch = (element, label, wants) => {
  watched = null;
  // The document around an iframe hears nothing of a press in it.
  if (isFrame(element)) return;
  // `document.open` takes listeners away; adding one that is there does nothing.
  for (const type of EVENTS) addEventListener(type, judge, { capture: true, passive: false });
  const target = label ?? element;
  watched = {
    element,
    target,
    boxes: boxesOf(target),
    own: ownSketch(element),
    row: rowSketch(element),
    met: false,
    changed: false,
    landed: null,
    moved: false,
    strayed: false,
    clicked: false,
    force: wants.force,
    end: performance.now() + wants.watch,
  };
};

/** Says whether the pointer has come; the next event is then judged as the first one. */
const met = () => {
  const came = watched === null || watched.met;
  if (watched) watched.met = false;
  return came;
};

/** Ends the watch and says what came of the press. */
const landed = async (element) => {
  // A form is sent in a task of its own after the press; then the browser knows of it before we answer.
  const sends = isConnected(element) && closest(element, "form") !== null;
  if (sends && timersRun) await pause(0);
  const seen = watched;
  watched = null;
  return {
    landed: seen ? seen.landed : null,
    moved: seen ? seen.moved : false,
    strayed: seen ? seen.strayed : false,
    clicked: seen ? seen.clicked : true,
    after: describe(element),
  };
};
