#!/usr/bin/env python3
"""Benchmarks: each figure beside its baseline and its bar, as a ratio measured in the same run.

    scripts/bench [--quick | --full] [--reference DIR] [--json FILE]

Baselines and our own work take turns, round after round, so that a noisy machine is noisy for both; a figure is the
median over all rounds unless it says otherwise. The reference pipeline that we compare with is no part of this project:
its folder (reference.py, typical.py, paths.json) is given with --reference or AIRLOCK_REFERENCE, or lies in
../shared/reference. Without it the comparisons with it are left out, and say so.
"""
import argparse, json, os, pathlib, statistics, subprocess, sys, tempfile, time

import baselines, documents, nodes, processes, python_package, rules, serve
from baselines import PYTHON

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Used when there is no reference: paths that bench/typical.py understands.
OUR_PATHS = [
    "/data/north/station-12/2024/wave_2024-01-31_run2.csv",
    "/data/baltic/st_0042/2023/salt-20231231.parquet",
    "/mnt/archive/ATLANTIC/station-7/2019/summary_2019_06_30.run3.json",
    "/srv/share/station-9/2025/notes_20250230.log",
    "/data/incoming/north/station-77/2022/feed/export_2022-09-14-run11.xml",
]


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"bench: {pathlib.Path(command[0]).name} failed: {done.stderr.strip()[-300:]}")
    return done.stdout


def times(*command):
    return [float(line) for line in run(*command).split()]


def columns(*command):
    return [[float(word) for word in line.split()] for line in run(*command).splitlines()]


def bare(text, *arguments):
    return times(PYTHON, "-I", "-c", text, *arguments)


