// Downloads that a click asks for by a `download` attribute. The browser says nothing of them before the server has
// answered; the document tells them at once with `navigate` events, also those of links that stand nowhere.

/** The last click, by mouse or key, and the link with the attribute that it hit. */
let clicked = { event: null, link: null };

/** What the last click asked for: the event and the address. */
let requests = [];

addEventListener("click", (event) => {
  if (!event.isTrusted) return;
  const hit = event.composedPath()[0];
  clicked = { event, link: nodeType(hit) === 1 ? closest(hit, "a[href][download],area[href][download]") : null };
}, { capture: true, passive: true });

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
