#!/usr/bin/env python3
"""Tests of `airlock rules`, of rules in `airlock extract`, of `compare` and `distill`, as their users meet them.

    tests/commands/rules_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

The last line is `N passed, N failed`.
"""
import csv
import json
import os
import pathlib
import random
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness

ROOT = harness.ROOT
AIRLOCK = harness.AIRLOCK
SECONDS = 60

MISSION = r"""
version: 1
rules:
  - name: "Mission Telemetry"
    glob: "**/mission_*/????-??-??/*.csv"
    extract:
      mission_id: { from: segment(-3), pattern: "mission_(\\d+)", type: integer }
      date:       { from: segment(-2), type: date }
    tag: mission_data
    tag_conditions: [ { if: "mission_id < 100", tag: archived_missions }, { if: "date.year = 2024", tag: current_year } ]
    priority: 100
"""
PYTHON = r"""
import re
from datetime import date

ID = re.compile(r"mission_(\d+)")


def extract(path: str) -> dict:
    parts = path.replace("\\", "/").split("/")
    return {"mission_id": int(ID.search(parts[-3]).group(1)), "date": date.fromisoformat(parts[-2]).isoformat()}
"""


class Case(harness.Case):
    def setUp(self):
        super().setUp()
        self.write("mission.yaml", MISSION)

    def write(self, name, content):
        super().write(name, content)
        return name

    def run_airlock(self, *words, stdin=b""):
        done = self.airlock(*words, stdin=stdin)
        return done.returncode, done.stdout.decode("utf-8", "surrogateescape"), done.err

    def check(self, yaml):
        return self.run_airlock("rules", "check", self.write("r.yaml", yaml))

    def rows(self, yaml, *paths, arguments=()):
        name = self.write("r.yaml", yaml)
        data = b"".join((p if isinstance(p, bytes) else p.encode()) + b"\n" for p in paths)
        code, out, err = self.run_airlock("extract", name, "-", *arguments, stdin=data)
        self.assertEqual(code, 0, err)
        rows = [json.loads(line) for line in out.splitlines()]
        self.assertEqual(len(rows), len(paths))
        return rows

    def data(self, field, path):
        row = self.rows("extract:\n  x: " + field + "\n", path)[0]
        return row["data"]["x"] if row["ok"] else row["error"]["type"]


