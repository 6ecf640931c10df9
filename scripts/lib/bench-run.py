#!/usr/bin/env python3
"""Runs the benchmarks that are built, keeps what they found, and reports it. `make bench` calls it."""

import argparse
import datetime
import json
import os
import pathlib
import re
import signal
import subprocess
import sys

import bench_report as report

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / ".build-bench"
PRODUCT = ["Package.swift", "Sources", "Server/Package.swift", "Server/Sources"]


def names():
    """Every benchmark of the server package is a folder."""
    return sorted(path.name.removesuffix("Benchmark") for path in (ROOT / "Server/Benchmarks").glob("*Benchmark"))


def said(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout + done.stderr


def first(pattern, text, default="unknown"):
    found = re.search(pattern, text, re.MULTILINE)
    return found[1].strip() if found else default


def machine():
    """The facts about the machine that a reader needs, without its name and its paths."""
    memory = int(first(r"^MemTotal:\s+(\d+)", pathlib.Path("/proc/meminfo").read_text(), "0"))
    return {
        "processor": first(r"^model name\s*:\s*(.+)$", pathlib.Path("/proc/cpuinfo").read_text()),
        "cores": os.cpu_count(),
        "memory": f"{memory / 2**20:.0f} GiB",
        "system": first(r'^PRETTY_NAME="?([^"\n]+)', pathlib.Path("/etc/os-release").read_text()),
        "kernel": first(r"^(\d+(?:\.\d+)+)", os.uname().release),
        "file system": said(["stat", "-f", "-c", "%T", os.environ.get("TMPDIR", "/tmp")]).strip() or "unknown",
        "Swift": first(r"Swift version (\d+(?:\.\d+)+)", said(["swift", "--version"])),
        "FreeRADIUS": first(r"FreeRADIUS Version (\S+?),", said(["/usr/sbin/freeradius", "-v"])),
        "nginx": first(r"nginx/(\S+)", said(["/usr/sbin/nginx", "-v"])),
        "Redis": first(r" v=(\S+)", said(["redis-server", "--version"])),
        "PostgreSQL": first(r"PostgreSQL\) (\S+)", said(["psql", "--version"])),
        "glewlwyd": first(r"^([\d.]+)", said(["dpkg-query", "-W", "-f", "${Version}", "glewlwyd"])),
    }


def run(name, arguments):
    """One benchmark; its table is shown, its JSON line returned."""
    command = arguments if name == "demo" else [
        str(ROOT / f"Server/.build/release/{name}Benchmark"), "--json", *arguments]
    print(f"==> {name}", flush=True)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    line = ""
    try:
        for line in process.stdout:
            if not line.startswith("{"):
                print(line, end="", flush=True)
    except BaseException:  # Ctrl-C, or a signal of another process: the benchmark ends what it started
        process.terminate()
        process.wait()
        raise
    if process.wait() != 0:
        print(f"error: {name} failed", file=sys.stderr, flush=True)
        return None
    return report.checked(json.loads(line))


def measured_before(file, commit):
    """The benchmarks of an earlier run, if it measured the present product. Other tools may have changed."""
    earlier = json.loads(file.read_text())
    if earlier["smoke"]:
        sys.exit(f"error: {file} is a run of --smoke: its figures mean nothing")
    if earlier["machine"] != machine():
        sys.exit(f"error: {file} was measured on another machine, or with other programs on it")
    changed = subprocess.run(["git", "-C", str(ROOT), "diff", "--quiet", earlier["commit"], commit, "--", *PRODUCT])
    if changed.returncode != 0:
        sys.exit(f"error: {file} measured commit {earlier['commit']}; the product has changed since")
    return {result["benchmark"]: result for result in earlier["benchmarks"]}


def main():
    parser = argparse.ArgumentParser(prog="bench.sh", description=__doc__)
    parser.add_argument("--only", help="benchmarks to run, separated by commas: " + ", ".join([*names(), "demo"]))
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--demo", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--with", dest="before", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--compare", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    earlier = json.loads(options.compare.read_text()) if options.compare else None
    commit = first(r"^(\w+)$", said(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]))
    before = measured_before(options.before, commit) if options.before else {}

    wanted = options.only.split(",") if options.only else names() + (["demo"] if options.demo else [])
    for name in wanted:
        if name not in [*names(), "demo"]:
            parser.error(f"there is no benchmark {name}; there are {', '.join([*names(), 'demo'])}")
    if options.write and options.smoke:
        parser.error("figures of --smoke mean nothing and are not written down")
    if options.write and not {name.lower() for name in names()} <= {*(name.lower() for name in wanted), *before}:
        parser.error(
            "--write needs all benchmarks: the tables are replaced, and figures that were not measured would be lost")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    arguments = [*(["--rounds", str(options.rounds)] if options.rounds else []),
                 *(["--smoke"] if options.smoke else [])]
    found = {"machine": machine(), "at": datetime.date.today().isoformat(), "smoke": options.smoke,
             "commit": commit, "benchmarks": []}
    results = before
    failed = []
    for name in wanted:
        demo = [str(ROOT / "scripts/lib/bench-demo.sh"), *(["--smoke"] if options.smoke else [])]
        if result := run(name, demo if name == "demo" else arguments):
            results[result["benchmark"]] = result
        else:
            failed.append(name)
    if not results:
        sys.exit(1)
    order = [name.lower() for name in [*names(), "demo"]]
    found["benchmarks"] = sorted(results.values(), key=lambda result: order.index(result["benchmark"]))

    KEPT.mkdir(exist_ok=True)
    kept = KEPT / f"{datetime.datetime.now():%Y-%m-%d-%H%M%S}.json"
    kept.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    plot = kept.with_suffix(".svg")
    plot.write_text(report.plot(found))
    kept.with_suffix(".md").write_text(report.document(found))
    if options.smoke:
        print("\n==> tiny sizes: these figures mean nothing")
    print(f"\n{report.summary(found)}\n\n==> kept in {kept.relative_to(ROOT)}, with .md and .svg beside it")
    if failed:
        sys.exit(f"error: {', '.join(failed)} failed. When that is mended: --only {','.join(failed)} --with "
                 f"{kept.relative_to(ROOT)}")
    if options.write:
        report.write(found, ROOT)
        print("==> written to docs/performance.md, docs/figures and README.md")
    if earlier:
        lines, agrees = report.compare(earlier, found)
        print("\n".join(["", *lines]))
        sys.exit(0 if agrees else 1)


main()
