#!/usr/bin/env python3
"""Benchmarks: each figure beside its baseline, as a ratio measured in the same run.

    bench/run.py [--build DIR] [--reference DIR] [--rounds N] [--json FILE]

Baselines and our own work take turns, round after round, so that a noisy machine is noisy for both; each figure is the
median over all rounds. The reference folder holds the pipeline that we compare with (reference.py) and its extractors.
"""
import argparse, json, os, pathlib, statistics, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PYTHON = "/usr/bin/python3"

PARSE = """
import ast, sys, time
code = open(sys.argv[1]).read()
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    ast.parse(code)
    print((time.perf_counter() - start) * 1e6)
"""

REFERENCE = """
import sys, time
sys.path.insert(0, sys.argv[3])
from reference import preprocess_llm_output, validate_syntax, scan_security, validate_signature
raw = open(sys.argv[1]).read()
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    code = preprocess_llm_output(raw)
    assert validate_syntax(code).valid and scan_security(code).safe and validate_signature(code).valid
    print((time.perf_counter() - start) * 1e6)
"""

# The reference with only its broken import mended: it cannot run an extractor that imports otherwise.
PIPELINE = """
import sys, time
sys.path.insert(0, sys.argv[3])
import reference
pipeline = getattr(reference, "run_validation_pipeline_fixed", reference.run_validation_pipeline)
raw, paths = open(sys.argv[1]).read(), sys.argv[4:]
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    assert pipeline(raw, paths).valid
    print((time.perf_counter() - start) * 1e6)
"""

BARE = """
import sys, time
raw, paths = open(sys.argv[1]).read(), sys.argv[3:]
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    names = {"__name__": "extractor"}
    exec(compile(raw, "extractor", "exec"), names)
    for path in paths:
        names["extract"](path)
    print((time.perf_counter() - start) * 1e6)
"""

LOOP = """
import json, sys, time
code = open(sys.argv[1]).read()
paths = open(sys.argv[2]).read().splitlines()
start = time.perf_counter()
names = {}
exec(compile(code, "extractor", "exec"), names)
extract = names["extract"]
for path in paths:
    json.dumps(extract(path))
print(len(paths) / (time.perf_counter() - start))
"""


def times(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"bench: {command[0]} failed: {done.stderr.strip()[-300:]}")
    return [float(line) for line in done.stdout.split()]


