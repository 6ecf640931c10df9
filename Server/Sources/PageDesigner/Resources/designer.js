// The page designer: one description, shown as a form, as JSON and on devices; each changes the others. What a page is,
// how it is laid out, which rules it breaks and how it is exported is the engine's matter (Sources/BenjiPageDesign).
// Nothing leaves the browser but what somebody saves.

import { loadPageEngine } from "./benji-page.js";
import { all, find, make, tell } from "./dom.js";
import { Form } from "./form.js";
import { at, lineOf, offsetOfByte, offsetOfPath, setting, written } from "./json.js";
import { fieldsOf, Preview, SCREENS } from "./preview.js";
import { digestOf, packed, remember, remembered, unpacked, versions } from "./store.js";
import { chooseLanguage, languageName, roleName, said, t } from "./words.js";

const MOST_PREVIEWS = 24;
const START = written({ terms: { items: [
  { title: { "zh-Hans": "《用户协议》", "zh-Hant": "《使用者協議》", en: "User Agreement" }, url: "https://app.example/agreement" },
  { title: { "zh-Hans": "《隐私政策》", "zh-Hant": "《隱私政策》", en: "Privacy Policy" }, url: "https://app.example/privacy" },
] } });

const state = {
  /** The text field's content, and the last of it that could be read. */
  text: "", good: "",
  /** The description as written, and with all its defaults. */
  own: {}, page: {},
  findings: [], ways: 0, broken: null,
  history: [], place: -1, key: "", at: 0,
  selected: null,
  pictures: new Map(),
  choice: { screens: ["phone", "small"], carriers: ["mobile"], languages: ["zh-Hans", "en"], modes: ["light", "dark"],
    size: "1", state: "first" },
};
let setup = { shop: false, file: null, examples: [], pictures: [] };
let ask;
let form;
let previews = [];

// MARK: the description

/** The engine's answer to a text. The last answers are kept, so that undo and redo cost nothing. */
const known = new Map();
function check(text) {
  const answer = known.get(text) ?? ask.check(text);
  known.delete(text);
  known.set(text, answer);
  if (known.size > 30) known.delete(known.keys().next().value);
  return answer;
}

/** Takes a text as the description. Returns the engine's error if it is none; the text field keeps the text. */
function take(text, key, { fromText = false, isSilent = false } = {}) {
  const answer = check(text);
  state.broken = answer.error ?? null;
  if (answer.error) {
    state.text = text;
    if (!fromText) return answer.error;
    showBroken();
    return answer.error;
  }
  Object.assign(state, { text, good: text, own: JSON.parse(text), page: answer.page, findings: answer.findings,
    ways: answer.viewings });
  if (!isSilent) record(text, key);
  showEverything(fromText);
  digestOf(answer.digested).then(digest => { if (state.text === text) find("#digest").textContent = digest; });
  if (!setup.file) remember("current", text);
  return null;
}

function record(text, key) {
  const now = performance.now();
  const continues = key !== undefined && key === state.key && now - state.at < 1000
    && state.place === state.history.length - 1 && state.place > 0;
  if (state.history[state.place] === text) return;
  if (continues) state.history[state.place] = text;
  else {
    state.history.splice(state.place + 1, Infinity, text);
    if (state.history.length > 500) state.history.shift();
    state.place = state.history.length - 1;
  }
  state.key = key;
  state.at = now;
}

function travel(by) {
  const place = state.place + by;
  if (place < 0 || place >= state.history.length) return;
  state.place = place;
  state.key = "";
  form.isForced = true;
  take(state.history[place], undefined, { isSilent: true });
  form.isForced = false;
}

/** Sets one field, as the form does. */
function set(path, value, key) {
  let own = state.own;
  // A list that is at its default is written out before one of its elements is changed.
  for (const match of path.matchAll(/\[\d+\]/g)) {
    const list = path.slice(0, match.index);
    if (at(own, list)?.length !== at(state.page, list)?.length)
      own = setting(own, list, structuredClone(at(state.page, list)));
  }
  // So is a colour of two and a text of three.
  const error = take(written(setting(own, path, value)), key);
  if (error) {
    state.broken = null;
    state.text = state.good;
    form.blame(error);
  }
}

