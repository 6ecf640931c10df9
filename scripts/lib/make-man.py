#!/usr/bin/env python3
"""Makes the manual page benji(1) from what the program says of its commands, and writes it to standard output.

    make-man.py PROGRAM      asks PROGRAM --experimental-dump-help and --version
    make-man.py --self-test  shows on a small program's words that nothing is read as a macro and nothing is left out
"""

import json
import subprocess
import sys

FILES = """.SH FILES
.TP
.I /etc/benji/benji.yaml
the configuration of the service that the Debian package installs
.TP
.I /var/lib/benji
its data directory: master key, database and journal
.SH EXIT STATUS
0 if all went well, 1 if something is wrong, 64 if the command was not understood.
.SH SEE ALSO
.BR systemctl (1),
.I /usr/share/doc/benji/
"""


def roff(text):
    """Text that groff prints as it is: no escapes, no macros, and hyphens that can be searched for and copied."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("`",
                                                                    "\\(ga").replace("^", "\\(ha").replace("~", "\\(ti")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in escaped.split("\n"))


def paragraphs(text):
    """A discussion: paragraphs, and lines that are indented and stay as they are."""
    out, kept = [], False
    for line in text.rstrip().split("\n"):
        if line.startswith(" ") != kept:
            kept = not kept
            out.append(".nf" if kept else ".fi")
        out.append(roff(line) if line else ".sp" if kept else ".PP")
    return "\n".join(out + ([".fi"] if kept else []))


def dashed(name):
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def usage(argument):
    """An argument as it stands in a synopsis."""
    if argument["kind"] == "positional":
        text = f"<{argument['valueName']}>"
    else:
        text = dashed(argument["preferredName"]) + (f" <{argument['valueName']}>" if argument["kind"] == "option"
                                                    else "")
    return ("[" + text + "]" if argument["isOptional"] else text) + (" ..." if argument["isRepeating"] else "")


def shown(command):
    """The arguments that help shows. Help and version are left out: they are described once, for all commands."""
    return [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]
            and argument["valueName"] not in ("help", "version")]


def arguments(command):
    for argument in shown(command):
        names = ", ".join(dashed(name) for name in argument.get("names", []))
        value = f"<{argument['valueName']}>" if argument["kind"] != "flag" else ""
        text = argument.get("abstract", "")
        if argument.get("allValues"):
            text += f" (values: {', '.join(argument['allValues'])})"
        if argument.get("defaultValue"):
            text += f" (default: {argument['defaultValue']})"
        yield f".TP\n\\fB{roff(names)}\\fR {roff(value)}".rstrip() + "\n" + (roff(text.strip()) or "\\&")


def leaves(command, path=()):
    children = [child for child in command.get("subcommands", []) if child["commandName"] != "help"
                and child["shouldDisplay"]]
    for child in children:
        yield from leaves(child, (*path, child["commandName"]))
    if not children:
        yield " ".join(path), command


def page(command, version):
    name = command["commandName"]
    out = [f'.TH {name.upper()} 1 "" "{roff(f"{name} {version}")}" "User Commands"', ".SH NAME",
           f"{name} \\- {roff(command['abstract'].rstrip('.'))}", ".SH SYNOPSIS",
           f"\\fB{name}\\fR <command> [options]", ".PP",
           f"\\fB{name}\\fR <command> \\fB\\-\\-help\\fR", ".PP", f"\\fB{name} \\-\\-version\\fR", ".SH DESCRIPTION",
           paragraphs(command.get("discussion", "")), ".SH COMMANDS"]
    for path, leaf in leaves(command):
        out += [f".SS {name} {roff(path)}", roff(leaf.get("abstract", "")), ".PP",
                roff(" ".join([name, path, *map(usage, shown(leaf))]))]
        if leaf.get("discussion"):
            out += [".PP", paragraphs(leaf["discussion"])]
        out += arguments(leaf)
    return "\n".join(out) + "\n" + FILES


def self_test():
    flag = {"kind": "flag", "isOptional": True, "isRepeating": False, "shouldDisplay": True, "valueName": "dry",
            "names": [{"kind": "short", "name": "n"}, {"kind": "long", "name": "dry"}],
            "preferredName": {"kind": "long", "name": "dry"}, "abstract": ".so /etc/passwd and C:\\new"}
    option = {"kind": "option", "isOptional": False, "isRepeating": True, "shouldDisplay": True, "valueName": "colour",
              "names": [{"kind": "long", "name": "colour"}], "preferredName": {"kind": "long", "name": "colour"},
              "allValues": ["red", "blue"], "defaultValue": "red"}
    hidden = {**flag, "shouldDisplay": False, "abstract": "hidden"}
    tree = {"commandName": "x", "abstract": "Paints.", "discussion": "First.\n\n  kept  apart\n\nLast.",
            "shouldDisplay": True, "subcommands": [
        {"commandName": "a", "shouldDisplay": True, "subcommands": [
            {"commandName": "b", "abstract": "Does b.", "shouldDisplay": True, "arguments": [flag, option, hidden]}]},
        {"commandName": "c", "abstract": "Does c.", "shouldDisplay": False}]}
    said = page(tree, "1.2")
    wanted = ["\\&.so /etc/passwd and C:\\enew", ".SS x a b", "x a b [\\-\\-dry] \\-\\-colour <colour> ...",
              "\\fB\\-n, \\-\\-dry\\fR",
              "(values: red, blue) (default: red)", "First.\n.PP\n.nf\n  kept  apart\n.fi\n.PP\nLast.",
              "x \\- Paints\n"]
    missing = [text for text in wanted if text not in said]
    if missing or "hidden" in said or "Does c." in said:
        sys.exit(f"error: the manual page lacks {missing} or shows what is hidden:\n{said}")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    elif len(sys.argv) == 2 and not sys.argv[1].startswith("-"):
        def ask(word):
            return subprocess.run([sys.argv[1], word], check=True, capture_output=True, text=True).stdout

        sys.stdout.write(page(json.loads(ask("--experimental-dump-help"))["command"], ask("--version").strip()))
    else:
        sys.exit(__doc__)


main()
