// What the host may call. Every function takes the element first.
globalThis.pageboy = {
  known,
  ready,
  landed: async (element) => {
    const seen = await landed(element);
    return { ...seen, after: { ...seen.after, unsent: unsent(), told: told(element), downloads: takeRequests() } };
  },
  keyed: async (element) => {
    const seen = await kept(element, "", 0);
    const field = fieldOf(element);
    const held = rawValue(field) ?? "";
    const takes = isConnected(field) && breaksLimits(field, held) ? ruleOf(field, held) : null;
    return { ...seen, after: { ...seen.after, unsent: unsent(), takes, downloads: takeRequests() } };
  },
  unsentByEnter,
  scrollRests,
  unguard,
  met,
  through: bringThrough,
  reaches,
  obstacle: () => obstacle,
  prepare,
  breathe: () => frameTick(),
  kept,
  choose,
  ticked,
  submit,
  survey,
  follow,
  still,
  keptAndLeft,
  examine,
  hasSensitiveFocus: () => {
    const focus = deepFocus(document);
    return focus !== null && isSensitive(focus);
  },
};
