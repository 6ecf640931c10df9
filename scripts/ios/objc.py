"""Holds the facades' Objective-C headers to the documents: every promised symbol and every sample, compiled as an app
compiles them. The headers are those that the compiler wrote when the facades were compiled for iOS."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import documents
from complete import DECLARED
from promises import Promise, promises
from toolchain import Toolchain


class ObjectiveC:
    def __init__(self, toolchain: Toolchain, root: Path):
        self.toolchain = toolchain
        self.samples = root / "Verification/Samples"
        self.folder = toolchain.cache / "objc"
        # Clang may keep the old content of a header that was rewritten within the same second.
        shutil.rmtree(toolchain.cache / "clang-cache", ignore_errors=True)
        self.promises = promises(root)
        self.errata = [line.split("\t") for line in (self.samples / "errata.tsv").read_text().splitlines()[1:]]

    def offer_modules(self, names: list[str]) -> None:
        """A module for each Swift target, as Xcode makes one from the header that the compiler wrote."""
        for name in names:
            folder = self.folder / name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "module.modulemap").write_text(
                f'module {name} {{ header "{self.toolchain.modules}/{name}-Swift.h" requires objc export * }}\n')

    def compile(self, text: str, name: str, folders: list[Path] = []) -> str:
        """Returns clang's errors; empty if it compiles."""
        source = self.folder / name
        source.write_text(text)
        maps = [*self.folder.glob("*/module.modulemap"), self.toolchain.headers / "module.modulemap"]
        ended = subprocess.run(
            [
                str(self.toolchain.usr / "bin/clang"), "-fsyntax-only", "-x", "objective-c", "-fobjc-arc",
                "-target", self.toolchain.triple,
                "-fmodules", f"-fmodules-cache-path={self.toolchain.cache}/clang-cache",
                # The samples carry #warning lines and full-width spaces, and call what UIKit has deprecated since.
                "-Werror", "-Wno-#warnings", "-Wno-unicode-whitespace", "-Wno-deprecated-declarations",
                "-ferror-limit=0",
                *self.toolchain.clang_flags, "-I", str(self.samples / "context"),
                *[word for folder in [*folders, *sorted(map.parent for map in maps)] for word in ("-I", str(folder))],
                str(source),
            ], capture_output=True, text=True)
        return "" if ended.returncode == 0 else ended.stdout + ended.stderr

    def absent(self, promises: list[Promise]) -> dict[str, str]:
        """The promised symbols that do not compile, each with clang's first words about it."""
        modules = sorted({promise.module for promise in promises})
        lines = [f"@import {module};" for module in modules] + ["@import UIKit;", "@import QuartzCore;"]
        used: dict[int, Promise] = {}
        for promise in promises:
            if use := promise.use:
                lines.append(use.replace("NAME", f"use{len(lines)}"))
                used[len(lines)] = promise
        said = self.compile("\n".join(lines) + "\n", "Promises.m")
        found: dict[str, str] = {}
        for line, words in re.findall(r"^[^\n]*Promises\.m:(\d+):\d+: (?:fatal )?error: (.*)$", said, re.M):
            if int(line) not in used:
                raise SystemExit(f"error: the promised symbols cannot be checked: {words}\n{said}")
            found.setdefault(used[int(line)].name, words)
        if said and not found:
            raise SystemExit(f"error: the promised symbols cannot be checked:\n{said}")
        return found

    def corrected(self, sample: Path, leaving_out: list[str] | None = None) -> str:
        lines = sample.read_text().splitlines()
        for erratum in self.errata:
            file, line, old, new, _ = erratum
            if file == sample.name and erratum is not leaving_out:
                if old not in lines[int(line) - 1]:
                    raise SystemExit(f"error: errata.tsv corrects '{old}', which is not in {file}:{line}")
                lines[int(line) - 1] = lines[int(line) - 1].replace(old, new)
        return "\n".join(lines) + "\n"

    def samples_of(self, module: str) -> list[Path]:
        document = next(promise.document for promise in self.promises if promise.module == module)
        return sorted(self.samples.glob(f"{document.lower()}-*.m"))


def check(toolchain: Toolchain, root: Path, swift_targets: list[str], own: list[Path]) -> int:
    """- own: sources of ours in Objective-C."""
    objc = ObjectiveC(toolchain, root)
    objc.offer_modules(swift_targets)
    wrong = 0
    for source in own:
        if words := objc.compile(source.read_text(), source.name, [source.parent / "include"]):
            report(f"{source} does not compile:\n{words}")
            wrong += 1
    for place, sample in documents.objective_c(root):
        if words := objc.compile(sample, "DocumentSample.m"):
            report(f"{place}: the sample does not compile:\n{words}")
            wrong += 1
    for module in dict.fromkeys(promise.module for promise in objc.promises):
        if module not in swift_targets:
            print(f"    {module}: not there yet")
            wrong += module in DECLARED
            continue
        promised = [promise for promise in objc.promises if promise.module == module and promise.use]
        absent = objc.absent(promised)
        samples = objc.samples_of(module)
        said = {sample.name: objc.compile(objc.corrected(sample), sample.name) for sample in samples}
        failed = {name: words for name, words in said.items() if words}
        print(
            f"    {module}: {len(promised) - len(absent)} of {len(promised)} promised symbols, "
            f"{len(samples) - len(failed)} of {len(samples)} samples")
        if module in DECLARED or "--all" in sys.argv:
            for name, words in absent.items():
                report(f"{module} promises {name}: {words}")
            for name, words in failed.items():
                report(f"the sample {name} does not compile:\n{words}")
        wrong += blind(objc, [promise for promise in promised if promise.name not in absent])
        if module in DECLARED:
            wrong += len(absent) + len(failed) + needless(objc, samples)
    return 1 if wrong else 0


def blind(objc: ObjectiveC, promised: list[Promise]) -> int:
    """How many misspelt promises are not missed: those the check would not see."""
    misspelt = [promise.misspelt for promise in promised]
    absent = objc.absent(misspelt)
    unseen = [promise.name for promise in misspelt if promise.name not in absent]
    for name in unseen:
        report(f"the check does not miss {name}, which nobody declares")
    return len(unseen)


def needless(objc: ObjectiveC, samples: list[Path]) -> int:
    """How many errata a sample compiles without: they are wrong, or the check is."""
    unneeded = [
        (sample, erratum) for erratum in objc.errata for sample in samples
        if sample.name == erratum[0] and not objc.compile(objc.corrected(sample, leaving_out=erratum), sample.name)
    ]
    for sample, erratum in unneeded:
        report(f"{sample.name} compiles without the erratum '{erratum[2]}'")
    return len(unneeded)


def report(words: str) -> None:
    print(f"error: {words}", file=sys.stderr)
