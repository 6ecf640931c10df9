"""Builds the documentation as a site of static pages: scripts/docs.sh.

    site.py OUTPUT                  the pages, and the search
    site.py OUTPUT --api ARCHIVE    with the documentation of the SDK's modules, a DocC archive made for static hosting

Every document under docs/ becomes a page at its own place, so what a code host shows and what the site shows are the same words; pages of
result codes are made from the catalogue. Nothing is asked of another host, by the program or by the pages."""

import argparse
import json
import posixpath
import re
import shutil
import sys
from pathlib import Path

import api
import codes
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from pages import Page, Renderer, address, glossary, listing

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
READERS = ("ios", "web", "backend", "operator", "auditor")

WORDS = {
    "en": {"skip": "To the text", "search": "Search", "found": "Found", "pages": "Pages", "contents": "On this page", "words": "Words on this page",
           "source": "This page is made from", "guides": "Begin", "reference": "Reference", "documents": "Documents"},
    "zh": {"skip": "跳到正文", "search": "搜索", "found": "搜索结果", "pages": "目录", "contents": "本页内容", "words": "本页用语",
           "source": "本页来源：", "guides": "从这里开始", "reference": "参考", "documents": "文档（英文）"},
}
GUIDES = {"en": ("iOS apps", "Web pages", "App servers", "Running it", "Auditing it"), "zh": ("iOS 应用", "网页", "应用服务器", "运营", "审计")}
# What the menu names, by groups; the other documents are found by search, by links and by the list of all.
MENU = (
    ("For apps and pages", ("ios", "page", "attestation", "app-tests", "app-size", "face", "web-login")),
    ("For app servers", ("cmpassport-dialect", "openid", "callbacks", "camara", "geyan-dialect", "onelogin-dialect", "superid-dialect")),
    ("Moving from another SDK", ("migration/tyrzsdk", "migration/tyrzlogin", "migration/onelogin", "migration/geyan", "migration/superid")),
    ("For operators", ("sandbox", "operations", "console", "load", "performance", "durability")),
    ("For auditors", ("threat-model", "architecture", "testing", "lab", "fuzzing", "decisions/README")),
)


