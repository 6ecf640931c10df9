// The description as a form: one control for each field of the engine's list, whatever that list holds.

import { all, find, make } from "./dom.js";
import { at } from "./json.js";
import { choiceName, said, t } from "./words.js";

const LANGUAGES = [["zh-Hans", "简"], ["zh-Hant", "繁"], ["en", "EN"]];

export class Form {
  /** `host`: `set(path, value, key)`, `error(path)`, `pictureFor(name, file)`, `picture(name)`. */
  constructor(place, fields, host) {
    this.place = place;
    this.fields = fields;
    this.host = host;
    this.open = new Set(["logo", "loginButton", "terms"]);
  }

  /** Shows a description: `page` with all defaults, `own` as somebody wrote it. */
  show(page, own) {
    this.page = page;
    this.own = own;
    const shape = this.shape(page);
    if (shape !== this.drawn) {
      const focused = document.activeElement?.id;
      const scrolled = this.place.scrollTop;
      this.drawn = shape;
      this.place.replaceChildren(...this.children("").map(field => this.group(field, field.path)));
      this.place.scrollTop = scrolled;
      if (focused && this.place.isConnected) document.getElementById(focused)?.focus({ preventScroll: true });
    }
    for (const control of all("[data-path]", this.place)) this.refresh(control);
    for (const button of all("[data-reset]", this.place)) button.hidden = at(own, button.dataset.reset) === undefined;
    this.filter();
  }

  /** The properties of a page that determine its controls. */
  shape(page) {
    const marks = [document.documentElement.lang];
    for (const field of this.fields) {
      if (field.kind === "list") marks.push(at(page, field.path)?.length);
      if (field.kind === "part" || field.optional) marks.push(at(page, field.path) === undefined ? 0 : 1);
    }
    for (const [index, view] of (page.custom ?? []).entries())
      marks.push(`${index}${view.label === undefined ? 0 : 1}`);
    return marks.join();
  }

  /** Fields directly inside an object; `pattern` is its path in the list, where every element is `[]`. */
  children(pattern) {
    const prefix = pattern === "" ? "" : `${pattern}.`;
    return this.fields.filter(field => field.path.startsWith(prefix) && field.path !== pattern
      && !field.path.slice(prefix.length).includes("."));
  }

  group(field, path) {
    const body = make("div", { class: "fields" });
    if (["group", "part"].includes(field.kind)) this.inside(body, field, path);
    else body.append(this.field(field, path));
    const element = make("details", { class: "group", "data-group": path, open: this.open.has(path) },
      make("summary", {}, make("span", { text: said(field) }),
        make("button", { type: "button", class: "mini", "data-reset": path, hidden: true, text: t("reset"),
          "aria-label": t("resetOf", said(field)), on: { click: event => {
            event.preventDefault();
            this.host.set(path, undefined, `reset ${path}`);
          } } })), body);
    element.addEventListener("toggle", () => (element.open ? this.open.add(path) : this.open.delete(path)));
    return element;
  }

  /** The fields of an object, or the offer to add it. */
  inside(body, field, path) {
    if (field.kind === "part") {
      const isThere = at(this.page, path) !== undefined;
      body.append(this.row(field, path, t("has"),
        make("input", { type: "checkbox", id: this.id(path), "data-path": path, "data-kind": "part",
          ".checked": isThere, on: {
            change: event =>
              this.host.set(path, event.target.checked ? JSON.parse(field.fresh) : undefined, `part ${path}`),
          } }), "flag"));
      if (!isThere) return;
    }
    const pattern = path.replace(/\[\d+\]/g, "[]");
    for (const child of this.children(pattern))
      body.append(this.field(child, `${path}.${child.path.slice(pattern.length + 1)}`));
    const name = at(this.page, path)?.name;
    if (name !== undefined) {
      body.append(make("div", { class: "row picture" },
        make("label", { for: this.id(`${path} file`), text: t("previewPicture") }),
        make("input", { type: "file", accept: "image/*", id: this.id(`${path} file`),
          on: { change: event => this.host.pictureFor(at(this.page, path).name, event.target.files[0]) } })));
    }
  }

