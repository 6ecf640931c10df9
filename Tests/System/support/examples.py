"""The examples of docs/openapi, and what a server answers to them."""

import yaml

from .server import ROOT


def described(name):
    return yaml.safe_load((ROOT / f"docs/openapi/{name}.yaml").read_text())


def operations(document):
    """(method, path, operation) of each call."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method in ("get", "post", "put", "patch", "delete"):
                yield method.upper(), path, operation


def resolved(document, part):
    """A part of the document, or what it refers to."""
    if "$ref" in part:
        found = document
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        return found
    return part


def content(document, part):
    """(the values that are shown, their schema) of a body or an answer; the first way in which it is written counts."""
    contents = resolved(document, part).get("content") or {}
    for each in contents.values():
        return [example["value"] for example in each.get("examples", {}).values()], each["schema"]
    return [], None


def answers(document, operation):
    """(status, examples, schema) of each answer that has a body."""
    for status, answer in operation["responses"].items():
        shown, schema = content(document, answer)
        if schema is not None:
            yield status, shown, schema


class Examples:
    """The calls that a document shows, made again.

    asked: names of members of a request that are others each time, such as tokens: the caller's are put in their place.
    answered: those of an answer, of which only kind and length count. Everything else has to be what the document
    shows. """

    def __init__(self, name, asked, answered):
        self.document, self.asked, self.answered = described(name), set(asked), set(answered)
        self.calls = {(method, path): operation for method, path, operation in operations(self.document)}
        self.heard = {}  # (method, path, status) -> (request, answer) as they were the first time
        self.faults = []

    def shown(self, method, path):
        """The body or the parameters of the query that the document shows."""
        operation = self.calls[method, path]
        shown, _ = content(self.document, operation.get("requestBody", {}))
        return dict(shown[0]) if shown else {
            each["name"]: each.get("example") for each in operation.get("parameters", []) if each.get("in") == "query"
            and "example" in each}

    def request(self, method, path, live):
        """The request that the document shows, with current values for the members that vary."""
        shown = self.shown(method, path)
        if set(shown) & self.asked != set(live):
            self.faults.append(f"{method} {path}: of {sorted(shown)}, which are shown, {sorted(live)} vary")
        return {**shown, **live}

    def hear(self, method, path, body, status, answer):
        """Compares an answer with the one that the document shows for the status."""
        first = (method, path, status) not in self.heard
        self.heard.setdefault((method, path, status), (body, answer))
        if answer is None or not first:
            return answer
        operation = self.calls[method, path]
        shown = next((shown for code, shown, _ in answers(self.document, operation) if code == str(status)), [])
        wrong = [list(self.differences(example, answer)) for example in shown]
        if not shown or all(wrong):
            self.faults.append(f"{method} {path} {status}: {wrong or 'no example'}; answered {answer}")
        return answer

    @property
    def unheard(self):
        """Calls that were not made."""
        return set(self.calls) - {(method, path) for method, path, _ in self.heard}

    def differences(self, example, answer, name="", place=""):
        if type(example) is not type(answer):
            yield f"{place}: {example!r} is shown, {answer!r} is answered"
        elif isinstance(example, dict):
            if set(example) != set(answer):
                yield f"{place}: {sorted(example)} is shown, {sorted(answer)} is answered"
            for member in set(example) & set(answer):
                yield from self.differences(example[member], answer[member], member, f"{place}.{member}")
        elif isinstance(example, list):
            if len(example) != len(answer):
                yield f"{place}: {len(example)} are shown, {len(answer)} are answered"
            for number, (shown, answered) in enumerate(zip(example, answer)):
                yield from self.differences(shown, answered, name, f"{place}[{number}]")
        elif name in self.answered:
            if isinstance(example, str) and len(example) != len(answer):
                yield f"{place}: {len(example)} letters are shown, {len(answer)} are answered"
        elif example != answer:
            yield f"{place}: {example!r} is shown, {answer!r} is answered"
