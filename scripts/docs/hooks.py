"""Adds to the site the pages that are no documents of docs/: linked files and folders, result codes, interfaces for
programs, and SDK modules. DocC made the modules' pages ($BENJI_DOCC names the archive)."""

import os
import posixpath
import re
import sys
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(Path(__file__).parent))
import api  # noqa: E402
import codes  # noqa: E402

# A link of Markdown: the text before its target, and the target.
LINK = re.compile(r"(\]\()([^)\s]+)")
# A table of more rows is closed at first, so that the text below it is seen. Pages of reference are mostly tables.
LONG_TABLE = 20
# Pages that the search lists before others, and after them.
FIRST = ("guides/", "glossary", "installing")
LAST = ("reports/", "decisions/", "generated/", "repository/")
REFERENCE = ("generated/", "glossary", "decisions/README", "README", "codes/", "migration/promises")


def place(path):
    """Where a file of the repository is among the site's sources."""
    return path[len("docs/"):] if path.startswith("docs/") else f"repository/{path}"


def origin(uri):
    """Where a source of the site is in the repository."""
    return uri[len("repository/"):] if uri.startswith("repository/") else f"docs/{uri}"


def target(link, source):
    """(the file of the repository that a link of the document `source` leads to, its anchor); nothing for another site,
    or within the page."""
    if re.match(r"[a-z][a-z0-9+.-]*:|#", link, re.I):
        return None
    path, _, anchor = link.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    if (ROOT / path).is_dir():
        path += "/README.md" if (ROOT / path / "README.md").exists() else "/index.md"
    return path, anchor


def listing(folder):
    """A page for a folder that a document links to."""
    names = sorted(file.name for file in (ROOT / folder).iterdir() if file.is_file())
    return f"# {folder}\n\n" + "\n".join(f"- [{name}]({name})" for name in names) + "\n"


def openapi():
    """Pages of the interfaces for programs, by name."""
    pages, rows = {}, []
    for file in sorted((ROOT / "docs/openapi").glob("*.yaml")):
        text = file.read_text(encoding="utf-8")
        title = re.search(r"(?m)^  title: (.*)$", text)[1].strip("\"'")
        rows.append(f"- [{title}]({file.stem}.md) ([{file.name}]({file.name}))")
        pages[f"openapi/{file.stem}.md"] = f"# {title}\n\n[{file.name}]({file.name})\n\n````yaml\n{text}````\n"
    return pages | {"openapi/index.md": "# OpenAPI\n\nThe interfaces, described for programs.\n\n"
                    + "\n".join(rows) + "\n"}


def on_files(files, config):
    def add(uri, **source):
        files.append(File.generated(config, uri, **source))

    for uri, text in (openapi() | codes.pages(ROOT) | api.pages(os.environ.get("BENJI_DOCC"))).items():
        add(uri, content=text)
    wanted = [f"docs/{file.src_uri}" for file in files.documentation_pages() if (ROOT / "docs" / file.src_uri).exists()]
    known = set(wanted)
    while wanted:
        source = wanted.pop()
        for _, link in LINK.findall((ROOT / source).read_text(encoding="utf-8")):
            found = target(link, source)
            if not found or found[0] in known:
                continue
            path = found[0]
            known.add(path)
            if path.endswith("/index.md") and not files.get_file_from_path(place(path)):
                add(place(path), content=listing(posixpath.dirname(path)))
                # The files of the folder are there already if it is under docs/.
                if not path.startswith("docs/"):
                    for file in (ROOT / path).parent.iterdir():
                        if file.is_file() and not files.get_file_from_path(
                            place(f"{posixpath.dirname(path)}/{file.name}")):
                            add(place(f"{posixpath.dirname(path)}/{file.name}"), abs_src_path=str(file))
            elif not path.startswith("docs/") and (ROOT / path).is_file():
                add(place(path), abs_src_path=str(ROOT / path))
                if path.endswith(".md"):
                    wanted.append(path)
    return files


def on_page_markdown(markdown, page, config, files):
    uri = page.file.src_uri
    page.meta["search"] = {"boost": 4 if uri.startswith(FIRST) else 0.5 if uri.startswith(LAST) else 1}

    def led(match):
        found = target(match[2], origin(uri))
        if not found or not (ROOT / origin(uri)).exists():
            return match[0]
        where = posixpath.relpath(place(found[0]), posixpath.dirname(uri) or ".")
        return match[1] + where + (f"#{found[1]}" if found[1] else "")

    return LINK.sub(led, markdown)


def on_page_content(html, page, config, files):
    if page.file.src_uri.startswith(REFERENCE):
        return html
    return re.sub(r"(?s)<table>.*?</table>", lambda table: table[0]
                  if (rows := table[0].count("<tr>") - 1) <= LONG_TABLE else
                  f"<details><summary>Table of {rows} rows</summary>{table[0]}</details>", html)


def on_post_page(output, page, config):
    """Sets the language of Chinese pages."""
    return output.replace('<html lang="en"', '<html lang="zh-CN"',
                          1) if re.search(r"/zh/|zh-CN", page.file.src_uri) else output


def on_post_build(config):
    api.copy(os.environ.get("BENJI_DOCC"), Path(config.site_dir))