def seconds_of(*command):
    """From start to exit, whatever it prints."""
    start = time.perf_counter()
    subprocess.run([str(c) for c in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def percentile(values, share):
    """`share` between 0 and 1; the nearest value, without interpolation."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def shown(value):
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


class Report:
    """Prints each figure as soon as it is known, and keeps it for --json."""

    def __init__(self):
        self.figures = []

    def part(self, title):
        print(f"\n{title}", flush=True)

    def skip(self, what, why):
        self.figures.append({"name": what, "not_measured": why})
        print(f"  {what:<42} NOT MEASURED: {why}", flush=True)

    def say(self, name, value, unit, baseline=None, base=None, faster=None, at_least=None, at_most=None, note=""):
        """`faster`: the ratio says how many times faster (larger) we are, not how many times as much."""
        ratio = None if base is None else (base / value if faster else value / base)
        bar, held = "", None
        if at_least is not None:
            bar, held = f"≥ {at_least:g} ×", ratio >= at_least
        if at_most is not None:
            bar, held = f"≤ {at_most:g} ×", ratio <= at_most
        self.figures.append({"name": name, "value": value, "unit": unit, "baseline": baseline, "baseline_value": base,
                             "ratio": ratio, "ratio_means": "times faster" if faster else "times as much",
                             "bar": bar or None, "held": held, "note": note or None})
        beside = "" if base is None else f"{baseline} {shown(base)} {unit}: {ratio:.2f} ×{' faster' if faster else ''}"
        verdict = "" if held is None else f"bar {bar}: {'held' if held else 'MISSED'}"
        print(f"  {name:<42} {shown(value):>9} {unit:<8}{beside:<58} {verdict}{note}".rstrip(), flush=True)


class Bench:
    """One run of everything: where the programs are, how many rounds, and the report. Each method measures one part."""
    def __init__(self, args):
        self.build, self.rounds, self.scale = args.build, args.rounds, args.scale
        self.airlock, self.host = args.build / "airlock", args.build / "airlock-host"
        self.reference = args.reference if (args.reference / "reference.py").exists() else None
        self.why_no_reference = f"no reference.py in {args.reference} (--reference DIR)"
        self.typical = (self.reference or ROOT / "bench") / "typical.py"
        self.paths = OUR_PATHS
        if self.reference:
            self.paths = json.loads((self.reference / "paths.json").read_text(encoding="utf-8"))["typical"][:5]
        self.npm = pathlib.Path(args.npm) if args.npm else None
        self.report = Report()
        self.reference_warm = None  # milliseconds, once it was measured

    def vet(self):
        """Beside CPython's own parser, which every vetting runs as its first step."""
        count = 400 // self.scale
        ours, parse, theirs = [], [], []
        for _ in range(self.rounds):
            parse += bare(baselines.PARSE, self.typical, count)
            ours += times(self.build / "bench_vet", self.host, self.typical, count)
            if self.reference:
                theirs += bare(baselines.REFERENCE_STAGES, self.typical, count // 4, self.reference)
        warm = statistics.median(ours)
        self.report.part("Vetting (stages 1-3, through the socket)")
        self.report.say("vet, warm", warm, "µs", "ast.parse alone", statistics.median(parse), at_most=1.1)
        if theirs:
            self.report.say("vet, warm", warm, "µs", "reference, stages 1-3", statistics.median(theirs), faster=True,
                            at_least=5)
        else:
            self.report.skip("vet, warm, beside the reference", self.why_no_reference)
        self.library()

    def library(self):
        folder = "/usr/lib/python3.11"
        ours, parse = [], []
        for _ in range(max(1, self.rounds // 3)):
            parse += bare(baselines.PARSE_ALL, folder)
            start = time.perf_counter()
            done = subprocess.run([self.airlock, "check", "--no-signature", "--format", "json", folder], capture_output=True)
            ours.append(time.perf_counter() - start)
        files = len(json.loads(done.stdout)["files"])
        self.report.say(f"check {files} files of the library, cold", statistics.median(ours), "s", "ast.parse of each",
                        statistics.median(parse), faster=True)

    def validate_warm(self):
        count = 60 // self.scale
        rows, warm_cache, fresh_cache, theirs = [], [], [], []
        for _ in range(self.rounds):
            rows += columns(self.build / "bench_validate", self.host, self.typical, count, *self.paths)
            warm_cache += bare(baselines.BARE, self.typical, count, 0, *self.paths)
            fresh_cache += bare(baselines.BARE, self.typical, count, 1, *self.paths)
            if self.reference:
                theirs += bare(baselines.REFERENCE_PIPELINE, self.typical, 3, self.reference, *self.paths)
        totals = [sum(row[:5]) / 1e3 for row in rows]
        middle = statistics.median(totals)
        say = self.report.say
        self.report.part(f"Validating on {len(self.paths)} samples, warm (vet, compile, fresh cell, load, calls, end)")
        say("validate, warm, p50", middle, "ms", "bare compile, exec, calls", statistics.median(warm_cache) / 1e3, at_most=2)
        say("validate, warm, p50", middle, "ms", "bare, re's cache empty", statistics.median(fresh_cache) / 1e3, at_most=2)
        say("validate, warm, p95", percentile(totals, 0.95), "ms", "bare, p95", percentile(warm_cache, 0.95) / 1e3, at_most=2)
        self.reference_warm = statistics.median(theirs) / 1e3 if theirs else None
        if theirs:
            say("validate, warm, p50", middle, "ms", "reference pipeline", self.reference_warm, faster=True, at_least=20)
        else:
            self.report.skip("validate, warm, beside the reference", self.why_no_reference)
        names = ["vet and compile", "a cell is born", "walls, then the module's body", "all calls", "end of the cell"]
        for name, *values in zip(names, *[row[:5] for row in rows]):
            say(f"of which: {name}", statistics.median(values) / 1e3, "ms", "all of it", middle)
        say("the second look (after a pass)", statistics.median(row[5] for row in rows) / 1e3, "ms", "all before it", middle,
            note="paid by airlock validate, not in the figures above")

    def chamber(self):
        rows, forks = [], []
        for _ in range(self.rounds):
            rows += columns(self.build / "bench_chamber", self.host, 100 // self.scale)
            forks += bare(baselines.FORK, 100 // self.scale)
        born, fork, locked, trip, bare_trip = (statistics.median(column) for column in zip(*rows))
        self.report.part("The chamber's own costs")
        self.report.say("a cell: asked, forked, answered", born, "µs", "os.fork() of a bare python3", statistics.median(forks))
        self.report.say("a cell: asked, forked, answered", born, "µs", "fork() of a small C++ process", fork)
        self.report.say("lock-down of a cell (limits, seccomp)", locked, "µs")
        self.report.say("round trip of a call that does nothing", trip, "µs", "one byte there and back", bare_trip)

    def cold(self, folder):
        given = [word for path in self.paths for word in ("--path", path)]
        document = folder / "node.json"
        document.write_text(json.dumps({"type": "code", "params": {"code": nodes.SMALL, "inputs": {"n": 3}}}), encoding="utf-8")
        ours, check, python, parse, imports, node = [], [], [], [], [], []
        for _ in range(self.rounds * 4):
            imports.append(seconds_of(PYTHON, "-I", "-S", "-c", "import re, pathlib, datetime, typing"))
            node.append(seconds_of(self.airlock, "run", document, "--sandbox"))
            ours.append(seconds_of(self.airlock, "validate", self.typical, *given, "--format", "json"))
            python.append(seconds_of(PYTHON, "-I", "-c", "pass"))
            check.append(seconds_of(self.airlock, "check", "--format", "json", self.typical))
            parse.append(seconds_of(PYTHON, "-I", "-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", self.typical))
        ours, check, python, parse, imports, node = (statistics.median(one) * 1e3 for one in (ours, check, python, parse, imports, node))
        self.report.part("Cold: a whole command from start to exit")
        if self.reference_warm:
            self.report.say("airlock validate, 5 samples", ours, "ms", "reference pipeline, warm", self.reference_warm,
                            faster=True, at_least=4)
        else:
            self.report.skip("airlock validate, beside the reference",
                             "its figure comes from the part before this one" if self.reference else self.why_no_reference)
        self.report.say("airlock validate, 5 samples", ours, "ms", "python3 -I -S importing the same modules", imports, at_most=1.1)
        self.report.say("airlock run --sandbox, a node of 3 lines", node, "ms", "python3 -I -S importing those modules", imports, at_most=2)
        self.report.say("airlock validate, 5 samples", ours, "ms", "python3 -I -c pass", python)
        self.report.say("airlock check", check, "ms", "python3 -I with ast.parse", parse)

    def bulk(self, folder):
        count = 200_000 // self.scale
        paths = self.write_paths(folder, count)
        ours, loop = [], []
        for _ in range(max(2, self.rounds // 2)):
            loop += bare(baselines.LOOP, self.typical, paths)
            ours.append(count / seconds_of(self.airlock, "extract", self.typical, paths, "--jobs", "1"))
        self.report.part("Bulk extraction")
        self.report.say(f"extract {count:,} paths, one job, cold", statistics.median(ours), "rows/s", "bare loop with json.dumps",
                        statistics.median(loop), at_least=0.85)

    def admission(self, folder):
        """In MB a second: the same bytes for all, in rounds that take turns."""
        file = folder / "document.json"
        file.write_bytes(documents.document(1))
        size = file.stat().st_size
        rows, walker = [], []
        for _ in range(self.rounds):
            rows += columns(self.build / "bench_admit", file, 40 // self.scale)
            walker += bare(baselines.ADMIT, file, 4)
        parse, admit, sanitize = (size / statistics.median(column) for column in zip(*rows))
        self.report.part(f"The inner door ({size / 1e6:.1f} MB of a probe's facts)")
        self.report.say("admit", admit, "MB/s", "simdjson's DOM parse", parse, at_least=0.4)
        self.report.say("admit", admit, "MB/s", "a walker in Python", size / statistics.median(walker), at_least=20)
        self.report.say("sanitize, every pattern on", sanitize, "MB/s", "a walker in Python", size / statistics.median(walker))

    def memory(self, folder, counts):
        """Peaks are compared with those of the smallest job. One run's peak depends on how many rows happened to wait for
        an earlier one, so it is the median of three, but for the largest job."""
        self.report.part("Memory of the bulk job (peak RSS; for all processes, pages that they share count in each)")
        first = None
        for count in counts:
            paths = self.write_paths(folder, count)
            runs = [self.peak_memory(paths) for _ in range(3 if count <= 1_000_000 else 1)]
            peaks = [statistics.median(peak) for peak in zip(*runs)]
            first = first or peaks
            for name, peak, base in zip(("supervisor", "all processes"), peaks, first):
                beside = {} if count == counts[0] else {"baseline": f"at {counts[0]:,} paths", "base": base, "at_most": 1.1}
                self.report.say(f"{name} at {count:,} paths", peak, "MB", **beside)

    def peak_memory(self, paths):
        process = subprocess.Popen([self.airlock, "extract", self.typical, paths], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        alone = together = 0
        while process.poll() is None:
            alone = max(alone, processes.status(process.pid, "VmHWM"))
            together = max(together, sum(processes.status(one, "VmRSS") for one in processes.family(process.pid)))
            time.sleep(0.05)
        if process.returncode != 0:
            sys.exit(f"bench: airlock extract ended with {process.returncode}")
        return alone / 1e3, together / 1e3

    def write_paths(self, folder, count):
        file = folder / f"paths{count}"
        with file.open("w") as out:
            for i in range(count):
                out.write(self.paths[i % len(self.paths)].replace(".", f"_{i}.", 1) + "\n")
        return file

    def gather(self, folder, files):
        """A tree of small files: the built-in probes alone, then both examples, cold and from the cache."""
        tree, probes = folder / "tree", sorted((ROOT / "examples" / "probes").glob("[lp]*.py"))
        documents.write_tree(tree, files)
        walks, ours, cold, cached, bare_probes = [], [], [], [], []
        for number in range(max(1, self.rounds // 2)):
            os.environ["AIRLOCK_HOME"] = str(folder / f"home{number}")
            walks += bare(baselines.WALK, tree)
            ours.append(seconds_of(self.airlock, "gather", tree, "--no-cache"))
            bare_probes += bare(baselines.PROBES, ROOT / "python", tree, *probes)
            cold.append(seconds_of(self.airlock, "gather", tree, "--probe", *probes))
            cached.append(seconds_of(self.airlock, "gather", tree, "--probe", *probes))
        del os.environ["AIRLOCK_HOME"]
        self.report.part(f"Gather (a tree of {files:,} files)")
        self.report.say("language_detection and repository", statistics.median(ours), "s", "os.walk, counting the same",
                        statistics.median(walks), faster=True)
        self.report.say("two probes, cold", statistics.median(cold), "s", "the same probes in bare python3, one by one",
                        statistics.median(bare_probes), faster=True)
        self.report.say("two probes, cached", statistics.median(cached), "s", "cold", statistics.median(cold), faster=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--reference", type=pathlib.Path,
                        default=pathlib.Path(os.environ.get("AIRLOCK_REFERENCE", ROOT.parent / "shared" / "reference")))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--quick", dest="scale", action="store_const", const=4, default=1,
                        help="a quarter of everything, in two rounds")
    parser.add_argument("--full", action="store_true", help="memory at ten million paths too")
    parser.add_argument("--rules", action="store_true", help="path rules alone")
    parser.add_argument("--nodes", action="store_true", help="code nodes alone")
    parser.add_argument("--cold", action="store_true", help="whole commands alone")
    parser.add_argument("--serve", action="store_true", help="airlock serve alone")
    parser.add_argument("--python", action="store_true", help="import airlock alone")
    parser.add_argument("--npm", type=pathlib.Path, default=os.environ.get("AIRLOCK_NPM"), help="a folder with pyodide and @pydantic/monty, to compare with")
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    if args.scale > 1:
        args.rounds = min(args.rounds, 2)
    bench = Bench(args)
    print(f"extractor: {bench.typical.name} of {'the reference' if bench.reference else 'this project'}; {args.rounds} rounds; "
          f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    if not bench.reference:
        print(f"{bench.why_no_reference}: comparisons with it are NOT measured")
    is_all = not (args.rules or args.nodes or args.serve or args.cold or args.python)
    if is_all:
        bench.vet()
        bench.validate_warm()
        bench.chamber()
    if is_all or args.serve:
        serve.measure(bench, bare)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if is_all or args.cold:
            bench.cold(folder)
        if is_all or args.python:
            python_package.measure(bench, folder, bare, ROOT)
        if is_all or args.rules:
            rules.measure(bench, folder, bare)
        if is_all or args.nodes:
            nodes.measure(bench, folder, bare, times, ROOT)
        if is_all:
            bench.admission(folder)
            bench.bulk(folder)
            bench.gather(folder, 100_000 // bench.scale)
            bench.memory(folder, [100_000 // bench.scale, 1_000_000 // bench.scale] + [10_000_000] * args.full)
    print(f"\nload at the end: {os.getloadavg()[0]:.1f}")
    if args.json:
        args.json.write_text(json.dumps({"figures": bench.report.figures}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