/** Takes a description that the engine made of the one that is there, without touching how the rest was written. */
function commit(page, key) {
  const error = take(written(page), key);
  if (error) tell(`${error.place}: ${error.problem}`, true);
  return !error;
}

// MARK: showing

function showEverything(fromText = false) {
  const text = find("#json");
  if (!fromText && text.value !== state.text) text.value = state.text;
  showBroken();
  form.blame(null);
  form.show(state.page, state.own);
  for (const preview of previews) preview.show(state.own);
  showFindings();
  find("#undo").disabled = state.place <= 0;
  find("#redo").disabled = state.place >= state.history.length - 1;
}

function showBroken() {
  const { broken } = state;
  find("#broken").hidden = !broken;
  find("#form").inert = Boolean(broken);
  for (const name of ["#share", "#export", "#save", "#shop", "#submit", "#versions"])
    find(name).disabled = Boolean(broken);
  if (broken) find("#json").setAttribute("aria-invalid", "true");
  else find("#json").removeAttribute("aria-invalid");
  if (!broken) return;
  const byte = /\(at byte (\d+)\)$/.exec(broken.problem);
  const offset = byte ? offsetOfByte(state.text, Number(byte[1])) : offsetOfPath(state.text, broken.place);
  const { line, column } = lineOf(state.text, offset);
  const problem = byte ? broken.problem.slice(0, byte.index).trim() : broken.problem;
  state.brokenAt = offset;
  find("#broken-text").textContent = t("broken", line, column, t("brokenField", broken.place, problem));
}

const explain = finding => {
  const whole = state.findings.find(each => each.rule === finding.rule && each.role === finding.role);
  return `${t(finding.severity)}: ${whole ? said(whole.explanation) : finding.rule}`;
};

function showFindings() {
  const errors = state.findings.filter(finding => finding.severity === "error").length;
  const warnings = state.findings.length - errors;
  const verdict = find("#verdict");
  verdict.textContent = state.findings.length === 0 ? t("keepsRules", state.ways)
    : t("counts", errors, warnings, state.ways);
  verdict.className = errors ? "bad" : warnings ? "fair" : "good";
  find("#count").textContent = state.findings.length || "";
  find("#findings").replaceChildren(...state.findings.map(finding => make("li",
    { class: finding.severity, "data-rule": finding.rule, "data-role": finding.role },
    make("p", { class: "head" }, make("span", { class: "severity", text: t(finding.severity) }),
      make("b", { text: roleName(finding.role) }), make("code", { text: finding.rule }),
      make("span", { class: "note",
        text: finding.everywhere ? t("everywhere") : t("ways", finding.where.length, state.ways) })),
    make("p", { text: said(finding.explanation) }), make("p", { class: "note", text: said(finding.fix) }),
    make("p", { class: "buttons" },
      finding.fixable ? make("button", { type: "button", class: "small", "data-fix": finding.rule, text: t("fix"),
        "aria-label": `${t("fix")}: ${said(finding.explanation)}`, on: { click: () => fix(finding) } }) : null,
      make("button", { type: "button", class: "mini", text: t("show"),
        "aria-label": `${t("show")}: ${roleName(finding.role)}`, on: { click: () => showOn(finding) } })))));
}

function fix(finding) {
  const { page } = ask({ do: "fix", page: state.own, rule: finding.rule, role: finding.role });
  const before = state.good;
  const count = state.findings.filter(each => each.severity === "error").length;
  if (page && commit(page)) {
    const isGone = !state.findings.some(each => each.rule === finding.rule && each.role === finding.role);
    if (isGone && state.findings.filter(each => each.severity === "error").length <= count) {
      tell(t("fixed", said(finding.explanation)));
      find("#findings-title").closest("section").focus?.();
      return;
    }
    state.place -= 1;
    state.history.length = state.place + 1;
    take(before, undefined, { isSilent: true });
  }
  tell(t("notFixed"), true);
}

/** Shows where a finding is: on a preview that has it, and in the form. */
function showOn(finding) {
  const fits = preview => preview.findings.some(each => each.rule === finding.rule && each.role === finding.role);
  if (!previews.some(fits) && finding.where[0]) {
    const { screen, carrier, language, appearance } = finding.where[0];
    state.choice = { ...state.choice, screens: [screen], carriers: [carrier], languages: [language],
      modes: [appearance] };
    showChoices();
    showPreviews();
  }
  const preview = previews.find(fits) ?? previews[0];
  showPane("previews");
  preview?.element.scrollIntoView({ block: "nearest", inline: "nearest" });
  select(preview, finding.role, 0);
  form.reveal(fieldsOf(finding.role, 0) ?? "", false);
  find(`[data-box^="${finding.role}-"]`, preview?.svg ?? document)?.focus({ preventScroll: true });
}

