"""Path rules beside Python doing the same: the loop that anybody would write, and one compiled `re` for the whole path."""
import os
import statistics
import subprocess
import time

import baselines

FIELDS = ["mission_id", "date", "name", "client", "year", "quarter", "kind", "run", "site", "extension"]
# One field a line of YAML, and the Python that gives the same.
RULE = {
    "mission_id": r'{ from: segment(-3), pattern: "mission_(\\d+)", type: integer }',
    "date": "{ from: segment(-2), type: date }",
    "name": "{ from: filename }",
    "client": r'{ from: segment(-6), pattern: "CLIENT-(.+)" }',
    "year": "{ from: segment(-5), type: integer }",
    "quarter": r'{ from: segment(-4), pattern: "Q(\\d)", type: integer }',
    "kind": r'{ from: filename, pattern: "^([^_]+)_" }',
    "run": r'{ from: filename, pattern: "_run(\\d+)", type: integer }',
    "site": "{ from: segment(-7) }",
    "extension": r'{ from: filename, pattern: "\\.([a-z]+)$" }',
}
PYTHON = {
    "mission_id": "int(MISSION.search(p[-3]).group(1))",
    "date": "date.fromisoformat(p[-2]).isoformat()",
    "name": "p[-1]",
    "client": "CLIENT.search(p[-6]).group(1)",
    "year": "int(p[-5])",
    "quarter": "int(QUARTER.search(p[-4]).group(1))",
    "kind": "p[-1].split('_', 1)[0]",
    "run": "int(RUN.search(p[-1]).group(1))",
    "site": "p[-7]",
    "extension": "p[-1].rsplit('.', 1)[1]",
}
HEAD = """import re
from datetime import date

MISSION = re.compile(r"mission_(\\d+)")
CLIENT = re.compile(r"CLIENT-(.+)")
QUARTER = re.compile(r"Q(\\d)")
RUN = re.compile(r"_run(\\d+)")


def extract(path: str) -> dict:
    p = path.split("/")
"""
WHOLE = (r"^.*/(?P<site>[^/]+)/CLIENT-(?P<client>[^/]+)/(?P<year>\d{4})/Q(?P<quarter>\d)/mission_(?P<mission_id>\d+)/"
         r"(?P<date>\d{4}-\d{2}-\d{2})/(?P<name>(?P<kind>[^_/]+)_run(?P<run>\d+)[^/]*\.(?P<extension>[a-z]+))$")
NUMBERS = {"mission_id", "year", "quarter", "run"}


def paths(count):
    for i in range(count):
        yield (f"/data/site{i % 7}/CLIENT-C{i % 90}/{2015 + i % 10}/Q{i % 4 + 1}/mission_{i % 1000:03d}/"
               f"2024-{i % 12 + 1:02d}-{i % 28 + 1:02d}/table_run{i}.csv")


def write_rule(file, fields):
    file.write_text('glob: "**/mission_*/????-??-??/*.csv"\nextract:\n' + "".join(f"  {f}: {RULE[f]}\n" for f in fields))


def write_loop(file, fields):
    file.write_text(HEAD + "    return {" + ", ".join(f"'{f}': {PYTHON[f]}" for f in fields) + "}\n")


def write_re(file, fields):
    wanted = ", ".join(f"'{f}': " + (f"int(m['{f}'])" if f in NUMBERS else f"m['{f}']") for f in fields)
    file.write_text(f"import re\n\nWHOLE = re.compile({WHOLE!r})\n\n\ndef extract(path: str) -> dict:\n    m = WHOLE.match(path)\n"
                    f"    return {{{wanted}}}\n")


def seconds_and_memory(*command):
    start = time.perf_counter()
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    return time.perf_counter() - start, usage.ru_maxrss / 1e3


