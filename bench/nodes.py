"""Figures of code nodes (`airlock run`), beside a bare `exec` of the same code and beside a node made of a thread pool and redirected streams."""
import json, statistics, subprocess, sys, time

import baselines

SMALL = """n: int
rows = [{"n": i} for i in range(n)]
result: list = [r["n"] * 2 for r in rows]
"""
PRINTING = SMALL + "print(len(rows))\n"

# FILE COUNT: microseconds, with the text compiled each time, as a node's is.
BARE_EXEC = """
import sys, time
code = open(sys.argv[1]).read()
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    exec(code, {"n": 3})
    print((time.perf_counter() - start) * 1e6)
"""

# FILE COUNT: the same with what a node in the interpreter's own process needs: the tree for the declarations, a thread for the clock, streams.
POOL_NODE = """
import ast, concurrent.futures, contextlib, io, sys, time
code = open(sys.argv[1]).read()
def work(namespace, out, err):
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        exec(code, namespace)
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    names = {s.target.id: ast.unparse(s.annotation) for s in ast.parse(code).body if isinstance(s, ast.AnnAssign)}
    namespace, out, err = {"n": 3}, io.StringIO(), io.StringIO()
    with concurrent.futures.ThreadPoolExecutor(max_workers=1) as pool:
        pool.submit(work, namespace, out, err).result(timeout=30)
    assert isinstance(namespace["result"], list) and "result" in names
    took = time.perf_counter() - start
    sys.__stdout__.write(f"{took * 1e6}\\n")
"""

# LIBRARY COUNT: milliseconds of the outer check of an input of 10^6 values, and of the strict one of 10^4.
CHECKS = """
import sys, time
sys.path.insert(0, sys.argv[1])
from airlock_node import node, deep_types
large, small = list(range(10**6)), list(range(10**4))
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    node.check_input("x", large, "list[int]", large, False)
    middle = time.perf_counter()
    node.check_input("x", small, "list[int]", small, True)
    print((middle - start) * 1e3, (time.perf_counter() - middle) * 1e3)
"""

# Ways to take forever that need different means to be stopped: an exception, a signal that interrupts a call, a kill.
ENDLESS = {"busy loop": "while True: pass", "time.sleep": "import time\ntime.sleep(3600)", "one long call into C": "sum(range(10**15))",
           "swallows the exception": "import time\nwhile True:\n    try:\n        time.sleep(0.01)\n    except BaseException:\n        pass"}


def hundred_lines():
    return "n: int\n" + "".join(f"def f{i}(x: int) -> int:\n    return x * {i} + n\n" for i in range(48)) + "total: int = f1(n)\nresult: list = [total]\n"


def late_by(bench, folder, kind, code):
    """Milliseconds after the limit, as the report's duration says it."""
    limit = 0.2
    file = folder / "endless.json"
    file.write_text(json.dumps({"type": "code", "params": {"code": f"{code}\nresult: int = 1", "timeout": limit}}), encoding="utf-8")
    done = subprocess.run([bench.airlock, "run", file, "--format", "json"], capture_output=True)
    report = json.loads(done.stdout)
    if "timed out after 0.2 seconds" not in report["shared"]["error"]:
        sys.exit(f"bench: {kind}: {report['shared']['error']}")
    return report["duration_ms"] - limit * 1e3


def measure(bench, folder, bare, times, root):
    say, count = bench.report.say, 1000 // bench.scale
    files = {}
    for name, text in (("small", SMALL), ("printing", PRINTING), ("hundred", hundred_lines())):
        files[name] = folder / f"{name}.py"
        files[name].write_text(text, encoding="utf-8")
    rows = {name: [] for name in ("small", "printing", "hundred", "bare", "bare hundred", "pool", "read")}
    checks = []
    for _ in range(bench.rounds):
        rows["bare"] += bare(BARE_EXEC, files["small"], count)
        for name in ("small", "printing", "hundred"):
            rows[name] += times(bench.build / "bench_node", bench.host, files[name], count)
        rows["bare hundred"] += bare(BARE_EXEC, files["hundred"], count)
        rows["pool"] += bare(POOL_NODE, files["small"], count)
        rows["read"] += times(bench.build / "bench_node", bench.host, files["hundred"], count, "check")
        checks += [line.split() for line in subprocess.run([baselines.PYTHON, "-I", "-c", CHECKS, root / "library", "20"], capture_output=True, text=True,
                                                           check=True).stdout.splitlines()]
    middle = {name: statistics.median(values) for name, values in rows.items()}
    bench.report.part("Code nodes (airlock run), from question to answer in one node host")
    say("a node of 3 lines", middle["small"], "µs", "a node with a thread pool", middle["pool"], faster=True)
    say("overhead over bare exec, 3 lines", middle["small"] - middle["bare"], "µs", "allowed", 100, at_most=1)
    say("overhead over bare exec, 100 lines", middle["hundred"] - middle["bare hundred"], "µs",
        note=" (the static libpython compiles slower than python3 does)")
    say("read and compile 100 lines (--check)", middle["read"] / 1e3, "ms", "allowed", 10, at_most=1)
    outer, strict = (statistics.median(float(row[i]) for row in checks) for i in (0, 1))
    say("type check of an input, outer", outer, "ms", "allowed", 5, at_most=1)
    say("type check of 10,000 elements, strict", strict, "ms")
    say("capture of one print", (middle["printing"] - middle["small"]) / 1e3, "ms", "allowed", 1, at_most=1)
    for kind, code in ENDLESS.items():
        runs = (100 if kind == "busy loop" else 25) // bench.scale
        late = sorted(late_by(bench, folder, kind, code) for _ in range(runs))
        say(f"timeout, late by: {kind}", late[-1], "ms", "allowed", 100, at_most=1, note=f" (worst of {runs}; median {late[len(late) // 2]:.1f})")