class Rows(Case):
    def test_the_row_contract_is_that_of_python(self):
        row, other = self.rows(MISSION, "D:\\data\\mission_007\\2023-12-31\\a.csv", "/elsewhere/x.csv")
        self.assertEqual(row, {"path": "D:\\data\\mission_007\\2023-12-31\\a.csv", "ok": True,
                               "data": {"mission_id": 7, "date": "2023-12-31"}, "tags": ["mission_data", "archived_missions"]})
        self.assertEqual((other["ok"], other["error"]["type"]), (False, "NoMatch"))
        self.assertIn("segments", other["error"]["message"])

    def test_every_line_has_a_row_in_order_whatever_the_jobs(self):
        r = random.Random(3)
        paths = [f"/d/mission_{r.randrange(999)}/2024-{r.randrange(1, 14):02d}-{r.randrange(1, 32):02d}/f{i}.csv" for i in range(30000)]
        paths[100], paths[200] = "", "//"
        outputs = []
        for jobs in (1, 2, 7):
            rows = self.rows(MISSION, *paths, arguments=("--jobs", jobs))
            self.assertEqual([row["path"] for row in rows], paths)
            outputs.append(rows)
        self.assertEqual(outputs[0], outputs[1])
        self.assertEqual(outputs[0], outputs[2])

    def test_values_out_of_range_are_errors_of_the_row(self):
        self.assertEqual(self.data("{from: filename, type: integer}", "99999999999999999999"), "ValueError")
        self.assertEqual(self.data("{from: filename, type: date}", "2023-02-30"), "ValueError")
        self.assertEqual(self.data("{from: filename, type: integer, validate: '1..12'}", "13"), "ValueError")
        self.assertEqual(self.data("{from: filename, type: integer}", "9223372036854775807"), 2**63 - 1)
        self.assertEqual(self.data("{from: filename, type: float}", "2"), 2.0)
        self.assertEqual(self.data("{from: filename}", "007"), "007")
        self.assertEqual(self.data("{from: filename, type: boolean}", "no"), False)
        self.assertEqual(self.data("{from: filename, pattern: 'zz', default: null}", "a"), None)

    def test_a_partition_without_a_value_is_not_found(self):
        self.write("h.yaml", "extract:\n  year: {from: hive(year), type: integer, optional: true}\n")
        code, out, _ = self.run_airlock("extract", "h.yaml", "-", stdin="t/year=2024/f\nt/year=__HIVE_DEFAULT_PARTITION__/f\n")
        self.assertEqual((code, [json.loads(line)["data"]["year"] for line in out.splitlines()]), (0, [2024, None]))

    def test_odd_bytes(self):
        name = b"/d/\xff\x01\"\\\xe2\x80\xae.csv"
        row = self.rows("extract: {x: {from: segment(0)}, n: {from: filename}}\n", name)[0]
        self.assertEqual(os.fsencode(row["path"]), name)
        self.assertEqual(row["data"]["x"], "d")
        row = self.rows("extract: {n: {from: filename, pattern: '^(.+)$'}}\n", "/é/ünïcode.csv".encode())[0]
        self.assertEqual(row["data"]["n"], "ünïcode.csv")

    def test_four_thousand_segments_and_a_megabyte(self):
        deep = "/a" * 4000 + "/x.csv"
        row = self.rows("glob: '**/*.csv'\nextract: {x: {from: segment(-4001)}}\n", deep)[0]
        self.assertEqual(row["data"], {"x": "a"})
        long = "/" + "b" * (2 * 1024 * 1024)
        rows = self.rows("extract: {x: {from: segment(0)}}\n", long, "/c")
        self.assertEqual(rows[0]["error"]["type"], "InputLimitError")
        self.assertEqual(rows[1]["data"], {"x": "c"})

    def test_tables(self):
        self.write("p", "/d/mission_1/2024-01-01/a.csv\n/x\n")
        for ending in ("csv", "sqlite", "ndjson"):
            self.assertEqual(self.run_airlock("extract", "mission.yaml", "p", "--output", f"o.{ending}")[0], 0)
        table = list(csv.DictReader(open(self.folder / "o.csv", encoding="utf-8")))
        self.assertEqual((table[0]["mission_id"], table[0]["tags"], table[1]["ok"]),
                         ("1", '["mission_data","archived_missions","current_year"]', "false"))
        rows = sqlite3.connect(self.folder / "o.sqlite").execute("SELECT ok, data, tags FROM rows").fetchall()
        self.assertEqual((rows[0][0], json.loads(rows[0][1])["mission_id"], rows[1]), (1, 1, (0, None, None)))

    def test_resume_and_shard(self):
        self.write("p", "".join(f"/d/mission_{i}/2024-01-01/a.csv\n" for i in range(5000)))
        whole = self.run_airlock("extract", "mission.yaml", "p")[1].splitlines()
        shards = [self.run_airlock("extract", "mission.yaml", "p", "--shard", f"{i}/3")[1].splitlines() for i in (1, 2, 3)]
        self.assertEqual([shards[i % 3][i // 3] for i in range(5000)], whole)
        self.assertEqual(self.run_airlock("extract", "mission.yaml", "p", "--output", "o.ndjson")[0], 0)
        self.assertEqual((self.folder / "o.ndjson").read_text().splitlines(), whole)
        # A job that was killed: half a row at its end.
        facts = self.start("extract", self.folder / "mission.yaml", "-", "--output", "k.ndjson", stdin=subprocess.PIPE)
        facts.stdin.write(b"/d/mission_1/2024-01-01/a.csv\n" * 10)
        facts.stdin.flush()
        partial = self.folder / "k.ndjson.partial"
        self.wait_for(lambda: partial.exists() and partial.read_bytes().count(b"\n") == 10, "ten rows")
        harness.end(facts)
        code, _, err = self.run_airlock("extract", str(self.folder / "mission.yaml"), "-", "--output", "k.ndjson", "--resume",
                                        stdin=b"/d/mission_1/2024-01-01/a.csv\n" * 12)
        self.assertEqual(code, 0, err)
        self.assertEqual(len((self.folder / "k.ndjson").read_text().splitlines()), 12)

    def test_what_is_there_is_answered_before_more_comes(self):
        process = self.start("extract", "mission.yaml", "-", stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        process.stdin.write(b"/d/mission_1/2024-01-01/a.csv\n")
        process.stdin.flush()
        self.assertTrue(json.loads(process.stdout.readline())["ok"])
        process.stdin.close()
        self.assertEqual(process.wait(10), 0)
        process.stdout.close()

    def test_memory_stays_flat(self):
        line = "/data/projects/mission_042/2024-01-15/readings.csv\n"
        peaks = []
        for count in (100_000, 1_000_000):
            self.write("p", line * count)
            process = subprocess.Popen([str(AIRLOCK), "extract", "mission.yaml", "p", "--jobs", "2"], cwd=self.folder,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, _, usage = os.wait4(process.pid, 0)
            process.returncode = 0
            peaks.append(usage.ru_maxrss)
        self.assertLess(peaks[1], peaks[0] * 1.3 + 4096)


class Checking(Case):
    def test_every_mistake_is_told_with_its_place(self):
        code, out, err = self.check("version: 1\nrules:\n  - extract:\n      a: {from: segment-3}\n      b: {from: filename, type: int}\n"
                                    "      c: {from: filename, pattern: '(?<=x)y'}\n    prority: 3\n")
        self.assertEqual(code, 1)
        for words in ("r.yaml:4:17:", "segment(N)", "filename", "full_path", "rel_path", "did you mean 'integer'?", "no look-behind",
                      "did you mean 'priority'?", "4 errors"):
            self.assertIn(words, out)

    def test_what_can_never_match_is_refused(self):
        self.write("w.yaml", 'extract:\n  a: {from: filename, type: integer, validate: "12..1"}\n  b: {from: segment(-0)}\n'
                             '  c: {from: filename, pattern: "((a{100}){100})"}\n')
        code, out, _ = self.run_airlock("rules", "check", "w.yaml")
        self.assertEqual(code, 1)
        for words in ("w.yaml:2:", "the smaller bound stands first", "w.yaml:3:", "segment(N)", "w.yaml:4:", "up to 1000"):
            self.assertIn(words, out)

    def test_tabs_are_named(self):
        self.write("w.yaml", "rules:\n\t- name: x\n")
        code, out, _ = self.run_airlock("rules", "check", "w.yaml")
        self.assertEqual(code, 1)
        self.assertIn("begins with a tab", out)

    def test_json(self):
        code, out, _ = self.run_airlock("rules", "check", "mission.yaml", self.write("b.yaml", "extract: {a: {}}\n"), "--format", "json")
        files = json.loads(out)["files"]
        self.assertEqual((code, files[0]["verdict"], files[1]["verdict"]), (1, "accepted", "refused"))
        self.assertEqual(files[1]["errors"][0]["line"], 1)

    def test_hostile_files_end_in_clear_words_and_bounded_time(self):
        bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n" + "".join(
            f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 9))
        cases = {"alias bomb": (bomb, "aliases"), "100 MB": (b"# x\n" * 25_000_000, "larger than 1 MiB"),
                 "deep": ("[" * 100_000, "deeper"), "not UTF-8": (b"\xff\xfe", "UTF-8"), "empty": ("", "empty"),
                 "many keys": ("a: 1\n" * 100_000, ""), "a long flow": ("{" + "a: 1, " * 150_000 + "}", ""),
                 "tabs": ("\ta: 1\n", "")}
        for name, (text, words) in cases.items():
            with self.subTest(name):
                start = time.monotonic()
                code, out, err = self.check(text)
                self.assertEqual(code, 1)
                self.assertIn(words, out)
                self.assertLess(time.monotonic() - start, 15)
                self.assertLess(len(out), 10_000_000)

    def test_missing_file_and_usage(self):
        self.assertEqual(self.run_airlock("rules", "check", "none.yaml")[0], 2)
        code, _, err = self.run_airlock("rules", "chek", "none.yaml")
        self.assertEqual(code, 2)
        self.assertIn("Did you mean check?", err)
        self.assertEqual(self.run_airlock("rules")[0], 2)
        for words in ((), ("check",), ("show",), ("test",), ("explain",)):
            code, out, _ = self.run_airlock("rules", *words, "--help")
            self.assertEqual(code, 0)

    def test_refused_rules_run_nothing(self):
        code, out, err = self.run_airlock("extract", self.write("b.yaml", "extract: {a: {from: x}}\n"), "-", stdin=b"/a\n")
        self.assertEqual((code, out), (1, ""))
        self.assertIn("b.yaml:1:", err)


class Showing(Case):
    def test_show(self):
        code, out, _ = self.run_airlock("rules", "show", "mission.yaml")
        self.assertEqual(code, 0)
        self.assertIn("mission_id  segment(-3), pattern mission_(\\d+) (one pass), integer", out)
        document = json.loads(self.run_airlock("rules", "show", "mission.yaml", "--format", "json")[1])
        self.assertEqual(document["rules"][0]["fields"][0]["engine"], "one-pass")

    def test_explain_says_which_segment_gave_which_field(self):
        code, out, _ = self.run_airlock("rules", "explain", "mission.yaml", "/d/mission_042/2024-01-15/a.csv")
        self.assertEqual(code, 0)
        self.assertIn("mission_id = 42  from segment(-3), '042' as integer", out)
        code, out, _ = self.run_airlock("rules", "explain", "mission.yaml", "/d/mission_042/2024-02-30/a.csv")
        self.assertEqual(code, 1)
        self.assertIn("'2024-02-30' is no day of the calendar", out)
        code, out, _ = self.run_airlock("rules", "explain", "mission.yaml", "/d/x/2024-02-30/a.csv", "--format", "json")
        self.assertIn("segment(-3) is 'x'", json.loads(out)["not_matched"][0]["why"])

    def test_test_counts(self):
        code, out, _ = self.run_airlock("rules", "test", "mission.yaml", "-", stdin="/d/mission_1/2024-01-15/a.csv\n/x\n")
        self.assertEqual(code, 1)
        self.assertIn("1 of 2 paths matched (50.0 %)", out)
        code, out, _ = self.run_airlock("rules", "test", "mission.yaml", "--format", "json", stdin="/d/mission_1/2024-01-15/a.csv\n")
        self.assertEqual((code, json.loads(out)["matched"]), (0, 1))


class Agreement(Case):
    def paths(self):
        r = random.Random(1)
        return self.write("p", "".join(f"/d/mission_{r.randrange(999):03d}/2024-01-{r.randrange(1, 29):02d}/a{i}.csv\n" for i in range(300)))

    def test_compare(self):
        self.write("e.py", PYTHON)
        code, out, err = self.run_airlock("compare", "mission.yaml", "e.py", self.paths())
        self.assertEqual(code, 0, err)
        self.assertIn("300 of 300 paths agree", out)
        self.write("e.py", PYTHON.replace("int(", "1 + int("))
        code, out, err = self.run_airlock("compare", "mission.yaml", "e.py", "p", "--format", "json")
        document = json.loads(out)
        self.assertEqual((code, document["fields"]["mission_id"]["different"], document["fields"]["date"]["equal"]), (1, 300, 300))
        self.assertEqual(len(document["differences"]), 10)

    def test_distill(self):
        self.write("e.py", PYTHON)
        code, out, err = self.run_airlock("distill", "e.py", "--samples", self.paths())
        self.assertEqual(code, 0, err)
        self.write("d.yaml", out)
        self.assertEqual(self.run_airlock("rules", "check", "d.yaml")[0], 0)
        self.assertEqual(self.run_airlock("compare", "d.yaml", "e.py", "p")[0], 0)
        self.write("e.py", "def extract(path: str) -> dict:\n    return {'length': len(path), 'name': path.split('/')[-1]}\n")
        self.write("q", "".join(f"/d/{'x' * (i % 7)}/{i}.csv\n" for i in range(50)))
        code, out, err = self.run_airlock("distill", "e.py", "--samples", "q", "--format", "json")
        document = json.loads(out)
        self.assertEqual((code, document["complete"]), (1, False))
        self.assertEqual([f["found"] for f in document["fields"]], [False, True])

    def test_code_that_branches_becomes_several_rules(self):
        self.write("e.py", """
def extract(path: str) -> dict:
    parts = path.strip("/").split("/")
    if path.endswith(".csv"):
        return {"kind": "table", "mission": int(parts[-3].split("_")[1]), "date": parts[-2]}
    if path.endswith(".log"):
        return {"kind": "log", "host": parts[-2]}
    raise ValueError("unknown")
""")
        lines = [f"/d/mission_{i:03d}/2024-01-{i % 28 + 1:02d}/r{i}.csv\n/var/log/host{i % 5}/{i}.log\n" + (f"/etc/thing{i}.conf\n" if i % 4 == 0 else "")
                 for i in range(1, 40)]
        self.write("q", "".join(lines))
        code, out, err = self.run_airlock("distill", "e.py", "--samples", "q")
        self.assertEqual(code, 0, err)
        self.assertIn('glob: "**/*.csv"', out)
        self.assertIn('glob: "**/*.log"', out)
        self.write("d.yaml", out)
        code, out, _ = self.run_airlock("compare", "d.yaml", "e.py", "q")
        self.assertEqual(code, 0, out)

    def test_a_field_that_only_some_paths_have_is_not_found_by_luck(self):
        self.write("e.py", """
def extract(path: str) -> dict:
    parts = path.strip("/").split("/")
    if len(parts) == 4:
        return {"client": parts[1], "year": int(parts[2])}
    return {"client": parts[1], "region": parts[2], "year": int(parts[3])}
""")
        self.write("q", "".join(f"/data/c{i}/{2000 + i % 20}/f.csv\n/data/c{i}/{'eu us'.split()[i % 2]}/{2000 + i % 20}/f.csv\n" for i in range(1, 40)))
        code, out, err = self.run_airlock("distill", "e.py", "--samples", "q")
        self.assertEqual(code, 0, err)
        self.write("d.yaml", out)
        self.write("other", "/data/acme/2020/f.csv\n/data/acme/eu/2020/f.csv\n")
        self.assertEqual(self.run_airlock("compare", "d.yaml", "e.py", "other")[0], 0)

    def test_nothing_to_compare(self):
        self.write("e.py", PYTHON)
        self.write("none", "")
        code, out, err = self.run_airlock("compare", "mission.yaml", "e.py", "none")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("no paths", err)

    def test_refused_code_is_not_run(self):
        self.write("e.py", "import os\ndef extract(path: str) -> dict:\n    return {}\n")
        self.assertEqual(self.run_airlock("compare", "mission.yaml", "e.py", self.paths())[0], 1)
        self.assertEqual(self.run_airlock("distill", "e.py", "--samples", "p")[0], 1)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
