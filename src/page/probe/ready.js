// Whether an element can be acted on now, and the watch over the press that follows.

/** Says why people can't see an element that has no box or is hidden by style. */
const whyHidden = (element) => {
  for (const node of upward(element)) {
    const style = styleOf(node);
    const place = node === element ? "" : ` on the ${localName(node)} around it`;
    if (style.display === "none") {
      const inDetails = closest(node, "details:not([open])");
      return inDetails ? "it stands in a closed details element" : `display: none${place}`;
    }
    if (style.contentVisibility === "hidden" && node !== element) return `content-visibility: hidden${place}`;
  }
  if (closest(element, "details:not([open])") && !closest(element, "summary")) {
    return "it stands in a closed details element";
  }
  const { visibility } = styleOf(element);
  return visibility === "visible" ? "it has no size" : `visibility: ${visibility}`;
};

const isVisible = (element) => {
  if (localName(element) === "area") return true;
  if (styleOf(element).display === "contents") {
    return styleOf(element).visibility === "visible" && [...upward(element)].slice(1, 2).every((up) => isVisible(up));
  }
  return checkVisibility(element, { visibilityProperty: true });
};

/** What makes an element inert: its own or a container's attribute, or an open modal that it is not part of. */
const inertBy = (element) => {
  for (const node of upward(element)) {
    if (node instanceof HTMLElement && getter(HTMLElement, "inert")(node)) return { by: modalOver(element) };
  }
  const modal = modalOver(element);
  return modal && { by: modal };
};
const modalOver = (element) => {
  const modals = [...inRoot(ownerDocument(element), "querySelectorAll", ":modal")];
  return modals.findLast((modal) => !inside(modal, element)) && !modals.some((modal) => inside(modal, element))
    ? modals.at(-1)
    : null;
};

const isDisabled = (element) => {
  if (matches(element, ":disabled")) return true;
  for (const node of upward(element)) {
    if (attribute(node, "aria-disabled") === "true") return true;
    if (localName(node) === "button" && matches(node, ":disabled")) return true;
  }
  return false;
};

const STILL = new Set(["opacity", "color", "backgroundColor", "boxShadow", "filter", "outlineColor", "textDecorationColor",
  "borderTopColor", "borderRightColor", "borderBottomColor", "borderLeftColor", "fill", "stroke", "visibility", "cursor",
  "background", "backdropFilter", "textShadow", "offset", "computedOffset", "easing", "composite"]);
const camel = (name) => name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());

/** The animations that run now and could move the element; spinners elsewhere that never end don't count. */
const movers = (element) => {
  const running = [];
  for (let root = rootOf(element); ; root = rootOf(getter(ShadowRoot, "host")(root))) {
    running.push(...inRoot(root, "getAnimations"));
    if (nodeType(root) === 9) break;
  }
  return running.filter((animation) => {
    if (animation.playState !== "running") return false;
    const names = animation.transitionProperty
      ? [camel(animation.transitionProperty)]
      : (animation.effect?.getKeyframes?.() ?? []).flatMap((frame) => Object.keys(frame));
    if (names.every((name) => STILL.has(name))) return false;
    const ends = Number.isFinite(animation.effect?.getComputedTiming?.().endTime ?? 0);
    const moved = animation.effect?.target;
    return ends || !moved || inside(moved, element);
  });
};

/** Whether an animation is under way whose first frame is yet to come: what it moves rests only in appearance. */
const isStarting = (element) => movers(element).some((animation) => animation.pending);

/** The document that was opened a moment ago throws input away until it has painted once. */
const hasPainted = () => performance.now() > 1000 || performance.getEntriesByType("paint").length > 0;

const ALIGNMENTS = ["center", "start", "end", "nearest"];

