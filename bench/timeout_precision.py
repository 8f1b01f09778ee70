#!/usr/bin/env python3
"""How exactly a time limit is held: actual time minus limit, over many runs of code that never ends by itself.

    bench/timeout_precision.py [--build DIR] [--runs N] [--timeout SECONDS]

Each run is one `airlock validate` of one path. `reported` is execution_time_ms, the time that the supervisor waited;
`outside` is the wall time of the whole command minus the median of those whose code fails at once, which take turns with
it: the end of the cell and the report are in it, and the noise of a start. Exit code 1 when any result is not a TimeoutError.
"""
import argparse, json, pathlib, statistics, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# One body for each way to take forever: the interpreter's loop, a sleeping call, one long operation, an engine that backtracks.
KINDS = {
    "busy loop": ("", "while True: pass"),
    "time.sleep": ("import time", "time.sleep(3600)"),
    "10**10**8": ("", "return {'n': len(str(10 ** 10 ** 8))}"),
    "exploding regex": ("import re", "return {'m': bool(re.match(r'(a+)+$', 'a' * 64 + 'b'))}"),
}
# Fails, because code that passes is looked at a second time and code that hangs is not.
AT_ONCE = ("", "raise ValueError")
# The built-in policy offers no way to sleep.
POLICY = """
extends = "extractor"
name = "sleepers"
[modules.time]
why = "to see that a sleeping cell is ended in time too"
attributes = ["sleep"]
"""


def program(imports, body):
    return f"{imports}\n\n\ndef extract(path: str) -> dict:\n    {body}\n    return {{}}\n"


def validate(airlock, file, seconds):
    """Its only result, and the wall time in ms."""
    start = time.perf_counter()
    done = subprocess.run([airlock, "validate", file, "--path", "/a/b", "--timeout", str(seconds), "--format", "json",
                           "--policy", file.parent / "sleepers.toml"], capture_output=True)
    wall = (time.perf_counter() - start) * 1e3
    if done.returncode not in (0, 1):
        sys.exit(f"airlock validate ended with {done.returncode}: {done.stderr.decode(errors='replace').strip()[-300:]}")
    report = json.loads(done.stdout)
    results = (report["test_results"] or {}).get("results") or [{}]
    return results[0], wall


def row(name, values):
    values = sorted(values)
    picks = [values[0]] + [values[min(len(values) - 1, int(len(values) * share))] for share in (0.5, 0.9, 0.99)] + [values[-1]]
    return f"  {name:<28}" + "".join(f"{pick:>9.1f}" for pick in picks)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--runs", type=int, default=200, help="in all, over all kinds")
    parser.add_argument("--timeout", type=float, default=0.2)
    args = parser.parse_args()
    airlock, limit = args.build / "airlock", args.timeout * 1e3
    reported, outside, types = ({kind: [] for kind in KINDS} for _ in range(3))
    starts = []
    with tempfile.TemporaryDirectory() as folder:
        files = {kind: pathlib.Path(folder) / f"kind{i}.py" for i, kind in enumerate(KINDS)}
        for kind, file in files.items():
            file.write_text(program(*KINDS[kind]))
        at_once = pathlib.Path(folder) / "at_once.py"
        at_once.write_text(program(*AT_ONCE))
        (pathlib.Path(folder) / "sleepers.toml").write_text(POLICY)
        for _ in range(max(1, args.runs // len(KINDS))):
            for kind, file in files.items():
                starts.append(validate(airlock, at_once, args.timeout)[1])
                result, wall = validate(airlock, file, args.timeout)
                reported[kind].append(result.get("execution_time_ms", 0) - limit)
                outside[kind].append(wall - limit)
                types[kind].append(result.get("error_type"))
    start = statistics.median(starts)
    outside = {kind: [wall - start for wall in walls] for kind, walls in outside.items()}
    print(f"{sum(map(len, outside.values()))} runs; a command whose code fails at once: {start:.1f} ms (median)")
    print(f"actual time minus the limit of {limit:g} ms, in ms\n{'':<30}{'min':>9}{'p50':>9}{'p90':>9}{'p99':>9}{'max':>9}")
    wrong = 0
    for kind in KINDS:
        right = types[kind].count("TimeoutError")
        wrong += len(types[kind]) - right
        print(row(f"{kind}, reported", reported[kind]))
        print(row(f"{kind}, outside", outside[kind]) + f"   {right}/{len(types[kind])} TimeoutError")
        for other in sorted({str(one) for one in types[kind]} - {"TimeoutError"}):
            print(f"      also: {other}")
    everything = [value for values in outside.values() for value in values]
    print(row("all, outside", everything) + f"   {'within' if max(map(abs, everything)) <= 100 else 'NOT within'} ± 100 ms")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
