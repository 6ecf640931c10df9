// The parts that all pages of face login share: words, screens, focus.

const {languages, sentences} = JSON.parse(document.getElementById("words").textContent);
let language = document.documentElement.lang;

export const say = (name, app = "") => (sentences[name]?.[languages.indexOf(language)] ?? "").replace("%@", app);

export const element = (name, attributes = {}, ...content) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...content.filter(part => part !== undefined));
  return made;
};

export const button = (text, action, kind = "") =>
  element("button", {type: "button", class: `button ${kind}`.trim(), onclick: action}, text);

// Shows a screen, moves the focus to its title, and has it read out.
export function screen(title, name, ...content) {
  const main = document.querySelector("main");
  const heading = element("h1", {tabindex: "-1"}, title);
  main.dataset.screen = name;
  main.replaceChildren(heading, ...content.filter(part => part !== undefined));
  document.title = title;
  heading.focus({preventScroll: true});
  scrollTo(0, 0);
}

// The stage of the camera: a round window, the ring, the prompt and the hint.
export function stage() {
  const svg = "http://www.w3.org/2000/svg";
  const ring = document.createElementNS(svg, "svg");
  ring.setAttribute("viewBox", "0 0 100 100");
  ring.setAttribute("aria-hidden", "true");
  for (const name of ["track", "done"]) {
    const circle = document.createElementNS(svg, "circle");
    circle.setAttribute("class", name);
    for (const [key, value] of [["cx", 50], ["cy", 50], ["r", 48.5], ["pathLength", 100]])
      circle.setAttribute(key, value);
    ring.append(circle);
  }
  return element("div", {class: "stage"},
    element("div", {class: "window"},
      element("video", {playsinline: true, muted: true, "aria-hidden": "true"}), ring,
      element("div", {class: "arrow", "aria-hidden": "true"})),
    element("p", {class: "prompt", role: "status", "aria-live": "assertive"}),
    element("p", {class: "hint", "aria-live": "polite"}));
}

export const attributeList = attributes => element("dl", {},
  ...Object.entries(attributes ?? {}).flatMap(([name, value]) => [
    element("dt", {}, say(`attribute_${name}`) || name), element("dd", {"data-attribute": name}, shown(name, value))]));

// A field of SuperID's featureInfo in words.
function shown(name, value) {
  const percent = part => `${Math.round(part * 100)}\u00a0%`;
  const list = (object, unit) => Object.entries(object)
    .map(([key, part]) => `${say(`attribute_${key}`) || key} ${unit(part)}`).join(", ");
  if (name === "age") return String(Math.round(value));
  if (name === "male") return `${say(value.result ? "male" : "female")} (${percent(value.score)})`;
  if (name === "smiling") return `${say(value.result ? "yes" : "no")} (${percent(value.score)})`;
  if (["blink", "mouth_open"].includes(name)) return say(value.result ? "yes" : "no");
  if (name === "emotions") return list(value, percent);
  if (name === "orientation") return list(value, part => `${Math.round(part)}°`);
  return list(value, part => [part].flat().map(Math.round).join(" · "));
}

// A choice of language in each page's foot; `redraw` shows the present screen again.
export function languageChoice(redraw) {
  const names = {"zh-Hans": "简体中文", "en": "English", "zh-Hant": "繁體中文"};
  const choice = element("nav", {class: "languages"}, ...languages.map(tag => element("button", {
    type: "button", lang: tag, "aria-pressed": String(tag === language), onclick: () => {
      language = tag;
      document.documentElement.lang = tag;
      for (const each of choice.children) each.setAttribute("aria-pressed", String(each.lang === tag));
      redraw();
    }}, names[tag])));
  document.querySelector("footer").replaceChildren(choice);
}
