// Where an element can be pressed: its boxes, the points in them, and what a point really hits.

/** Turns a rect into plain numbers. */
const plain = (rect) => ({ x: rect.x, y: rect.y, width: rect.width, height: rect.height });
const sized = (rects) => [...rects].filter((rect) => rect.width > 0 && rect.height > 0).map(plain);

/** The boxes of an image map's area, in the coordinates of its document. */
const areaBoxes = (area) => {
  const map = closest(area, "map");
  const name = map && attribute(map, "name");
  const image = name && inRoot(rootOf(area), "querySelector", `img[usemap="#${CSS.escape(name)}"]`);
  if (!image) return [];
  const around = boundingRect(image);
  const numbers = (attribute(area, "coords") ?? "").split(",").map(Number);
  const shape = (attribute(area, "shape") ?? "rect").toLowerCase();
  if (shape === "default") return [plain(around)];
  if (numbers.some(Number.isNaN) || numbers.length < 3) return [];
  let [left, top, right, bottom] = numbers;
  if (shape.startsWith("circ")) {
    [left, top, right, bottom] = [left - numbers[2], top - numbers[2], left + numbers[2], top + numbers[2]];
  } else if (shape.startsWith("poly")) {
    const xs = numbers.filter((_, index) => index % 2 === 0);
    const ys = numbers.filter((_, index) => index % 2 === 1);
    [left, top, right, bottom] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  }
  return [{ x: around.x + left, y: around.y + top, width: right - left, height: bottom - top }];
};

/** The boxes of an element, one for each line; those of its content where it has none of its own. */
const boxesOf = (element) => {
  if (localName(element) === "area") return areaBoxes(element);
  const own = sized(clientRects(element));
  if (own.length > 0) return own;
  const range = new (viewOf(element).Range)();
  range.selectNodeContents(element);
  return sized(range.getClientRects());
};

/** The labels of a control that can be seen. */
const labelsOf = (element) => {
  const of = { input: HTMLInputElement, select: HTMLSelectElement, textarea: HTMLTextAreaElement, button: HTMLButtonElement };
  const kind = of[localName(element)];
  return kind ? [...(getter(kind, "labels")(element) ?? [])].filter((label) => checkVisibility(label)) : [];
};

/** The control that a label stands for. */
const controlOf = (label) => (localName(label) === "label" ? getter(HTMLLabelElement, "control")(label) : null);

const PRESSABLE =
  "a[href],button,label,summary,[role=button],[role=link],[role=menuitem],[role=menuitemcheckbox]," +
  "[role=menuitemradio],[role=option],[role=tab],[role=checkbox],[role=radio],[role=switch],[role=treeitem]";

/** What takes a press for itself, also inside a label. */
const TAKES_PRESSES = "a[href],button,input,select,textarea,summary";

/** Whether a press on a label that hits `hit` is a press on the label's control, and not on a link in it. */
const pressesControl = (label, hit) => {
  for (const at of upward(hit)) {
    if (at === label) return true;
    if (matches(at, TAKES_PRESSES)) return at === controlOf(label);
  }
  return true;
};

/** Whether a press that hits `hit` is a press on `target`. */
const accepts = (target, hit) => {
  if (inside(target, hit)) return localName(target) !== "label" || pressesControl(target, hit);
  for (const at of upward(hit)) {
    if (localName(at) === "label") return controlOf(at) === target && pressesControl(at, hit);
  }
  if (controlOf(target) === hit) return true;
  if (localName(target) === "area") return localName(hit) === "img" && attribute(hit, "usemap") !== null;
  // The picture in a button lets the pointer through to the button.
  if (styleOf(target).pointerEvents === "none") {
    const around = closest(target, PRESSABLE);
    return around !== null && around !== target && inside(around, hit);
  }
  return false;
};

/** What a point of the target's frame hits, as seen from the tree that the target stands in. */
const hitAt = (target, x, y) => {
  const root = rootOf(target);
  const hit = inRoot(root, "elementFromPoint", x, y);
  if (!hit || accepts(target, hit) || nodeType(root) === 9) return hit;
  // For text slotted into this root, the single answer is the host, and the list begins with what stands inside.
  return inRoot(root, "elementsFromPoint", x, y)[0] ?? hit;
};

const clip = (box, view) => {
  const left = Math.max(box.x, 0);
  const top = Math.max(box.y, 0);
  const width = Math.min(box.x + box.width, view.innerWidth) - left;
  const height = Math.min(box.y + box.height, view.innerHeight) - top;
  return width > 0 && height > 0 ? { x: left, y: top, width, height } : null;
};
const at = (box, across, down) => ({ x: box.x + box.width * across, y: box.y + box.height * down });
const GRID = [0.5, 0.25, 0.75, 0.08, 0.92];

/** The points worth trying, best first: the middle of each line, then a grid over the first boxes. */
function* pointsOf(boxes, view, position) {
  if (position) {
    yield { x: boxes[0].x + position.x, y: boxes[0].y + position.y };
    return;
  }
  const seen = boxes.slice(0, 8).map((box) => clip(box, view)).filter(Boolean);
  for (const box of seen) yield at(box, 0.5, 0.5);
  for (const box of seen.slice(0, 4)) {
    for (const down of GRID) for (const across of GRID) yield at(box, across, down);
  }
}

