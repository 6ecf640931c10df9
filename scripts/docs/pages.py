"""Turns the documents of the repository into pages: Markdown as a code host reads it, with links that lead to pages of the site."""

import posixpath
import re
import urllib.parse
from dataclasses import dataclass, field
from pathlib import Path

from markdown_it import MarkdownIt
from markupsafe import escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

# A table of more rows is closed at first, so that what is to be read is not behind it. Reference pages are tables and little else.
LONG_TABLE = 20
REFERENCE = ("generated/", "glossary", "decisions/README", "README")
# Fences whose language has another name in Pygments, or none.
LEXERS = {"sh": "bash", "console": "console", "objc": "objective-c", "haproxy": "text", "keepalived": "text", "radsecproxy": "text", "": "text"}


def address(path: str) -> str:
    """Where a file of the repository is on the site."""
    place = path[len("docs/"):] if path.startswith("docs/") else f"repository/{path}"
    return re.sub(r"\.md$", ".html", place)


@dataclass
class Page:
    """A page of the site, before it has a frame."""
    address: str
    title: str
    html: str
    language: str = "en"
    # Each heading's words, its anchor, and the text below it: what the search looks through.
    sections: list[tuple[str, str, str]] = field(default_factory=list)
    source: str | None = None
    other: str | None = None
    kind: str = "document"
    noted: bool = True
    # What else can be found through this page: title, address, module, text.
    listed: list[tuple[str, str, str, str]] = field(default_factory=list)


def slug(words: str, taken: set[str]) -> str:
    """By what a code host links to a heading; scripts/lib/check-paths.py says the same."""
    plain = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
    name, count = plain, 0
    while name in taken:
        count += 1
        name = f"{plain}-{count}"
    taken.add(name)
    return name


def listing(code: str, language: str) -> str:
    try:
        lexer = get_lexer_by_name(LEXERS.get(language, language))
    except ClassNotFound:
        lexer = get_lexer_by_name("text")
    inner = highlight(code, lexer, HtmlFormatter(nowrap=True))
    return f'<pre tabindex="0"><code class="language-{escape(language or "text")}">{inner}</code></pre>\n'


def plain(html: str) -> str:
    text = re.sub(r"<[^>]+>", " ", html)
    for name, sign in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#39;", "'"), ("&amp;", "&")):
        text = text.replace(name, sign)
    return re.sub(r"\s+", " ", text).strip()


class Renderer:
    """Markdown of this repository. What links lead to is put into `wanted`, so that it can be brought along."""

    def __init__(self, root: Path):
        self.root = root
        self.markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        self.wanted: set[str] = set()

    def link(self, target: str, source: str, place: str) -> str:
        """A link of the document `source`, as the page at `place` has it."""
        if re.match(r"[a-z][a-z0-9+.-]*:", target, re.I) or target.startswith("#"):
            return target
        path, _, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), urllib.parse.unquote(path)))
        if (self.root / path).is_dir():
            path = f"{path}/README.md" if (self.root / path / "README.md").exists() else f"{path}/index.md"
        self.wanted.add(path)
        found = posixpath.relpath(address(path), posixpath.dirname(place) or ".")
        return urllib.parse.quote(found) + (f"#{anchor}" if anchor else "")

    def page(self, source: str, language: str = "en") -> Page:
        text = (self.root / source).read_text(encoding="utf-8")
        place = address(source)
        tokens = self.markdown.parse(text)
        taken: set[str] = set()
        title, sections, current = posixpath.basename(source), [], None
        for at, token in enumerate(tokens):
            if token.type == "heading_open":
                words = plain(self.markdown.renderer.render(tokens[at + 1].children, self.markdown.options, {}))
                anchor = slug(words, taken)
                token.attrSet("id", anchor)
                if token.tag == "h1" and not sections:
                    title = words
                current = (words, anchor if token.tag != "h1" else "", [])
                sections.append(current)
            for child in token.children or []:
                for name in ("href", "src"):
                    if target := child.attrGet(name):
                        child.attrSet(name, self.link(str(target), source, place))
                if child.type == "image":
                    child.attrSet("loading", "lazy")
            if token.type in ("inline", "fence") and current and tokens[at - 1].type != "heading_open":
                current[2].append(token.content if token.type == "fence" else plain(
                    self.markdown.renderer.render(token.children, self.markdown.options, {})))
        html = self._render(tokens, place)
        return Page(place, title, html, language, [(head, anchor, " ".join(body)) for head, anchor, body in sections], source)

    def _render(self, tokens, place: str) -> str:
        options, parts, at = self.markdown.options, [], 0
        folds = not any(place.startswith(each) for each in REFERENCE)
        while at < len(tokens):
            token = tokens[at]
            if token.type == "fence":
                parts.append(listing(token.content, token.info.strip()))
                at += 1
            elif token.type == "table_open":
                end = next(index for index in range(at, len(tokens)) if tokens[index].type == "table_close") + 1
                rows = sum(each.type == "tr_open" for each in tokens[at:end]) - 1
                table = self.markdown.renderer.render(tokens[at:end], options, {})
                table = f'<div class="table" tabindex="0" role="region" aria-label="table">{table}</div>\n'
                if folds and rows > LONG_TABLE:
                    table = f"<details><summary>Table of {rows} rows</summary>{table}</details>\n"
                parts.append(table)
                at = end
            elif token.type == "heading_open" and token.tag != "h1":
                heading = self.markdown.renderer.render(tokens[at:at + 3], options, {})
                mark = f' <a class="anchor" href="#{token.attrGet("id")}" aria-label="link to this section">#</a>'
                parts.append(re.sub(r"(</h\d>)", lambda end: mark + end[1], heading, count=1))
                at += 3
            else:
                # A run of other tokens is rendered as one, so that lists and quotations stay whole.
                end = at
                while end < len(tokens) and not (
                        tokens[end].type in ("fence", "table_open") or tokens[end].type == "heading_open" and tokens[end].tag != "h1"):
                    end += 1
                parts.append(self.markdown.renderer.render(tokens[at:end], options, {}))
                at = end
        return "".join(parts)


def glossary(root: Path) -> list[tuple[str, str, str]]:
    """(word, Chinese, meaning) of docs/glossary.md, as it is written there."""
    rows = re.findall(r"(?m)^\| ([^|]+) \| ([^|]+) \| (.+) \|$", (root / "docs/glossary.md").read_text(encoding="utf-8"))
    return [row for row in rows if row[0] not in ("word", "---") and not row[0].startswith("-")]
