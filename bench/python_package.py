"""Figures of `import airlock`, as a program that imports it sees them. Each round is a process of its own, started with `python3 -I`, so that
its threads and its garbage are those of a user's program."""
import json, statistics, subprocess, sys, time

import alternatives, baselines, serve

# PACKAGE EXTRACTOR PATHS COUNT: a JSON document with lists of milliseconds.
ROUND = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
source, paths, count = open(sys.argv[2]).read(), json.loads(sys.argv[3]), int(sys.argv[4])
PIECE, MOMENT = sys.argv[5], 0.005
now = time.perf_counter
took = {}

def measure(name, work, times=count, rest=0.0):
    for _ in range(times):
        if rest:
            time.sleep(rest)
        start = now()
        work()
        took.setdefault(name, []).append((now() - start) * 1e3)

start = now()
import airlock
took["import"] = [(now() - start) * 1e3]
start = now()
pool = airlock.Pool()
assert pool.run("1").value == 1
took["start"] = [(now() - start) * 1e3]

def new():
    with pool.session() as session:
        session.run(PIECE, inputs={"n": 10})
        took.setdefault("new", []).append((now() - begun) * 1e3)

def validate():
    assert pool.validate(source, paths).valid

session = pool.session(functions={"f": lambda x: x})
session.run("n = 10")
measure("piece", lambda: session.run(PIECE))
for _ in range(count):
    start = now()
    session.run("f(1)")
    between = now()
    session.run("1")
    took.setdefault("call", []).append(((between - start) - (now() - between)) * 1e3)
measure("check", lambda: pool.check(source))
for _ in range(count):
    time.sleep(MOMENT)
    begun = now()
    new()
measure("validate", validate, rest=MOMENT)

import asyncio
async def main():
    async with airlock.AsyncPool() as pool:
        async with pool.session() as session:
            await session.run("n = 10")
            for _ in range(count):
                start = now()
                await session.run(PIECE)
                took.setdefault("async piece", []).append((now() - start) * 1e3)
asyncio.run(main())

import threading
def many():
    for _ in range(each):
        validate()
each = count * 2
threads = [threading.Thread(target=many) for _ in range(4)]
start = now()
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
took["validations"] = [4 * each / (now() - start)]
print(json.dumps(took))
"""

# PACKAGE EXTRACTOR FILE: rows a second, from the first path to the last row.
EXTRACT = """
import sys, time
sys.path.insert(0, sys.argv[1])
import airlock
with airlock.Pool() as pool, open(sys.argv[3]) as file:
    start = time.perf_counter()
    count = sum(row["ok"] for row in pool.extract(sys.argv[2], (line[:-1] for line in file)))
    print(count / (time.perf_counter() - start))
"""


def run(bench, text, *words):
    done = subprocess.run([baselines.PYTHON, "-I", "-c", text, *map(str, words)], capture_output=True, text=True,
                          env={"AIRLOCK_PROGRAM": str(bench.airlock), "PATH": "/usr/bin:/bin", "HOME": "/nonexistent"})
    if done.returncode:
        sys.exit(f"bench: import airlock: {done.stderr[-500:]}")
    return done.stdout


def seconds_of(*command):
    start = time.perf_counter()
    subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def measure_bulk(bench, folder, package):
    count = 200_000 // bench.scale
    paths = bench.write_paths(folder, count)
    ours, command = [], []
    for _ in range(max(2, bench.rounds // 2)):
        command.append(count / seconds_of(bench.airlock, "extract", bench.typical, paths))
        ours.append(float(run(bench, EXTRACT, package, bench.typical, paths)))
    bench.report.say(f"extract, {count:,} paths", statistics.median(ours), "rows/s", "airlock extract", statistics.median(command), at_least=0.8)


def measure(bench, folder, bare, root):
    package, count = root / "python", 60 // bench.scale
    took, bare_work, theirs, raw, raw_validate = {}, [], [], [], []
    source = bench.typical.read_text(encoding="utf-8")
    client = serve.Client(bench.airlock)
    session = client.ask("open")["session"]
    client.ask("run", session=session, code="n = 10")
    for _ in range(bench.rounds):
        for name, values in json.loads(run(bench, ROUND, package, bench.typical, json.dumps(bench.paths), count, serve.PIECE)).items():
            took.setdefault(name, []).extend(values)
        raw += [serve.milliseconds(lambda: client.ask("run", session=session, code=serve.PIECE)) for _ in range(count)]
        for _ in range(count):
            time.sleep(serve.MOMENT)
            raw_validate.append(serve.milliseconds(lambda: client.ask("validate", source=source, paths=bench.paths)))
        bare_work += bare(baselines.BARE, bench.typical, count, 1, *bench.paths)
        if bench.reference:
            theirs += bare(baselines.REFERENCE_PIPELINE, bench.typical, 3, bench.reference, *bench.paths)
    client.close()
    middle = {name: statistics.median(values) for name, values in took.items()}
    say = bench.report.say
    bench.report.part("import airlock (p50)")
    say("import airlock", middle["import"], "ms")
    say("start of the first pool, with a piece", middle["start"], "ms", "allowed", 60, at_most=1)
    say("a piece of 3 lines in a live session", middle["piece"], "ms", "allowed", 0.5, at_most=1)
    say("a piece of 3 lines in a live session", middle["piece"], "ms", "pipes and json alone", statistics.median(raw))
    say("the same with await", middle["async piece"], "ms", "allowed", 0.5)
    say("a new session with its first piece", middle["new"], "ms", "allowed", 3, at_most=1)
    say("a host function's round trip", middle["call"], "ms", "allowed", 0.25, at_most=1)
    say("check, stages 1-3", middle["check"], "ms")
    say("validate, 5 samples and a second look", middle["validate"], "ms", "bare, re's cache empty", statistics.median(bare_work) / 1e3, at_most=3)
    say("validate, 5 samples and a second look", middle["validate"], "ms", "pipes and json alone", statistics.median(raw_validate))
    if theirs:
        say("validate, 5 samples and a second look", middle["validate"], "ms", "reference pipeline", statistics.median(theirs) / 1e3, faster=True, at_least=25)
    else:
        bench.report.skip("validate through Python, beside the reference", bench.why_no_reference)
    say("validations a second, 4 threads, 2 processors", middle["validations"], "/s", "wanted", 600, at_least=1)
    measure_bulk(bench, folder, package)
    alternatives.measure(bench, serve.PIECE, middle["piece"], middle["new"])
