import { picture } from "/art.js";
import { signIn } from "/shop.js";

document.querySelector("[data-picture]").append(picture("desk"));

const form = document.querySelector("form");
const alert = form.querySelector(".alert");

form.addEventListener("input", () => {
  alert.hidden = true;
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const user = form.elements.user.value.trim();
  const password = form.elements.password.value;
  if (user === "ann" && password === "paper-plane") {
    signIn("Ann");
    return;
  }
  alert.textContent = user && password ? "Wrong user name or password." : "Enter your user name and password.";
  alert.hidden = false;
  (user ? form.elements.password : form.elements.user).focus();
});