function select(preview, role, number = 0) {
  const same = state.selected?.role === role && state.selected?.number === number;
  state.selected = role ? { role, number } : null;
  for (const each of previews) each.mark();
  for (const item of all("#findings li")) item.classList.toggle("pointed", item.dataset.role === role);
  if (role && !same && innerWidth >= 900) {
    form.reveal(fieldsOf(role, number) ?? "", false);
    find(`#findings li[data-role="${role}"]`)?.scrollIntoView({ block: "nearest" });
  }
}

const host = {
  get page() { return state.own; },
  get selected() { return state.selected; },
  get state() {
    return { first: {}, ticked: { ticked: true }, hint: { hint: true }, dialog: { dialog: true },
      loading: { loading: true } }[state.choice.state];
  },
  ask: request => ask(request),
  picture: name => state.pictures.get(name),
  explain, select, commit,
  say: tell,
  openFields: path => { showPane("form"); form.reveal(path ?? ""); },
};

function showPreviews() {
  const { screens, carriers, languages, modes, size } = state.choice;
  const views = [];
  for (const screen of screens) for (const carrier of carriers)
    for (const language of languages) for (const appearance of modes) {
      views.push({ screen, carrier, language, appearance, textScale: Number(size) });
    }
  previews = views.slice(0, MOST_PREVIEWS).map(view => new Preview(view, host));
  find("#previews").replaceChildren(...previews.map(preview => preview.element));
  for (const preview of previews) preview.show(state.own);
  const limited = find("#limited");
  limited.hidden = views.length <= MOST_PREVIEWS;
  limited.textContent = t("tooMany", MOST_PREVIEWS, views.length);
  remember("choice", state.choice);
}

function showChoices() {
  const several = (title, name, values, words) => make("fieldset", {}, make("legend", { text: t(title) }),
    ...values.map((value, index) => make("label", {},
      make("input", { type: "checkbox", name, value, ".checked": state.choice[name].includes(value),
        on: { change: event => {
          const chosen = values.filter(each =>
            (each === value ? event.target.checked : state.choice[name].includes(each)));
          if (chosen.length === 0) { event.target.checked = true; return; }
          state.choice[name] = chosen;
          showPreviews();
        } } }), make("span", { text: words?.[index] ?? t(value) }))));
  const one = (title, name, values) => make("label", { class: "one" }, make("span", { text: t(title) }),
    make("select", { name, on: { change: event => {
      state.choice[name] = event.target.value;
      showPreviews();
    } } }, ...values.map(([value, word]) =>
      make("option", { value, text: t(word), ".selected": state.choice[name] === value }))));
  find("#choices").replaceChildren(several("screens", "screens", Object.keys(SCREENS)),
    several("carriers", "carriers", ["mobile", "unicom", "telecom", "other"]),
    several("languages", "languages", ["zh-Hans", "zh-Hant", "en"], ["简体中文", "繁體中文", "English"]),
    several("modes", "modes", ["light", "dark"]),
    one("textSize", "size", [["1", "usual"], ["1.5", "bigger"], ["3", "biggest"]]),
    one("state", "state", ["first", "ticked", "hint", "dialog", "loading"].map(name => [name, name])));
}

/** Says of a button that what it leads to is shown now. */
function mark(button, isCurrent) {
  if (isCurrent) button.setAttribute("aria-current", "true");
  else button.removeAttribute("aria-current");
}

function showPane(name) {
  find("main").dataset.pane = name;
  for (const button of all("#panes button")) mark(button, button.dataset.shows === name);
}

function showWords() {
  document.documentElement.lang = languageName() === "zh" ? "zh-CN" : "en";
  document.title = `Benji · ${t("title")}`;
  for (const place of all("[data-t]")) place.textContent = t(place.dataset.t);
  for (const place of all("[data-t-label]")) place.setAttribute("aria-label", t(place.dataset.tLabel));
  for (const place of all("[data-t-placeholder]")) place.setAttribute("placeholder", t(place.dataset.tPlaceholder));
  for (const button of all("[data-language]")) mark(button, button.dataset.language === languageName());
}

