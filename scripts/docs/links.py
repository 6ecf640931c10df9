"""Follows every link of the site that was built, as a browser would: to a file, and to an anchor in it if it names one. Nothing may be
loaded from another host.

    links.py SITE           fails, and says where, when a link leads nowhere
    links.py --self-test    shows that such links are found
"""

import sys
import tempfile
import urllib.parse
from html.parser import HTMLParser
from pathlib import Path

# What a browser fetches by itself; a link of `a` may lead to another site.
LOADED = {("img", "src"), ("script", "src"), ("link", "href"), ("source", "src"), ("iframe", "src")}


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[tuple[int, str, bool]] = []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value or "")
            elif value is not None and (tag == "a" and name == "href" or (tag, name) in LOADED):
                self.links.append((self.getpos()[0], value, (tag, name) in LOADED))


def read(page: Path) -> Reader:
    reader = Reader()
    reader.feed(page.read_text(encoding="utf-8"))
    return reader


def findings(site: Path):
    """What is wrong, a line each; and how many links were followed."""
    site = site.resolve()
    # Pages of the DocC archive are empty until their script has run; site.py has made their addresses, and DocC checks its links.
    pages = {page: read(page) for page in sorted(site.rglob("*.html")) if page.relative_to(site).parts[:2] not in (("api", "documentation"), ("api", "tutorials"))}
    wrong, count = [], 0
    for page, reader in pages.items():
        for line, link, loaded in reader.links:
            place = f"{page.relative_to(site)}:{line}"
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                if loaded and parts.scheme != "data":
                    wrong.append(f"{place}: {link} would be loaded from another host")
                continue
            count += 1
            if link.startswith("/"):
                wrong.append(f"{place}: {link} is right at one address only")
                continue
            target = (page.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else page
            if not target.is_relative_to(site) or not target.is_file():
                wrong.append(f"{place}: {link} leads to no file")
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
                wrong.append(f"{place}: {link} leads to no heading")
    return wrong, count


def self_test() -> None:
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder)
        (site / "a").mkdir()
        (site / "a/b.html").write_text('<h1 id="one">x</h1><a href="../c.html#two">good</a><a href="#one">good</a>', encoding="utf-8")
        (site / "c.html").write_text(
            '<h1 id="two">x</h1><a href="https://example.com/none">good</a>\n<a href="a/c.html">bad</a>\n<a href="a/b.html#two">bad</a>\n'
            '<img src="https://example.com/x.png">\n<a href="/c.html">bad</a>\n<img src="none.png">', encoding="utf-8")
        found, count = findings(site)
        if [each.split(":")[1] for each in found] != ["2", "3", "4", "5", "6"] or count != 6:
            sys.exit(f"error: the check of links does not find what it must: {found}, {count}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    elif len(sys.argv) != 2:
        sys.exit(__doc__)
    else:
        faults, followed = findings(Path(sys.argv[1]))
        print("\n".join(faults) or f"    {followed} links of the site lead somewhere, and nothing is loaded from another host")
        sys.exit(1 if faults else 0)
