// The page for a cover of one's own: the picture is shown here and checked by the server.

import { enter } from "/shop.js";

const form = document.querySelector("form");
const picture = document.querySelector("#picture");
const image = document.querySelector(".book img");
const button = form.querySelector("button");
const alert = form.querySelector(".alert");
const sent = document.querySelector("[data-sent]");

function complain(text) {
  alert.textContent = text;
  alert.hidden = false;
  picture.focus();
}

function size(bytes) {
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} kB`;
}

picture.addEventListener("change", () => {
  alert.hidden = true;
  sent.textContent = "";
  URL.revokeObjectURL(image.src);
  const [file] = picture.files;
  image.hidden = !file;
  if (file) image.src = URL.createObjectURL(file);
});

image.addEventListener("error", () => {
  image.hidden = true;
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [file] = picture.files;
  if (!file) {
    complain("Choose a picture first.");
    return;
  }
  alert.hidden = true;
  button.disabled = true;
  sent.textContent = "Sending …";
  const address = `/covers?name=${encodeURIComponent(file.name)}`;
  const reply = await fetch(address, { method: "POST", body: file }).catch(() => null);
  sent.textContent = "";
  if (!reply) {
    complain("The printer can't be reached. Try again in a moment.");
  } else if (!reply.ok) {
    complain(await reply.text());
  } else {
    const { name, kind, bytes } = await reply.json();
    sent.textContent = `The printer has ${name} (${kind}, ${size(bytes)}).`;
  }
  button.disabled = false;
});

enter();
