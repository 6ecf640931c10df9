// Draws what the engine laid out, and lets boxes be selected, dragged and moved by keys. It decides nothing: a move is
// asked of the engine.

import { draw, make, all, find } from "./dom.js";
import { t, roleName } from "./words.js";

/** Screens by name: width, height, safe area. The first four are those of `benji page lint`. */
export const SCREENS = {
  small: { width: 320, height: 568, safeTop: 20 },
  phone: { width: 393, height: 852, safeTop: 59, safeBottom: 34 },
  large: { width: 430, height: 932, safeTop: 59, safeBottom: 34 },
  side: { width: 852, height: 393, safeTop: 0, safeLeft: 59, safeBottom: 21, safeRight: 59 },
  split: { width: 375, height: 1024, safeTop: 24, safeBottom: 20 },
  tablet: { width: 768, height: 1024, safeTop: 24, safeBottom: 20 },
};

/** Roles of boxes that the description can put somewhere else. */
export const MOVABLE = new Set(["logo", "number", "slogan", "login", "switchAccount", "terms", "tick", "back", "close",
  "custom", "dialog", "hint"]);
/** Those of them that have a size of their own. */
const SIZED = new Set(["logo", "login", "switchAccount", "terms", "custom", "dialog", "close", "back"]);
/** Where the fields of a box stand in the form. */
const FIELDS = {
  mask: "popup.mask", background: "background.color", backgroundImage: "background.image",
  backgroundGIF: "background.gif", backgroundVideo: "background.video",
  navigationBar: "navigationBar", title: "navigationBar.title", back: "navigationBar.back",
  navigationRight: "navigationBar.right", close: "popup.close",
  logo: "logo", number: "number", slogan: "slogan", login: "loginButton", switchAccount: "switchButton",
  tick: "terms.tick", terms: "terms", hint: "terms.hint",
  loadingMask: "loading", loading: "loading", dialogMask: "consentDialog", dialog: "consentDialog",
  dialogTitle: "consentDialog.title", dialogTerms: "terms", dialogDisagree: "consentDialog.disagree",
  dialogAgree: "consentDialog.agree",
};
export const fieldsOf = (role, number) => (role === "custom" ? `custom[${number}]` : FIELDS[role]);

let count = 0;

