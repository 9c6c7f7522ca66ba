// The card that goes with a gift is written in a modal dialog: the rest of the page is inert while it is open.

const dialog = document.querySelector("dialog");
const message = dialog.querySelector("#message");
const gift = document.querySelector("[name=gift]");
const write = document.querySelector("[data-write]");
const card = document.querySelector("[data-card]");

let kept = "";

/** Returns what the card says; nothing when the order is no gift. */
export const cardMessage = () => (gift.checked ? kept : "");

function show() {
  write.hidden = !gift.checked;
  write.textContent = kept ? "Change the card" : "Write a card";
  card.textContent = cardMessage() && `The card says: “${kept}”`;
}

gift.addEventListener("change", show);

write.addEventListener("click", () => {
  message.value = kept;
  dialog.returnValue = "";
  dialog.showModal();
  message.focus();
});

dialog.addEventListener("close", () => {
  if (dialog.returnValue === "save") kept = message.value.trim();
  show();
});
