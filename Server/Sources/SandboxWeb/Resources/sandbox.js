// Makes the page change in place and keeps its timeline live. Without it, forms and links do everything.
// All text is the server's, escaped there; nothing is written together here.

const part = document.getElementById("phone-part");
const timeline = document.getElementById("timeline");
const diagram = document.getElementById("diagram");
const replay = document.getElementById("replay");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const state = document.getElementById("state");

const phone = () => document.getElementById("device")?.dataset.phone ?? "";

// A selector of the focused element, which finds it again after the part is replaced.
function focusedPlace() {
  const element = document.activeElement;
  if (!element || !part.contains(element)) return null;
  if (element.id) return `#${element.id}`;
  const form = element.form?.getAttribute("action");
  if (!form || !element.name) return null;
  const value = element.type === "radio" || element.tagName === "BUTTON" ? `[value="${element.value}"]` : "";
  return `form[action="${form}"] [name="${element.name}"]${value}`;
}

function showFieldsOfKind() {
  const kind = part.querySelector("select[name=kind]")?.value;
  for (const field of part.querySelectorAll("[data-for]")) field.hidden = field.dataset.for !== kind;
  for (const button of part.querySelectorAll(".at-once")) button.hidden = true;
  part.querySelector(".search").hidden = false;
  offerCopies(part);
  const chosen = part.querySelector(".codes .one:has(:checked)");
  if (chosen) chosen.closest(".list").scrollTop = chosen.offsetTop - 40;
}

// Codes whose word or meaning has every word that was typed.
function filterCodes() {
  const words = part.querySelector("#search").value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const group of part.querySelectorAll(".codes .group")) {
    let here = 0;
    for (const one of group.querySelectorAll(".one")) {
      const text = one.textContent.toLowerCase();
      one.hidden = !words.every((word) => text.includes(word));
      if (!one.hidden) here += 1;
    }
    group.hidden = here === 0;
    found += here;
  }
  const note = part.querySelector("#found");
  note.textContent = words.length === 0 ? "" : found === 0 ? note.dataset.none : String(found);
}

async function send(form, submitter) {
  const fields = new URLSearchParams(new FormData(form));
  if (submitter?.name) fields.set(submitter.name, submitter.value);
  const place = focusedPlace();
  const before = phone();
  const open = [...part.querySelectorAll("details[id][open]")].map((each) => `#${each.id}`);
  if (submitter) submitter.disabled = true;
  let answer;
  try {
    answer = await fetch(form.getAttribute("action"),
      { method: "POST", body: fields, headers: { "X-Benji-Part": "phone" } });
  } catch {
    say(false);
  }
  if (submitter) submitter.disabled = false;
  if (!answer?.ok) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  // Another phone is looked at: its own timeline, from the beginning.
  const now = fresh.content.getElementById("device")?.dataset.phone ?? "";
  if (now !== before) return location.assign(now ? `/?phone=${now}` : "/");
  // Piece by piece, so that the drawn phone goes on showing what it shows.
  for (const piece of fresh.content.querySelectorAll("[data-piece]")) {
    part.querySelector(`[data-piece="${piece.dataset.piece}"]`)?.replaceWith(piece);
  }
  for (const each of open) if (part.querySelector(each)) part.querySelector(each).open = true;
  showFieldsOfKind();
  if (place) part.querySelector(place)?.focus({ preventScroll: true });
}

part.addEventListener("submit", (event) => {
  if (!("part" in event.target.dataset)) return;
  event.preventDefault();
  send(event.target, event.submitter);
});

part.addEventListener("change", (event) => {
  if (event.target.name === "kind") showFieldsOfKind();
  if (event.target.form && "atOnce" in event.target.form.dataset) send(event.target.form);
});

part.addEventListener("input", (event) => {
  if (event.target.id === "search") filterCodes();
});

// Enter in the search field takes the first code that was found, and does not put the fault in yet.
part.addEventListener("keydown", (event) => {
  if (event.target.id !== "search" || event.key !== "Enter") return;
  event.preventDefault();
  part.querySelector(".codes .one:not([hidden]) input")?.click();
});

// Text messages come while the phone is looked at.
async function showTexts() {
  const texts = part.querySelector("#texts");
  if (!texts) return;
  const answer = await fetch(`/phones/${phone()}/messages`, { cache: "no-store" });
  if (!answer.ok) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  // Unchanged text is not replaced, so that screen readers do not repeat it.
  if (fresh.content.textContent.trim() !== texts.textContent.trim()) texts.replaceChildren(fresh.content);
}

