#!/usr/bin/env python3
"""Tests of `airlock infer`: rules from layouts of the real world, scored on paths that were not given.

    tests/commands/infer_test.py [--airlock build/airlock] [NAME…]
    tests/commands/infer_test.py --scores       a table: coverage, fields found with name, type and value, for each layout
    tests/commands/infer_test.py --show NAME   the rule of one layout
"""
import json
import pathlib
import random
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from layouts import made, public_a, public_b, public_c, score as scoring
from support import harness

ROOT = harness.ROOT
AIRLOCK = harness.AIRLOCK
SECONDS = 60


def score(make, count=24, start=1):
    """Infers from `count` paths, extracts from 200 others: coverage, fields with the right value in every row that has
    them, and those whose value is there under another name."""
    r = random.Random(start)
    given = [make(r)[0] for _ in range(count)]
    fresh = [make(r) for _ in range(200)]
    inferred = harness.airlock("infer", "--format", "json", stdin="\n".join(given) + "\n")
    report = json.loads(inferred.stdout)
    with tempfile.TemporaryDirectory() as folder:
        rule = pathlib.Path(folder, "rule.yaml")
        rule.write_text(report["yaml"], encoding="utf-8")
        done = harness.airlock("extract", rule, "-", stdin="\n".join(path for path, _ in fresh) + "\n")
    rows = [json.loads(line) for line in done.stdout.decode().splitlines()]
    good = [(row["data"], fields) for row, (_, fields) in zip(rows, fresh) if row["ok"]]
    wanted = list(fresh[0][1])
    named = [f for f in wanted if good and all(data.get(f) == fields[f] and type(data.get(f)) is type(fields[f]) for data, fields in good)]
    valued = [f for f in wanted if good and all(fields[f] in [v for v in data.values() if type(v) is type(fields[f])] for data, fields in good)]
    return {"coverage": len(good) / len(fresh), "wanted": wanted, "named": named, "valued": valued, "report": report}


def score_public(layout):
    given = "\n".join(layout.paths) + "\n"
    inferred = harness.airlock("infer", "--format", "json", stdin=given)
    if not inferred.stdout:
        raise AssertionError(f"{layout.name}: {inferred.stderr.decode()}")
    report = json.loads(inferred.stdout)
    with tempfile.TemporaryDirectory() as folder:
        rule = pathlib.Path(folder, "rule.yaml")
        rule.write_text(report["yaml"], encoding="utf-8")
        done = harness.airlock("extract", rule, "-", stdin=given)
    return scoring.judge(layout, report, scoring.rows_of(done.stdout))


class Case(harness.Case):
    def infer(self, paths, *arguments):
        done = self.airlock("infer", *arguments, stdin="".join(path + "\n" for path in paths))
        return done.returncode, done.out, done.err

    def report(self, paths, *arguments):
        code, out, err = self.infer(paths, "--format", "json", *arguments)
        return code, json.loads(out) if out else None, err


class Layouts(Case):
    def test_every_layout_gives_the_fields_a_person_would_choose(self):
        for name, make in made.LAYOUTS.items():
            with self.subTest(name):
                one = score(make)
                self.assertEqual(one["coverage"], 1.0)
                self.assertEqual(one["named"], one["wanted"], one["report"]["yaml"])
                self.assertGreaterEqual(one["report"]["confidence"], 80)

    def test_five_paths_are_nearly_enough(self):
        scores = [score(make, 5, start) for make in made.LAYOUTS.values() for start in (1, 2)]
        found = sum(len(one["named"]) for one in scores) / sum(len(one["wanted"]) for one in scores)
        self.assertGreater(found, 0.95)
        self.assertGreater(sum(one["coverage"] for one in scores) / len(scores), 0.95)

    def test_mixed_layouts_are_told_apart(self):
        r = random.Random(5)
        names = ("mission", "hl7", "fix", "kubernetes", "maven", "sentinel2", "hive", "client_quarter")
        paths = [made.LAYOUTS[name](r)[0] for name in names for _ in range(25)]
        r.shuffle(paths)
        code, report, _ = self.report(paths + ["/etc/passwd", "garbage"])
        self.assertEqual((code, len(report["rules"])), (0, len(names)))
        self.assertEqual([rule["matched"] for rule in report["rules"]], [25] * len(names))
        self.assertEqual(sorted(report["unexplained"]), ["/etc/passwd", "garbage"])


