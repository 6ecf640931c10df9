"""The documentation as a site (scripts/docs.sh), without DocC's pages: links, result codes, and search in Chromium from
a folder. Also guides and commands of the documents, run as a reader runs them (Verification/snippets.tsv)."""

import json
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from support import axe, guides
from support.browser import Browser
from support.checks import PATIENCE, Stop, eventually, folder
from support.server import ROOT, binary, environment

pytestmark = pytest.mark.seconds(240)

sys.path += [str(ROOT / "scripts/docs"), str(ROOT / "scripts/lib")]
import samples  # noqa: E402 (found by the line above)


def build(root, place):
    """Builds the site of a copy of the repository, as scripts/docs.sh does without the pages that DocC makes."""
    return subprocess.run([sys.executable, "-B", "-m", "mkdocs", "build", "--config-file", root / "mkdocs.yml",
                           "--site-dir", place],
                          capture_output=True, text=True, timeout=PATIENCE,
                          env=environment() | {"NO_MKDOCS_2_WARNING": "1", "PYTHONDONTWRITEBYTECODE": "1"})


@pytest.fixture(scope="module")
def site():
    place = folder() / "site"
    said = build(ROOT, place)
    if said.returncode != 0:
        raise Stop(f"the site is not built: {said.stdout}{said.stderr}")
    return place


