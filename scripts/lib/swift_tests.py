"""Finds the tests that show something: from a place in a test file to the @Tests that get there.

A place counts only if a test reaches it. It is in the test itself, or in a function or value that the test names. Names
are followed from there on, within the files of one group."""

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

DECLARATION = re.compile(r"\b(func|var|let|struct|class|enum|extension|actor|protocol)\s+`?(\w+)|\b(init)\b(?=[?(<])")
TITLE = re.compile(r'@Test\(\s*(?:"""\n((?:[^\\]|\\.)*?)\n *"""|"((?:[^"\\]|\\.)+)")', re.S)
TYPES = {"struct", "class", "enum", "extension", "actor", "protocol"}
STEPS = 6


@dataclass
class Declaration:
    file: "TestFile"
    kind: str
    name: str
    start: int
    end: int
    # The title of the test, if this is one.
    test: str | None = None

    @property
    def text(self) -> str:
        return self.file.code[self.start : self.end]


class TestFile:
    def __init__(self, path: Path):
        self.path = path
        self.code = without_comments(path.read_text())
        self.declarations = list(self._declarations())

    def around(self, place: int) -> list[Declaration]:
        """The declarations that hold a place, the innermost first."""
        holding = [found for found in self.declarations if found.start <= place < found.end]
        return sorted(holding, key=lambda found: found.end - found.start)

    def _declarations(self):
        for match in DECLARATION.finditer(self.code):
            kind, name = match[1] or match[3], match[2] or "init"
            yield self._declaration(kind, name, match.start())

    def _declaration(self, kind: str, name: str, start: int) -> Declaration:
        test = None
        if kind == "func":
            before = self.code[:start]
            attribute = before.rfind("@Test")
            # Between the attribute and the function stand only its arguments and modifiers.
            if attribute >= 0 and not re.search(r"[{}]\s*$|\bfunc\b", strip_arguments(before[attribute:])):
                title = TITLE.match(self.code, attribute)
                test, start = (joined(title[1] or title[2]) if title else name), attribute
        return Declaration(self, kind, name, start, end_of(self.code, start, kind), test)


class Tests:
    """The files of one group: a target's tests and what they share with others."""

    def __init__(self, folders: list[Path]):
        self.files = [TestFile(path) for folder in folders for path in sorted(folder.rglob("*.swift"))]
        # Where each word stands: the declarations around it.
        self.mentions: dict[str, list[list[Declaration]]] = {}
        for file in self.files:
            for word in re.finditer(r"\b[A-Za-z_]\w*\b", file.code):
                self.mentions.setdefault(word[0], []).append(file.around(word.start()))

    def showing(
        self, pattern: str, beside: str = "", folder: str = "", through_types: bool = False, far: bool = False
    ) -> dict[tuple[str, str], int]:
        """The tests that reach a match: the name of each and its file's, and over how many declarations it gets there.

        - beside: another pattern that the file of the match must hold.
        - folder: a folder in which the match must be.
        - through_types: whether all of a type counts where a test names the type, as with a double that receives calls.
        - far: whether tests count that get there over more declarations than the nearest."""
        found: dict[tuple[str, str], int] = {}
        for file in self.files:
            if folder not in str(file.path) or not re.search(beside, file.code):
                continue
            for match in re.finditer(pattern, file.code):
                for test, steps in self._reaching(file, match.start(), through_types, far).items():
                    found[test] = min(steps, found.get(test, steps))
        return found

    def _reaching(self, file: TestFile, place: int, through_types: bool, far: bool) -> dict[tuple[str, str], int]:
        frontier, seen = file.around(place), set()
        reached: dict[tuple[str, str], int] = {}
        for steps in range(STEPS):
            for declaration in frontier:
                if declaration.test:
                    reached.setdefault((declaration.test, declaration.file.path.stem), steps)
            names = {
                declaration.name for declaration in frontier
                if declaration.name != "init" and not declaration.test
                and (through_types or declaration.kind not in TYPES)
            } - seen
            if reached and not far or not names:
                break
            seen |= names
            frontier = [holder for name in sorted(names) for holders in self.mentions.get(name, [])
                        for holder in holders]
        return reached


def joined(text: str) -> str:
    """A literal of several lines as one line, if each goes on in the next."""
    return re.sub(r"\\\n\s*", "", text).strip()


def without_comments(text: str) -> str:
    """Comments blanked out; strings stay."""
    pattern = r'"""(?:.|\n)*?"""|"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*(?:.|\n)*?\*/'
    return re.sub(pattern, lambda match: match[0] if match[0][0] == '"' else " " * len(match[0]), text)


def strip_arguments(text: str) -> str:
    """Without everything in parentheses."""
    while (shorter := re.sub(r"\([^()]*\)", "", text)) != text:
        text = shorter
    return text


def end_of(code: str, start: int, kind: str) -> int:
    """Where a declaration ends: after its braces, or for a value without braces at the end of its last line."""
    depth, place, in_body = 0, start, False
    while place < len(code):
        if code[place] == '"':
            string = re.compile(r'"""(?:.|\n)*?"""|"(?:[^"\\\n]|\\.)*"').match(code, place)
            place = string.end() if string else place + 1
            continue
        if code[place] in "([{":
            depth += 1
            in_body = in_body or (code[place] == "{" and depth == 1)
        elif code[place] in ")]}":
            depth -= 1
            if depth < 0 or (depth == 0 and code[place] == "}" and in_body and kind not in {"var", "let"}):
                return place + 1
        elif code[place] == "\n" and depth == 0 and kind in {"var", "let"} and not continues(code, place):
            return place
        place += 1
    return len(code)


def continues(code: str, newline: int) -> bool:
    """Whether a value goes on in the next line."""
    return bool(re.search(r"[=,&|?:+]\s*$", code[:newline])) or bool(re.match(r"\s*[.?:&|+{]", code[newline:]))


SAMPLE = '''
@Suite struct SampleTests {
    // Sdk.inAComment()
    static var rows: [Row] { [Row(named: "x") { Sdk.inARow() }] }
    private func unused() { Sdk.inUnused() }
    private func helper() { deeper() }
    private func deeper() { Sdk.inAHelper() }

    @Test("Rows hold", arguments: rows)
    func each(row: Row) { row.run() }

    @Test(
        """
        A long title goes on \\
        in its second line
        """
    )
    func long() { Sdk.inALongTest() }

    @Test func direct() async throws {
        helper()
        #expect(Sdk.inATest { "}" } == 1)
        use(Hearing())
    }
}

final class Hearing: Delegate {
    func heard() {}
}
'''


def self_test() -> list[str]:
    """Returns the names whose tests are found wrongly in a sample."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "SampleTests.swift").write_text(SAMPLE)
        tests = Tests([Path(folder)])
    expected = {
        "inATest": "direct", "inAHelper": "direct", "inARow": "Rows hold", "inUnused": None, "inAComment": None,
        "inNoPlace": None, "inALongTest": "A long title goes on in its second line",
    }
    found = {name: tests.showing(rf"Sdk\.{name}\b") for name in expected}
    wrong = [name for name, test in expected.items() if [title for title, _ in found[name]] != ([test] if test else [])]
    hearing = [tests.showing("func heard", through_types=through) for through in (False, True)]
    return wrong + (["a double's methods"] if hearing[0] or not hearing[1] else [])