/** One preview: a device with the page on it. */
export class Preview {
  /** `view`: screen, carrier, language, appearance, textScale. `host`: what the designer offers, see `designer.js`. */
  constructor(view, host) {
    this.view = view;
    this.host = host;
    this.name = `clip${count += 1}`;
    const { width, height } = SCREENS[view.screen];
    this.width = width;
    this.height = height;
    this.svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, class: "screen", role: "group",
      "aria-label": this.caption });
    this.frame = make("div", { class: "device" }, this.svg);
    this.element = make("figure", { class: "preview" }, this.frame, make("figcaption", { text: this.caption }));
    this.svg.addEventListener("pointerdown", event => this.press(event));
    this.svg.addEventListener("keydown", event => this.key(event));
    this.svg.addEventListener("focusin", event => {
      const group = event.target.closest("[data-box]");
      if (group) this.host.select(this, group.dataset.role, Number(group.dataset.number));
    });
  }

  get caption() {
    const { screen, carrier, language, appearance, textScale } = this.view;
    const size = textScale > 1 ? `, ${textScale}×` : "";
    return `${t(screen)}, ${t(carrier)}, ${
      { "zh-Hans": "简体", "zh-Hant": "繁體", en: "English" }[language]}, ${t(appearance)}${size}`;
  }

  get screen() {
    const { language, appearance, textScale } = this.view;
    return { ...SCREENS[this.view.screen], language, appearance, textScale };
  }

  request(page) {
    return { do: "draw", page, carrier: this.view.carrier, screen: this.screen, state: this.host.state };
  }

  /** Draws a description. Returns the engine's error if it cannot be drawn. */
  show(page) {
    const answer = this.host.ask(this.request(page));
    if (answer.error) return answer.error;
    this.scene = answer.scene;
    this.findings = answer.findings;
    this.paint();
    return null;
  }

  boxes(role) { return this.scene.boxes.filter(box => box.role === role); }

  paint() {
    const { scene, width, height } = this;
    const focused = this.svg.contains(document.activeElement) ? document.activeElement.dataset?.box : null;
    const children = [draw("defs", {}, draw("clipPath", { id: this.name }, draw("rect", { width, height }))),
      this.behind()];
    const seen = {};
    for (const box of scene.boxes) {
      const number = seen[box.role] ?? 0;
      seen[box.role] = number + 1;
      children.push(this.box(box, number));
    }
    children.push(...this.statusBar(), draw("g", { class: "over" }));
    this.svg.replaceChildren(...children);
    this.mark();
    if (focused) find(`[data-box="${focused}"]`, this.svg)?.focus({ preventScroll: true });
  }

  /** The app behind a popup. */
  behind() {
    if (!this.scene.popup)
      return draw("rect", { width: this.width, height: this.height,
        fill: this.scene.appearance === "dark" ? "#000" : "#fff" });
    const dark = this.scene.appearance === "dark";
    const rows = [];
    for (let y = 90; y < this.height; y += 84) {
      rows.push(draw("rect", { x: 20, y, width: 56, height: 56, rx: 12, fill: dark ? "#2c2c2e" : "#d7dbe3" }),
        draw("rect", { x: 90, y: y + 8, width: Math.max(60, this.width - 170), height: 12, rx: 6,
          fill: dark ? "#2c2c2e" : "#d7dbe3" }),
        draw("rect", { x: 90, y: y + 34, width: Math.max(40, this.width - 240), height: 10, rx: 5,
          fill: dark ? "#232325" : "#e4e7ed" }));
    }
    return draw("g", { "aria-hidden": "true" },
      draw("rect", { width: this.width, height: this.height, fill: dark ? "#161618" : "#f4f6fa" }), ...rows);
  }

  statusBar() {
    const { safeTop } = SCREENS[this.view.screen];
    if (!safeTop || safeTop < 20) return [];
    const fill = this.scene.lightStatusBar ? "#fff" : "#000";
    const y = safeTop / 2 + 5;
    return [draw("g", { class: "status", "aria-hidden": "true" },
      draw("text", { x: safeTop > 40 ? 40 : 14, y, "font-size": safeTop > 40 ? 16 : 12, "font-weight": 600, fill },
        "9:41"),
      draw("rect", { x: this.width - (safeTop > 40 ? 58 : 38), y: y - 10, width: safeTop > 40 ? 24 : 20, height: 10,
        rx: 3, fill: "none", stroke: fill, "stroke-opacity": 0.6 }),
      draw("rect", { x: this.width - (safeTop > 40 ? 56 : 36), y: y - 8, width: safeTop > 40 ? 17 : 13, height: 6,
        rx: 1.5, fill }))];
  }

  box(box, number) {
    const [x, y, width, height] = box.frame;
    const role = box.role;
    const isWhole = ["mask", "background", "backgroundImage", "backgroundGIF", "backgroundVideo", "loadingMask",
      "dialogMask"].includes(role);
    const group = draw("g", {
      "data-box": `${role}-${number}`, "data-role": role, "data-number": number, tabindex: isWhole ? -1 : 0,
      role: "button", "aria-label": this.label(box, number), opacity: box.opacity,
      class: (MOVABLE.has(role) ? "movable" : "") + (isWhole ? " whole" : ""),
      "clip-path": isWhole ? `url(#${this.name})` : undefined,
    });
    // A box's findings are shown at the pointer, and to screen readers.
    const wrong = this.findings.filter(finding => finding.role === role).map(finding => this.host.explain(finding))
      .join("\n");
    if (wrong) {
      group.append(draw("title", {}, wrong));
      group.setAttribute("aria-label", `${this.label(box, number)}. ${wrong}`);
    }
    if (width <= 0 || height <= 0) return group;
    group.append(shape(x, y, width, height, box, box.fill ?? "transparent"));
    if (box.image) this.picture(group, box, box.image);
    else if (box.slot) this.slot(group, box);
    else this.glyph(group, box);
    if (box.text) this.text(group, box);
    return group;
  }

  label(box, number) {
    const [x, y, width, height] = box.frame.map(Math.round);
    const several = box.role === "custom" ? ` ${number + 1}` : "";
    return t("selected", roleName(box.role) + several, x, y, width, height);
  }

  picture(group, box, name) {
    const [x, y, width, height] = box.frame;
    const href = this.host.picture(name);
    if (!href) {
      group.append(shape(x, y, width, height, box, box.role === "logo" ? "#8e8e93" : "#8e8e9355"));
      if (box.role === "logo" || box.role.startsWith("background")) {
        group.append(draw("text", { x: x + width / 2, y: y + height / 2 + 4, "text-anchor": "middle",
          "font-size": Math.max(8, Math.min(13, width / 5)), fill: "#fff", class: "placeholder" }, name));
      }
      return;
    }
    const isCover = box.role.startsWith("background");
    const id = `${this.name}-${group.dataset.box}`;
    if (box.cornerRadius > 0 || isCover)
      group.append(draw("clipPath", { id }, shape(x, y, width, height, box, "#000")));
    group.append(draw("image", { href, x, y, width, height,
      "clip-path": box.cornerRadius > 0 || isCover ? `url(#${id})` : undefined,
      preserveAspectRatio: isCover ? "xMidYMid slice" : box.role === "login" ? "none" : "xMidYMid meet" }));
  }

  slot(group, box) {
    const [x, y, width, height] = box.frame;
    const href = this.host.picture(box.slot);
    if (href) {
      group.append(draw("image", { href, x, y, width, height,
        preserveAspectRatio: box.role.startsWith("background") ? "xMidYMid slice" : "xMidYMid meet" }));
      return;
    }
    group.append(draw("rect", { x: x + 0.5, y: y + 0.5, width: Math.max(0, width - 1), height: Math.max(0, height - 1),
      rx: 6, fill: "#8e8e9330", stroke: "#8e8e93", "stroke-dasharray": "4 3" }),
      draw("text", { x: x + width / 2, y: y + height / 2 + 4, "text-anchor": "middle",
        "font-size": Math.max(7, Math.min(12, width / 6)), fill: "#8e8e93", class: "placeholder" }, box.slot));
  }

  glyph(group, box) {
    const [x, y, width, height] = box.frame;
    const ink = this.scene.appearance === "dark" ? "#fff" : "#000";
    const [cx, cy, r] = [x + width / 2, y + height / 2, Math.min(width, height) / 2];
    if (box.role === "tick") {
      group.append(draw("rect", { x: x + 0.75, y: y + 0.75, width: width - 1.5, height: height - 1.5,
        rx: Math.min(4, r / 2), fill: box.ticked ? "#1666d9" : "none", stroke: box.ticked ? "#1666d9" : "#767680",
        "stroke-width": 1.5 }));
      if (box.ticked)
        group.append(draw("path", { d: `M${cx - r * 0.5} ${cy}l${r * 0.38} ${r * 0.4}l${r * 0.66} ${-r * 0.8}`,
          fill: "none", stroke: "#fff", "stroke-width": Math.max(1.5, r / 4) }));
    } else if (box.role === "back") {
      group.append(draw("path", {
        d: `M${cx + r * 0.3} ${cy - r * 0.6}L${cx - r * 0.3} ${cy}L${cx + r * 0.3} ${cy + r * 0.6}`,
        fill: "none", stroke: ink, "stroke-width": 2, "stroke-linecap": "round" }));
    } else if (box.role === "close") {
      group.append(draw("path", { d: `M${cx - r * 0.5} ${cy - r * 0.5}L${cx + r * 0.5} ${cy + r * 0.5}`
        + `M${cx + r * 0.5} ${cy - r * 0.5}L${cx - r * 0.5} ${cy + r * 0.5}`,
        stroke: ink, "stroke-width": 1.8, "stroke-linecap": "round" }));
    } else if (box.role === "loading") {
      group.append(draw("circle", { cx, cy, r: r * 0.7, fill: "none", stroke: "#fff", "stroke-width": 4,
        "stroke-dasharray": `${r * 3} ${r * 2}` }));
    }
  }

  text(group, box) {
    const [x, y] = box.frame;
    const [left, top] = box.textOrigin;
    const { text } = box;
    const isFilled = box.role === "terms" || box.role === "dialogTerms";
    text.lines.forEach((line, row) => {
      for (const [from, width, words, link] of line) {
        const place = { x: x + left + from, y: y + top + (row + 0.5) * text.lineHeight + text.size * 0.36 };
        group.append(draw("text", { ...place, "font-size": text.size, "font-weight": text.bold ? 700 : 400,
          fill: link && isFilled ? text.linkColor : text.color,
          textLength: words.trim().length > 1 && width > 0 ? width : undefined, lengthAdjust: "spacingAndGlyphs",
          "text-decoration": link && text.underlined ? "underline" : undefined }, words));
      }
    });
  }

  /** Marks the selected box and the boxes with findings. */
  mark(guides = []) {
    const over = find(".over", this.svg);
    if (!over) return;
    const children = [];
    const seen = new Set();
    const unit = this.width / Math.max(120, this.svg.clientWidth || 260);
    for (const finding of this.findings) {
      if (seen.has(finding.role)) continue;
      const own = this.boxes(finding.role).at(-1);
      const [x, y, width] = own?.frame ?? [this.width / 2, 30, 0];
      seen.add(finding.role);
      const isError = this.findings.some(one => one.role === finding.role && one.severity === "error");
      const radius = 9 * unit;
      const [cx, cy] = [Math.min(this.width - radius - 1, Math.max(radius + 1, x + width)), Math.max(radius + 1, y)];
      children.push(draw("g", { class: `badge ${isError ? "error" : "warning"}`, "data-finding": finding.role,
        "aria-hidden": "true" }, draw("circle", { cx, cy, r: radius }),
        draw("text", { x: cx, y: cy + 4.4 * unit, "font-size": 12.5 * unit, "text-anchor": "middle" }, "!")));
    }
    const { selected } = this.host;
    if (selected) {
      const box = this.boxes(selected.role)[selected.number];
      if (box) {
        const [x, y, width, height] = box.frame;
        children.push(draw("rect", { class: "chosen", x: x - unit, y: y - unit, width: width + 2 * unit,
          height: height + 2 * unit, "stroke-width": 2 * unit }));
        if (SIZED.has(selected.role))
          children.push(draw("rect", { class: "handle", "data-handle": "", x: x + width - 5 * unit,
            y: y + height - 5 * unit, width: 10 * unit, height: 10 * unit, rx: 2 * unit }));
      }
    }
    for (const [axis, place] of guides) {
      children.push(axis === "x"
        ? draw("line", { class: "guide", x1: place, x2: place, y1: 0, y2: this.height, "stroke-width": unit })
        : draw("line", { class: "guide", x1: 0, x2: this.width, y1: place, y2: place, "stroke-width": unit }));
    }
    over.replaceChildren(...children);
  }

  // MARK: moving

  move(page, role, number, by) {
    return this.host.ask({ do: "move", page, carrier: this.view.carrier, screen: this.screen, role, number, by }).page
      ?? null;
  }

  /** Edges and middles of other boxes, of the page and of its margins, as places to snap to. */
  places(role, number) {
    const [x, y, width, height] = this.scene.viewport;
    const lists = { x: [x + width / 2, x + 28, x + width - 28, x, x + width], y: [y + height / 2] };
    for (const each of this.scene.boxes) {
      if (!["logo", "number", "slogan", "login", "switchAccount", "terms", "custom", "title", "back",
        "close"].includes(each.role)) continue;
      if (each.role === role && this.boxes(role).indexOf(each) === number) continue;
      const [left, top, wide, high] = each.frame;
      lists.x.push(left, left + wide / 2, left + wide);
      lists.y.push(top, top + high / 2, top + high);
    }
    return lists;
  }

  press(event) {
    const handle = event.target.closest("[data-handle]");
    const group = event.target.closest("[data-box]");
    if (event.button !== 0 || (!handle && !group) ) return;
    const role = handle ? this.host.selected.role : group.dataset.role;
    const number = handle ? this.host.selected.number : Number(group.dataset.number);
    event.preventDefault();
    const focusable = find(`[data-box="${role}-${number}"]`, this.svg);
    focusable?.focus({ preventScroll: true });
    this.host.select(this, role, number);
    if (!MOVABLE.has(role) && !(role === "background" && this.scene.popup)) return;
    const box = this.boxes(role)[number];
    if (!box) return;
    const scale = this.width / this.svg.getBoundingClientRect().width;
    const start = { page: this.host.page, x: event.clientX, y: event.clientY, frame: box.frame,
      places: this.places(role, number) };
    let latest = null;
    const dragged = moving => {
      let [dx, dy] = [(moving.clientX - start.x) * scale, (moving.clientY - start.y) * scale];
      if (!latest && Math.hypot(dx, dy) < 3 * scale) return;
      const guides = [];
      const [x, y, width, height] = start.frame;
      if (!moving.altKey) {
        const [alongX, alongY] = handle ? [[x + width], [y + height]]
          : [[x + width / 2, x, x + width], [y + height / 2, y, y + height]];
        dx = snapped(alongX, dx, start.places.x, 6 * scale, place => guides.push(["x", place]));
        dy = snapped(alongY, dy, start.places.y, 6 * scale, place => guides.push(["y", place]));
      }
      const page = this.move(start.page, role, number,
        handle ? [0, 0, round(dx), round(dy)] : [round(dx), round(dy), 0, 0]);
      latest = page ?? start.page;
      this.show(latest);
      this.mark(guides);
    };
    const released = ended => {
      removeEventListener("pointermove", dragged);
      removeEventListener("pointerup", released);
      removeEventListener("pointercancel", released);
      if (latest && ended.type === "pointerup") this.host.commit(latest, "drag");
      else if (latest) this.show(start.page);
      this.mark();
      this.tell(role, number);
    };
    addEventListener("pointermove", dragged);
    addEventListener("pointerup", released);
    addEventListener("pointercancel", released);
  }

  key(event) {
    const group = event.target.closest("[data-box]");
    if (!group) return;
    const [role, number] = [group.dataset.role, Number(group.dataset.number)];
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.host.openFields(fieldsOf(role, number));
      return;
    }
    if (event.key === "Escape") { this.host.select(this, null); return; }
    const step = event.shiftKey ? 10 : 1;
    const [dx, dy] = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step],
      ArrowDown: [0, step] }[event.key] ?? [0, 0];
    if ((dx === 0 && dy === 0) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const page = this.move(this.host.page, role, number, event.altKey ? [0, 0, dx, dy] : [dx, dy, 0, 0]);
    if (!page) { this.host.say(t("fixedPlace", roleName(role))); return; }
    this.host.commit(page, `key ${role} ${number}`);
    this.tell(role, number);
  }

  tell(role, number) {
    const box = this.boxes(role)[number];
    if (box) this.host.say(this.label(box, number));
  }
}