def test_links(checks, site):
    """MkDocs finds links that lead nowhere, and they are errors."""
    loaded = re.compile(r'<(?:script[^>]* src|img[^>]* src|link[^>]* href|iframe[^>]* src)="(?:https?:)?//[^"]*')
    found = {path.name: loaded.findall(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    checks.that(len(found) > 100 and not any(found.values()), "nothing is loaded from another host",
                {name: each for name, each in found.items() if each})
    copy = folder() / "copy"
    copy.mkdir()
    for each in ROOT.iterdir():
        if each.name not in (".git", "docs", "scripts", "mkdocs.yml"):
            (copy / each.name).symlink_to(each)
    for name in ("docs", "scripts"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "mkdocs.yml", copy)
    document = copy / "docs/installing.md"
    text = document.read_text(encoding="utf-8")
    for link in ("nowhere.md", "sandbox.md#nowhere", "../Examples/nowhere.md"):
        document.write_text(f"{text}\n[lost]({link})\n", encoding="utf-8")
        said = build(copy, copy / "site")
        checks.that(said.returncode != 0 and "nowhere" in said.stderr, f"a link to {link} is an error",
                    said.stdout + said.stderr)


def test_long_tables(checks, site):
    """The text is not behind a long table: except in reference pages, such a table is closed at first."""
    import hooks
    documents = {path.relative_to(ROOT / "docs").with_suffix("").as_posix(): path
                 for path in sorted((ROOT / "docs").rglob("*.md")) if ".docc" not in str(path)}
    texts = {name: (site / ("index.html" if name == "README"
                            else f"{name}.html".replace("/README.html", "/index.html"))).read_text(encoding="utf-8")
             for name in documents if not name.startswith(hooks.REFERENCE)}

    def longest(text):
        return max((table.count("<tr>") - 1 for table in re.findall(r"(?s)<table.*?</table>", text)), default=0)

    closed = {name: re.sub(r"(?s)<details>.*?</details>", "", text) for name, text in texts.items()}
    checks.equal([name for name, text in closed.items() if longest(text) > hooks.LONG_TABLE], [],
                 "no document shows a table of more than twenty rows at first")
    checks.that([name for name in closed if longest(texts[name]) > hooks.LONG_TABLE], "some have one, which is closed")


def test_codes(checks, site):
    """The site reads the catalogue's tables by itself, so it is held to what the program says of each code."""
    import codes
    told = {}
    for each in json.loads(subprocess.check_output([binary(), "explain", "--all", "--json"], text=True,
                                                   timeout=PATIENCE)):
        for code in codes.spread(each["code"]):
            told.setdefault((each["table"], code, each["version"]), each)
    read = {(each.table, each.code, each.version): each for each in codes.entries(ROOT)}
    checks.equal(sorted(read), sorted(told), "the site has the codes of benji explain, and no others")
    checks.equal([key for key, each in read.items() if key in told
                  and each.texts != {name: told[key][name] for name in ("en", "zh")}], [],
                 "with the same words in both languages")
    differing = [key for key, each in read.items() if key in told and key[0] != "device" and
                 {name for written in each.answered
                  for name in re.findall(r"^~?(\w+)", written)} != set(told[key]["situations"])]
    checks.equal(differing, [], "and for the same situations")
    missing = [code for _, code, _ in told if not (site / codes.address(code)).with_suffix(".html").is_file()]
    checks.equal(missing, [], "each code has an address of its own")


def test_search(checks, site):
    """From a folder, so that no server takes part."""
    with Browser(language="en-US", size=(1200, 900)) as browser:
        browser.open(f"file://{site}/index.html")
        checks.equal(axe.faults(browser), [], "axe-core finds nothing grave on the first page")
        for words, first in (("103125", "codes/103125.html"), ("redeem token server", "guides/en/backend.html"),
                             ("packet core glossary", "glossary.html"),
                             ("installing", "installing.html"), ("token_malformed", "codes/token_malformed.html"),
                             ("Idempotency-Key", "server-api.html"),
                             ("登录", "guides/zh/"), ("应用", "guides/zh/")):
            browser.open(f"file://{site}/index.html")
            browser.click(".md-search__input")
            browser.type(".md-search__input", words)
            found = eventually(lambda: browser.run(
                "return [...document.querySelectorAll('.md-search-result__item')].map("
                "(each) => each.querySelector('a').getAttribute('href'))"), 20) or []
            checks.that(any(first in address for address in found[:5]), f"a search for {words} finds {first}",
                        found[:5])
        browser.resize(390, 844)
        browser.appearance("dark")
        for page in ("guides/zh/web.html", "codes/103125.html", "operations.html"):
            browser.open(f"file://{site}/{page}")
            checks.that(browser.run("return document.documentElement.scrollWidth <= innerWidth"),
                        f"{page} fits a phone's width")
            if page != "operations.html":
                checks.equal(axe.faults(browser), [], f"axe-core finds nothing grave on {page} in the dark")


@pytest.fixture(scope="module")
def reader():
    made = guides.Reader()
    yield made
    made.close()


def test_the_guide_for_ios(checks, reader):
    """Its first step is a package with a test; here is where their files go. Other checks: the manifest compiles
    (scripts/ios/documents.py) and resolves (check-app-resolve.sh); the test is one of the SDK's own (snippets.tsv)."""
    (_, makes), (_, runs) = guides.blocks("docs/guides/en/ios.md")[:2]
    for language in ("en", "zh"):
        text = (ROOT / f"docs/guides/{language}/ios.md").read_text(encoding="utf-8")
        files = re.findall(r"`(FirstLogin/[\w/]*\.swift)`", text.split("## 2.")[0])
        said = reader.run(f"rm -rf FirstLogin\n{makes}\n" + "\n".join(f"touch {file}" for file in files))
        target = re.search(r'testTarget\(\s*name: "(\w+)"', text)[1]
        checks.equal((said.returncode, files),
                     (0, ["FirstLogin/Package.swift", f"FirstLogin/Tests/{target}/FirstLoginTests.swift"]),
                     f"{language}: the folders that it makes take its files, where SwiftPM looks for the test")
    checks.equal(runs, "swift test --package-path FirstLogin\n", "and its test is what it runs")
    guides.follow_ios(checks, reader)


def test_the_guide_for_backends(checks, reader):
    guides.follow_backend(checks, reader)


def test_the_guide_for_the_web(checks, reader):
    guides.follow_web(checks, reader)


def test_the_guide_for_operators(checks, reader):
    guides.follow_operator(checks, reader)


def test_the_guide_for_auditors(checks, reader):
    guides.follow_auditor(checks, reader)


def test_the_sandboxs_commands(checks, reader):
    (_, text) = next(each for each in guides.blocks("docs/sandbox.md") if each[1].startswith("benji sandbox app "))
    said = reader.run(text)
    checks.that(said.returncode == 0 and "localhost:5173" in said.stdout and re.search(r"(?m)^STsid\w+", said.stdout),
                "the commands of sandbox.md, Your own app, run as they stand", said)


HELP = {}


def options(words):
    """The options that a command of benji knows, and whether it is one: it stands as it is asked."""
    if words not in HELP:
        said = subprocess.run([binary(), *words, "--help"], capture_output=True, text=True, timeout=30)
        usage = re.search(r"(?m)^USAGE: benji ?(.*)", said.stdout)
        own = usage and tuple(word for word in usage[1].split() if re.fullmatch(r"[a-z0-9-]+", word))[:len(words)]
        HELP[words] = set(re.findall(r"--[a-z][a-z-]*|(?<![\w-])-[a-z]\b", said.stdout)) if own == words else None
    return HELP[words]


def faults(words):
    """The faults of a command of benji: options or commands that it does not know."""
    path = ()
    while len(path) < len(words) and re.fullmatch(r"[a-z][a-z-]*",
                                                  words[len(path)]) and options((*path, words[len(path)])) is not None:
        path = (*path, words[len(path)])
    if words and not path and not words[0].startswith("-"):
        return [words[0]]
    known = options(path) if path else {"--help", "--version"}
    return [word.split("=")[0] for word in words[len(path):] if re.match(r"--?[a-z]", word)
            and word.split("=")[0] not in known]


def commands(text):
    """The commands of benji in a sample, a list of words each. Text in quotation marks is skipped."""
    for line in re.sub(r"\\\n\s*", " ", text).split("\n"):
        lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        try:
            words = [*lexer, ";"]
        except ValueError:  # a text of several lines
            continue
        while words:
            end = next(at for at, word in enumerate(words) if re.fullmatch(r"[|&;()<>]+", word))
            command = words[:end]
            if command[:1] == ["sudo"]:
                command = command[3:] if command[1] == "-u" else command[1:]
            if command[:1] == ["benji"] and len(command) > 1:
                yield command[1:]
            words = words[end + 1:]


def test_commands_that_are_read(checks):
    targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text()))
    wrong, count, count_of_console = [], 0, 0
    for path in [*ROOT.glob("README*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "Examples").glob("*/*.md")]:
        name = path.relative_to(ROOT).as_posix()
        typed = [samples.typed(text) for _, text in guides.blocks(name, ("console",))]
        count_of_console += len(typed)
        for text in [text for _, text in guides.blocks(name, ("sh",))] + typed:
            parsed = subprocess.run(["bash", "-nc", text], capture_output=True, text=True)
            if parsed.returncode != 0 and "…" not in text:
                wrong.append(f"{name}: bash does not read it: {parsed.stderr}")
            wrong += [f"{name}: there is no make {target}"
                      for target in re.findall(r"(?m)^\s*(?:sudo )?make ([a-z-]+)", text) if target not in targets]
            wrong += [f"{name}: there is no {file}" for file in re.findall(
                r"(?m)(?:^|\s)((?:scripts|Examples)/[\w./-]+\.(?:py|sh))", text) if not (ROOT / file).exists()]
            for words in commands(text):
                count += 1
                wrong += [f"{name}: benji does not know {fault}: benji {' '.join(words)}" for fault in faults(words)]
    checks.equal(wrong, [], "the documents' commands are read by bash, and name what make, benji and the folders have")
    checks.that(count > 80 and count_of_console > 1,
                "many commands of benji were looked at, those typed in a terminal too", (count, count_of_console))
    checks.equal([fault for words in commands(
        samples.typed("$ benji admin grant ana --rolle operator\nana may now sign in\n")) for fault in faults(words)],
                 ["--rolle"], "an option that nobody knows is found in what is typed in a terminal")
    checks.equal(faults("app create -c x --nmae Shop".split()), ["--nmae"], "an option that nobody knows is found")
    checks.equal(faults("ap create".split()), ["ap"], "and a command that nobody knows")
