// What a page tells people when something was pressed: alerts, fields that it marks as invalid, a file chooser.

const ALERTS = "[role=alert],[aria-live=assertive]";
const INVALID = "[aria-invalid]:not([aria-invalid=false],[aria-invalid=''])";

/** Attributes that may show an alert or mark a field. */
const TELLING = ["class", "style", "hidden", "role", "aria-live", "aria-invalid"];

/** How much of an alert is told. */
const TOLD = 200;

/** What the page told before the press, and what has changed since: on a page at rest nothing is looked at again. */
let telling = null;

/** The document of an element, and the shadow tree that it stands in. */
const rootsOf = (element) => {
  const root = rootOf(element);
  return root instanceof ShadowRoot ? [ownerDocument(element), root] : [ownerDocument(element)];
};
const everywhere = (element, selector) => rootsOf(element).flatMap((root) => [...inRoot(root, "querySelectorAll", selector)]);

const spoken = (alert) => (checkVisibility(alert, { visibilityProperty: true }) ? folded(shownText(alert)) : "");
const shownText = (element) => (element instanceof HTMLElement ? getter(HTMLElement, "innerText")(element) : textContent(element));

const cut = (text) => (text.length > TOLD ? `${[...text].slice(0, TOLD).join("")}…` : text);

/** Takes in what changed on the page. */
const noteChanges = (records) => {
  for (const { type, target, attributeName, oldValue } of records) {
    telling.changed = true;
    const element = nodeType(target) === 1 ? target : parentNode(target);
    if (!(element instanceof Element)) continue;
    if (type !== "attributes") telling.written.add(closest(element, ALERTS));
    else if (attributeName === "aria-invalid" && ["", "false", null].includes(oldValue)) telling.marked.add(element);
  }
};

const noteTold = (element) => {
  telling?.watch.disconnect();
  chooser = null;
  listenForClicks();
  telling = {
    alerts: new Map(everywhere(element, ALERTS).map((alert) => [alert, spoken(alert)])),
    changed: false,
    /** Alerts that were written, be it with the same words as before. */
    written: new Set(),
    /** Fields that were marked as invalid. */
    marked: new Set(),
    since: performance.now(),
    watch: new MutationObserver(noteChanges),
  };
  const what = { subtree: true, childList: true, characterData: true, attributeFilter: TELLING, attributeOldValue: true };
  for (const root of rootsOf(element)) telling.watch.observe(root, what);
};

/** Says what the page told since the press; `null` where it is nothing new. */
const told = (element) => {
  if (!telling) return null;
  noteChanges(telling.watch.takeRecords());
  telling.watch.disconnect();
  const { alerts, changed, written, marked, since } = telling;
  telling = null;
  const opened = chooser !== null && !chooser.event.defaultPrevented && !matches(chooser.field, ":disabled");
  const isNew = (alert) => spoken(alert) !== "" && (written.has(alert) || spoken(alert) !== alerts.get(alert));
  const says = changed ? everywhere(element, ALERTS).filter(isNew).map(spoken) : [];
  // Where the page had the browser say what is wrong with a field, that has the focus; a check alone says nothing.
  const isShown = ([field, at]) => at >= since && isConnected(field) && matches(field, ":invalid") && deepFocus(rootOf(field)) === field;
  const shown = [...invalid].filter(isShown).map(([field]) => field);
  const fields = [...new Set([...marked].filter((field) => isConnected(field) && matches(field, INVALID)).concat(shown))];
  if (says.length === 0 && fields.length === 0 && !opened) return null;
  const [first] = fields;
  const message = first && inRoot(rootOf(first), "getElementById", (ariaOf(first, "errormessage") ?? "").split(" ")[0]);
  return {
    says: says.length > 0 ? cut(says[0]) : null,
    field: first ? calledOf(first) : null,
    message: cut(message ? spoken(message) : shown.includes(first) ? refusalOf(first) : ""),
    more: Math.max(fields.length - 1, 0),
    chooser: opened,
  };
};
