#!/usr/bin/env python3
"""`pool.extract`, check, validate, admit and infer through the Python package: rows in order, as they come, in bounded memory.

    tests/python/extract_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import os
import pathlib
import sys
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, package
from support.package import EXTRACTOR, SPIN

import airlock

AIRLOCK = harness.AIRLOCK


class Rows(package.Case):
    def test_rows_are_those_of_the_command(self):
        source = "def extract(path: str) -> dict:\n    return {'n': int(path.rpartition('/')[2])}\n"
        paths = [f"/a/{number}" if number % 7 else f"/a/x{number}" for number in range(5000)]
        file = self.write("numbers.py", source)
        rows = list(self.pool().extract(source, iter(paths)))
        self.assertEqual([row["path"] for row in rows], paths)
        import json
        told = self.airlock("extract", file, "-", stdin="\n".join(paths) + "\n").out
        self.assertEqual(rows, [json.loads(line) for line in told.splitlines()])

    def test_a_file_and_a_name(self):
        pool = self.pool()
        file = self.write("lengths.py", EXTRACTOR)
        self.assertEqual(next(pool.extract(file, ["/ab"]))["data"], {"length": 3})
        self.assertEqual(next(pool.extract(str(file), [pathlib.Path("/ab")]))["data"], {"length": 3})
        one_line = self.write("short.py", "def extract(path: str) -> dict: return {'x': 1}")
        self.assertEqual(next(pool.extract(one_line, ["/ab"]))["data"], {"x": 1})
        self.airlock("approve", file, "--name", "lengths", "--samples", self.write("samples", "/a/b\n/c/d\n"), code=0)
        self.assertEqual(next(pool.extract("lengths", ["/ab"]))["data"], {"length": 3})

    def test_a_file_of_rules(self):
        pool = self.pool()
        rule = pool.infer([f"/data/{year}/{name}.csv" for year in range(2015, 2025) for name in "abc"])
        rows = list(pool.extract(self.write("years.yaml", rule.yaml), ["/data/2024/a.csv", "/elsewhere"]))
        self.assertEqual(([row["ok"] for row in rows], rows[0]["data"]["year"]), ([True, False], 2024))
        with self.assertRaises(airlock.Error) as caught:
            list(pool.extract(self.write("broken.yaml", "version: 1\nrules: 3\n"), ["/a"]))
        self.assertIn("rules", str(caught.exception))

    def test_refused_code_runs_nothing(self):
        with self.assertRaises(airlock.Refused) as caught:
            list(self.pool().extract("import os\ndef extract(path):\n    return {}\n", ["/a"]))
        self.assertEqual(caught.exception.findings[0]["item"], "os")

    def test_a_source_without_a_line_end_is_told_at_the_call(self):
        source = "def extract(path): return {'a': 1}"
        with self.assertRaises(airlock.Usage) as caught:
            self.pool().extract(source, ["a"])
        self.assertIn("wanted a source with a line end, which tells it from a name: add '\\n' at its end", str(caught.exception))
        self.assertEqual([row["data"] for row in self.pool().extract(source + "\n", ["a"])], [{"a": 1}])

    def test_no_paths_at_all(self):
        self.assertEqual(list(self.pool().extract(EXTRACTOR, [])), [])

    def test_every_path_has_its_row(self):
        """Strange ones, too."""
        paths = ["", " ", "/ä/€", "/a\nb", "/\udcff", "x" * 100_000, "/c", "\udce4", "/a\0b", "/d"]
        rows = list(self.pool().extract(EXTRACTOR, paths))
        self.assertEqual([row["path"] for row in rows], paths)
        self.assertEqual([row["ok"] for row in rows], [True, True, True, True, False, True, True, False, False, True])
        self.assertEqual([row["error"]["type"] for row in rows if not row["ok"]], ["EncodingError", "EncodingError", "ValueError"])

    def test_every_kind_of_path(self):
        paths = ["/a", b"/b", pathlib.Path("/c"), "/d" * 300_000, "/e" * 300_000, b"/\xff"]  # more than goes into one batch
        rows = list(self.pool().extract(EXTRACTOR, paths))
        self.assertEqual([row["path"] for row in rows], [os.fsdecode(path) for path in paths])

    def test_one_path_that_kills_its_process(self):
        source = "def extract(path: str) -> dict:\n    if path == '/7':\n        f = lambda x: f(x)\n        f(1)\n    return {}\n"
        rows = list(self.pool().extract(source, [f"/{number}" for number in range(100)]))
        self.assertEqual([row["path"] for row in rows if not row["ok"]], ["/7"])

    def test_only_a_few_batches_are_taken_ahead(self):
        taken = 0

        def paths():
            nonlocal taken
            for number in range(10 ** 8):
                taken += 1
                yield f"/{number}"
        rows = self.pool(workers=2).extract(EXTRACTOR, paths())
        for number in range(20_000):
            self.assertEqual(next(rows)["path"], f"/{number}")
        self.assertLess(taken, 20_000 + 20_000)
        rows.close()

    def test_leaving_in_the_middle_cancels_what_is_under_way(self):
        pool = self.pool()
        source = f"def extract(path: str) -> dict:\n    if path == '/0':\n        return {{}}\n    {SPIN}\n"
        rows = pool.extract(source, ["/0"] * 64 + ["/1"] * 1000)
        next(rows)
        rows.close()
        self.wait_for(lambda: not pool._engine.connection._under_way, "the end of what was cancelled")

    def test_a_slow_producer_sees_each_row_before_the_next_path(self):
        got = []

        def paths():
            for number in range(20):
                self.assertEqual(len(got), number)
                yield f"/{number}"
        with unittest.mock.patch("airlock._extract.LONGEST_WAIT", -1.0):  # seconds: every producer is slow
            for row in self.pool().extract(EXTRACTOR, paths()):
                got.append(row["path"])
        self.assertEqual(got, [f"/{number}" for number in range(20)])

    def test_a_producer_that_takes_its_time_sees_each_row_before_the_next_path(self):
        """From the first one on; by a clock that the producer moves."""
        now, got = 0.0, []

        def paths():
            nonlocal now
            for number in range(10):
                self.assertEqual(len(got), number)
                now += 1.0
                yield f"/{number}"
        with unittest.mock.patch("airlock._extract.time.monotonic", lambda: now):
            for row in self.pool().extract(EXTRACTOR, paths()):
                got.append(row["path"])
        self.assertEqual(got, [f"/{number}" for number in range(10)])

    def test_rows_that_are_too_large_for_one_answer(self):
        source = "def extract(path: str) -> dict:\n    return {'x': 'y' * 900_000}\n"
        paths = [f"/{number}" if number != 7 else "/\udcff" for number in range(100)]
        with unittest.mock.patch("airlock._extract.FIRST_BATCH", len(paths)):
            rows = [(row["path"], row["ok"]) for row in self.pool().extract(source, paths)]
        self.assertEqual(rows, [(path, path != "/\udcff") for path in paths])

    def test_what_is_wrong_with_paths_is_raised_after_the_rows_of_those_before(self):
        def raises(count):
            yield from (f"/{number}" for number in range(count))
            raise KeyError("mine")

        def has_none(count):
            yield from (f"/{number}" for number in range(count))
            yield 5
            yield "/never"
        pool = self.pool()
        for make, kind in ((raises, KeyError), (has_none, airlock.Usage)):
            for count in (0, 1, 2, 63, 64, 100, 5000):
                with self.subTest(make=make.__name__, count=count):
                    got = []
                    with self.assertRaises(kind) as caught:
                        for row in pool.extract(EXTRACTOR, make(count)):
                            got.append(row["path"])
                    self.assertEqual(got, [f"/{number}" for number in range(count)])
                    if kind is airlock.Usage:
                        self.assertIn(f"paths[{count}]", str(caught.exception))
        for count in range(1, 10):  # of which one batch holds two
            got = []
            with self.assertRaises(KeyError):
                for row in pool.extract(EXTRACTOR, (f"/{number}" + "x" * 600_000 if number < count else {}[number] for number in range(count + 1))):
                    got.append(row["path"].rstrip("x"))
            self.assertEqual(got, [f"/{number}" for number in range(count)])

    def test_two_at_once_on_one_pool(self):
        pool = self.pool()
        one, other = (pool.extract(EXTRACTOR, [f"/{name}{number}" for number in range(1000)]) for name in "ab")
        for number, (left, right) in enumerate(zip(one, other)):
            self.assertEqual((left["path"], right["path"]), (f"/a{number}", f"/b{number}"))


class Judging(package.Case):
    def test_check(self):
        pool = self.pool()
        check = pool.check("Sure!\n```python\ndef extract(path):\n    return {}\n```\n")
        self.assertTrue(check)
        self.assertEqual((check.accepted, check.stage, {one["severity"] for one in check.findings}, check.cleaned), (True, "complete", {"note"}, True))
        self.assertEqual(check.code, "def extract(path):\n    return {}\n")
        check = pool.check("import os\nimport socket\n", policy="extractor", signature=False)
        self.assertEqual((check.accepted, check.stage, [one["item"] for one in check.findings]), (False, "security", ["os", "socket"]))

    def test_validate(self):
        pool = self.pool()
        report = pool.validate(EXTRACTOR, ["/a/b.csv", "/c"])
        self.assertTrue(report)
        self.assertEqual((report.valid, report.stage_reached, report.retry_context, report.test_results["passed"]), (True, "complete", None, 2))
        report = pool.validate("def extract(path):\n    return {}[path]\n", ["/a"], timeout=1, memory_mb=50, explore=2, scan=True)
        self.assertEqual((report.valid, report.stage_reached), (False, "sandbox"))
        self.assertIn("KeyError", report.retry_context)

    def test_admit(self):
        pool = self.pool()
        self.assertEqual(pool.admit({"a": [1, {"b": None}]}, bare=True), {"a": [1, {"b": None}]})
        looks_refused = {"admitted": False, "errors": []}
        self.assertEqual(pool.admit(looks_refused, bare=True), looks_refused)
        with self.assertRaises(airlock.Refused) as caught:
            pool.admit({"a": 1})
        self.assertTrue(caught.exception.errors)
        self.assertIn(caught.exception.errors[0]["type"], str(caught.exception))
        whole = {"schema_slice": {"place": f"{self.folder}/x"}, "raw_artifacts": [], "confidence": "high", "duration_ms": 1, "warnings": [], "errors": []}
        self.assertNotIn(str(self.folder), str(pool.admit(whole, root=self.folder)))

    def test_infer(self):
        rule = self.pool().infer([f"/data/{year}/report_{number}.csv" for year in range(2015, 2025) for number in range(3)], hint="segment(-2) = year")
        self.assertIn("year", [field["name"] for field in rule.fields])
        self.assertGreater(rule.confidence, 50)
        self.assertIn("version: 1", rule.yaml)

    def test_many_threads_one_pool(self):
        pool = self.pool()

        def work(number):
            return [pool.validate(EXTRACTOR, [f"/{number}"]).valid, pool.check("import os\n").accepted, pool.run("n", inputs={"n": number}).value]
        for number, values in enumerate(self.in_threads(30, work)):
            self.assertEqual(values, [True, False, number])


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
