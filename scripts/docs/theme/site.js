// The search, the menu and the copy buttons. The index is a script of its own, which is loaded when somebody begins to search: so it
// works from a folder as from any web server, and asks nobody.
(() => {
  const script = document.currentScript, root = script.dataset.root, language = script.dataset.language;
  const texts = language === "zh" ? { none: "没有找到", copy: "复制", copied: "已复制" } : { none: "Nothing was found", copy: "Copy", copied: "Copied" };
  const input = document.querySelector(".search input"), found = document.querySelector("#found");
  let loading, chosen = -1;

  const load = () => loading ??= new Promise((done, failed) => {
    const index = document.createElement("script");
    index.src = root + "search-index.js";
    index.onload = () => done(window.benjiIndex);
    index.onerror = failed;
    document.head.append(index);
  });

  // An entry is [language, address, page's title, heading, text]. All words must be there; where they are decides the order.
  function search(index, query) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    const hits = [];
    for (const [of, address, title, heading, text, kind] of index) {
      const lower = { title: title.toLowerCase(), heading: heading.toLowerCase(), text: text.toLowerCase() };
      let score = 0;
      for (const word of words) {
        let of = 0;
        if (lower.heading === word || lower.title === word) of = 60;
        else if (lower.title.startsWith(word)) of = 20;
        else if (lower.heading.includes(word)) of = 12;
        else if (lower.title.includes(word)) of = 8;
        else if (lower.text.includes(word)) of = 2;
        if (!of) { score = 0; break; }
        score += of;
      }
      if (!score) continue;
      if (of === language) score += 6; else if (kind === "code") continue;
      // A member of the same name as an everyday word is rarely what was meant; a guide often is.
      if (kind === "api") score = Math.min(score, 16);
      if (kind === "guide") score += 15;
      hits.push([score, address, title, heading, text, words]);
    }
    return hits.sort((one, other) => other[0] - one[0]).slice(0, 20);
  }

  function marked(text, words) {
    const at = Math.max(0, Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0).concat([text.length])) - 40);
    const part = (at ? "…" : "") + text.slice(at, at + 150), line = document.createElement("small");
    const pattern = new RegExp("(" + words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|") + ")", "gi");
    part.split(pattern).forEach((piece, number) => {
      if (number % 2) { const mark = document.createElement("mark"); mark.textContent = piece; line.append(mark); } else line.append(piece);
    });
    return line;
  }

  async function show() {
    const index = await load();
    const hits = search(index, input.value);
    chosen = -1;
    found.replaceChildren(...hits.map(([, address, title, heading, text, words], number) => {
      const link = document.createElement("a"), name = document.createElement("b");
      link.href = root + address;
      link.id = "found-" + number;
      link.role = "option";
      name.textContent = heading && !title.startsWith(heading) ? `${title} › ${heading}` : title;
      link.append(name, marked(text, words));
      return link;
    }));
    if (!hits.length && input.value.trim()) {
      const none = document.createElement("p");
      none.textContent = texts.none;
      found.append(none);
    }
    open(Boolean(input.value.trim()));
  }
  function open(is) { found.hidden = !is; input.setAttribute("aria-expanded", String(is)); }
  function choose(by) {
    const links = [...found.querySelectorAll("a")];
    if (!links.length) return;
    chosen = (chosen + by + links.length) % links.length;
    links.forEach((link, number) => link.setAttribute("aria-selected", String(number === chosen)));
    links[chosen].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", links[chosen].id);
  }
  input.addEventListener("focus", load);
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") { event.preventDefault(); choose(event.key === "ArrowDown" ? 1 : -1); }
    if (event.key === "Escape") { open(false); input.blur(); }
    // Between the keys of a Chinese input method Enter is not the reader's.
    if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      (found.querySelectorAll("a")[Math.max(chosen, 0)])?.click();
    }
  });
  input.form.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("click", (event) => { if (!input.form.contains(event.target)) open(false); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) { event.preventDefault(); input.focus(); }
  });

  // An address may carry a search: index.html?q=103125
  const asked = new URLSearchParams(location.search).get("q");
  if (asked) { input.value = asked; show(); }

  const menu = document.querySelector(".menu"), wide = matchMedia("(min-width: 62rem)");
  const fit = () => { menu.open = wide.matches; };
  wide.addEventListener("change", fit);
  fit();

  // Where a link leads into something closed, it opens.
  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  };
  addEventListener("hashchange", reveal);
  reveal();

  if (navigator.clipboard) for (const listing of document.querySelectorAll("pre")) {
    const button = document.createElement("button");
    button.className = "copy";
    button.textContent = texts.copy;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(listing.querySelector("code").textContent);
      button.textContent = texts.copied;
    });
    listing.append(button);
  }
})();
