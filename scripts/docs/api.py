"""Brings a DocC archive into the site: at api/, wherever the site itself will lie; with a page that lists modules and types without
script, and with its names in the search."""

import json
import shutil
from pathlib import Path

from markupsafe import escape
from pages import Page

# What docs.sh has `docc` write where the site's address would be; pages get the way from where they lie instead.
PLACE = "/THE-SITE/api/"
KINDS = {"symbol": "Swift", "article": "article", "overview": "tutorial", "project": "tutorial"}


def words(inline: list[dict]) -> str:
    return "".join(each.get("text") or each.get("code") or words(each.get("inlineContent", [])) for each in inline or [])


def pages(archive: Path, output: Path) -> list[Page]:
    """The page, once the archive lies in the site."""
    place = output / "api"
    shutil.copytree(archive, place)
    (place / "index.html").unlink(missing_ok=True)
    for name in ("index", "metadata.json", "developer-og.jpg", "developer-og-twitter.jpg"):
        file = place / name
        if file.is_file():
            file.unlink()
    for file in place.rglob("index.html"):
        up = "../" * len(file.relative_to(place).parent.parts)
        text = file.read_text(encoding="utf-8")
        text = text.replace(f'var baseUrl = "{PLACE}"', f'var baseUrl = new URL("{up}", location.href).pathname')
        file.write_text(text.replace(PLACE, up), encoding="utf-8")
    modules: dict[str, list[tuple[str, str, str, str]]] = {}
    entries = []
    for file in sorted((place / "data").rglob("*.json")):
        data = json.loads(file.read_text(encoding="utf-8"))
        where = file.relative_to(place / "data").with_suffix("")
        title = data.get("metadata", {}).get("title") or ""
        if not title:
            continue
        abstract = words(data.get("abstract", []))
        kind = data["metadata"].get("symbolKind") or KINDS.get(data.get("kind", ""), "")
        module = data["metadata"].get("modules", [{}])[0].get("name", "")
        entries.append((title, f"{where.as_posix()}/index.html", module, abstract))
        if kind in ("class", "struct", "enum", "protocol", "actor", "article", "tutorial") and len(where.parts) == 3:
            modules.setdefault(module or "Articles", []).append((title, f"{where.as_posix()}/index.html", kind, abstract))
    parts = ["<h1>Swift API</h1><p>The SDK's modules, made from the comments of the code by DocC. What lies behind these links is drawn by "
             "a script that loads its texts, so a web server is needed for it: any that serves files. From the folder of the site: "
             "<code>python3 -m http.server --bind 127.0.0.1</code>.</p>"]
    for module, rows in sorted(modules.items(), key=lambda each: (each[0] not in ("Benji", "BenjiPage", "BenjiFace", "BenjiTesting"), each[0])):
        top = f'documentation/{module.lower()}/index.html'
        head = f'<a href="{top}">{escape(module)}</a>' if (place / top).exists() else escape(module)
        parts.append(f'<h2 id="{module.lower()}">{head}</h2><details><summary>{len(rows)} types and articles</summary><dl>')
        parts += [f'<dt><a href="{escape(where)}">{escape(title)}</a> <small>{kind}</small></dt><dd>{escape(abstract)}</dd>' for title, where, kind, abstract in rows]
        parts.append("</dl></details>")
    return [Page("api/index.html", "Swift API", "".join(parts), sections=[("Swift API", "", "DocC Benji BenjiPage BenjiFace BenjiTesting")],
                 kind="reference", noted=False, listed=[(title, f"api/{where}", module, text) for title, where, module, text in entries])]