def measure(bench, folder, bare):
    """`bare` runs a text with python3 -I and returns the numbers it prints."""
    count = 1_000_000 // bench.scale
    few = count // 10  # for Python: it is the rate that counts
    many, some = folder / "rule_paths", folder / "loop_paths"
    with many.open("w") as out:
        out.writelines(path + "\n" for path in paths(count))
    with some.open("w") as out:
        out.writelines(path + "\n" for path in paths(few))
    bench.report.part("Path rules (whole commands, one job, rows of JSON out)")
    for size in (1, 3, 10):
        rule, loop, whole = folder / "rule.yaml", folder / "loop.py", folder / "whole.py"
        write_rule(rule, FIELDS[:size])
        write_loop(loop, FIELDS[:size])
        write_re(whole, FIELDS[:size])
        ours, loops, regexes, two = [], [], [], []
        for _ in range(max(2, bench.rounds // 2)):
            ours.append(count / seconds_and_memory(bench.airlock, "extract", rule, many, "--jobs", "1")[0])
            loops += bare(baselines.LOOP, loop, some)
            regexes += bare(baselines.LOOP, whole, some)
            two.append(count / seconds_and_memory(bench.airlock, "extract", rule, many, "--jobs", "2")[0])
        fields = f"{size} field{'s' if size > 1 else ''}"
        say = bench.report.say
        say(f"rule of {fields}", statistics.median(ours), "rows/s", "bare loop, json.dumps", statistics.median(loops))
        say(f"rule of {fields}", statistics.median(ours), "rows/s", "one re, json.dumps", statistics.median(regexes))
        say(f"rule of {fields}, two jobs", statistics.median(two), "rows/s", "one job", statistics.median(ours))
    measure_typical(bench, folder, bare, count, few)
    measure_memory(bench, folder, rule)
    measure_infer(bench, folder)


def measure_typical(bench, folder, bare, count, few):
    """The figure of the design: the typical extractor in a bare loop, and a rule that takes what a rule can take of it."""
    rule = folder / "typical.yaml"
    rule.write_text('extract:\n  name: { from: filename }\n  extension: { from: filename, pattern: "(\\\\.[^.]+)$", default: "" }\n'
                    '  parent: { from: segment(-2), default: "" }\n'
                    '  date: { from: filename, pattern: "(20\\\\d{2}-\\\\d{2}-\\\\d{2})", default: null }\n')
    many, some = bench.write_paths(folder, count), bench.write_paths(folder, few)
    ours, loops = [], []
    for _ in range(max(2, bench.rounds // 2)):
        ours.append(count / seconds_and_memory(bench.airlock, "extract", rule, many, "--jobs", "1")[0])
        loops += bare(baselines.LOOP, bench.typical, some)
    bench.report.say("rule on the typical extractor's paths", statistics.median(ours), "rows/s", "its bare loop",
                     statistics.median(loops), at_least=20)


def measure_memory(bench, folder, rule):
    first = None
    for count in (100_000, 1_000_000, 10_000_000)[: 2 if bench.scale > 1 else 3]:
        file = folder / "memory_paths"
        with file.open("w") as out:
            out.writelines(path + "\n" for path in paths(count))
        _, peak = seconds_and_memory(bench.airlock, "extract", rule, file)
        beside = {} if first is None else {"baseline": "at 100,000 paths", "base": first, "at_most": 1.1}
        first = first or peak
        bench.report.say(f"memory of a rule at {count:,} paths", peak, "MB", **beside)


def measure_infer(bench, folder):
    bench.report.part("Inferring rules")
    for count in (1_000, 100_000, 1_000_000):
        file = folder / "infer_paths"
        with file.open("w") as out:
            out.writelines(path + "\n" for path in paths(count))
        runs = [seconds_and_memory(bench.airlock, "infer", file) for _ in range(3)]
        size = file.stat().st_size / 1e6
        bench.report.say(f"infer from {count:,} paths", statistics.median(run[0] for run in runs), "s")
        bench.report.say(f"memory of infer at {count:,} paths", statistics.median(run[1] for run in runs), "MB", "the paths themselves", size)
