// What the shop sells. Prices are in cents.

export const products = [
  {
    id: "field-notebook",
    name: "Field notebook",
    cents: 1200,
    tint: "sand",
    line: "Pocket size, 64 pages, cloth spine",
    text: "A notebook that lies flat and forgives a bent corner. Sewn, not glued, with paper that takes ink without bleeding.",
    option: { label: "Ruling", choices: ["Plain", "Lined", "Dotted"] },
  },
  {
    id: "fountain-pen",
    name: "Fountain pen",
    cents: 3400,
    tint: "sky",
    line: "Steel nib, converter included",
    text: "A light everyday pen with a cap that posts and a nib that writes at once, even after a week in a drawer.",
    option: { label: "Nib", choices: ["Fine", "Medium", "Broad"] },
  },
  {
    id: "travel-notebook",
    name: "Travel notebook",
    cents: 1850,
    tint: "blush",
    line: "192 pages, ribbon, inner pocket",
    text: "For trips that last longer than a weekend. Numbered pages, a ribbon and a pocket for tickets at the back.",
    option: { label: "Ruling", choices: ["Plain", "Lined", "Dotted"] },
  },
  {
    id: "iron-gall-ink",
    name: "Iron gall ink",
    cents: 950,
    tint: "sky",
    line: "50 ml, permanent",
    text: "Goes on pale and darkens while you watch. Made after an old recipe, gentle enough for modern pens.",
    option: { label: "Colour", choices: ["Blue black", "Oak brown"] },
  },
  {
    id: "letter-set",
    name: "Letter set",
    cents: 1600,
    tint: "sage",
    line: "20 sheets, 10 lined envelopes",
    text: "Heavy cream paper with a soft tooth, and envelopes that close without a fight. Wax is up to you.",
    option: { label: "Paper", choices: ["Cream", "White"] },
  },
  {
    id: "drawing-pencils",
    name: "Drawing pencils",
    cents: 720,
    tint: "sand",
    line: "Set of three: 2H, HB, 4B",
    text: "Cedar, evenly graded and easy to sharpen. One for the outline, one for the work, one for the shadows.",
    option: { label: "Set", choices: ["Three pencils", "Three pencils and a sharpener"] },
  },
  {
    id: "desk-lamp",
    name: "Brass desk lamp",
    cents: 8900,
    tint: "blush",
    line: "Warm light, two joints",
    text: "Throws its light on the page and leaves your eyes alone. The brass gets better with the years.",
    option: { label: "Cable", choices: ["Black", "Linen"] },
  },
  {
    id: "paper-tape",
    name: "Paper tape",
    cents: 480,
    tint: "sage",
    line: "10 m, comes off clean",
    text: "Holds a sketch to the wall and a page to the table, and leaves neither mark nor glue behind.",
    option: { label: "Width", choices: ["10 mm", "15 mm", "20 mm"] },
  },
];

export const product = (id) => products.find((one) => one.id === id);

export const euros = (cents) => `€${(cents / 100).toFixed(2)}`;