/** Looks once. `round` counts the looks of one wait: only the first scrolls in every way. */
const look = (element, wants, round) => {
  if (!isConnected(element)) return { state: "gone" };
  const refusal = wants.refuse && refuse(element, wants.refuse);
  if (refusal) return refusal;
  let target = element;
  let boxes = isVisible(element) || wants.force ? boxesOf(element) : [];
  const tiny = boxes.every((box) => box.width < 4 || box.height < 4);
  const kind = typeOf(element);
  let label = null;
  if (tiny && (kind === "checkbox" || kind === "radio" || kind === "file")) {
    label = labelsOf(element).find((candidate) => boxesOf(candidate).length > 0) ?? null;
    if (label) boxes = boxesOf(label);
  }
  if (boxes.length === 0) return { state: "hidden", reason: whyHidden(element) };
  if (wants.force) {
    bring(label ?? element, { block: "center", inline: "center", behavior: "instant" });
    boxes = boxesOf(label ?? element);
    const [point] = pointsOf(boxes, viewOf(element), wants.position);
    if (!point) return { state: "hidden", reason: "it lies outside of the page" };
    const up = climb(element, point);
    return { state: "ready", boxes, point, label, outer: up.outer ?? point, levels: up.levels ?? 0, turned: up.turned };
  }
  const inert = inertBy(element);
  if (inert) return { state: "covered", inert: true, coverer: inert.by };
  if (isDisabled(element)) return { state: "disabled" };
  target = label ?? element;
  // A press on the label presses the control; a press on the label's own link or button does not.
  const found = aim(target, boxes, wants, round);
  if (found.point) return { state: "ready", label, boxes: found.boxes, ...found };
  if (wants.tolerant && (tiny || isNeighbour(element, found.coverer))) {
    const middle = at(boxes[0], 0.5, 0.5);
    return { state: "ready", label, boxes, point: middle, outer: middle, levels: 0, scrolled: found.scrolled };
  }
  if (!found.coverer) return { state: "hidden", reason: "it lies where the page can't be scrolled to" };
  return { state: "covered", inert: false, coverer: found.coverer };
};

/** Scrolls to an element; what has no box of its own by what stands in it. */
const bring = (target, how) => {
  if (localName(target) === "area") return scrollIntoView(closest(target, "map") ?? target, how);
  if (styleOf(target).display !== "contents") return scrollIntoView(target, how);
  const boxed = [...selectAllIn(target, "*")].find((part) => clientRects(part).length > 0);
  if (boxed) return scrollIntoView(boxed, how);
  const around = [...upward(target)].find((up) => clientRects(up).length > 0);
  if (around) scrollIntoView(around, { block: "nearest", inline: "nearest", behavior: "instant" });
  const view = viewOf(target);
  const middle = at(boxesOf(target)[0], 0.5, 0.5);
  view.scrollBy({ left: middle.x < 0 || middle.x >= view.innerWidth ? middle.x - view.innerWidth / 2 : 0, top: middle.y - view.innerHeight / 2, behavior: "instant" });
};

/** Finds a point, scrolling in one way after the other where the middle can't be reached. */
const aim = (target, boxes, wants, round) => {
  const view = viewOf(target);
  const whole = boxes.every((box) => box.x >= 0 && box.y >= 0 && box.x + box.width <= view.innerWidth && box.y + box.height <= view.innerHeight);
  const middle = at(boxes[0], 0.5, 0.5);
  const near = middle.x >= 0 && middle.y >= 0 && middle.x < view.innerWidth && middle.y < view.innerHeight;
  let found = whole || near || wants.position ? reach(target, boxes, wants.position) : { point: null, coverer: null };
  // Whether a turned frame is in view can't be told from inside.
  const unsure = found.turned && round === 0;
  if (found.point && !unsure) return { ...found, boxes, scrolled: false };
  // Nothing is scrolled for a mere question: what can be brought into view counts as reached.
  if (wants.still) return { ...(found.coverer ? found : { point: middle, outer: middle }), boxes, scrolled: false };
  for (const block of round === 0 ? ALIGNMENTS : ALIGNMENTS.slice(0, 1)) {
    bring(target, { block, inline: block === "start" || block === "end" ? block : "center", behavior: "instant" });
    const moved = boxesOf(target);
    if (moved.length === 0) break;
    const next = reach(target, moved, wants.position);
    if (next.point) return { ...next, boxes: moved, scrolled: true };
    found = { point: null, coverer: next.coverer ?? found.coverer };
  }
  return { ...found, scrolled: true };
};

/** Whether what lies over a field belongs to the same small widget, as the drawn part of a drop-down does. */
const isNeighbour = (element, coverer) => {
  if (!coverer) return false;
  let around = element;
  for (let step = 0; step < 3 && around; step += 1) {
    around = flatParent(around);
    if (!around || around === inRoot(ownerDocument(element), "body") || localName(around) === "form") return false;
    if (inside(around, coverer)) return true;
  }
  return false;
};

const same = (one, two) =>
  one.length === two.length &&
  one.every((box, index) => ["x", "y", "width", "height"].every((key) => box[key] === two[index][key]));

