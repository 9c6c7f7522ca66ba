// Judging an element without acting: what an action would meet, and what else stands against one.

const SCROLLED = ["scrollTop", "scrollLeft"];
const scrollElementTo = method(Element, "scrollTo");

/** Where everything around an element is scrolled to, as a function that puts it back there. */
const scrollPlaces = (element) => {
  const places = [];
  for (let at = element; at; at = viewOf(at).frameElement) {
    for (const around of upward(at)) places.push([around, SCROLLED.map((key) => getter(Element, key)(around))]);
  }
  return () => {
    for (const [around, offsets] of places) {
      SCROLLED.forEach((key, index) => {
        if (getter(Element, key)(around) !== offsets[index]) scrollElementTo(around, { [key.slice(6).toLowerCase()]: offsets[index], behavior: "instant" });
      });
    }
  };
};

/** Whether all documents around an element can be reached from here, and so be scrolled back. */
const isReadable = (element) => {
  let view = viewOf(element);
  while (view.frameElement) view = viewOf(view.frameElement);
  return view.parent === view;
};

const examine = async (element, patience) => {
  const wants = { refuse: "press", wait: patience, watch: 0, force: false, tolerant: false, still: true };
  const seen = await ready(element, wants);
  if (seen.state === "gone") return seen;
  const lies = (point) => {
    const view = viewOf(element);
    return point !== undefined && (point.x < 0 || point.y < 0 || point.x >= view.innerWidth || point.y >= view.innerHeight);
  };
  if (seen.state === "ready" && lies(seen.point) && isReadable(element)) {
    // Not all that lies outside can be scrolled to. This scrolls as an action would and puts everything back.
    const putBack = scrollPlaces(element);
    const again = look(element, { ...wants, still: false }, 0);
    putBack();
    if (again.state !== "ready") Object.assign(seen, { point: undefined }, report(element, wants, again));
  } else if (seen.state === "covered" && !seen.inert) {
    // What hangs over it may only do so at this place of the page. An action would scroll; this puts everything back
    // before the page is painted again.
    const putBack = scrollPlaces(element);
    const lying = obstacle;
    const again = look(element, { ...wants, still: false }, 0);
    putBack();
    obstacle = lying;
    if (again.state === "ready") Object.assign(seen, report(element, wants, again));
  }
  const outside = lies(seen.point ?? undefined);
  const control = fieldOf(element);
  // A label of a button can be pressed whatever its button can.
  const field = localName(control) === "button" || BUTTONS.has(typeOf(control)) ? element : control;
  const isWritten = ["text", "lines", "rich", "set"].includes(kindOf(field).kind);
  return { ...seen, outside, disabled: isDisabled(field), readonly: isWritten && isReadonly(field) };
};