// MARK: dialogs

function openDialog(title, ...children) {
  const dialog = find("#dialog");
  find("#dialog-title").textContent = title;
  find("#dialog-body").replaceChildren(...children);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}
const closeDialog = () => find("#dialog").close();

async function copy(text) {
  try { await navigator.clipboard.writeText(text); } catch {
    const place = make("textarea", { ".value": text, class: "unseen" });
    (find("#dialog").open ? find("#dialog") : document.body).append(place);
    place.select();
    document.execCommand("copy");
    place.remove();
  }
  tell(t("copied"));
}

async function openStart() {
  const cards = await Promise.all(setup.examples.map(async name => {
    const text = await (await fetch(`examples/${name}.json`)).text();
    const isWide = name === "landscape";
    const view = { screen: isWide ? "side" : "phone", carrier: "mobile",
      language: languageName() === "zh" ? "zh-Hans" : "en", appearance: name === "dark" ? "dark" : "light",
      textScale: 1 };
    const preview = new Preview(view, { ...host, selected: null, state: {}, explain: () => "", select() {} });
    preview.show(JSON.parse(text));
    preview.svg.setAttribute("aria-hidden", "true");
    for (const group of all("[tabindex]", preview.svg)) group.removeAttribute("tabindex");
    return make("button", { type: "button", class: `card ${isWide ? "wide" : ""}`, "data-example": name,
      on: { click: () => begin(text) } }, preview.svg, make("span", { text: name.replace("-", " ") }));
  }));
  const color = make("input", { type: "color", id: "brand", value: "#0a7a3c" });
  const file = make("input", { type: "file", id: "brand-logo",
    accept: "image/png,image/jpeg,image/webp,image/svg+xml" });
  const kind = make("select", { id: "brand-kind" },
    ...["full", "popup", "sheet"].map(name => make("option", { value: name, text: t(name) })));
  let logo = null;
  file.addEventListener("change", async () => {
    if (!file.files[0]) return;
    pictureFor("logo", file.files[0]);
    try { logo = await lookAt(file.files[0]); } catch { logo = null; }
    if (logo?.color) color.value = logo.color;
  });
  openDialog(t("startTitle"), make("p", { class: "note", text: t("startNote") }), make("h3", { text: t("fromBrand") }),
    make("form", { class: "brand", on: { submit: event => {
      event.preventDefault();
      const { page } = ask({ do: "begin", color: color.value });
      const kinds = { full: undefined, popup: { cornerRadius: 14, closesOnOutsideTap: true },
        sheet: { position: "bottom", corners: ["topLeft", "topRight"], cornerRadius: 20, closesOnOutsideTap: true } };
      if (logo) page.logo = { image: { name: "logo", ...logo.size } };
      if (kinds[kind.value]) page.popup = kinds[kind.value];
      begin(written(page));
    } } }, make("label", {}, make("span", { text: t("logoFile") }), file),
    make("label", {}, make("span", { text: t("brandColor") }), color),
    make("label", {}, make("span", { text: t("kind") }), kind),
    make("button", { type: "submit", class: "strong", id: "begin", text: t("begin") })),
    make("p", { class: "note", text: `${t("brandNote")} ${t("logoNote")}` }),
    make("h3", { text: t("fromExample") }), make("div", { class: "cards" }, ...cards),
    make("h3", { text: t("fromNothing") }), make("p", {}, make("button",
      { type: "button", id: "from-nothing", text: t("fromNothing"), on: { click: () => begin("{}") } })));
}

function begin(text) {
  select(null, null);
  take(text);
  closeDialog();
}

