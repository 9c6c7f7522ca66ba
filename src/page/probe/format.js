// Whether a page only formatted what was written, as masks do: 1234 as 12/34, 5551234 as (555) 123-4.

/** What formatting puts in between; other signs are words of the page's own. */
const MARK = /[\s\p{Sc}\p{Pd}()[\]+\/:.,'\u2019_#%]/u;

/** Marks that stand between numbers only: dates, times, sums. */
const OF_NUMBERS = /[\/:.,'\u2019]/;

const isFormatted = (wanted, kept) => {
  let next = 0;
  const added = [];
  const signs = [...kept];
  const written = [...wanted];
  signs.forEach((mark, index) => {
    if (next < written.length && mark === written[next]) next += 1;
    else added.push({ mark, index });
  });
  if (next < written.length || wanted === "") return false;
  if (added.some(({ mark }) => !MARK.test(mark) || mark === "\n")) return false;
  // A sign in front or a decimal mark makes it another number.
  if (added.some(({ mark, index }) => index === 0 && /[-\u2212]/.test(mark))) return false;
  // A mask that meets its own mark doubles it, and one that expects digits splits off what is none.
  const isDoubled = ({ mark, index }) => /\S/.test(mark) && mark !== "_" && (signs[index - 1] === mark || signs[index + 1] === mark);
  if (added.some((sign) => isDoubled(sign) || (OF_NUMBERS.test(sign.mark) && !standsBetweenNumbers(signs, sign.index)))) return false;
  const points = added.filter(({ mark }) => mark === "." || mark === ",");
  return points.length !== 1 || /^\d{3}(\D|$)/.test(signs.slice(points[0].index + 1).join(""));
};

/** Whether the runs of letters and digits on both sides of a mark hold digits only, or nothing. */
const standsBetweenNumbers = (signs, index) => {
  const before = /[\p{L}\p{N}]*$/u.exec(signs.slice(0, index).join(""))[0];
  const after = /^[\p{L}\p{N}]*/u.exec(signs.slice(index + 1).join(""))[0];
  return !/\p{L}/u.test(before + after);
};
