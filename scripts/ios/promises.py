"""The symbols that the documents promise to Objective-C, and for each a line that compiles only if it is there."""

import re
from dataclasses import dataclass, replace
from pathlib import Path


@dataclass
class Promise:
    document: str
    module: str
    kind: str
    owner: str
    symbol: str
    declaration: str
    note: str

    @property
    def name(self) -> str:
        sign = "+" if self.kind == "class method" else ""
        return f"{self.owner} {sign}{self.symbol}".strip()

    @property
    def misspelt(self) -> "Promise":
        """The same with one letter more, which no header declares."""
        word = self.symbol.split(":")[0]
        # A class, a case and a block are declared without their own name.
        declared = word if self.kind not in {"class", "case", "block"} else "(none)"
        return replace(
            self, symbol=self.symbol.replace(word, word + "x", 1),
            declaration=self.declaration.replace(declared, declared + "x"))

    @property
    def use(self) -> str | None:
        """A line of Objective-C that compiles only if the symbol is there, with the types that the document prints."""
        match self.kind:
            case "class":
                body = f"(void)[{self.symbol} class]; return value;"
                return f"static {self.declaration} *NAME({self.symbol} *value) {{ {body} }}"
            case "class method" | "instance method":
                return self._call
            case "property" | "class property":
                type_, name = re.fullmatch(r"(.*?[\s*])(\w+)", self.declaration).groups()
                object_ = self.owner if self.kind == "class property" else "object"
                return (
                    f"static void NAME({self.owner} *object, {type_} value) "
                    f"{{ {object_}.{name} = value; value = {object_}.{name}; }}")
            case "protocol":
                return f"static void NAME(id<{self.symbol}> value) {{ (void)value; }}"
            case "enumeration" | "structure":
                return f"static void NAME({self.symbol} value) {{ (void)value; }}"
            case "case":
                return (
                    f"static {self.owner} NAME(void) {{ return {self.symbol}; }} "
                    f'_Static_assert({self.symbol} == {self.declaration}, "another value");')
            case "field":
                type_, name = self.declaration.rsplit(" ", 1)
                return f"static {type_} NAME({self.owner} value) {{ return value.{name}; }}"
            case "block":
                given = re.sub(r"\(\^\)", "(^given)", self.declaration) if self.declaration else f"{self.symbol} given"
                return f"static {self.symbol} NAME({given}) {{ return given; }}"
            case "key":
                return None
        raise SystemExit(f"error: {self.name} is of the unknown kind '{self.kind}'")

    @property
    def _call(self) -> str:
        sign, result, rest = re.fullmatch(r"([+-]) \(((?:[^()]|\([^()]*\))*)\)(.*)", self.declaration).groups()
        parameters, message = [], self.symbol
        if ":" in self.symbol:
            found = re.findall(r"(\w+):\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)\s*\w+", rest)
            assert "".join(f"{label}:" for label, _ in found) == self.symbol, self.declaration
            message = " ".join(f"{label}:a{index}" for index, (label, _) in enumerate(found))
            parameters = [named(type_, f"a{index}") for index, (_, type_) in enumerate(found)]
        receiver = self.owner if sign == "+" else "receiver"
        if sign == "-":
            # A protocol's method is called as an app's object would hear it.
            type_ = f"id<{self.owner}>" if self.owner.endswith(("Delegate", "Protocol")) else f"{self.owner} *"
            parameters.insert(0, f"{type_} receiver")
        if "instancetype" in result:
            created = f"[[{self.owner} alloc] {message}]"
            return f"static {self.owner} *NAME({', '.join(parameters[1:])}) {{ return {created}; }}"
        result = re.sub(r"\bnullable\b", "", result).strip()
        keyword = "" if result == "void" else "return "
        return f"static {result} NAME({', '.join(parameters) or 'void'}) {{ {keyword}[{receiver} {message}]; }}"


def named(type_: str, name: str) -> str:
    """A parameter of a type as a method declares it: a block's name stands inside."""
    type_ = re.sub(r"\bnullable\b", "", type_).strip()
    return re.sub(r"\(\s*\^[^)]*\)", f"(^{name})", type_, count=1) if "^" in type_ else f"{type_} {name}"


def promises(root: Path) -> list[Promise]:
    lines = (root / "Verification/promised-symbols.tsv").read_text().splitlines()[1:]
    return [Promise(*line.split("\t")) for line in lines]
