// The payment company's form. It checks the card, takes a moment, and tells the shop.

const form = document.querySelector("form");
const [number, expiry, code] = ["number", "expiry", "code"].map((id) => document.getElementById(id));
const button = form.querySelector("button");
const note = form.querySelector(".note");

const cents = Number(new URLSearchParams(location.search).get("cents"));
button.textContent = `Pay €${(cents / 100).toFixed(2)}`;

const digits = (field) => field.value.replace(/\D/g, "");

number.addEventListener("input", () => {
  number.value = digits(number).slice(0, 16).replace(/(.{4})(?=.)/g, "$1 ");
});

expiry.addEventListener("input", () => {
  expiry.value = digits(expiry).slice(0, 4).replace(/^(..)(?=.)/, "$1/");
});

/** The check digit of card numbers (ISO/IEC 7812-1). */
function sound(card) {
  const sum = [...card].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return card.length === 16 && sum % 10 === 0;
}

function problem() {
  if (!sound(digits(number))) return [number, "This card number is not valid."];
  if (!/^(0[1-9]|1[0-2])\/\d\d$/.test(expiry.value)) return [expiry, "Enter the month and year, such as 08/31."];
  if (!/^\d{3,4}$/.test(code.value)) return [code, "Enter the three digits from the back of the card."];
  return null;
}

function say(text, kind = "") {
  note.className = `whole note ${kind}`;
  note.textContent = text;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const found = problem();
  if (found) {
    say(found[1], "wrong");
    found[0].focus();
    return;
  }
  button.disabled = true;
  say("Asking your bank …");
  setTimeout(() => {
    say("Approved.", "done");
    if (document.referrer) window.parent.postMessage({ lastFour: digits(number).slice(-4) }, document.referrer);
  }, 700);
});
