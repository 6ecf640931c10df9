"""Makes a page of every result code from the catalogue's tables (Server/Sources/Catalogue/Tables), in English and
Chinese: meaning, cause and remedy. `benji explain` prints the same;
Tests/System/operating/test_docs.py compares them."""

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path


DIALECTS = {
    "device": "Benji's own interface", "cmpassport": "China Mobile's SDKs and server", "geyan": "GeYan",
    "onelogin": "OneLogin and OnePass",
    "superid": "SuperID", "camara": "CAMARA", "openid": "OpenID Connect",
}
@dataclass
class Entry:
    """A row of the catalogue."""
    dialect: str
    table: str
    source: str
    version: str
    code: str
    texts: dict[str, dict[str, str]]
    # Situations of Benji's own for which the code is answered, as Verification/result-codes.tsv writes them.
    answered: list[str]


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")), delimiter="\t", quoting=csv.QUOTE_NONE))


def entries(root: Path) -> list[Entry]:
    facts = {(row["table"], row["code"], row["version"]): row for row in rows(root / "Verification/result-codes.tsv")}
    of_table = {row["table"]: row for row in facts.values()}
    found = []
    for path in sorted((root / "Server/Sources/Catalogue/Tables").glob("*.tsv")):
        table = path.stem
        for row in rows(path):
            texts = {language: {key: row[f"{language}.{key}"] for key in ("meaning", "cause", "remedy")}
                     for language in ("en", "zh")}
            for code in spread(row["code"]):
                # A row of several codes names each by a placeholder.
                own = {language: {key: text.replace("{code}", code) for key, text in each.items()}
                       for language, each in texts.items()}
                fact = facts.get((table, code, row["version"]))
                said = (fact or {}).get("answered for", "")
                found.append(Entry(
                    "device" if table == "device" else of_table[table]["dialect"], table,
                    "Benji" if table == "device" else of_table[table]["source"], row["version"], code, own,
                    [each.strip() for each in re.split(r";(?![^\[]*\])", said) if each.strip()]))
    return found


def spread(code: str) -> list[str]:
    """The codes of a row, which may be a range."""
    if "..." not in code:
        return [code]
    first, last = map(int, code.split("..."))
    return [str(each) for each in range(first, last + 1)]


def address(code: str) -> str:
    return f"codes/{code}.md"


def order(code: str):
    return (0, int(code), "") if re.fullmatch(r"-?\d+", code) else (1, 0, code)


def pages(root: Path) -> dict[str, str]:
    """The pages, by their place."""
    found = entries(root)
    by_code: dict[str, list[Entry]] = {}
    for entry in found:
        by_code.setdefault(entry.code, []).append(entry)
    own = {entry.code: entry for entry in found if entry.table == "device"}
    return {address(code): page(code, by_code[code], own)
            for code in sorted(by_code, key=order)} | {"codes/index.md": index(found)}


def page(code: str, found: list[Entry], own: dict[str, Entry]) -> str:
    parts = [f"# {code}"]
    if len(found) > 1:
        parts.append("The same code means different things in different tables. Look for the SDK or the call that "
                     "gave it to you.")
    for entry in sorted(found, key=lambda entry: list(DIALECTS).index(entry.dialect)):
        english, chinese = entry.texts["en"], entry.texts["zh"]
        parts += [f"## {DIALECTS[entry.dialect]}: {entry.table}",
                  f"**{escape(english['meaning'])}.** {escape(english['cause'])}",
                  f"**What to do:** {escape(english['remedy'])}",
                  f"**{escape(chinese['meaning'])}。** {escape(chinese['cause'])}",
                  f"**处理：** {escape(chinese['remedy'])}"]
        # Benji's own codes are the situations themselves; OpenID's specifications say when theirs are answered.
        if entry.table not in ("device", "openid"):
            parts.append("Benji answers it for:\n\n" + "\n".join(situation(each, own) for each in entry.answered)
                         if entry.answered else "Benji never answers it.")
        if entry.table != "device":
            parts.append(f"{entry.source}, {entry.version}")
    parts.append("[All result codes](index.md)")
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """As Markdown that says the same."""
    return re.sub(r"([\\`*_<\[])", r"\\\1", text)


def situation(written: str, own: dict[str, Entry]) -> str:
    """One of a code's situations: `~subscriber_unsupported [mobile, unicom]`."""
    near, name, where = re.fullmatch(r"(~?)(\w+)(?: \[(.*)\])?", written).groups()
    meaning = own[name].texts["en"]["meaning"] if name in own else ""
    notes = (["the nearest that the table has"] if near else []) + ([f"only for {where}"] if where else [])
    return f"- [`{name}`]({name}.md) {escape(meaning)}" + (f" ({'; '.join(notes)})" if notes else "")


def index(found: list[Entry]) -> str:
    parts, tables = ["# Result codes", "Every code that the SDK and the servers answer, and every code that the "
                                       "documents of other vendors print. A server explains each at "
                     "`/codes/CODE`, and `benji explain CODE` does in a terminal."], {}
    for entry in found:
        tables.setdefault((entry.dialect, entry.table), []).append(entry)
    for (dialect, table), listed in sorted(tables.items(),
                                           key=lambda each: (list(DIALECTS).index(each[0][0]), each[0][1])):
        parts.append(f"## {DIALECTS[dialect]}: {table}")
        parts.append("| code | means |  |\n|---|---|---|\n" + "\n".join(
            f"| [{escape(each.code)}]({each.code}.md) | {escape(each.texts['en']['meaning'])} | "
            f"{escape(each.texts['zh']['meaning'])} |" for each in listed))
    return "\n\n".join(parts) + "\n"