/** Finds a point that a press can use, without scrolling; else says what covers the middle. */
const reach = (target, boxes, position) => {
  const view = viewOf(target);
  let coverer = null;
  let tried = 0;
  for (const point of pointsOf(boxes, view, position)) {
    if (point.x < 0 || point.y < 0 || point.x >= view.innerWidth || point.y >= view.innerHeight) continue;
    const hit = hitAt(target, point.x, point.y);
    tried += 1;
    if (hit && accepts(target, hit)) {
      const up = climb(target, point);
      if (!up.coverer) return { point, ...up };
      coverer ??= up.coverer;
    }
    coverer ??= hit;
  }
  return { point: null, coverer, tried };
};

/** Whether the way from an iframe to the root of its document turns or skews it. */
const isTurned = (element) => {
  for (const node of upward(element)) {
    const style = styleOf(node);
    if (style.rotate !== "none" && style.rotate !== "") return true;
    if (style.transform === "none" || style.transform === "") continue;
    const matrix = new DOMMatrixReadOnly(style.transform);
    if (!matrix.is2D || Math.abs(matrix.b) > 1e-6 || Math.abs(matrix.c) > 1e-6) return true;
  }
  return false;
};

/** Turns a point of the document inside an iframe into a point of the document around it. */
const outOf = (owner, point) => {
  const rect = boundingRect(owner);
  const style = styleOf(owner);
  const scaleX = rect.width / (getter(HTMLElement, "offsetWidth")(owner) || rect.width || 1);
  const scaleY = rect.height / (getter(HTMLElement, "offsetHeight")(owner) || rect.height || 1);
  return {
    x: rect.x + (clientLeft(owner) + Number.parseFloat(style.paddingLeft) + point.x) * scaleX,
    y: rect.y + (clientTop(owner) + Number.parseFloat(style.paddingTop) + point.y) * scaleY,
  };
};

/** Turns a point of the element's document into one of the outermost readable document. */
const outermost = (element, point) => {
  let at = point;
  for (let owner = viewOf(element).frameElement; owner; owner = viewOf(owner).frameElement) at = outOf(owner, at);
  return at;
};

/** Asks one frame around: does the point reach the iframe there? */
const through = (owner, point) => {
  const outer = outOf(owner, point);
  // Turned frames can't be measured from inside; the browser's own quads give the point, the press itself the hit.
  if (isTurned(owner)) return { outer, coverer: null, turned: true };
  const hit = hitAt(owner, outer.x, outer.y);
  const clear = hit !== null && accepts(owner, hit);
  return { outer, coverer: clear ? null : (inertBy(owner)?.by ?? hit ?? owner), turned: false };
};

/** Whether a press at this point of the outermost readable document goes to the node, or to the frame it stands in. */
const reaches = (node, point) => {
  let at = node;
  for (let owner = viewOf(at).frameElement; owner; owner = viewOf(at).frameElement) at = owner;
  const hit = hitAt(at, point.x, point.y);
  const clear = hit !== null && accepts(at, hit);
  obstacle = clear ? null : (hit ?? at);
  return clear;
};

/** As `through`, for a frame whose parent can't be read from inside; brings the point into view first, unless `still`. */
const bringThrough = (owner, point, still) => {
  const view = viewOf(owner);
  const isSeen = ({ x, y }) => x >= 0 && y >= 0 && x < view.innerWidth && y < view.innerHeight;
  // The inside of the iframe, for the way through a turned one.
  const inner = { x: owner.clientWidth, y: owner.clientHeight };
  let step = through(owner, point);
  if (still && (step.turned || !isSeen(step.outer))) return { outer: step.outer, levels: 0, inner, covered: false, turned: false };
  if (step.turned) scrollIntoView(owner, { block: "center", inline: "center", behavior: "instant" });
  if (step.coverer && !isSeen(step.outer)) {
    scrollIntoView(owner, { block: "nearest", inline: "nearest", behavior: "instant" });
    const { x, y } = outOf(owner, point);
    view.scrollBy({ left: x < 0 || x >= view.innerWidth ? x - view.innerWidth / 2 : 0, top: y < 0 || y >= view.innerHeight ? y - view.innerHeight / 2 : 0, behavior: "instant" });
    step = through(owner, point);
  }
  if (!step.coverer) {
    const up = climb(owner, step.outer);
    if (up.coverer) step.coverer = up.coverer;
    else return { ...up, inner, covered: false, turned: up.turned || step.turned };
  }
  obstacle = step.coverer;
  return { outer: step.outer, levels: 0, inner, covered: true, turned: step.turned };
};

/** Follows a point up through the frames whose documents may be read from here. */
const climb = (element, point) => {
  let view = viewOf(element);
  let outer = point;
  let levels = 0;
  let turned = false;
  for (let owner = view.frameElement; owner; owner = view.frameElement) {
    const step = through(owner, outer);
    if (step.coverer) return { coverer: step.coverer };
    outer = step.outer;
    turned ||= step.turned;
    levels += 1;
    view = viewOf(owner);
  }
  return { outer, levels, turned };
};