  field(field, path) {
    switch (field.kind) {
      case "group": case "part": {
        const set = make("fieldset", { "data-group": path }, make("legend", { text: said(field) }));
        this.inside(set, field, path);
        return set;
      }
      case "list": return this.list(field, path);
      case "words": return this.words(field, path);
      case "color": return this.color(field, path);
      case "text": return this.text(field, path, field.mayBeEmpty);
      case "flag": return this.row(field, path, said(field),
        make("input", { type: "checkbox", ...this.control(field, path), on: {
          change: event => this.host.set(path, event.target.checked, path) } }), "flag");
      case "word": return this.row(field, path, said(field),
        make("select", { ...this.control(field, path),
          on: { change: event => this.host.set(path, event.target.value, path) } },
          ...field.words.map(word => make("option", { value: word, text: choiceName(word) }))));
      case "number": return this.row(field, path, said(field),
        make("input", { type: "number", step: "any", min: field.least, max: field.most, inputmode: "decimal",
          ...this.control(field, path), on: { input: event => this.number(event.target, field, path) } }), "number");
      default: return this.row(field, path, said(field),
        make("input", { type: field.kind === "address" ? "url" : "text", spellcheck: "false", autocomplete: "off",
          ...this.control(field, path), on: { input: event => this.host.set(path, event.target.value, path) } }));
    }
  }

  number(input, field, path) {
    if (input.value === "" && !input.validity.badInput) {
      if (field.optional) this.host.set(path, undefined, path);
      return;
    }
    if (!Number.isFinite(input.valueAsNumber)) return;
    this.host.set(path, input.valueAsNumber, path);
  }

  id(path) { return `f-${path.replace(/[^A-Za-z0-9]+/g, "-")}`; }
  control(field, path, part = "") {
    return { id: this.id(path) + (part && `-${part}`), "data-path": path, "data-kind": field.kind,
      "data-part": part || undefined, "aria-describedby": `${this.id(path)}-wrong` };
  }

  row(field, path, label, control, name = "") {
    return make("div", { class: `row ${name}`, "data-name": said(field) },
      make("label", { for: control.id, text: label }), control, this.wrong(path));
  }

  wrong(path) { return make("p", { class: "wrong", id: `${this.id(path)}-wrong`, "data-wrong": path, hidden: true }); }

  text(field, path) {
    const set = make("fieldset", { class: "text", "data-name": said(field) }, make("legend", { text: said(field) }));
    for (const [language, short] of LANGUAGES) {
      set.append(make("label", { class: "tongue" }, make("span", { text: short, "aria-hidden": "true" }),
        make("input", { type: "text", lang: language, spellcheck: "false", autocomplete: "off",
          "aria-label": `${said(field)} ${language}`, ...this.control(field, path, language), on: {
            input: () => this.host.set(path, this.texts(path, field), path) } })));
    }
    set.append(this.wrong(path));
    return set;
  }

  texts(path, field) {
    const values = Object.fromEntries(LANGUAGES.map(([language]) =>
      [language, document.getElementById(`${this.id(path)}-${language}`).value]));
    if (field.optional && Object.values(values).every(value => value === "")) return undefined;
    return values["zh-Hans"] === values["zh-Hant"] && values["zh-Hans"] === values.en ? values.en : values;
  }

  color(field, path) {
    const set = make("fieldset", { class: "color", "data-name": said(field) }, make("legend", { text: said(field) }));
    for (const mode of ["light", "dark"]) {
      const name = `${said(field)} ${t(`${mode}Mode`)}`;
      const hex = make("input", { type: "text", class: "hex", spellcheck: "false", autocomplete: "off", maxlength: 9,
        "aria-label": t("value", name), ...this.control(field, path, mode), on: {
          input: () => this.host.set(path, this.colors(path), path) } });
      const swatch = make("input", { type: "color", "aria-label": name, id: `${this.id(path)}-${mode}-swatch`, on: {
        input: event => {
          hex.value = event.target.value + (hex.value.length === 9 ? hex.value.slice(7) : "");
          this.host.set(path, this.colors(path), path);
        } } });
      set.append(make("span", { class: "pair" },
        make("span", { class: `mode ${mode}`, "aria-hidden": "true" }), swatch, hex));
    }
    set.append(this.wrong(path));
    return set;
  }

  colors(path) {
    const [light, dark] = ["light", "dark"].map(mode =>
      document.getElementById(`${this.id(path)}-${mode}`).value.trim());
    return light === dark ? light : { light, dark };
  }

  words(field, path) {
    return make("fieldset", { class: "words", "data-name": said(field) }, make("legend", { text: said(field) }),
      ...field.words.map(word => make("label", {},
        make("input", { type: "checkbox", value: word, ...this.control(field, path, word), on: {
          change: () => this.host.set(path, field.words.filter(each =>
            document.getElementById(`${this.id(path)}-${each}`).checked), path) } }),
        make("span", { text: choiceName(word) }))), this.wrong(path));
  }

