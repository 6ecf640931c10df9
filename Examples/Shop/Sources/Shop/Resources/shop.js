// Logs in within a window where there is room for one. Without this script the link simply leads to the login page.
import { button, finish } from "/assets/benji.js";

const link = document.querySelector("a[data-benji]");
const status = document.querySelector("#status");
if (link && status) {
  button(link);
  link.addEventListener("click", () => { status.textContent = status.dataset.busy; });
  link.addEventListener("benji:login", ({ detail }) => location.assign(detail.next));
  link.addEventListener("benji:error", ({ detail }) => {
    status.textContent = detail.code === "cancelled" ? status.dataset.cancelled : status.dataset.failed;
  });
}

// The page at the end of a login that runs in a window of its own.
const end = document.querySelector("[data-popup]");
if (end) finish(end.dataset.popup, { next: end.dataset.next, error: end.dataset.error });