/** How large a logo is drawn, and its strongest colour. The picture is drawn here and goes nowhere. */
async function lookAt(file) {
  const address = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const [width, height] = [image.naturalWidth || 96, image.naturalHeight || 96];
    const scale = 72 / height;
    const canvas = make("canvas", { width: 64, height: 64 });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0, 64, 64);
    const { data } = context.getImageData(0, 0, 64, 64);
    const counts = new Map();
    for (let index = 0; index < data.length; index += 4) {
      const [red, green, blue, alpha] = data.subarray(index, index + 4);
      if (alpha < 128) continue;
      const strength = Math.max(red, green, blue) - Math.min(red, green, blue);
      if (strength < 24) continue;
      const key = [red, green, blue].map(part => Math.min(15, Math.round(part / 17))).join();
      counts.set(key, (counts.get(key) ?? 0) + strength);
    }
    const best = [...counts].sort((a, b) => b[1] - a[1])[0];
    const color = best
      ? "#" + best[0].split(",").map(part => (Number(part) * 17).toString(16).padStart(2, "0")).join("") : null;
    return { color, size: { width: Math.min(280, Math.max(1, Math.round(width * scale))), height: 72 } };
  } finally { URL.revokeObjectURL(address); }
}

function pictureFor(name, file) {
  if (!file || !name) return;
  if (state.pictures.get(name)?.startsWith("blob:")) URL.revokeObjectURL(state.pictures.get(name));
  state.pictures.set(name, URL.createObjectURL(file));
  for (const preview of previews) preview.show(state.own);
}

async function openShare() {
  const link = location.href.split("#")[0] + await packed(state.good);
  const field = make("input", { type: "text", id: "link", readonly: true, ".value": link,
    "aria-label": t("shareTitle") });
  openDialog(t("shareTitle"), make("p", { text: t("shareNote") }), make("p", { class: "line" }, field,
    make("button", { type: "button", id: "copy-link", text: t("copy"), on: { click: () => copy(link) } })));
  field.select();
}

function openVersions() {
  const kept = versions();
  const name = make("input", { type: "text", id: "version-name", maxlength: 80, required: true });
  const options = selected => [make("option", { value: "now", text: t("current"), ".selected": selected === "now" }),
    ...kept.map((version, index) =>
      make("option", { value: index, text: version.name, ".selected": selected === index }))];
  const [old, other] = [make("select", { id: "compare-old" }, ...options(kept.length ? 0 : "now")),
    make("select", { id: "compare-new" }, ...options("now"))];
  const result = make("div", { id: "comparison", role: "status" });
  const textOf = value => (value === "now" ? state.good : kept[Number(value)].text);
  const save = list => {
    const problem = remember("versions", list);
    if (problem) tell(t("full_storage", problem), true);
    openVersions();
  };
  openDialog(t("versionsTitle"),
    make("form", { class: "line", on: { submit: event => {
      event.preventDefault();
      save([{ name: name.value.trim() || "?", at: Date.now(), text: state.good }, ...kept].slice(0, 100));
    } } }, make("label", { for: "version-name", text: t("versionName") }), name,
      make("button", { type: "submit", class: "strong", id: "keep", text: t("keep") })),
    kept.length === 0 ? make("p", { class: "note", text: t("noVersions") }) : make("ul", { class: "versions" },
      ...kept.map((version, index) => make("li", {},
        make("span", {}, make("b", { text: version.name }),
          make("span", { class: "note",
            text: ` ${new Date(version.at).toLocaleString(document.documentElement.lang)}` })),
        make("span", { class: "buttons" },
          make("button", { type: "button", class: "mini", "data-open": index, text: t("open"),
            "aria-label": `${t("open")}: ${version.name}`, on: { click: () => begin(version.text) } }),
          make("button", { type: "button", class: "mini", text: t("remove"),
            "aria-label": `${t("remove")}: ${version.name}`,
            on: { click: () => save(kept.filter((_, place) => place !== index)) } }))))),
    make("form", { class: "line", on: { submit: event => {
      event.preventDefault();
      result.replaceChildren(...compared(textOf(old.value), textOf(other.value)));
    } } }, make("label", { for: "compare-old", text: t("compare") }), old,
      make("label", { for: "compare-new", text: t("and") }), other,
      make("button", { type: "submit", id: "compare", text: t("compare") })), result);
}

