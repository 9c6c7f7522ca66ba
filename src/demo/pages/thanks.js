import { picture } from "/art.js";
import { enter, order } from "/shop.js";

enter();
const placed = order();

if (placed) {
  document.querySelector("[data-picture]").append(picture("parcel"));
  document.querySelector("h1").textContent = `Thank you, ${placed.name.split(" ")[0]}`;
  document.querySelector("output").textContent = placed.number;
} else {
  location.replace("/products");
}
