// Makes the page change in place and keeps its timeline live. Without it, forms and links do everything.
// All text is the server's, escaped there; nothing is written together here.

const part = document.getElementById("phone-part");
const timeline = document.getElementById("timeline");
const state = document.getElementById("state");

const phone = () => document.getElementById("device")?.dataset.phone ?? "";

// What is looked at, so that it can be found again after the part is new.
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
  for (const button of part.querySelectorAll(".copy")) button.hidden = false;
}

async function send(form, submitter) {
  const fields = new URLSearchParams(new FormData(form));
  if (submitter?.name) fields.set(submitter.name, submitter.value);
  const place = focusedPlace();
  const before = phone();
  const open = [".elsewhere", ".own"].filter((each) => part.querySelector(each)?.open);
  if (submitter) submitter.disabled = true;
  let answer;
  try {
    answer = await fetch(form.getAttribute("action"), { method: "POST", body: fields, headers: { "X-Benji-Part": "phone" } });
  } catch {
    say(false);
  }
  if (submitter) submitter.disabled = false;
  if (!answer?.ok) return;
  part.innerHTML = await answer.text();
  for (const each of open) if (part.querySelector(each)) part.querySelector(each).open = true;
  showFieldsOfKind();
  if (place) part.querySelector(place)?.focus({ preventScroll: true });
  // Another phone is looked at: its own timeline, from the beginning.
  if (phone() !== before) location.assign(phone() ? `/?phone=${phone()}` : "/");
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

part.addEventListener("click", async (event) => {
  const button = event.target.closest(".copy");
  if (!button) return;
  await navigator.clipboard.writeText(button.previousElementSibling.textContent);
  button.textContent = button.dataset.done;
});

function say(isLive) {
  state.className = isLive ? "on" : "off";
  state.textContent = isLive ? state.dataset.live : state.dataset.broken;
}

// Each line where it belongs by its beginning. Returns the greatest number that is there now.
function insert(lines, last) {
  const fresh = document.createElement("template");
  fresh.innerHTML = lines;
  for (const line of fresh.content.querySelectorAll(".entry")) {
    let before = timeline.lastElementChild;
    while (before && Number(before.dataset.order) > Number(line.dataset.order)) before = before.previousElementSibling;
    if (before) before.after(line);
    else timeline.prepend(line);
    last = Math.max(Number(last), Number(line.dataset.number));
  }
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
      const isAtEnd = timeline.scrollHeight - timeline.scrollTop - timeline.clientHeight < 40;
      last = insert(await answer.text(), last);
      if (isAtEnd) timeline.scrollTop = timeline.scrollHeight;
    } catch {
      say(false);
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
}

showFieldsOfKind();
timeline.scrollTop = timeline.scrollHeight;
say(true);
follow();
