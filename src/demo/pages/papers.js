// The sheets of the archive: ten mills, ten kinds and twenty tints make two thousand of them.

const mills = [
  ["Amalfi", "Italy"],
  ["Fabriano", "Italy"],
  ["Basel", "Switzerland"],
  ["Angoulême", "France"],
  ["Capellades", "Spain"],
  ["Hahnemühle", "Germany"],
  ["Zaandam", "Netherlands"],
  ["Klippan", "Sweden"],
  ["Mino", "Japan"],
  ["Somerset", "England"],
];

const kinds = ["laid", "wove", "rag", "linen", "kozo", "vellum", "marbled", "bible", "blotting", "deckle"];

const tints = [
  ["cream", "#f3e9d2"],
  ["white", "#fdfcf8"],
  ["ivory", "#f7f1df"],
  ["oat", "#e6d9bd"],
  ["straw", "#ead9a0"],
  ["sand", "#dcc7a1"],
  ["rose", "#ecccc4"],
  ["brick", "#b9624b"],
  ["rust", "#a4552f"],
  ["plum", "#7c4a63"],
  ["lilac", "#cfc3dc"],
  ["sky", "#bfd3df"],
  ["slate", "#76848f"],
  ["indigo", "#3f4c7a"],
  ["sea", "#8fb9b2"],
  ["sage", "#b8c8b0"],
  ["moss", "#7f8a5c"],
  ["pine", "#39594c"],
  ["smoke", "#a9a7a1"],
  ["ink", "#2b2f36"],
];

export const COUNT = mills.length * kinds.length * tints.length;

/** Returns a sheet by its number, from 1. */
export function sheet(number) {
  const index = number - 1;
  const [mill, country] = mills[index % 10];
  const kind = kinds[Math.floor(index / 10) % 10];
  const [tint, color] = tints[Math.floor(index / 100)];
  const weight = 60 + ((index * 37) % 19) * 10;
  return { number, name: `${mill} ${kind}, ${tint}`, from: `${country} · ${weight} g/m²`, color };
}
