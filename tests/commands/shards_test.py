#!/usr/bin/env python3
"""Shards of a bulk job: what each says about itself in its manifest, and `airlock extract --merge`, which gives the file that one job would
have written, or says what is missing, there twice or changed, and writes nothing.

    tests/commands/shards_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import hashlib
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness

EXTRACTOR = "def extract(path: str) -> dict:\n    return {'n': int(path.rpartition('/')[2])}\n"
RULES = "version: 1\nrules:\n  - name: numbers\n    extract:\n      n: { from: filename, type: integer }\n"
COUNT = 4


class Case(harness.Case):
    def setUp(self):
        super().setUp()
        self.extractor = self.write("e.py", EXTRACTOR)
        self.write("paths", "".join(f"/a/{number}\n" if number % 10 else f"/a/x{number}\n" for number in range(103)))

    def write(self, name, content):
        file = self.folder / name
        file.write_text(content)
        return file

    def extract(self, *words, **options):
        return self.airlock("extract", *words, cwd=self.folder, **options)

    def shard(self, index, count=COUNT, extractor="e.py", paths="paths", name=None, *more):
        name = name or f"rows.{index}.ndjson"
        self.extract(extractor, paths, "--shard", f"{index}/{count}", "--output", name, *more, code=0)
        return name

    def shards(self):
        return [self.shard(index) for index in range(1, COUNT + 1)]

    def manifest(self, name):
        return json.loads((self.folder / (name + ".manifest")).read_text())

    def refused(self, *shards, out="all.ndjson"):
        """What it says; nothing is written, and what was there stays."""
        before = sorted(self.folder.iterdir())
        told = self.extract("--merge", out, *shards, code=1).err
        self.assertEqual(sorted(self.folder.iterdir()), before)
        return told


class Manifest(Case):
    def test_a_shard_tells_counts_and_hashes(self):
        name = self.shard(2)
        told = self.manifest(name)
        rows = (self.folder / name).read_bytes()
        paths = (self.folder / "paths").read_text().splitlines()
        self.assertEqual((told["shard"], told["shards"], told["rows"], told["input_lines"]), (2, COUNT, 26, 103))
        self.assertEqual(told["failed"], sum(not json.loads(line)["ok"] for line in rows.splitlines()))
        self.assertEqual(told["rows_sha256"], hashlib.sha256(rows).hexdigest())
        self.assertEqual(told["input_sha256"], hashlib.sha256("".join(path + "\0" for path in paths).encode()).hexdigest())
        self.assertEqual(told["extractor_sha256"], hashlib.sha256(EXTRACTOR.encode()).hexdigest())

    def test_without_shard_there_is_none(self):
        self.extract("e.py", "paths", "--output", "rows.ndjson", code=0)
        self.assertFalse((self.folder / "rows.ndjson.manifest").exists())

    def test_a_table_has_the_hash_of_its_rows(self):
        self.shard(1, name="rows.csv")
        self.shard(1, name="rows.ndjson")
        self.assertEqual(self.manifest("rows.csv"), self.manifest("rows.ndjson"))

    def test_a_job_that_was_resumed_tells_the_same(self):
        self.write("r.yaml", RULES)
        name = self.shard(3, 4, "r.yaml")
        whole, told = (self.folder / name).read_bytes(), self.manifest(name)
        full_disk = ("sh", "-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh")  # half a kilobyte
        self.extract("r.yaml", "paths", "--shard", "3/4", "--output", "again.ndjson", before=full_disk, code=2)
        self.assertTrue((self.folder / "again.ndjson.partial").exists())
        self.assertFalse((self.folder / "again.ndjson.manifest").exists())
        self.shard(3, 4, "r.yaml", "paths", "again.ndjson", "--resume")
        self.assertEqual(((self.folder / "again.ndjson").read_bytes(), self.manifest("again.ndjson")), (whole, told))


class Merge(Case):
    def test_what_is_merged_is_what_one_job_writes(self):
        for extractor in ("e.py", self.write("r.yaml", RULES).name):
            for count in (1, 4):
                with self.subTest(extractor=extractor, count=count):
                    shards = [self.shard(index, count, extractor) for index in range(count, 0, -1)]
                    self.assertIn("103 rows of", self.extract("--merge", "all.ndjson", *shards, code=0).err)
                    self.assertEqual((self.folder / "all.ndjson").read_text(), self.extract(extractor, "paths", code=0).out)

    def test_more_shards_than_lines(self):
        self.write("few", "/a/1\n/a/2\n/a/3\n")
        self.write("r.yaml", RULES)
        shards = [self.shard(index, 10, "r.yaml", "few", f"few.{index}.ndjson") for index in range(1, 11)]
        self.extract("--merge", "all.ndjson", *shards, code=0)
        self.assertEqual((self.folder / "all.ndjson").read_text(), self.extract("r.yaml", "few", code=0).out)

    def test_into_a_table(self):
        self.extract("--merge", "all.csv", *self.shards(), code=0)
        self.extract("e.py", "paths", "--output", "one.csv", code=0)
        self.assertEqual((self.folder / "all.csv").read_text(), (self.folder / "one.csv").read_text())

    def test_what_is_missing_is_named(self):
        shards = self.shards()
        told = self.refused(shards[0], shards[2])
        self.assertIn("shard 2/4 is missing", told)
        self.assertIn("shard 4/4 is missing", told)

    def test_what_is_there_twice_is_named(self):
        shards = self.shards()
        told = self.refused(*shards, self.shard(2, name="second.ndjson"))
        self.assertIn("shard 2/4 is there twice: rows.2.ndjson and second.ndjson", told)

    def test_what_has_changed_is_named(self):
        shards = self.shards()
        file = self.folder / shards[1]
        whole = file.read_bytes()
        for what, damaged in (("SHA-256", whole.replace(b'"n":1', b'"n":2', 1)), ("there are 25 rows", whole[:whole[:-1].rindex(b"\n") + 1]),
                              ("there are 27 rows", whole + whole.splitlines(keepends=True)[0]), ("there are 25 rows", whole[:-4])):
            file.write_bytes(damaged)
            told = self.refused(*shards)
            self.assertIn("rows.2.ndjson: has changed", told)
            self.assertIn(what, told)
        file.unlink()
        self.extract("--merge", "all.ndjson", *shards, code=2)
        self.assertFalse((self.folder / "all.ndjson").exists())

    def test_shards_of_another_job_are_named(self):
        shards = self.shards()
        self.write("other.py", EXTRACTOR + "# other\n")
        self.write("less", "/a/1\n")
        for why, other in (("of another extractor", self.shard(2, 4, "other.py", "paths", "o.ndjson")),
                           ("of another input (1 lines, and not 103", self.shard(2, 4, "e.py", "less", "l.ndjson")),
                           ("one of 5 shards, and not of 4", self.shard(2, 5, "e.py", "paths", "f.ndjson")),
                           ("of other limits", self.shard(2, 4, "e.py", "paths", "t.ndjson", "--timeout", "2"))):
            self.assertIn(f"{other}: is {why}", self.refused(shards[0], other, *shards[2:]))

    def test_a_shard_that_has_not_ended_has_no_manifest(self):
        shards = self.shards()
        (self.folder / "rows.3.ndjson.manifest").unlink()
        self.assertIn("rows.3.ndjson: its manifest is missing", self.refused(*shards))

    def test_a_manifest_is_read_as_what_it_may_be(self):
        shards = self.shards()
        file = self.folder / "rows.1.ndjson.manifest"
        good = json.loads(file.read_text())
        for bad in ("", "[]", "{", "{}", json.dumps({**good, "version": 2}), json.dumps({**good, "shard": 0}), json.dumps({**good, "shard": 9}),
                    json.dumps({**good, "rows": -1}), json.dumps({**good, "rows": "26"}), json.dumps({**good, "shards": 0}), "x" * 100_000):
            file.write_text(bad)
            self.assertIn("rows.1.ndjson: ", self.refused(*shards))
        file.write_text(json.dumps({**good, "rows": 3}))
        self.assertIn("tells 3 rows, and 26 lines of the input are its own", self.refused(*shards))
        file.write_text(json.dumps({**good, "shards": 18446744073709551615}))
        self.assertIn("more shards are missing", self.refused(shards[0]))

    def test_bad_requests(self):
        shards = self.shards()
        for words in (["--merge", "all.ndjson"], ["--merge", "all.xlsx", *shards], ["--merge", "all.ndjson", *shards, "--resume"],
                      ["--merge", "all.ndjson", *shards, "--shard", "1/4"], ["--merge", "all.ndjson", *shards, "--output", "x.ndjson"], []):
            self.extract(*words, code=2)
        self.assertIn("only shards that were written as .ndjson", self.refused(*shards, "rows.csv"))

    def test_what_is_there_is_replaced_at_once_or_stays(self):
        shards = self.shards()
        self.write("all.ndjson", "before\n")
        self.refused(*shards[1:])
        self.assertEqual((self.folder / "all.ndjson").read_text(), "before\n")
        self.extract("--merge", "all.ndjson", *shards, code=0)
        self.assertEqual((self.folder / "all.ndjson").read_text(), self.extract("e.py", "paths", code=0).out)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
