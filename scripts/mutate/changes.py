"""Small changes of meaning that can be made in a Swift file, each behind a switch: `benjiMutant(n) ? changed :
original`.

All are in the program at once and none is in force until it is chosen at start, so that one build serves many. A change
that does not compile is left out; the compiler says which.
"""

import hashlib
import re
from dataclasses import dataclass

import swift_text

FLIPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
# Calls that log, check or reserve room change no answer.
SPEAKS_ONLY = re.compile(
    r"\b(logger|log|metrics|meters|progress|print|precondition|assert|assertionFailure|preconditionFailure|"
    r"keepingCapacity|reserveCapacity)\b")
STATEMENT = re.compile(
    r"(?:try[?!]? |await |_ = )*[A-Za-z_][\w.?!]*(?:\[[^\[\]\n]*\][\w.?!]*)?(?:\(.*\)| [-+|&*/]?= [^=].*)$")


@dataclass(frozen=True)
class Change:
    """Replaces [start, end) of a file; `{}` in `text` is the switch's number."""

    path: str
    start: int
    end: int
    text: str
    kind: str
    line: int
    before: str
    after: str
    key: str

    def describe(self):
        return f"{self.path}:{self.line}: {self.kind}: {self.before} → {self.after}"


def changes(path, source):
    """Every change that can be made in this file, in the order of its text."""
    code, strings = swift_text.mask(source)
    made = []
    counts = {}

    def add(kind, start, end, text, before, after):
        if source.count("\n", start, end) > 3:
            return
        one_line = lambda words: re.sub(r"\s+", " ", words)
        before, after = one_line(before), one_line(after)
        identity = f"{path}|{kind}|{before}|{after}"
        counts[identity] = counts.get(identity, 0) + 1
        key = hashlib.sha256(f"{identity}|{counts[identity]}".encode()).hexdigest()[:12]
        made.append(Change(path, start, end, text, kind, source.count("\n", 0, start) + 1, before, after, key))

    def either(changed, original):
        return f"(benjiMutant({{}}) ? {changed} : {original})"

    for found in re.finditer(r"(?<=[\w)\]\"?!] )(<=|>=|==|!=|<|>)(?= )|(?<=\n)( *)(==|!=|<=|>=)(?= )", code):
        if found.group(1) is None:
            continue
        operator, place = found.group(1), found.start(1)
        left = swift_text.left_operand(code, place)
        right = swift_text.right_operand(code, place + len(operator))
        whole = source[left:right]
        flipped = source[left:place] + FLIPS[operator] + source[place + len(operator) : right]
        # In a closure that sorts, elements that are equal may come in either order.
        first, second = code[left:place].strip(), code[place + len(operator) : right].strip()
        is_sort = operator in ("<", ">") and "$0" in first and first.replace("$0", "$1") == second
        if whole.strip() and swift_text.balanced(code[left:right]) and not is_sort:
            add("comparison", left, right, either(flipped, whole), whole, flipped)

    for found in re.finditer(r"(?<![\w.#])(guard|if|while) ", code):
        word = found.group(1)
        closing = " else {" if word == "guard" else " {"
        spans, _ = swift_text.clauses(code, found.end(), closing)
        if word == "guard" and not spans:
            spans, _ = swift_text.clauses(code, found.end(), "\n" + _indent(code, found.start()) + "else {")
        for begin, end in spans:
            clause = source[begin:end]
            if not clause or re.match(r"(let|var|case|#|try|await)\b|#", clause):
                continue
            kept = "true" if word == "guard" else "false"
            add("condition", begin, end, either(kept, f"({clause})"), f"{word} {clause}", kept)

    for found in re.finditer(r" (&&|\|\|) ", code):
        left = swift_text.left_operand(code, found.start())
        right = swift_text.right_operand(code, found.end())
        for begin, end in ((left, found.start()), (found.end(), right)):
            part = source[begin:end].strip()
            if part.strip() and swift_text.balanced(code[begin:end]) and not re.match(r"(try|await)\b", part):
                idle = "true" if found.group(1) == "&&" else "false"
                add("condition", begin, end, either(idle, f"({part})"), f"{found.group(1)} {part}", idle)

    for found in re.finditer(r"(?<![\w.$#])(\d[\d_]*)(?![\w.]|\.\d)", code):
        line = _line(code, found.start())
        if re.match(r"\s*(case|@|#|enum)", line) or SPEAKS_ONLY.search(line):
            continue
        number = int(found.group(1).replace("_", ""))
        if number == 0 and not re.search(r"[<>=] 0$", code[max(0, found.start() - 2) : found.end()]):
            continue
        other = number + 1 if number < 100 else number // 2
        add("bound", found.start(), found.end(), either(str(other), found.group(1)),
            _line(source, found.start()).strip(), f"{other} for {number}")

    for found in re.finditer(r"(?<![\w.])(true|false)\b", code):
        line = _line(code, found.start())
        if re.match(r"\s*(case|@|#)", line) or SPEAKS_ONLY.search(line):
            continue
        other = "false" if found.group(1) == "true" else "true"
        add("truth", found.start(), found.end(), either(other, found.group(1)), _line(source, found.start()).strip(),
            other)

    made_statements(code, source, add)
    made_queries(source, strings, add)
    made_swaps(code, source, add, either)
    return sorted(made, key=lambda change: (change.start, change.end))


