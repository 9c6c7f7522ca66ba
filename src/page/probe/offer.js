// What the host may call. Every function takes the element first.
globalThis.pageboy = {
  standsIn: (element, levels) => rowLevels.set(element, levels),
  ready,
  landed,
  landedAfter,
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
