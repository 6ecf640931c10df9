"""Brings a DocC archive into the site, at api/, with a page that lists modules and types without script."""

import json
import logging
import re
import shutil
from pathlib import Path

# The site's address that docs.sh gives `docc`. Pages get the path relative to their own place instead.
PLACE = "/THE-SITE/api/"
NONE = "Made by `make docs` alone."
HEAD = """# Swift API

The SDK's modules, made from the comments of the code by DocC. What lies behind these links is drawn by a script that
loads its texts, so a web server is needed for it: any that serves files. From the folder of the site:
`python3 -m http.server --bind 127.0.0.1`.
"""


def words(inline: list[dict]) -> str:
    return "".join(each.get("text") or each.get("code") or words(each.get("inlineContent", [])) for each in inline
                   or [])


def pages(archive: str | None) -> dict[str, str]:
    """The page, by its place."""
    if not archive:
        return {"api/index.md": f"{HEAD}\n{NONE}\n"}
    modules: dict[str, list[str]] = {}
    place = Path(archive) / "data"
    for file in sorted(place.rglob("*.json")):
        data, where = json.loads(file.read_text(encoding="utf-8")), file.relative_to(place).with_suffix("")
        title, kind = data.get("metadata", {}).get("title"), data.get("metadata",
                                                                      {}).get("symbolKind") or data.get("kind", "")
        if title and len(where.parts) == 3 and kind in ("class", "struct", "enum", "protocol", "actor", "article"):
            module = data["metadata"].get("modules", [{}])[0].get("name") or "Articles"
            modules.setdefault(module, []).append(
                f"- <a href=\"{where.as_posix()}/\">{title}</a> {words(data.get('abstract', []))}")
    first = ("Benji", "BenjiPage", "BenjiFace", "BenjiTesting")
    parts = [f"## {module}\n\n" + "\n".join(rows)
             for module, rows in sorted(modules.items(), key=lambda each: (each[0] not in first, each[0]))]
    return {"api/index.md": HEAD + "\n" + "\n\n".join(parts) + "\n"}


def copy(archive: str | None, site: Path) -> None:
    """The archive itself, when the site is built."""
    if not archive:
        return
    place = site / "api"
    # Not what Xcode reads, Apple's pictures, and the first page, which ours replaces.
    unused = shutil.ignore_patterns("metadata.json", "developer-og*", "index.html")
    shutil.copytree(archive, place, dirs_exist_ok=True,
                    ignore=lambda folder, names: unused(folder, names) if folder == archive else ())
    for file in Path(archive).rglob("index.html"):
        here = file.relative_to(archive)
        if here.parent == Path("."):
            continue
        up = "../" * len(here.parent.parts)
        text = file.read_text(encoding="utf-8").replace(f'var baseUrl = "{PLACE}"',
                                                        f'var baseUrl = new URL("{up}", location.href).pathname')
        (place / here).write_text(text.replace(PLACE, up), encoding="utf-8")
    # MkDocs does not follow these links. It counts the warnings of this log.
    for link in re.findall(r'href="((?:documentation|tutorials)/[^"]*)"',
                           (place / "index.html").read_text(encoding="utf-8")):
        if not (place / link / "index.html").exists():
            logging.getLogger("mkdocs.api").warning("api/index.html: %s leads nowhere", link)
