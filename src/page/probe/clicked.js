// What clicks set going without a navigation: file choosers, and downloads that a `download` attribute asks for. The
// browser tells of such a download when the server has answered; the document tells it at once with a `navigate` event,
// also for links that stand nowhere.

/** The last click, by mouse or key, and the link with the attribute that it hit. */
let clicked = { event: null, link: null };

/** What the last click asked for: the event and the address. */
let requests = [];

/** A file field that was clicked, which opens a chooser. Scripts click one themselves that often can't be seen. */
let chooser = null;

const noteClick = (event) => {
  const hit = event.composedPath()[0];
  const element = nodeType(hit) === 1 ? hit : null;
  if (element && typeOf(element) === "file") chooser = { event, field: element };
  if (event.isTrusted) clicked = { event, link: element && closest(element, "a[href][download],area[href][download]") };
};

/** `document.open` takes listeners away; adding one that is there does nothing. */
const listenForClicks = () => addEventListener("click", noteClick, { capture: true, passive: true });
listenForClicks();

/** Whether something happens because of the last click: a listener of it runs, or the link that it hit is followed. */
const isAnswer = (url) => {
  if (!clicked.event) return false;
  return clicked.event.eventPhase !== 0 || (clicked.link !== null && clicked.link.href === url);
};

globalThis.navigation?.addEventListener("navigate", (event) => {
  const { url } = event.destination;
  if (event.isTrusted && event.downloadRequest !== null && isAnswer(url)) requests.push({ event, url });
});

/** The addresses that the last click asks to save, unless the page thought better of it. */
const takeRequests = () => {
  const asked = requests.filter(({ event }) => !event.defaultPrevented).map(({ url }) => url);
  requests = [];
  clicked = { event: null, link: null };
  return asked;
};
