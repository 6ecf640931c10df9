#!/usr/bin/env python3
"""Report comments, documents and commit subjects that are hard to read.

    check-english.py FILE...         the named files
    check-english.py DIRECTORY       all tracked files, and the last 200 commit subjects
    check-english.py --change BASE   lines added since BASE, and the subjects of BASE..HEAD
    check-english.py --ceilings      compares the counts of the repository with scripts/lib/english-ceilings.json
    check-english.py --lower         lowers the ceilings to the present counts

Findings: the riddling register in comments, Markdown prose and commit subjects; sentences over 25 words;
code lines over 120 columns; subjects over 72 characters. Quoted text and `code` are exempt, and so are
licence heads, headings and code blocks. Long lines are no finding in files that swift-format ignores, and in samples
that are quoted from vendors' documents. The exit status is 1 if a count exceeds its ceiling.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CEILINGS = ROOT / "scripts/lib/english-ceilings.json"

WORDS, COLUMNS, SUBJECT = 25, 120, 72
# A language's comment: mark of a line comment, opening and end of a block comment, string literals of one line.
C_LIKE = (r"//+[:!]?", r"/\*+", "*/", r'"(?:\\.|[^"\\])*"')
PYTHON = (r"(?<!\S)#+!?", r'^\s*r?"""', '"""', r"""(?<!")"(?:\\.|[^"\\])+"(?!")|'(?:\\.|[^'\\])+'""")
SHELL = (PYTHON[0], r"(?!)", "", PYTHON[3])
LANGUAGES = {**dict.fromkeys(".swift .go .js .ts .c .h .cpp .hpp .m .mm".split(), C_LIKE), ".py": PYTHON,
             **dict.fromkeys(".sh .yml .yaml .toml".split(), SHELL)}
SKIPPED = re.compile(r"(^|/)(\.build|\.git|node_modules|vendor|testdata|generated)/|\.pb(\.gw)?\.go$|\.min\.js$")
QUOTED = re.compile(r"(^|/)Verification/Samples/")

# The riddling register: one habit a line, with the plain replacement.
RIDDLE = re.compile("|".join([
    r"\b[Ww]ho(m|se)?ever\b",  # the party's name: "the caller", "the operator"
    r"\b[Nn]obody('s)?\b|\b([Ss]ome|[Aa]ny|[Ee]very)body's\b",  # "no caller", "another user's", "unassigned"
    r"\b([Tt]ells|[Hh]ears)\b(?! apart)",  # reports, notifies, receives
    r"^(What|Who|Whose) (?!(is|are|do|does|did|about|if|to)\b)[^?]*$",  # begin with the noun that is described
    r"\b[Ww]hat (is|was|are|were|stands?|stood|comes?|came|goes|went|becomes?|became|remains)\b(?![^.]*\?)",  # the noun
    r"\bsays? (so|nothing|no more|itself)\b|\b(is|are|was|were) said\b",  # states, returns, reports
    r"\b([Ss]trangers?('s)?|else's|anew|beside (it|them|that)|worth nothing)\b",  # "unknown", "again", "invalid"
]))
EXEMPT = re.compile(r"``.*?``|`[^`]*`|“[^”]*”|\"[^\"]*\"")
LICENCE = re.compile(r"licen[cs]e|copyright|SPDX", re.IGNORECASE)
Line = collections.namedtuple("Line", "path number text kind")  # kind: comment, prose or subject


def comments(text, mark, opening, end, literal):
    """Yields (line number, text) for comments and docstrings, outside of string literals."""
    in_block = in_string = False
    for number, line in enumerate(text.splitlines(), 1):
        blank = re.sub(literal, lambda match: "_" * len(match[0]), line)
        start = None if in_block or in_string else re.search(f"{opening}|{mark}", blank)
        if in_block or start:
            body, closed, _ = line[start.end() if start else 0:].partition(end) if end else (line[start.end():], "", "")
            in_block = not closed and (in_block or bool(re.fullmatch(opening, start[0])))
            trails = start and blank[:start.start()].strip()  # a comment behind code is a sentence by itself
            yield number, body.strip(" \t*#").rstrip("." if trails else "") + ("." if trails else "")
        elif line.count('"""') % 2:
            in_string = not in_string


def prose(text):
    """Yields (line number, text) for Markdown without headings, code blocks and table rules."""
    fenced = indented = False
    before = ""
    for number, line in enumerate(text.splitlines(), 1):
        indented = line.startswith(("    ", "\t")) and (indented or not before)  # after an empty line: code
        before = line.strip()
        if before.startswith(("```", "~~~")):
            fenced = not fenced
        elif not (fenced or indented or re.match(r"#|<!--|\s*\|?[-:| ]+\|?$", line)):
            yield number, before


def read(path):
    """Returns the comment or prose lines of a file, and its code lines that are too long."""
    text = pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
    if path.endswith(".md"):
        return [Line(path, n, t, "prose") for n, t in prose(text)], []
    script = ".py" if re.match("#!.*python", text) else ".sh" if text.startswith("#!") else ""
    suffix = pathlib.Path(path).suffix or script
    if suffix not in LANGUAGES:
        return [], []
    found = list(comments(text, *LANGUAGES[suffix]))
    head = [row for index, row in enumerate(found, 1) if row[0] == index]  # the comment that begins on line 1
    if any(LICENCE.search(t) for _, t in head):
        found = found[len(head):]
    free = text.startswith("// swift-format-ignore-file") or QUOTED.search(path)
    long = [] if free else [
        Line(path, n, t, "code") for n, t in enumerate(text.splitlines(), 1) if len(t) > COLUMNS]
    return [Line(path, n, t, "comment") for n, t in found], long


def riddling(lines):
    """Returns the riddling lines, worst first, with their share in per cent and the count of lines with words."""
    counted = [line for line in lines if len(re.findall("[A-Za-z]{2,}", line.text)) > 1]
    hits = {line: len(RIDDLE.findall(EXEMPT.sub("X", line.text))) for line in counted}
    found = sorted((line for line in counted if hits[line]), key=lambda line: -hits[line])
    return found, 100 * len(found) / max(len(counted), 1), len(counted)


def sentences(lines):
    """Joins adjacent lines of a file; yields (first line, sentence). List items and table cells stay apart."""
    block = []
    for line in [*lines, None]:
        joins = block and line and (line.path, line.number) == (block[-1].path, block[-1].number + 1)
        if block and not (joins and line.text and not re.match(r"[-*|] ?|\d+\. ", line.text)):
            text = EXEMPT.sub("X", " ".join(part.text for part in block))
            yield from ((block[0], sentence) for sentence in re.split(r"(?<=[.!?])\s+|\s*\|\s*", text))
            block = []
        if line and line.text:
            block.append(line)


def git(*arguments, cwd="."):
    done = subprocess.run(["git", *arguments], cwd=cwd, capture_output=True, text=True, errors="replace")
    if done.returncode and arguments[0] == "diff":
        sys.exit(done.stderr.strip())
    return done.stdout if done.returncode == 0 else ""


def subjects(*arguments, cwd="."):
    log = git("log", "--no-merges", "--format=%h%x09%s", *arguments, cwd=cwd)
    return [Line(commit, 0, text, "subject") for commit, text in (row.split("\t", 1) for row in log.splitlines())]


def added_lines(base):
    """Maps each changed file to the numbers of its added lines."""
    added, path = {}, None
    for row in git("diff", "-U0", "--no-color", "--no-ext-diff", "--relative", base).splitlines():
        if row.startswith("+++ "):
            path = row[6:] if row.startswith("+++ b/") else None
        elif path and (match := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", row)):
            first, count = int(match[1]), int(match[2] or 1)
            added.setdefault(path, set()).update(range(first, first + count))
    return added


def tracked(folder):
    names = git("ls-files", cwd=folder).splitlines() or map(str, pathlib.Path(folder).rglob("*"))
    return [os.path.join(folder, name) for name in names if not SKIPPED.search(name)]


def long_sentences(lines):
    """Returns the sentences of too many words, each with its count."""
    counted = ((line._replace(text=sentence), len(sentence.split())) for line, sentence in sentences(lines))
    return [row for row in counted if row[1] > WORDS]


def compare(lines, long, lower):
    """Holds the counts to their ceilings, or lowers the ceilings; returns the exit status."""
    counts = {
        "riddling comments": len(riddling([line for line in lines if line.kind == "comment"])[0]),
        "riddling prose": len(riddling([line for line in lines if line.kind == "prose"])[0]),
        f"sentences over {WORDS} words": len(long_sentences(lines)), f"code lines over {COLUMNS} columns": len(long)}
    ceilings = json.loads(CEILINGS.read_text(encoding="utf-8"))
    higher = {name: count for name, count in counts.items() if count > ceilings[name]}
    for name, count in higher.items():
        print(f"{name}: {count}, at most {ceilings[name]}; see yours with: "
              "python3 -B scripts/lib/check-english.py --change HEAD~1")
    if lower:
        CEILINGS.write_text(json.dumps({name: min(count, ceilings[name]) for name, count in counts.items()}, indent=2)
                            + "\n", encoding="utf-8")
    print("    " + "; ".join(f"{name}: {count}" for name, count in counts.items()))
    return int(bool(higher) and not lower)


def report(lines, long, commits, worst):
    """Prints the findings."""
    def show(title, rows):
        print(f"{title}: {len(rows)}")
        for line, note in rows[:worst]:
            print(f"  {line.path}{f':{line.number}' if line.number else ''}: {note}{line.text}"[:180])

    for kind in ("comment", "prose", "subject"):
        found, share, count = riddling([line for line in lines + commits if line.kind == kind])
        show(f"{kind} lines in the riddling register, {share:.1f} % of {count}", [(line, "") for line in found])
    wordy = sorted(long_sentences(lines), key=lambda row: -row[1])
    show(f"sentences over {WORDS} words", [(line, f"{count} words: ") for line, count in wordy])
    show(f"code lines over {COLUMNS} columns", [(line, f"{len(line.text)} columns: ") for line in long])
    wide = [(line, f"{len(line.text)}: ") for line in commits if len(line.text) > SUBJECT]
    show(f"commit subjects over {SUBJECT} characters", wide)


def self_test():
    swift = '/// Whoever asks.\nlet a = "// what is"  // Returns the row.\n/* One\n * two */'
    assert list(comments(swift, *C_LIKE)) == [(1, "Whoever asks."), (2, "Returns the row."), (3, "One"), (4, "two")]
    python = 'def f():\n    """Nobody\'s row."""\n    return "what is"  # the row'
    assert list(comments(python, *PYTHON)) == [(2, "Nobody's row."), (3, "the row.")]
    assert list(prose("# Whoever\nText.\n```\ncode\n```\n|---|---|\n| cell |")) == [(2, "Text."), (7, "| cell |")]
    bad = ["Whoever asks.", "What is kept.", "Makes it nobody's.", "Tells the app.", "It is what stands below."]
    good = ["What is a token?", "What to do next.", "Refuses `whoever` and \"what is\".", "Anybody may call it."]
    lines = [Line("a", number, text, "comment") for number, text in enumerate(bad + good)]
    assert sorted(line.text for line in riddling(lines)[0]) == sorted(bad)
    lines = [Line("a", n, t, "comment") for n, t in ((1, "One thought"), (2, "a sentence. Two."), (4, "Three."))]
    assert [sentence for _, sentence in sentences(lines)] == ["One thought a sentence.", "Two.", "Three."]
    print("    each habit is found, and plain sentences are not")


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # end quietly when the reader of a pipe ends
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", metavar="FILE or DIRECTORY")
    parser.add_argument("--change", metavar="BASE", help="a commit; the paths are then ignored")
    parser.add_argument("--worst", type=int, default=15, metavar="N", help="lines shown for each finding (15)")
    parser.add_argument("--ceilings", action="store_true")
    parser.add_argument("--lower", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    if options.ceilings or options.lower:
        os.chdir(ROOT)
        options.paths = ["."]
    files, commits, added = [], [], None
    if options.change:
        added = added_lines(options.change)
        files, commits = [path for path in added if not SKIPPED.search(path)], subjects(options.change + "..HEAD")
    for path in [] if options.change else options.paths or ["."]:
        if not os.path.exists(path):
            parser.error(f"{path}: no such file or directory")
        files += tracked(path) if os.path.isdir(path) else [path]
        commits += subjects("-200", cwd=path) if os.path.isdir(path) else []
    found = [read(path) for path in files if os.path.isfile(path) and not os.path.islink(path)]
    lines, long = ([line for pair in found for line in pair[part] if added is None or line.number in added[line.path]]
                   for part in (0, 1))
    lines, long = list(lines), list(long)
    if options.ceilings or options.lower:
        return compare(lines, long, options.lower)
    report(lines, long, commits, options.worst)
    return 0


if __name__ == "__main__":
    sys.exit(main())