class PublicLayouts(Case):
    """Conventions as they are published, by part: what was looked at while the tables were made, and what was not."""

    def check(self, part, named, valued):
        scores = []
        for layout in part.LAYOUTS:
            with self.subTest(layout.name):
                scores.append(score_public(layout))
                self.assertGreaterEqual(scores[-1].coverage, 0.999)
        total = scoring.add_up(scores)
        self.assertGreaterEqual(total["named"] / total["wanted"], named, total)
        self.assertGreaterEqual(total["valued"] / total["wanted"], valued, total)
        self.assertGreaterEqual(total["typed"] / total["named"], 0.97, total)

    def test_data_lakes_logs_observation_and_medicine(self):
        self.check(public_a, 0.88, 0.97)

    def test_learning_packages_media_and_documents(self):
        self.check(public_b, 0.88, 0.97)

    def test_what_the_tables_were_not_made_for(self):
        self.check(public_c, 0.68, 0.92)


class Report(Case):
    MISSIONS = [f"/data/mission_{i:03d}/2024-01-{i:02d}/a{i}.csv" for i in range(1, 21)]

    def test_yaml_is_the_default_and_reads_back(self):
        code, out, err = self.infer(self.MISSIONS, "--name", "Missions")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("Confidence", out)
        self.assertIn("held out", out)
        (self.folder / "r.yaml").write_text(out)
        done = harness.airlock("rules", "check", "r.yaml", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(b"Missions", harness.airlock("rules", "show", "r.yaml", cwd=self.folder).stdout)

    def test_json(self):
        code, report, _ = self.report(self.MISSIONS)
        self.assertEqual((code, report["paths"], report["coverage"]["rate"], report["held_out"]["rate"], report["output"]),
                         (0, 20, 1.0, 1.0, "yaml"))

    def test_page(self):
        code, _, _ = self.infer(self.MISSIONS + ["/x/<script>alert(1)</script>"], "--report", "r.html")
        page = (self.folder / "r.html").read_text()
        self.assertEqual(code, 0)
        self.assertIn("mission_id", page)
        self.assertNotIn("<script", page)
        self.assertNotIn("http", page)

    def test_hints(self):
        paths = [f"/data/{c}7/2024-01-0{i}/x{i}.csv" for i, c in enumerate("abcd", 1)]
        _, report, _ = self.report(paths, "--hint", "segment(-3) = mission_id")
        self.assertEqual(report["rules"][0]["fields"][0]["name"], "mission_id")
        _, report, _ = self.report(paths, "--hint", "the second folder is the mission")
        self.assertEqual(report["rules"][0]["fields"][0]["name"], "mission")
        _, report, err = self.report(paths, "--hint", "compute the quarter from the date")
        self.assertEqual(report["output"], "python")
        self.assertIn("compute", report["reasons"][0])
        self.assertEqual(self.infer(paths, "--hint", "x" * 501)[0], 2)

    def test_one_path_uses_templates(self):
        for path, title in {"/data/mission_042/2024-01-15/r.csv": "mission/date", "/hl7/inbound/2024/01/15/x.hl7": "HL7 inbound y/m/d",
                            "/fix/2024/Q1/x.log": "FIX logs y/quarter"}.items():
            code, report, _ = self.report([path])
            self.assertEqual((code, report["template"], report["coverage"]["rate"]), (0, title, 1.0))


    def test_hints_in_words(self):
        paths = [f"/a/x{i}y/b{i}c/d{i}e/f{i}g.csv" for i in range(1, 9)]
        _, report, _ = self.report(paths, "--hint", "the second to last folder is the lot; the parent folder is the bin; the file name is the sample id")
        self.assertEqual([(f["from"], f["name"]) for f in report["rules"][0]["fields"]][1:],
                         [("segment(-3)", "lot"), ("segment(-2)", "bin"), ("filename", "sample_id")])

    def test_a_hint_without_a_place_is_told(self):
        _, report, _ = self.report(self.MISSIONS, "--hint", "segment(-9) = galaxy")
        self.assertIn("segment(-9) = galaxy", " ".join(report["notes"]))

    def test_mixed_types_are_reported_and_not_guessed(self):
        paths = [f"/data/orders/{1000 + i if i % 6 else 'legacy'}/2024-01-{i % 28 + 1:02d}/x{i}.csv" for i in range(30)]
        _, report, _ = self.report(paths)
        self.assertEqual(report["rules"][0]["fields"][0]["type"], "string")
        self.assertIn("'legacy'", " ".join(report["notes"]))

    def test_rules_for_anything_do_not_hide_what_is_unexplained(self):
        odd = ["/x/one", "/y/two.txt", "/z/three", "/q/four.bin"]
        _, report, _ = self.report(self.MISSIONS + odd)
        self.assertEqual(sorted(report["unexplained"]), sorted(odd))

    def test_partitions_without_a_value_are_null(self):
        paths = [f"t/year={y}/f{i}.parquet" for i, y in enumerate((2020, 2021, "__HIVE_DEFAULT_PARTITION__", 2022, 2023, 2024))]
        _, report, _ = self.report(paths)
        self.assertEqual((report["rules"][0]["fields"][0]["from"], report["rules"][0]["fields"][0]["type"]), ("hive(year)", "integer"))
        self.assertEqual(report["coverage"]["rate"], 1.0)


class BadInput(Case):
    def test_nothing_to_infer_from(self):
        code, out, err = self.infer([])
        self.assertEqual((code, out), (2, ""))
        self.assertIn("no paths", err)
        code, out, err = self.infer(["hello"])
        self.assertEqual((code, out), (1, ""))
        self.assertIn("three or more", err)
        self.assertEqual(self.infer(["/a/b/c"] * 10)[0], 1)

    def test_no_structure_is_not_recommended(self):
        r = random.Random(1)
        paths = ["/".join("".join(r.choice("abcdefghijkl_-0123456789") for _ in range(r.randrange(3, 20))) for _ in range(r.randrange(1, 8)))
                 for _ in range(60)]
        code, report, err = self.report(paths)
        self.assertEqual(code, 1)
        self.assertLess(report["confidence"], 50)
        self.assertIn("more paths", err)

    def test_odd_bytes_windows_unc_and_urls(self):
        r = random.Random(2)
        noise = [bytes(r.randrange(1, 256) for _ in range(r.randrange(1, 60))).replace(b"\n", b"?").decode("utf-8", "surrogateescape") for _ in range(200)]
        paths = [f"\\\\server\\share\\mission_{i}\\2024-01-0{i}\\x.csv" for i in range(1, 9)]
        paths += [f"C:\\share\\mission_{i}\\2024-01-0{i}\\x.csv" for i in range(1, 9)] + [f"s3://b/share/mission_{i}/2024-01-0{i}/x.csv" for i in range(1, 9)]
        code, report, _ = self.report(paths + noise)
        self.assertIn(code, (0, 1))
        (self.folder / "r.yaml").write_text(report["yaml"])
        self.assertEqual(harness.airlock("rules", "check", "r.yaml", cwd=self.folder).returncode, 0)
        self.assertGreaterEqual(report["coverage"]["matched"], 24)

    def test_four_thousand_segments(self):
        start = time.monotonic()
        code, report, _ = self.report(["/a" * 4000 + f"/x{i}.csv" for i in range(5)] + Report.MISSIONS)
        self.assertLess(time.monotonic() - start, 20)
        self.assertIn("mission_id", report["yaml"])

    def test_a_million_paths_in_seconds(self):
        with open(self.folder / "p", "w", encoding="ascii") as file:
            file.writelines(f"/data/mission_{i % 1000:03d}/2024-{i % 12 + 1:02d}-{i % 28 + 1:02d}/r{i}.csv\n" for i in range(1_000_000))
            file.writelines(f"/logs/host{i % 40}/2024/Q{i % 4 + 1}/app.log\n" for i in range(300))
        start = time.monotonic()
        done = harness.airlock("infer", "p", "--format", "json", cwd=self.folder)
        report = json.loads(done.stdout)
        self.assertLess(time.monotonic() - start, 30)
        self.assertEqual(report["coverage"]["paths"], 1_000_300)
        self.assertGreater(report["coverage"]["rate"], 0.999)


def show(name):
    """The rule of one layout."""
    one = score(made.LAYOUTS[name])
    print(one["report"]["yaml"], "\n".join(one["report"]["unexplained"][:3]), {k: v for k, v in one.items() if k != "report"})


def print_scores():
    for part in (public_a, public_b, public_c):
        scores = {layout.name: score_public(layout) for layout in part.LAYOUTS}
        for name, one in scores.items():
            print(f"{name:24} coverage {one.coverage:6.1%}  fields {one.named}/{one.wanted} (by value {one.valued})  {'; '.join(one.misses)}")
        print(part.__name__, scoring.add_up(scores.values()))
    total = named = valued = 0
    for name, make in made.LAYOUTS.items():
        one = score(make)
        total, named, valued = total + len(one["wanted"]), named + len(one["named"]), valued + len(one["valued"])
        held = one["report"]["held_out"]["rate"]
        print(f"{name:16} coverage {one['coverage']:6.1%}  fields {len(one['named'])}/{len(one['wanted'])}"
              f" (by value {len(one['valued'])})  confidence {one['report']['confidence']:3.0f}  held out {held:4.0%}"
              f"  {'' if len(one['named']) == len(one['wanted']) else 'not: ' + ', '.join(sorted(set(one['wanted']) - set(one['named'])))}")
    print(f"all: {named}/{total} fields by name, type and value; {valued}/{total} by value")


if __name__ == "__main__":
    sys.exit(harness.main(__doc__, scores=print_scores, show=show))
