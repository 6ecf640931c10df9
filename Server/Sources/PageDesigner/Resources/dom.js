// Elements without markup in strings: what a person wrote is only ever text.

const SVG = "http://www.w3.org/2000/svg";

/** Makes an element. `attributes` may hold `on`: listeners by event, `text`, and properties that begin with a dot. */
export function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}
export function draw(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (key === "text") element.textContent = value;
    else if (key.startsWith(".")) element[key.slice(1)] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

export const find = (selector, root = document) => root.querySelector(selector);
export const all = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Announces a text to screen readers, and shows it for a while. */
let timer = 0;
export function tell(text, isBad = false) {
  const place = find("#said");
  // A dialog is above everything that is not in it.
  const dialog = find("dialog[open]");
  if (place.parentElement !== (dialog ?? document.body)) (dialog ?? document.body).append(place);
  place.textContent = text;
  place.className = isBad ? "bad" : "";
  clearTimeout(timer);
  if (text) timer = setTimeout(() => { place.textContent = ""; }, 8000);
}
