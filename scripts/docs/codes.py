"""Makes a page of every result code out of the catalogue's tables (Server/Sources/Catalogue/Tables), in English and in Chinese: what it
means, why it comes and what to do, in each table that has it. `benji explain` says the same; Tests/System/test_docs.py compares them."""

import csv
import io
import re
import urllib.parse
from dataclasses import dataclass
from pathlib import Path

from markupsafe import escape
from pages import Page

DIALECTS = {
    "device": ("Benji's own interface", "Benji 自己的接口"),
    "cmpassport": ("China Mobile's SDKs and server", "中国移动的 SDK 与服务端"),
    "geyan": ("GeYan", "个验"),
    "onelogin": ("OneLogin and OnePass", "OneLogin 与 OnePass"),
    "superid": ("SuperID", "一登 SuperID"),
    "camara": ("CAMARA", "CAMARA"),
    "openid": ("OpenID Connect", "OpenID Connect"),
}
WORDS = {
    "en": {
        "title": "Code {}", "means": "means", "cause": "why", "remedy": "what to do", "answered": "Benji answers it for",
        "never": "Benji never answers it.", "source": "Table {table}: {source}, release {version}", "index": "Result codes",
        "lead": "Every code that the SDK and the servers answer, and every code that the documents of other vendors print. Each has an "
                "address of its own: this page's address with the code in the place of <code>index</code>. In a terminal "
                "<code>benji explain CODE</code> says the same.",
        "several": "The same code means different things in different tables. Look for the SDK or the call that gave it to you.",
        "near": "the nearest that the table has", "only": "only for", "code": "code", "first": "Describe it to support by its code and its trace id.",
    },
    "zh": {
        "title": "结果码 {}", "means": "含义", "cause": "原因", "remedy": "处理", "answered": "Benji 在下列情形返回它",
        "never": "Benji 不会返回此码。", "source": "表 {table}：{source}，版本 {version}", "index": "结果码",
        "lead": "SDK 与服务端返回的全部结果码，以及其他厂商文档里列出的全部结果码。每个码有自己的网址：把本页网址里的 <code>index</code> "
                "换成码即可。在终端里，<code>benji explain 码</code> 给出同样的说明。",
        "several": "同一个码在不同的表里含义不同，请找到给出该码的 SDK 或接口。",
        "near": "表中最接近的码", "only": "仅限", "code": "结果码", "first": "向支持人员反馈时，请提供结果码与 traceId。",
    },
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
            texts = {language: {key: row[f"{language}.{key}"] for key in ("meaning", "cause", "remedy")} for language in ("en", "zh")}
            for code in spread(row["code"]):
                # A row of several codes names each by a placeholder.
                own = {language: {key: text.replace("{code}", code) for key, text in each.items()} for language, each in texts.items()}
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


def address(code: str, language: str) -> str:
    return ("zh/" if language == "zh" else "") + f"codes/{code}.html"


def order(code: str):
    return (0, int(code), "") if re.fullmatch(r"-?\d+", code) else (1, 0, code)


def pages(root: Path) -> list[Page]:
    found = entries(root)
    by_code: dict[str, list[Entry]] = {}
    for entry in found:
        by_code.setdefault(entry.code, []).append(entry)
    own = {entry.code: entry for entry in found if entry.table == "device"}
    made = [page(code, by_code[code], own, language) for code in sorted(by_code, key=order) for language in ("en", "zh")]
    return made + [index(found, language) for language in ("en", "zh")]


def link(code: str) -> str:
    return urllib.parse.quote(f"{code}.html")


def page(code: str, found: list[Entry], own: dict[str, Entry], language: str) -> Page:
    words, parts, text = WORDS[language], [f"<h1>{escape(WORDS[language]['title'].format(code))}</h1>"], []
    if len(found) > 1:
        parts.append(f"<p>{words['several']}</p>")
    dialect = None
    for entry in sorted(found, key=lambda entry: list(DIALECTS).index(entry.dialect)):
        if entry.dialect != dialect:
            dialect = entry.dialect
            parts.append(f'<h2 id="{dialect}">{escape(DIALECTS[dialect][language == "zh"])}</h2>')
        said = entry.texts[language]
        parts.append(f'<section class="code" id="{entry.table}"><h3>{escape(said["meaning"])}</h3><dl>')
        parts += [f"<dt>{words[key]}</dt><dd>{escape(said[key])}</dd>" for key in ("cause", "remedy")]
        parts.append("</dl>")
        # Benji's own codes are the situations themselves; OpenID's specifications say when theirs are answered.
        if entry.table == "openid":
            parts.append(f'<p class="source">{escape(entry.version)}</p>')
        elif entry.table != "device":
            if entry.answered:
                parts.append(f"<p>{words['answered']}</p><ul>{''.join(situation(each, own, words, language) for each in entry.answered)}</ul>")
            else:
                parts.append(f"<p>{words['never']}</p>")
            parts.append('<p class="source">' + str(escape(words["source"].format(
                table=entry.table, source=entry.source, version=entry.version))) + "</p>")
        parts.append("</section>")
        text.append(f'{said["meaning"]} {said["cause"]} {said["remedy"]}')
    parts.append(f"<p>{words['first']}</p>")
    title = f"{code}: {found[0].texts[language]['meaning']}" if len(found) == 1 else code
    return Page(address(code, language), title, "\n".join(parts), language, [(code, "", " ".join(text))],
                other=address(code, "en" if language == "zh" else "zh"), kind="code", noted=False)


def situation(written: str, own: dict[str, Entry], words: dict[str, str], language: str) -> str:
    """One of a code's situations: `~subscriber_unsupported [mobile, unicom]`."""
    near, name, where = re.fullmatch(r"(~?)(\w+)(?: \[(.*)\])?", written).groups()
    meaning = own[name].texts[language]["meaning"] if name in own else ""
    notes = ([words["near"]] if near else []) + ([f"{words['only']} {where}"] if where else [])
    note = f" ({escape('; '.join(notes))})" if notes else ""
    return f'<li><a href="{link(name)}"><code>{name}</code></a> {escape(meaning)}{note}</li>'


def index(found: list[Entry], language: str) -> Page:
    words = WORDS[language]
    parts, tables = [f"<h1>{words['index']}</h1><p>{words['lead']}</p>"], {}
    for entry in found:
        tables.setdefault((entry.dialect, entry.table), []).append(entry)
    for (dialect, table), listed in sorted(tables.items(), key=lambda each: (list(DIALECTS).index(each[0][0]), each[0][1])):
        head = f"{DIALECTS[dialect][language == 'zh']}: <code>{table}</code>"
        parts.append(f'<details id="{table}"><summary>{head}, {escape(listed[0].source)} ({len(listed)})</summary><table><tbody>')
        parts += [f'<tr><td><a href="{link(entry.code)}"><code>{escape(entry.code)}</code></a></td>'
                  f'<td>{escape(entry.texts[language]["meaning"])}</td></tr>' for entry in listed]
        parts.append("</tbody></table></details>")
    return Page(address("index", language), words["index"], "\n".join(parts), language, [(words["index"], "", "benji explain")],
                other=address("index", "en" if language == "zh" else "zh"), kind="codes", noted=False)
