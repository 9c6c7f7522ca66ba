// Filling many fields: what can be known of all of them beforehand, and going from one to the next in one call.

/** Says what stands against writing a field, before anything is touched. */
const survey = (element, verb, wanted) => {
  if (!isConnected(element)) return { state: "gone" };
  const field = fieldOf(element);
  const facts = { ...describe(element), sensitive: isSensitive(field) };
  const refusal = refuse(element, verb);
  if (refusal) return { ...facts, ...refusal };
  if (isDisabled(field)) return { ...facts, state: "disabled" };
  if (verb === "select" || (verb === "fill" && kindOf(field).kind === "select")) {
    const { refused } = chosenOf(field, wanted);
    return { ...facts, ...(refused ?? { state: "fine" }) };
  }
  if (verb !== "fill" || takes(field, wanted[0])) return { ...facts, state: "fine" };
  return { ...facts, state: "unfit", rule: ruleOf(field, wanted[0]) };
};

/** Whether a field would hold the text and its form would be sent with it, as far as its kind, its limits and its
 * length tell. */
const takes = (field, text) => {
  if (SET.has(typeOf(field)) || (typeOf(field) === "number" && text !== "")) {
    return sameSetting(field, text, trial(field, text)) && !breaksLimits(field, text);
  }
  if (isOneLine(field) && /[\r\n]/.test(text)) return false;
  const of = { input: HTMLInputElement, textarea: HTMLTextAreaElement }[localName(field)];
  const most = of ? getter(of, "maxLength")(field) : -1;
  return most < 0 || text.replace(/\r\n?/g, "\n").length <= most;
};

/** Reads back a field and leaves it: a list of options that it holds open would cover what comes next. */
const keptAndLeft = async (element, wanted, patience) => {
  const held = await kept(element, wanted, patience);
  const field = fieldOf(element);
  const offers = role(field) === "combobox" || !["none", null].includes(ariaOf(field, "autocomplete"));
  if (!held.kept || !offers || deepFocus(rootOf(field)) !== field) return held;
  method(HTMLElement, "blur")(field);
  await frameTick();
  // Some take back a text that is none of their options.
  return kept(element, wanted, patience);
};

/** Whether a field still holds what was written some fields ago; shows what it holds instead. */
const still = (element, verb, wanted) => {
  if (!isConnected(element)) return { kept: false, gone: true, sensitive: false, value: null };
  const field = fieldOf(element);
  const seen = (kept, value) => ({ kept, gone: false, sensitive: isSensitive(field), value });
  if (verb === "check" || verb === "uncheck") {
    const checked = describe(field).states.checked ?? "false";
    return seen(checked === (verb === "check" ? "true" : "false"), checked === "true" ? "checked" : "not checked");
  }
  if (localName(field) !== "select") return seen(holds(field, wanted[0]), shownValue(field));
  const { chosen } = chosenOf(field, wanted);
  const held = [...getter(HTMLSelectElement, "selectedOptions")(field)];
  return seen(chosen !== undefined && held.length === chosen.size && held.every((option) => chosen.has(option)), shownValue(field));
};

/** Reads back the field before, then gets this one ready; leaves it alone where that one did not keep its value. */
const follow = async (element, wants, wanted, patience, before) => {
  const held = await keptAndLeft(before, wanted, patience);
  return { held, look: held.kept ? await ready(element, wants) : null };
};