/** The distance that brings one of `along` to the nearest of `places`, if it is near; otherwise whole points. */
function snapped(along, by, places, reach, guide) {
  let best = null;
  for (const place of places) {
    for (const each of along) {
      const far = Math.abs(each + by - place);
      if (far <= reach && (!best || far < best.far - 0.01)) best = { far, by: place - each, place };
    }
  }
  if (!best) return Math.round(by);
  guide(best.place);
  return best.by;
}

const round = value => Math.round(value * 100) / 100;

/** A rectangle, some of whose corners are round. */
function shape(x, y, width, height, box, fill) {
  const radius = Math.min(box.cornerRadius ?? 0, width / 2, height / 2);
  if (!box.corners) return draw("rect", { x, y, width, height, rx: radius, fill });
  const at = corner => (box.corners.includes(corner) ? radius : 0);
  const [a, b, c, d] = [at("topLeft"), at("topRight"), at("bottomRight"), at("bottomLeft")];
  const arc = (r, dx, dy) => (r ? `a${r} ${r} 0 0 1 ${dx} ${dy}` : "");
  return draw("path", { fill, d: `M${x + a} ${y}h${width - a - b}${arc(b, b, b)}v${height - b - c}${arc(c, -c, c)}`
    + `h${-(width - c - d)}${arc(d, -d, -d)}v${-(height - d - a)}${arc(a, a, -a)}z` });
}

export const previewsIn = place => all("figure.preview", place);
