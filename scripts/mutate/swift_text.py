"""Just enough of Swift's lexical grammar to find expressions: code, text, and the end of an operand."""

import re

OPENERS = {"(": ")", "[": "]", "{": "}"}
CLOSERS = {")", "]", "}"}
# A regex literal: no space follows its first slash, as one follows a division's.
PATTERN = re.compile(r"(?<=[(\[ ])#?/((?![ /*])(?:\\.|[^\\/\n])+)/#?")


def mask(source):
    """The source with comments blanked and the insides of string and regex literals replaced by `"`; offsets and lines
    stay.

    Returns the masked text and the spans of the string literals' insides.
    """
    out = list(source)
    strings = []

    def blank(start, end, sign):
        for place in range(start, end):
            if source[place] != "\n":
                out[place] = sign

    def skip_comment(place):
        if source.startswith("//", place):
            end = source.find("\n", place)
            return len(source) if end < 0 else end
        depth, end = 1, place + 2
        while depth and end < len(source):
            if source.startswith("/*", end):
                depth, end = depth + 1, end + 2
            elif source.startswith("*/", end):
                depth, end = depth - 1, end + 2
            else:
                end += 1
        return end

    def skip_string(place):
        """`place` is at the first `#` or quote; returns the offset behind the literal."""
        hashes = 0
        while source[place + hashes] == "#":
            hashes += 1
        quote = '"""' if source.startswith('"""', place + hashes) else '"'
        start = place + hashes + len(quote)
        closing, escape = quote + "#" * hashes, "\\" + "#" * hashes
        here = start
        while here < len(source):
            if source.startswith(escape + "(", here):
                here = skip_code(here + len(escape) + 1, ")") + 1
            elif source.startswith(escape, here):
                here += len(escape) + 1
            elif source.startswith(closing, here):
                strings.append((start, here))
                blank(start, here, '"')
                return here + len(closing)
            else:
                here += 1
        return here

    def skip_code(place, closer):
        """Walks code until an unmatched `closer` (or the end, for `None`)."""
        depth = 0
        while place < len(source):
            char = source[place]
            if source.startswith("//", place) or source.startswith("/*", place):
                end = skip_comment(place)
                blank(place, end, " ")
                place = end
            elif char == '"' or (char == "#" and source[place:].lstrip("#").startswith('"')):
                place = skip_string(place)
            elif pattern := PATTERN.match(source, place):
                blank(*pattern.span(1), '"')
                place = pattern.end()
            else:
                if char in OPENERS:
                    depth += 1
                elif char in CLOSERS:
                    if depth == 0 and char == closer:
                        return place
                    depth -= 1
                place += 1
        return place

    skip_code(0, None)
    return "".join(out), strings


# The tokens that end an operand of a comparison, at its own depth; longest first.
LEFT_ENDS = ("&&", "||", " ? ", " : ", ": ", " = ", ",", ";")
RIGHT_ENDS = ("&&", "||", " ? ", " : ", ",", ";", " {", " else", " where ", " in ")
LEFT_WORDS = (
    "return", "guard", "if", "while", "where", "in", "else", "case", "try", "await", "let", "var", "repeat", "throw",
    "consume", "try?", "try!", "switch", "for",
)


def left_operand(code, operator):
    """Where the operand on the left of the operator at this offset begins."""
    depth, place = 0, operator
    while place > 0:
        char = code[place - 1]
        if char in CLOSERS:
            depth += 1
        elif char in OPENERS:
            if depth == 0:
                break
            depth -= 1
        elif depth == 0:
            if char == "\n" and not _goes_on(code, place):
                break
            if any(code.startswith(end, place - 1) or code.endswith(end, 0, place) for end in LEFT_ENDS):
                break
            if char == " " and _word_before(code, place - 1) in LEFT_WORDS:
                break
        place -= 1
    while place < operator and code[place].isspace():
        place += 1
    return place


def right_operand(code, start):
    """Where the operand that begins at this offset ends."""
    depth, place = 0, start
    while place < len(code) and code[place] == " ":
        place += 1
    while place < len(code):
        char = code[place]
        if depth == 0 and any(code.startswith(end, place) for end in RIGHT_ENDS):
            break
        if char in OPENERS:
            depth += 1
        elif char in CLOSERS:
            if depth == 0:
                break
            depth -= 1
        elif char == "\n" and depth == 0 and not _goes_on(code, place + 1):
            break
        place += 1
    while place > start and code[place - 1].isspace():
        place -= 1
    return place


def clauses(code, start, closing):
    """The comma-separated clauses of a condition from `start` to `closing` at its depth, and where that stands."""
    depth, place, begin, spans = 0, start, start, []
    while place < len(code):
        if depth == 0 and code.startswith(closing, place):
            return spans + [_trimmed(code, begin, place)], place
        char = code[place]
        if char in OPENERS:
            depth += 1
        elif char in CLOSERS:
            depth -= 1
            if depth < 0:
                return [], place
        elif char == "," and depth == 0:
            spans.append(_trimmed(code, begin, place))
            begin = place + 1
        place += 1
    return [], place


def balanced(text):
    depth = 0
    for char in text:
        depth += char in OPENERS
        depth -= char in CLOSERS
        if depth < 0:
            return False
    return depth == 0


def _trimmed(code, begin, end):
    while begin < end and code[begin].isspace():
        begin += 1
    while end > begin and code[end - 1].isspace():
        end -= 1
    return begin, end


def _goes_on(code, line_start):
    """Whether the line that begins here continues the one before."""
    end = code.find("\n", line_start)
    text = code[line_start : len(code) if end < 0 else end].lstrip()
    return text[:2] in ("&&", "||", "??", "==", "!=", "<=", ">=") or text[:1] in (".", "?", "+", "-", "*", "<", ">")


def _word_before(code, place):
    begin = place
    while begin > 0 and (code[begin - 1].isalnum() or code[begin - 1] in "_?!"):
        begin -= 1
    return code[begin:place]