def made_statements(code, source, add):
    """Statements of one line that can be left out."""
    lines, offset = code.split("\n"), 0
    for index, line in enumerate(lines):
        start, text = offset + len(line) - len(line.lstrip()), line.strip()
        offset += len(line) + 1
        if not text or not swift_text.balanced(text) or SPEAKS_ONLY.search(text) or not STATEMENT.match(text):
            continue
        if re.match(
            r"(return|throw|break|continue|let|var|case|default|import|func|static|init|super|self\.init|if|guard|"
            r"for|while|switch|private|public|internal|package|mutating|fallthrough|defer|do|else|struct|enum|"
            r"extension|deinit)\b|self\.\w+ = ", text):
            continue
        previous = next((other.rstrip() for other in reversed(lines[:index]) if other.strip()), "")
        following = next((other.strip() for other in lines[index + 1 :] if other.strip()), "")
        if not re.search(r"([{};)\]\w\"?!]|case .*:|default:|\bin)$",
                         previous) or re.search(r"(,|\(|\[|=|return|\?|:)$", previous.replace(
                             "default:", "").rstrip()) and not re.match(r"\s*(case\b.*|default):$", previous):
            continue
        if re.match(r"[.?:+*/&|=<>-]|else\b", following):
            continue
        end = start + len(text)
        original = source[start:end]
        add("statement", start, end, f"if !benjiMutant({{}}) {{ {original} }}", original, "left out")


def made_queries(source, strings, add):
    """Comparisons and conditions of SQL."""
    for begin, end in strings:
        text = source[begin:end]
        if not re.search(r"\b(SELECT|UPDATE|DELETE|WHERE)\b|\bAND\b", text) or "CREATE " in text:
            continue
        conditions = text.find("WHERE") if re.search(r"\b(UPDATE|SELECT|DELETE)\b", text) else 0
        if conditions < 0:
            continue
        for found in re.finditer(r"(?<= )(<=|>=|<>|=|<|>|AND)(?= )|(?<=\n)( *)(AND)(?= )", text[conditions:]):
            sign = found.group(1) or found.group(3)
            start = begin + conditions + (found.start(1) if found.group(1) else found.start(3))
            other = {"=": "<>", "<>": "=", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "AND": "OR"}[sign]
            switch = '\\(benjiMutant({}) ? "' + other + '" : "' + sign + '")'
            # A line that goes on in the next one is one line of SQL.
            before, behind = (re.sub(r"\\\n\s*", "", part) for part in (source[begin:start], source[start:end]))
            around = before[-24:] + behind[:24]
            add("query", start, start + len(sign), switch, around, other)


def made_swaps(code, source, add, either):
    """Two simple arguments of one call change places."""
    name = r"[A-Za-z_][\w.]*"
    for found in re.finditer(rf"(?<![\w.])({name})\((\w+: )?({name}), (\w+: )?({name})\)(?! *\{{)", code):
        call, first_label, first, second_label, second = found.groups()
        if first == second or "db" in (first, second) or call in ("func", "init", "max", "min") or re.search(
            r"\bfunc $", code[: found.start()][-6:]):
            continue
        swapped = f"{call}({first_label or ''}{second}, {second_label or ''}{first})"
        add("swap", found.start(), found.end(), either(swapped, found.group(0)), found.group(0), swapped)


def applied(source, numbered):
    """The source with these changes, as (number, change); none may overlap another."""
    for number, change in sorted(numbered, key=lambda pair: pair[1].start, reverse=True):
        # Only the switch's place: other braces are the program's own.
        text = change.text.replace("benjiMutant({})", f"benjiMutant({number})", 1)
        source = source[: change.start] + text + source[change.end :]
    return source


def _line(code, place):
    begin = code.rfind("\n", 0, place) + 1
    end = code.find("\n", place)
    return code[begin : len(code) if end < 0 else end]


def _indent(code, place):
    line = _line(code, place)
    return line[: len(line) - len(line.lstrip())]