/** Looks until the element is ready or `wants.wait` milliseconds are over. */
const untilReady = async (element, wants, first) => {
  const end = performance.now() + wants.wait;
  let seen = first;
  for (let round = 1; performance.now() < end; round += 1) {
    if (seen.state === "gone" || seen.state === "refused") return seen;
    if (seen.state === "ready" || round < 3) await frameTick(end);
    else await pause(Math.min(round < 8 ? 30 : 100, end - performance.now()));
    const before = seen;
    seen = look(element, wants, round);
    if (seen.state !== "ready") continue;
    const moving = movers(element).length > 0;
    seen.clock = timeline(document).currentTime;
    // Between two frames nothing moves: only equal places in different frames are rest.
    const still = before.state === "ready" && !before.starting && before.clock !== seen.clock && same(before.boxes, seen.boxes);
    if (hasPainted() && !seen.scrolled && !isScrolling(element) && (wants.force || still || (!moving && before.state !== "ready"))) return seen;
    seen.starting = moving && isStarting(element);
    seen.restless = moving || (before.state === "ready" && !seen.scrolled && !same(before.boxes, seen.boxes));
  }
  // Out of time: only what was seen to move is said to move; the watch over the press guards the rest.
  return seen.restless && seen.state === "ready" ? { state: "moving" } : seen;
};

let obstacle = null;

/** Waits until the element can be acted on, then prepares it and sets the watch. One call for the common case. */
const ready = (element, wants) => {
  listenForScrolls();
  const first = look(element, wants, 0);
  const moving = first.state === "ready" && !wants.force && movers(element).length > 0;
  const calm = first.state === "ready" && !first.scrolled && hasPainted() && !moving && !isScrolling(element);
  first.clock = timeline(document).currentTime;
  first.starting = moving && isStarting(element);
  if ((calm && !wants.still) || wants.force || first.state === "gone" || first.state === "refused") return report(element, wants, first);
  return untilReady(element, wants, first).then((seen) => report(element, wants, seen));
};

const report = (element, wants, seen) => {
  obstacle = seen.coverer ?? null;
  if (seen.state === "gone") return { state: "gone" };
  const facts = { state: seen.state, ...describe(element) };
  if (seen.state === "hidden") facts.reason = seen.reason;
  if (seen.state === "covered") facts.inert = seen.inert;
  if (seen.state === "refused") Object.assign(facts, seen);
  if (seen.state !== "ready") return facts;
  const box = boundingRect(element);
  const corner = outermost(element, { x: box.x, y: box.y });
  const opposite = outermost(element, { x: box.x + box.width, y: box.y + box.height });
  Object.assign(facts, {
    point: seen.point,
    outer: seen.outer ?? seen.point,
    levels: seen.levels ?? 0,
    turned: seen.turned ?? false,
    by_label: Boolean(seen.label),
    rect: { ...corner, width: opposite.x - corner.x, height: opposite.y - corner.y },
  });
  if (wants.watch || wants.prepare?.caret) attend(element);
  if (wants.watch) noteTold(element);
  if (wants.watch) watch(element, seen.label, wants);
  if (wants.prepare) facts.prepared = prepare(element, wants.prepare);
  return facts;
};

const ariaOf = (element, name) => attribute(element, `aria-${name}`);

/** The facts of an element that an action reports, and compares afterwards. */
const describe = (element) => {
  if (!isConnected(element)) return { connected: false };
  const type = typeOf(element);
  const ticks = type === "checkbox" || type === "radio";
  const link = closest(element, "a[href],area[href]");
  return {
    connected: true,
    tag: localName(element),
    href: link ? (link.href.baseVal ?? link.href) : null,
    fingerprint: fingerprint(element),
    states: {
      checked: ticks
        ? getter(HTMLInputElement, "indeterminate")(element) ? "mixed" : String(getter(HTMLInputElement, "checked")(element))
        : ariaOf(element, "checked"),
      expanded: localName(element) === "summary" ? String(closest(element, "details[open]") !== null) : ariaOf(element, "expanded"),
      pressed: ariaOf(element, "pressed"),
      selected: localName(element) === "option" ? String(getter(HTMLOptionElement, "selected")(element)) : ariaOf(element, "selected"),
      current: ariaOf(element, "current"),
      disabled: String(isDisabled(element)),
    },
    popup: ariaOf(element, "haspopup"),
    // A link that opens a tab says so; the tab itself appears a moment later.
    opens_tab: link !== null && !["", "_self", "_top", "_parent"].includes((attribute(link, "target") ?? "").toLowerCase()),
  };
};