function compared(old, other) {
  const answer = ask({ do: "compare", old: JSON.parse(old), new: JSON.parse(other) });
  if (answer.error) return [make("p", { class: "bad", text: `${answer.error.place}: ${answer.error.problem}` })];
  if (answer.fields.length === 0) return [make("p", { class: "good", text: t("same") })];
  const short = value =>
    (value === null ? t("absent") : typeof value === "string" ? value : JSON.stringify(value)).slice(0, 120);
  const words = (title, list, text) => (list.length === 0 ? [] : [make("h3", { text: t(title) }),
    make("ul", {}, ...list.map(each => make("li", { text: text(each) })))]);
  return [make("table", {}, make("thead", {},
    make("tr", {}, ...["field", "before", "after"].map(name => make("th", { scope: "col", text: t(name) })))),
    make("tbody", {}, ...answer.fields.map(field => make("tr", {},
      make("th", { scope: "row" }, make("code", { text: field.path.slice(2) })), make("td", { text: short(field.old) }),
      make("td", { text: short(field.new) }))))),
  ...words("boxes", answer.boxes, box => `${roleName(box.role)}: ${t(box.change)}`),
  ...words("gained", answer.gained, each => `${t(each.severity)}: ${said(each.explanation)}`),
  ...words("lost", answer.lost, each => `${t(each.severity)}: ${said(each.explanation)}`)];
}

function openExport() {
  const target = make("select", { id: "target" },
    ...[["swift", "ex_swift"], ["json", "ex_json"], ["one-login", "ex_onelogin"], ["ge-yan", "ex_geyan"],
      ["tyrz", "ex_tyrz"]].map(([value, word]) => make("option", { value, text: t(word) })));
  const output = make("textarea", { id: "exported", readonly: true, spellcheck: "false",
    "aria-label": t("exportTitle") });
  const unsaid = make("div", { id: "unsaid" });
  const buttons = make("p", { class: "buttons" },
    make("button", { type: "button", id: "copy-export", text: t("copy"), on: { click: () => copy(output.value) } }),
    make("button", { type: "button", text: t("download"), on: { click: () => {
      const address = URL.createObjectURL(new Blob([output.value]));
      make("a", { href: address, download: target.value === "json" ? "login.json" : "LoginPage.swift" }).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    } } }));
  const show = () => {
    const isNone = target.value === "tyrz";
    output.hidden = isNone;
    buttons.hidden = isNone;
    if (isNone) { unsaid.replaceChildren(make("p", { text: t("tyrzNote") })); return; }
    const answer = ask({ do: "export", page: state.own, for: target.value });
    output.value = answer.text ?? `${answer.error.place}: ${answer.error.problem}`;
    unsaid.replaceChildren(...(answer.unsaid?.length ? [make("h3", { text: t("unsaid") }),
      make("ul", {}, ...answer.unsaid.map(each => make("li", {}, make("code", { text: each.path }), ` ${said(each)}`)))]
      : [make("p", { class: "note", text: t("saysAll") })]));
  };
  target.addEventListener("change", show);
  openDialog(t("exportTitle"),
    make("p", { class: "line" }, make("label", { for: "target", text: t("exportFor") }), target),
    output, buttons, unsaid);
  show();
}

async function send(method, address, done) {
  let answer;
  try {
    answer = await fetch(address, { method, body: state.good, headers: { "Content-Type": "application/json" } });
  } catch (error) { tell(t("notSaved", error.message), true); return; }
  if (answer.ok) { tell(done); return; }
  const problem = await answer.json().catch(() => ({}));
  tell(t("notSaved", problem.detail ?? answer.status), true);
}

// MARK: beginning