class Site:
    def __init__(self, root: Path, output: Path):
        self.root, self.output = root, output
        self.renderer = Renderer(root)
        self.pages: dict[str, Page] = {}
        self.frame = Environment(
            loader=FileSystemLoader(HERE / "theme"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
            lstrip_blocks=True).get_template("page.html")
        self.glossary = glossary(root)

    def add(self, page: Page) -> None:
        self.pages[page.address] = page

    def collect(self) -> None:
        """Every document, and then whatever they link to."""
        for path in sorted((self.root / "docs").rglob("*.md")):
            # A catalogue of DocC is not read by a code host; its pages are at api/.
            if not any(part.endswith(".docc") for part in path.parts):
                self.document(path.relative_to(self.root).as_posix())
        for language in ("en", "zh"):
            self.add(self.first(language))
        for page in codes.pages(self.root):
            self.add(page)
        done: set[str] = set()
        while left := self.renderer.wanted - done:
            for path in sorted(left):
                done.add(path)
                self.bring(path)

    def document(self, path: str) -> None:
        language = "zh" if "/zh/" in path or path.endswith(".zh-CN.md") else "en"
        page = self.renderer.page(path, language)
        if match := re.fullmatch(r"docs/guides/(en|zh)/(\w+)\.md", path):
            page.kind = "guide"
            page.other = f"guides/{'en' if match[1] == 'zh' else 'zh'}/{match[2]}.html"
        self.add(page)

    def bring(self, path: str) -> None:
        """What a document links to: another document, a folder, a file. Links that lead nowhere are found by links.py."""
        if address(path) in self.pages:
            return
        file = self.root / path
        if path.endswith("/index.md") and not file.exists():
            self.folder(posixpath.dirname(path))
        elif file.suffix == ".md" and file.exists():
            self.document(path)
        elif file.is_file():
            target = self.output / address(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)

    def folder(self, path: str) -> None:
        place, rows = address(f"{path}/index.md"), []
        for file in sorted((self.root / path).iterdir()):
            source = file.relative_to(self.root).as_posix()
            if file.is_file():
                self.renderer.wanted.add(source)
                name = self.renderer.page(source).title if file.suffix == ".md" else file.name
                rows.append(f'<li><a href="{posixpath.relpath(address(source), posixpath.dirname(place))}">{name}</a></li>')
        self.add(Page(place, path, f"<h1>{path}</h1><ul>{''.join(rows)}</ul>", kind="folder", noted=False))

    def first(self, language: str) -> Page:
        source = (HERE / f"theme/first.{language}.html").read_text(encoding="utf-8")
        here = "zh/index.html" if language == "zh" else "index.html"
        return Page(here, "Benji", source, language, [("Benji", "", "")], other="index.html" if language == "zh" else "zh/index.html",
                    kind="first", noted=False)

    def menu(self, page: Page):
        """The links of the menu as this page has them."""
        def link(place: str, title: str) -> dict:
            return {"href": posixpath.relpath(place, posixpath.dirname(page.address) or "."), "title": title, "here": place == page.address}

        language, words = page.language, WORDS[page.language]
        begin = [link(f"guides/{language}/{reader}.html", title) for reader, title in zip(READERS, GUIDES[language])]
        reference = [link(codes.address("index", language), codes.WORDS[language]["index"])]
        if "api/index.html" in self.pages:
            reference.append(link("api/index.html", "Swift API"))
        reference += [link("generated/compatibility.html", "Vendors' calls" if language == "en" else "厂商接口对照"),
                      link("openapi/index.html", "OpenAPI"), link("glossary.html", "Glossary" if language == "en" else "术语表"),
                      link("README.html", "All documents" if language == "en" else "全部文档（英文）")]
        yield words["guides"], begin
        yield words["reference"], reference
        if language == "en":
            for head, names in MENU:
                yield head, [link(f"{name}.html", self.pages[f"{name}.html"].title) for name in names]

    def noted(self, page: Page) -> list[tuple[str, str]]:
        """The words of the glossary that the page uses, so that it can be read by itself."""
        if not page.noted or page.address in ("glossary.html",) or page.kind == "first":
            return []
        text, found = re.sub(r"<[^>]+>", " ", page.html), []
        for word, chinese, meaning in self.glossary:
            name = re.sub(r" \(.*\)", "", chinese if page.language == "zh" else word)
            name = re.sub(r"（.*）", "", name)
            pattern = re.escape(name) if page.language == "zh" else rf"\b{re.escape(name)}s?\b"
            if re.search(pattern, text, re.I):
                found.append((name if page.language == "en" else f"{name} ({word})", self.renderer.markdown.renderInline(meaning)))
        return found

    def write(self) -> None:
        for page in self.pages.values():
            folder = posixpath.dirname(page.address)
            root = posixpath.relpath(".", folder) + "/" if folder else ""
            other = posixpath.relpath(page.other, folder or ".") if page.other else None
            contents = [(head, anchor) for head, anchor, _ in page.sections if anchor and page.kind in ("document",)]
            text = self.frame.render(
                page=page, root=root, words=WORDS[page.language], other=other, menu=list(self.menu(page)), noted=self.noted(page),
                contents=contents if len(contents) > 3 else [])
            target = self.output / page.address
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        for name in ("site.css", "site.js"):
            shutil.copyfile(HERE / "theme" / name, self.output / name)
        index = [[page.language, page.address + (f"#{anchor}" if anchor else ""), page.title, head, " ".join(body.split()), page.kind]
                 for page in self.pages.values() for head, anchor, body in page.sections]
        index += [["en", where, title, module, text, "api"] for page in self.pages.values() for title, where, module, text in page.listed]
        (self.output / "search-index.js").write_text(
            "window.benjiIndex = " + json.dumps(index, ensure_ascii=False, separators=(",", ":")) + ";\n", encoding="utf-8")

    def openapi(self) -> None:
        """The interfaces for programs, readable; the files themselves lie beside."""
        rows = []
        for file in sorted((self.root / "docs/openapi").glob("*.yaml")):
            text = file.read_text(encoding="utf-8")
            title = re.search(r"(?m)^  title: (.*)$", text)[1].strip("\"'")
            rows.append(f'<li><a href="{file.stem}.html">{title}</a> (<a href="{file.name}">{file.name}</a>)</li>')
            self.add(Page(f"openapi/{file.stem}.html", title, f'<h1>{title}</h1><p><a href="{file.name}">{file.name}</a></p>' + listing(text, "yaml"),
                          sections=[(title, "", " ".join(re.findall(r"(?m)^  (/\S+):", text)))], kind="reference", noted=False))
            self.renderer.wanted.add(f"docs/openapi/{file.name}")
        self.add(Page("openapi/index.html", "OpenAPI", f"<h1>OpenAPI</h1><p>The interfaces, described for programs.</p><ul>{''.join(rows)}</ul>",
                      sections=[("OpenAPI", "", "")], kind="reference", noted=False))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--api", type=Path)
    wanted = parser.parse_args()
    shutil.rmtree(wanted.output, ignore_errors=True)
    wanted.output.mkdir(parents=True)
    site = Site(ROOT, wanted.output)
    site.openapi()
    if wanted.api:
        for page in api.pages(wanted.api, wanted.output):
            site.add(page)
    site.collect()
    site.write()
    print(f"    {len(site.pages)} pages in {wanted.output}")


if __name__ == "__main__":
    sys.exit(main())