  list(field, path) {
    const set = make("fieldset", { class: "list", "data-group": path, "data-name": said(field) },
      make("legend", { text: said(field) }));
    const values = at(this.page, path) ?? [];
    const children = this.children(`${path}[]`);
    values.forEach((_, index) => {
      const place = `${path}[${index}]`;
      const item = make("div", { class: "item", "data-group": place });
      if (children.length === 0) item.append(this.text({ ...field, kind: "glue", optional: false }, place));
      for (const child of children) item.append(this.field(child, `${place}.${child.path.slice(path.length + 3)}`));
      const name = t("element", said(field), index + 1);
      item.append(make("div", { class: "buttons" },
        make("button", { type: "button", class: "mini", text: t("up"), "aria-label": `${t("up")}: ${name}`,
          disabled: index === 0, on: { click: () => {
            const list = structuredClone(values);
            [list[index - 1], list[index]] = [list[index], list[index - 1]];
            this.host.set(path, list, `list ${path}`);
          } } }),
        make("button", { type: "button", class: "mini", text: t("remove"), "aria-label": `${t("remove")}: ${name}`,
          disabled: values.length <= field.least, on: { click: () =>
            this.host.set(path, values.filter((__, other) => other !== index), `list ${path}`) } })));
      set.append(item);
    });
    set.append(make("button", { type: "button", class: "small", id: `${this.id(path)}-add`, "data-add": path,
      text: t("add"), disabled: values.length >= field.most, "aria-label": `${t("add")}: ${said(field)}`,
      on: { click: () => this.host.set(path, [...values, JSON.parse(field.fresh)], `list ${path}`) } }),
      this.wrong(path));
    return set;
  }

  /** Puts a description's value into a control, unless somebody is writing there. */
  refresh(control) {
    const { path, kind, part } = control.dataset;
    const value = at(this.page, path);
    const isBusy = control === document.activeElement && !this.isForced;
    let shown = "";
    if (kind === "flag" || kind === "part") { control.checked = kind === "part" ? value !== undefined : value; return; }
    if (kind === "words") { control.checked = value.includes(part); return; }
    if (kind === "color") shown = typeof value === "string" ? value : value?.[part] ?? "";
    else if (kind === "text" || kind === "glue") shown = typeof value === "string" ? value : value?.[part] ?? "";
    else shown = value === undefined ? "" : String(value);
    if (isBusy) return;
    if (control.value !== shown) control.value = shown;
    if (kind === "color") document.getElementById(`${control.id}-swatch`).value = shown.slice(0, 7);
  }

  /** Shows the error of a field, or clears all errors. Returns whether there is such a field. */
  blame(error) {
    for (const line of all("[data-wrong]", this.place)) line.hidden = true;
    for (const control of all("[aria-invalid]", this.place)) control.removeAttribute("aria-invalid");
    if (!error) return true;
    let path = error.place.replace(/^\$\.?/, "");
    while (path) {
      const line = all("[data-wrong]", this.place).find(each => each.dataset.wrong === path);
      if (line) {
        line.textContent = error.problem;
        line.hidden = false;
        for (const control of all("[data-path]", this.place))
          if (control.dataset.path === path) control.setAttribute("aria-invalid", "true");
        return true;
      }
      path = path.replace(/(\.[^.[]+|\[\d+\]|^[^.[]+)$/, "");
    }
    return false;
  }

  /** Opens and shows the fields at a path. */
  reveal(path, isFocused = true) {
    let place = null;
    for (let each = path; each && !place; each = each.replace(/(\.[^.[]+|\[\d+\]|^[^.[]+)$/, ""))
      place = all("[data-group],[data-path]", this.place).find(one => (one.dataset.group ?? one.dataset.path) === each);
    if (!place) return;
    for (let each = place; each && each !== this.place; each = each.parentElement)
      if (each.tagName === "DETAILS") each.open = true;
    place.scrollIntoView({ block: "start", behavior: "instant" });
    for (const each of all(".pointed", this.place)) each.classList.remove("pointed");
    place.classList.add("pointed");
    if (isFocused)
      (place.matches("input,select") ? place
        : find("input,select,textarea,summary", place))?.focus({ preventScroll: true });
  }

  /** Shows only fields whose names have what somebody looks for. */
  filter(words = this.looked ?? "") {
    this.looked = words;
    const wanted = words.trim().toLowerCase();
    let found = 0;
    for (const group of all(".group", this.place)) {
      const isNamed = group.querySelector("summary span").textContent.toLowerCase().includes(wanted);
      let here = 0;
      for (const row of all("[data-name]", group)) {
        if (row.parentElement.closest("[data-name]")) continue;
        const trail = [];
        for (let each = row; each && each !== group; each = each.parentElement)
          trail.push(each.dataset?.name ?? "", each.querySelector?.(":scope > legend")?.textContent ?? "");
        const isShown = wanted === "" || isNamed || trail.join(" ").toLowerCase().includes(wanted);
        row.classList.toggle("out", !isShown);
        if (isShown) here += 1;
      }
      group.hidden = wanted !== "" && !isNamed && here === 0;
      if (!group.hidden) found += 1;
      if (wanted !== "" && !group.hidden) group.open = true;
    }
    return found;
  }
}
