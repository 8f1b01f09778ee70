#!/usr/bin/env python3
"""`airlock.pandas.extract`: rows of paths as a DataFrame with typed columns, of programs and of rules.

    tests/python/pandas_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, libraries

libraries.need("pandas", packages="python3-pandas")
from support import package

import airlock
import airlock._tables
import airlock.pandas
import pandas
from airlock._extract import extractor_members
from airlock._steps import drive

KINDS = """def extract(path: str) -> dict:
    n = int(path.rpartition('/')[2])
    row = {'whole': n, 'share': n / 4, 'name': path, 'even': n % 2 == 0, 'parts': path.split('/'), 'mixed': n if n % 2 else 'text',
           'big': 2 ** 70 if n == 3 else n, 'none': None, 'sometimes': None, 'path': n}
    if n == 5:
        row['late'] = 1
        row['sometimes'] = 1.5
    return row
"""
RULES = """version: 1
rules:
  - name: days
    glob: "**/????-??-??/*"
    extract:
      day: { from: segment(-2), type: date }
      n: { from: filename, pattern: "(\\\\d+)", type: integer, optional: true }
    tag: dated
"""
PATHS = [f"/a/{number}" for number in range(8)]
DTYPES = {"path": "string", "ok": "bool", "error": "string", "whole": "Int64", "share": "Float64", "name": "string", "even": "boolean",
          "parts": "string", "mixed": "string", "big": "string", "none": "string", "sometimes": "Float64", "field_path": "Int64", "late": "Int64"}


class Frames(package.Case):
    def extract(self, paths, extractor, **options):
        return airlock.pandas.extract(paths, extractor, pool=self.pool(), **options)

    def test_columns_have_types(self):
        frame = self.extract(pandas.Series(PATHS), KINDS)
        self.assertEqual({name: str(dtype) for name, dtype in frame.dtypes.items()}, DTYPES)
        self.assertEqual(list(frame.columns), list(DTYPES))
        self.assertEqual(frame.whole.sum(), 28)
        self.assertEqual(frame.parts[2], '["","a","2"]')
        self.assertEqual(list(frame.mixed[:2]), ['"text"', "1"])
        self.assertEqual(frame.big[3], str(2 ** 70))
        self.assertTrue(frame.none.isna().all() and frame.error.isna().all() and frame.ok.all())
        self.assertEqual(list(frame.path), PATHS)

    def test_the_engine_says_the_same_types(self):
        """The schema of the request and that of the frame are one."""
        pool = self.pool()
        told = drive(pool._engine.ask({"do": "schema", "extractor": KINDS, "paths": PATHS}))
        self.assertEqual(told["said_by"], "rows")
        rows = list(pool.extract(KINDS, PATHS))
        self.assertEqual([airlock._tables.Column(one["name"], one["field"], one["type"]) for one in told["columns"]], airlock._tables.columns_of(rows))
        nullable = {one["name"] for one in told["columns"] if one["nullable"]}
        self.assertEqual(nullable, {"none", "sometimes", "late"})

    def test_a_path_that_fails_is_a_row_with_its_error(self):
        frame = self.extract(pandas.Series(["/a/1", "/a/x", "/a/3"]), KINDS)
        self.assertEqual(list(frame.ok), [True, False, True])
        self.assertIn("ValueError: invalid literal", frame.error[1])
        self.assertTrue(pandas.isna(frame.whole[1]))

    def test_index_and_order_are_those_of_the_paths(self):
        series = pandas.Series(PATHS, index=list("hgfedcba"))
        frame = self.extract(series, KINDS)
        self.assertTrue(frame.index.equals(series.index))
        self.assertEqual(frame.whole["h"], 0)

    def test_a_frame_names_its_column(self):
        paths = pandas.DataFrame({"file": PATHS, "size": range(8)})
        self.assertEqual(self.extract(paths, KINDS, column="file").whole.sum(), 28)
        self.assertEqual(self.extract(paths[["file"]], KINDS).whole.sum(), 28)
        self.assertEqual(self.extract(paths.rename(columns={"file": "path"}), KINDS).whole.sum(), 28)
        self.assert_usage(lambda: self.extract(paths, KINDS), "which column has the paths", "file, size")
        self.assert_usage(lambda: self.extract(paths, KINDS, column="nothing"), "there is no column 'nothing'")
        self.assert_usage(lambda: self.extract(PATHS, KINDS, column="path"), "column is for a DataFrame")

    def test_a_missing_value_is_no_path(self):
        frame = self.extract(pandas.Series(["/a/1", None, float("nan"), pandas.NA, pandas.NaT, "/a/4"], dtype=object), KINDS)
        self.assertEqual(list(frame.ok), [True, False, False, False, False, True])
        for place in range(1, 5):
            self.assertIn("there is no path here", frame.error[place])
        self.assertEqual(frame.whole[5], 4)

    def test_what_is_no_path_is_told_with_its_place(self):
        for before in ([], ["/a/1"], [None, "/a/1", pandas.NaT]):
            self.assert_usage(lambda: self.extract(pandas.Series([*before, 5], dtype=object), KINDS), f"paths[{len(before)}] is 5 (int)")

    def test_wrong_arguments(self):
        for pool in (5, airlock.AsyncPool(), "x"):
            self.assert_usage(lambda: airlock.pandas.extract(PATHS, KINDS, pool=pool), "pool", "an airlock.Pool")
        double = pandas.DataFrame([["/a/1", "/a/2"]], columns=["path", "path"])
        self.assert_usage(lambda: self.extract(double, KINDS), "2 columns called 'path'")
        self.assert_usage(lambda: self.extract(double, KINDS, column="path"), "2 columns called 'path'")

    def test_no_paths_at_all(self):
        self.assertEqual(list(self.extract(pandas.Series([], dtype=object), KINDS).columns), ["path", "ok", "error"])

    def test_rules_say_types(self):
        paths = pandas.Series(["/d/2024-02-29/7.csv", "/d/2024-03-01/x", "/d/other/8"])
        frame = self.extract(paths, self.write("days.yaml", RULES))
        self.assertEqual({name: str(dtype) for name, dtype in frame.dtypes.items()},
                         {"path": "string", "ok": "bool", "error": "string", "day": "datetime64[ns]", "n": "Int64", "tags": "string"})
        self.assertEqual(frame.day[0], pandas.Timestamp("2024-02-29"))
        self.assertEqual((frame.n[0], frame.tags[0]), (7, '["dated"]'))
        self.assertTrue(pandas.isna(frame.n[1]) and pandas.isna(frame.day[2]) and not frame.ok[2])

    def test_a_day_that_a_timestamp_cannot_hold_is_told(self):
        paths = pandas.Series(["/d/2024-02-29/7.csv", "/d/9999-12-31/8"])
        rules = self.write("days.yaml", RULES)
        frame = self.extract(paths, rules)
        self.assertEqual(list(frame.ok), [True, False])
        self.assertIn("9999-12-31, which datetime64[ns] cannot hold", frame.error[1])
        frame = self.extract(paths, rules, columns={"day": "text", "n": "integer", "tags": "json"})
        self.assertEqual((list(frame.ok), frame.day[1]), ([True, True], "9999-12-31"))

    def test_columns_that_are_told(self):
        frame = self.extract(pandas.Series(PATHS), "def extract(path: str) -> dict:\n    return {'n': path[3:] if path != '/a/5' else 'x', 'm': 1}\n",
                             columns={"n": "text", "m": "number"})
        self.assertEqual({name: str(dtype) for name, dtype in frame.dtypes.items()}, {"path": "string", "ok": "bool", "error": "string", "n": "string", "m": "Float64"})
        frame = self.extract(pandas.Series(PATHS), "def extract(path: str) -> dict:\n    return {'n': int(path[3:]) if path != '/a/5' else 'x', 'm': 1}\n",
                             columns={"n": "integer"})
        self.assertFalse(frame.ok.any())
        self.assertIn("the field 'm' has no column", frame.error[0])
        self.assertEqual(frame.n[4], 4)
        self.assertIn("the field 'n' is \"x\", and its column is of type integer", frame.error[5])
        self.assert_usage(lambda: self.extract(PATHS, KINDS, columns={"n": "int"}), "columns['n'] is 'int'", "integer")
        self.assert_usage(lambda: self.extract(PATHS, KINDS, columns=["n"]), "columns is ['n']")

    def test_an_approved_one(self):
        self.airlock("approve", self.write("days.yaml", RULES), "--name", "days", "--samples", self.write("samples", "/d/2024-02-29/7.csv\n"), code=0)
        self.assertEqual(str(self.extract(pandas.Series(["/d/other/8"]), "days").day.dtype), "datetime64[ns]")

    def test_what_is_refused_is_refused(self):
        with self.assertRaises(airlock.Refused):
            self.extract(pandas.Series(PATHS), "import os\ndef extract(path):\n    return {}\n")
        with self.assertRaises(airlock.Refused) as caught:
            self.extract(pandas.Series(PATHS), self.write("bad.yaml", "version: 1\nrules: 5\n"))
        self.assertIn("line 2", str(caught.exception))
        self.assert_usage(lambda: self.extract("/a/b", KINDS), "wanted a Series or a DataFrame")

    def test_rules_as_text_and_both_at_once(self):
        pool = self.pool()
        self.assertEqual(drive(pool._engine.ask({"do": "extract", "rules": RULES, "paths": ["/d/2024-02-29/7"]}))["rows"][0]["data"]["n"], 7)
        self.assertEqual(extractor_members(self.write("days.yaml", RULES)), {"rules": RULES})
        with self.assertRaises(airlock.Usage) as caught:
            drive(pool._engine.ask({"do": "extract", "rules": RULES, "extractor": KINDS, "paths": ["/a"]}))
        self.assertIn("both 'extractor' and 'rules'", str(caught.exception))


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