function listen() {
  const json = find("#json");
  let waiting = 0;
  json.addEventListener("input", () => {
    clearTimeout(waiting);
    state.text = json.value;
    waiting = setTimeout(() => take(json.value, "json", { fromText: true }), 150);
  });
  find("#tidy").addEventListener("click", () => { if (!state.broken) take(written(state.own)); });
  find("#go-back").addEventListener("click", () => {
    take(state.good, undefined, { isSilent: true });
    json.value = state.good;
  });
  find("#go-there").addEventListener("click", () => {
    json.focus();
    json.setSelectionRange(state.brokenAt, state.brokenAt);
  });
  find("#undo").addEventListener("click", () => travel(-1));
  find("#redo").addEventListener("click", () => travel(1));
  find("#new").addEventListener("click", openStart);
  find("#share").addEventListener("click", openShare);
  find("#versions").addEventListener("click", openVersions);
  find("#export").addEventListener("click", openExport);
  find("#save").addEventListener("click", () => send("PUT", "page.json", t("saved")));
  find("#submit").addEventListener("click", () => send("POST", "submit", t("submitted")));
  find("#shop").addEventListener("click", () => send("POST", "shop", t("shown")));
  find("#copy-digest").addEventListener("click", () => copy(find("#digest").textContent));
  find("#dialog-close").addEventListener("click", closeDialog);
  find("#dialog").addEventListener("close", () => find("#dialog-body").replaceChildren());
  find("#search").addEventListener("input", event => {
    find("#no-field").hidden = form.filter(event.target.value) > 0;
  });
  const zoom = width => {
    document.documentElement.style.setProperty("--device", `${width}px`);
    for (const preview of previews) preview.mark();
  };
  find("#zoom").addEventListener("input", event => zoom(event.target.value));
  if (innerWidth >= 1800) {
    find("#zoom").value = 300;
    zoom(300);
  }
  for (const button of all("#panes button")) button.addEventListener("click", () => showPane(button.dataset.shows));
  for (const button of all("[data-language]")) button.addEventListener("click", () => {
    chooseLanguage(button.dataset.language);
    remember("language", button.dataset.language);
    showWords();
    showChoices();
    showPreviews();
    showEverything();
  });
  addEventListener("keydown", event => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "s" && setup.file) { event.preventDefault(); find("#save").click(); }
    // While the text cannot be read, the text field has its own way back.
    if (state.broken || find("#dialog").open) return;
    if (key === "z") { event.preventDefault(); travel(event.shiftKey ? 1 : -1); }
    if (key === "y") { event.preventDefault(); travel(1); }
  });
  addEventListener("hashchange", openFragment);
  addEventListener("pointerdown", event => { if (!event.target.closest("#views")) find("#views").open = false; });
  find("#views").addEventListener("keydown", event => {
    if (event.key === "Escape") { find("#views").open = false; find("#views summary").focus(); }
  });
}

async function openFragment() {
  if (!location.hash.startsWith("#p=")) return;
  try {
    const text = await unpacked(location.hash);
    const error = take(text);
    if (error) throw new Error(`${error.place}: ${error.problem}`);
    tell(t("shareOpened"));
  } catch (error) { tell(t("shareBad", error.message), true); state.broken = null; state.text = state.good; }
  // The page is kept by undo; the link in the address bar would bring it back on every reload.
  window.history.replaceState(null, "", location.pathname + location.search);
}

async function begun() {
  const wanted = new URLSearchParams(location.search).get("lang") ?? remembered("language")
    ?? (navigator.language.startsWith("zh") ? "zh" : "en");
  chooseLanguage(wanted);
  showWords();
  try {
    const [engine, found] = await Promise.all([loadPageEngine(fetch("benji-page.wasm").then(answer => {
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
      return answer;
    })), fetch("setup.json").then(answer => answer.json())]);
    ask = engine;
    setup = found;
  } catch (error) {
    find("#said").className = "bad";
    find("#said").textContent = t("noEngine", error.message);
    return;
  }
  ask.check = text => JSON.parse(ask.text(`check\n${text}`));
  for (const name of setup.pictures) state.pictures.set(name, `pictures/${name}.svg`);
  const choice = remembered("choice");
  for (const [name, value] of Object.entries(choice ?? {}))
    if (typeof state.choice[name] === typeof value && value.length > 0) state.choice[name] = value;
  state.choice.screens = state.choice.screens.filter(name => SCREENS[name]);
  if (state.choice.screens.length === 0) state.choice.screens = ["phone"];
  find("#save").hidden = !setup.file;
  find("#shop").hidden = !setup.shop;
  find("#submit").hidden = !setup.submit;
  form = new Form(find("#form"), ask({ do: "fields" }).fields, { set, pictureFor });
  listen();
  showPane("previews");
  showChoices();
  const first = await fetch("page.json").then(answer => (answer.ok ? answer.text() : null)).catch(() => null);
  const start = [setup.file ? first : remembered("current"), first, START]
    .find(text => typeof text === "string" && text && !ask.check(text).error) ?? START;
  if (setup.file && first && start !== first) {
    // The file is shown as it is, with its errors.
    take(START);
    find("#json").value = first;
    take(first, "json", { fromText: true });
  } else {
    take(start);
  }
  showPreviews();
  await openFragment();
  document.documentElement.dataset.ready = "";
}

begun();