def vet(build, reference, file, rounds, count):
    ours, parse, theirs = [], [], []
    for _ in range(rounds):
        parse += times(PYTHON, "-I", "-c", PARSE, file, count)
        ours += times(build / "bench_vet", build / "airlock-host", file, count)
        if reference:
            theirs += times(PYTHON, "-I", "-c", REFERENCE, file, count // 4, reference)
    return statistics.median(ours), statistics.median(parse), statistics.median(theirs) if theirs else None


def validation(build, reference, file, paths, rounds):
    ours, bare, theirs, cold_ours = [], [], [], []
    given = [word for path in paths for word in ("--path", path)]
    for _ in range(rounds):
        ours += times(build / "bench_validate", build / "airlock-host", file, 50, *paths)
        bare += times(PYTHON, "-I", "-c", BARE, file, 50, *paths)
        theirs += times(PYTHON, "-I", "-c", PIPELINE, file, 3, reference, *paths)
        for _ in range(5):
            start = time.perf_counter()
            subprocess.run([build / "airlock", "validate", file, *given, "--format", "json"], capture_output=True, check=True)
            cold_ours.append((time.perf_counter() - start) * 1e6)
    return [statistics.median(one) / 1e3 for one in (ours, bare, theirs, cold_ours)]


def stdlib(build, rounds):
    folder = pathlib.Path(os.__file__ if sys.executable.startswith("/usr/bin") else "/usr/lib/python3.11/os.py").parent
    files = [p for p in folder.rglob("*.py")]
    best, report = None, None
    for _ in range(max(2, rounds // 2)):
        start = time.perf_counter()
        done = subprocess.run([build / "airlock", "check", "--no-signature", "--format", "json", folder], capture_output=True)
        took = time.perf_counter() - start
        best = took if best is None else min(best, took)
        report = json.loads(done.stdout)
    size = sum(p.stat().st_size for p in files)
    return len(report["files"]), size, best


def cold(build, file, rounds):
    ours, python = [], []
    for _ in range(rounds * 4):
        start = time.perf_counter()
        subprocess.run([build / "airlock", "check", "--format", "json", file], capture_output=True, check=True)
        ours.append((time.perf_counter() - start) * 1e3)
        start = time.perf_counter()
        subprocess.run([PYTHON, "-I", "-c", f"import ast; ast.parse(open({str(file)!r}).read())"], capture_output=True, check=True)
        python.append((time.perf_counter() - start) * 1e3)
    return statistics.median(ours), statistics.median(python)


def write_paths(folder, samples, count):
    file = folder / f"paths{count}"
    with file.open("w") as out:
        for i in range(count):
            out.write(samples[i % len(samples)].replace(".", f"_{i}.", 1) + "\n")
    return file


def bulk(build, file, paths, count, rounds):
    """Rows a second, from start to exit, and of the bare loop."""
    ours, loop = [], []
    for _ in range(rounds):
        loop += times(PYTHON, "-I", "-c", LOOP, file, paths)
        start = time.perf_counter()
        subprocess.run([build / "airlock", "extract", file, paths, "--jobs", "1"], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=True)
        ours.append(count / (time.perf_counter() - start))
    return statistics.median(ours), statistics.median(loop)


def bulk_memory(build, file, paths):
    """Peak memory of the supervisor, in MB."""
    process = subprocess.Popen([build / "airlock", "extract", file, paths], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        try:
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            peak = max([peak] + [int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")])
        except OSError:
            pass
        time.sleep(0.02)
    return peak / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--reference", type=pathlib.Path, default=ROOT.parent / "shared" / "reference")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    reference = args.reference if (args.reference / "reference.py").exists() else None
    typical = (reference / "typical.py") if reference else ROOT / "bench" / "typical.py"
    figures = []

    def say(name, value, unit, baseline, base_value, ratio, bar):
        figures.append({"name": name, "value": value, "unit": unit, "baseline": baseline, "baseline_value": base_value,
                        "ratio": ratio, "bar": bar})
        beside = f"{baseline} {base_value:.1f} {unit}: {ratio:.2f} ×" if base_value is not None else ""
        print(f"{name:<44} {value:>10.1f} {unit:<8} {beside:<44} {bar}", flush=True)

    ours, parse, theirs = vet(args.build, reference, typical, args.rounds, 400)
    say("vet, warm, 60-line extractor", ours, "µs", "ast.parse", parse, ours / parse, "bar: ≤ 1.1 × ast.parse")
    if theirs is not None:
        say("vet, warm, 60-line extractor", ours, "µs", "reference, stages 1-3", theirs, theirs / ours, "bar: ≥ 5 × faster")
    else:
        print(f"no reference pipeline in {args.reference}: the comparison with it is NOT measured")
    ours, python = cold(args.build, typical, args.rounds)
    say("check, cold, from start to exit", ours, "ms", "python3 -I with ast.parse", python, python / ours, "faster than")
    if reference:
        paths = json.loads((reference / "paths.json").read_text(encoding="utf-8"))
        paths = (paths if isinstance(paths, list) else paths["typical"])[:5]
        warm, bare, theirs, from_start = validation(args.build, reference, typical, paths, args.rounds)
        say(f"validate, warm, {len(paths)} paths", warm, "ms", "reference pipeline", theirs, theirs / warm, "bar: ≥ 20 × faster")
        say(f"validate, warm, {len(paths)} paths", warm, "ms", "bare compile, exec, calls", bare, warm / bare, "the price of the walls")
        say(f"validate, from start to exit, {len(paths)} paths", from_start, "ms", "reference pipeline, warm", theirs,
            theirs / from_start, "bar: ≥ 4 × faster")
    files, size, seconds = stdlib(args.build, args.rounds)
    say(f"check --no-signature, {files} files of the library", files / seconds, "files/s", "", None, None,
        f"{size / seconds / 1e6:.1f} MB/s, {seconds:.2f} s")
    samples = ["/data/CLIENT-ABC/2024/Q1/report.csv", "/srv/share/CLIENT-beta/2023/summary.json"]
    if reference:
        samples = [path for group in json.loads((reference / "paths.json").read_text()).values() for path in group]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        paths = write_paths(folder, samples, 200_000)
        ours, loop = bulk(args.build, typical, paths, 200_000, max(3, args.rounds // 2))
        say("extract, 200,000 paths, one job", ours, "rows/s", "bare CPython loop", loop, ours / loop,
            "bar: ≥ 0.85 × the loop")
        small = bulk_memory(args.build, typical, write_paths(folder, samples, 100_000))
        large = bulk_memory(args.build, typical, write_paths(folder, samples, 1_000_000))
        say("extract, peak memory at 1,000,000 paths", large, "MB", "at 100,000 paths", small, large / small, "bar: flat")
    if args.json:
        args.json.write_text(json.dumps({"figures": figures}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