const find = document.getElementById("find");

// Shows the messages whose line has every typed word; hidden rows keep their places.
function filterMessages() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const row of timeline.querySelectorAll(".entry")) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
    if (!row.hidden) found += 1;
  }
  const note = document.getElementById("none-found");
  note.textContent = words.length > 0 && found === 0 ? note.dataset.none : "";
}

find.addEventListener("input", filterMessages);

function say(isLive) {
  state.className = isLive ? "on" : "off";
  state.textContent = isLive ? state.dataset.live : state.dataset.broken;
}

// A message's bytes come when it is opened.
timeline.addEventListener(
  "toggle",
  async (event) => {
    const wire = event.target.open ? event.target.querySelector("[data-wire]") : null;
    if (!wire || wire.dataset.state) return;
    wire.dataset.state = "asked";
    try {
      const answer = await fetch(wire.dataset.wire, { cache: "no-store", headers: { "X-Benji-Part": "wire" } });
      if (!answer.ok) throw new Error(answer.statusText);
      wire.innerHTML = await answer.text();
    } catch {
      delete wire.dataset.state; // The link is still there.
    }
  },
  true,
);

// Rows that are to be drawn, one after the other, in order of cause.
const waiting = [];
let drawing = false;

function draw(rows) {
  if (still.matches || document.hidden) return;
  for (const row of rows) row.classList.add("pending");
  waiting.push(...rows);
  if (!drawing) next();
}

function next() {
  const row = waiting.shift();
  drawing = row !== undefined;
  if (!row) return;
  row.classList.remove("pending");
  row.classList.add("drawn");
  // Within the diagram only: the page stays where the person has it.
  const below = row.offsetTop + row.offsetHeight - diagram.scrollTop - diagram.clientHeight;
  if (below > 0) diagram.scrollTop += below;
  // A long queue is drawn faster, so that past events do not take long.
  setTimeout(next, Math.max(40, Math.min(260, 5000 / (waiting.length + 1))));
}

// The rows since the phone last began a login.
function lastLogin() {
  const rows = [...timeline.querySelectorAll(".entry")];
  const begins = /\/device\/v1\/prefetch|\/openid\/authorize|\/device\/v1\/sms/;
  const first = rows.findLastIndex((row) => row.matches(".request")
    && begins.test(row.querySelector(".subject")?.textContent ?? ""));
  return rows.slice(Math.max(first, 0));
}

replay.addEventListener("click", () => {
  const rows = lastLogin();
  for (const row of rows) row.classList.remove("drawn");
  waiting.length = 0;
  if (rows.length > 0) diagram.scrollTop = rows[0].offsetTop - 60;
  draw(rows);
});

// Each row where it belongs. Returns the greatest number that is there now.
function insert(rows, last) {
  const fresh = document.createElement("template");
  fresh.innerHTML = rows;
  const added = [...fresh.content.querySelectorAll(".entry")];
  for (const row of added) {
    let before = timeline.lastElementChild;
    while (before && Number(before.dataset.order) > Number(row.dataset.order)) before = before.previousElementSibling;
    if (before) before.after(row);
    else timeline.prepend(row);
    last = Math.max(Number(last), Number(row.dataset.number));
  }
  filterMessages();
  draw(added.filter((row) => !row.hidden));
  replay.hidden = still.matches || !timeline.querySelector(".entry");
  return last;
}

async function follow() {
  let last = timeline.dataset.last;
  for (;;) {
    try {
      const answer = await fetch(`/timeline?after=${last}&phone=${phone()}`, { cache: "no-store" });
      if (!answer.ok) throw new Error(answer.statusText);
      say(true);
      if (answer.status === 204) continue;
      const isAtEnd = diagram.scrollHeight - diagram.scrollTop - diagram.clientHeight < 40;
      last = insert(await answer.text(), last);
      await showTexts();
      if (isAtEnd && !drawing) diagram.scrollTop = diagram.scrollHeight;
    } catch {
      say(false);
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
}

showFieldsOfKind();
find.parentElement.hidden = false;
diagram.scrollTop = diagram.scrollHeight;
replay.hidden = still.matches || !timeline.querySelector(".entry");
say(true);
follow();
