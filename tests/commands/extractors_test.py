#!/usr/bin/env python3
"""Tests of `airlock extractors`, `airlock extract NAME` and `airlock diff` as their users meet them: versions, receipts that
hold and receipts that do not, and which answers changed. Needs only python3 and a built airlock.

    tests/commands/extractors_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

The last line is `N passed, N failed`.
"""
import hashlib
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness
from support.drafts import CODE, PATHS, RULE, SECOND, SLOW, Case, receipt_of

AIRLOCK = harness.AIRLOCK
POLICY = 'name = "mine"\nextends = "extractor"\n'


class Extractors(Case):
    def test_looking_makes_no_store(self):
        self.assertEqual(self.json("extractors"), {"extractors": []})
        self.assertIn("No extractor was approved yet", self.ok("extractors", "list").out)
        self.assertIn("0 receipts checked", self.ok("extractors", "verify").out)
        for command in (["show", "a"], ["history", "a"], ["disable", "a"], ["enable", "a"], ["remove", "a"], ["verify", "a"]):
            self.assert_refused(self.airlock("extractors", *command), "there is no approved extractor 'a'", "none was approved")
        self.assert_refused(self.airlock("extract", "a", "p.txt"), "there is no approved extractor 'a'")
        self.assertFalse(self.home.exists())

    def test_approving_again_keeps_history(self):
        self.approve()
        self.approve("two.py")
        self.approve("r.yaml", "other")
        self.assertEqual(self.names(), ["other@1", "sales@2"])
        self.assertEqual([one["version"] for one in self.json("extractors", "history", "sales")["extractors"]], [2, 1])
        self.assertEqual(self.json("extractors", "show", "sales@1")["code"], CODE)
        self.assertEqual(self.ok("extractors", "show", "sales", "--code").out, SECOND)
        self.assertEqual(self.ok("extractors", "show", "other", "--code").out, RULE)
        text = self.ok("extractors", "show", "sales").out
        for word in ("sales@2", "def extract", PATHS[0], "receipt", "CPython 3.11"):
            self.assertIn(word, text)
        self.assert_refused(self.airlock("extractors", "show", "sales@3"), "its newest version is sales@2", "history sales")
        self.assert_refused(self.airlock("extractors", "show", "slaes"), "did you mean 'sales'?", "There are: other, sales")

    def test_disabled_is_refused_until_it_is_enabled(self):
        self.approve()
        self.assertEqual(self.json("extractors", "disable", "sales"), {"name": "sales", "disabled": True})
        self.assertIn("disabled", self.ok("extractors").out)
        for name in ("sales", "sales@1"):
            self.assert_refused(self.airlock("extract", name, "p.txt"), "sales@1 is disabled", "airlock extractors enable sales",
                                code=1)
        self.assertTrue(self.approve("two.py")["disabled"])
        self.ok("extractors", "enable", "sales")
        self.ok("extract", "sales", "p.txt")

    def test_removed_is_gone_and_its_numbers_are_not_used_again(self):
        self.approve()
        self.approve("two.py")
        self.assertEqual(self.ok("extractors", "remove", "sales@2").out, "removed 1 version of 'sales'\n")
        self.assertEqual(self.names(), ["sales@1"])
        self.assertEqual(self.json("extractors", "remove", "sales"), {"name": "sales", "removed": 1})
        self.assertEqual(self.names(), [])
        self.assertEqual(self.approve()["version"], 3)

    def test_help_shows_an_example(self):
        for command in (["extractors"], ["diff"], ["extract"], *(["extractors", one] for one in
                        ("list", "show", "history", "disable", "enable", "remove", "verify"))):
            self.assertIn("Example:", self.ok(*command, "--help").out)


class Running(Case):
    def rows(self, *arguments, **options):
        return [json.loads(line) for line in self.ok("extract", *arguments, **options).out.splitlines()]

    def test_by_name_it_gives_what_the_file_gives(self):
        self.approve()
        self.approve("r.yaml", "rule")
        self.assertEqual(self.rows("sales", "p.txt"), self.rows("e.py", "p.txt"))
        self.assertEqual(self.rows("rule", "p.txt"), self.rows("r.yaml", "p.txt"))
        self.assertEqual(self.rows("sales", "-", stdin=b"/a/b/c\n")[0]["data"], {"client": "b", "name": "c"})

    def test_a_version_can_be_named(self):
        self.approve()
        self.approve("two.py")
        self.assertEqual(self.rows("sales", "p.txt")[0]["data"]["name"], "REPORT.CSV")
        self.assertEqual(self.rows("sales@1", "p.txt")[0]["data"]["name"], "report.csv")
        self.assert_refused(self.airlock("extract", "sales@7", "p.txt"), "its newest version is sales@2")
        for word in ("sales@", "sales@x", "sales@0", "sales@-1", "sales@1@2", "sales@99999999999999999999"):
            self.assert_refused(self.airlock("extract", word, "p.txt"), "there is no approved extractor")

    def test_a_name_before_a_file_unless_it_looks_like_one(self):
        self.approve()
        self.write("sales", SECOND)
        done = self.ok("extract", "sales", "p.txt")
        self.assertIn("is taken for the approved extractor; for the file, say ./sales", done.err)
        self.assertIn("report.csv", done.out)
        self.assertIn("REPORT.CSV", self.ok("extract", "./sales", "p.txt").out)
        self.write("plain", SECOND)  # no extractor has that name
        self.assertIn("REPORT.CSV", self.ok("extract", "plain", "p.txt").out)
        self.assert_refused(self.airlock("extract", "sales.py", "p.txt"), "sales.py")

    def test_files_never_open_the_store(self):
        self.home.mkdir(mode=0o700)
        self.file.write_bytes(b"not a database" * 1000)
        self.ok("extract", "e.py", "p.txt")
        self.ok("extract", "./r.yaml", "p.txt")
        self.assert_refused(self.airlock("extract", "sales", "p.txt"), "is damaged")

    def test_an_extractor_has_the_policy_it_was_approved_with(self):
        self.approve()
        self.assert_refused(self.airlock("extract", "sales", "p.txt", "--policy", "node"), "leave --policy out")

    def test_a_job_by_name_can_be_resumed(self):
        self.approve()
        self.ok("extract", "sales", "p.txt", "--output", "rows.csv")
        self.assertIn("report.csv", (self.folder / "rows.csv").read_text())


class Receipts(Case):
    def refused(self, *words, name="sales"):
        """`extract` says these words and runs nothing; `verify` says them too."""
        self.assert_refused(self.airlock("extract", name, "p.txt"), *words, "Nothing of it was run", code=1)
        report = self.json("extractors", "verify", "sales", code=1)["receipts"][0]
        self.assertFalse(report["holds"])
        self.assertIn("1 not as approved", self.ok("extractors", "verify", code=1).out)
        return report["changes"]

    def test_what_is_as_approved_is_verified(self):
        self.approve()
        self.approve("two.py")
        self.approve("r.yaml", "rule")
        self.assertTrue(all(one["holds"] for one in self.json("extractors", "verify")["receipts"]))
        self.assertIn("3 receipts checked, 0 not as approved", self.ok("extractors", "verify").out)
        self.assertEqual(len(self.json("extractors", "verify", "sales@1")["receipts"]), 1)

    def test_every_altered_column_is_found(self):
        self.approve()
        for column, value, words in (
                ("text", CODE + "#", "the text in the store is not what was approved: sha256"),
                ("samples", "/other\0", "the samples in the store are not what was approved"),
                ("policy", "node", "does not fit its own parts"), ("kind", "yaml", "does not fit its own parts"),
                ("receipt", "0" * 64, "does not fit its own parts"), ("text_sha256", "0" * 64, "the text in the store"),
                ("policy_sha256", "0" * 64, "the policy 'extractor' has changed"),
                ("interpreter", "CPython 2.7", "it was CPython 2.7 and is CPython 3"),
                ("samples_sha256", "", "the samples in the store")):
            before = self.sql(f"SELECT {column} FROM extractors")[0][0]
            self.sql(f"UPDATE extractors SET {column} = ?", value)
            with self.subTest(column=column):
                self.refused(words, "airlock extractors remove sales@1")
                done = self.airlock("approve", "sales@1")
                self.assertEqual(done.returncode, 1)
                self.assertIn("It was not approved", done.err)
            self.sql(f"UPDATE extractors SET {column} = ?", before)
        self.ok("extract", "sales", "p.txt")

    def test_swapped_names_are_found(self):
        self.approve()
        self.approve("two.py", "payroll")
        before = self.sql("SELECT * FROM extractors ORDER BY name")
        for one, other in (("sales", "payroll"), ("payroll", "sales")):
            self.sql("UPDATE extractors SET name = 'between' WHERE name = ?", one)
            self.sql("UPDATE extractors SET name = ? WHERE name = ?", one, other)
            self.sql("UPDATE extractors SET name = ? WHERE name = 'between'", other)
            if one == "sales":  # swapped once; a second time is back
                for name in ("sales", "payroll"):
                    self.assert_refused(self.airlock("extract", name, "p.txt"), f"is not the one of {name}@1",
                                        "put in the place of another", "Nothing of it was run", code=1)
                    self.assertEqual(self.airlock("approve", f"{name}@1").returncode, 1)
                self.assertIn("2 not as approved", self.ok("extractors", "verify", code=1).out)
        self.assertEqual(list(map(tuple, self.sql("SELECT * FROM extractors ORDER BY name"))), list(map(tuple, before)))
        self.ok("extract", "sales", "p.txt")

    def test_swapped_versions_are_found(self):
        self.approve()
        self.approve("two.py")
        self.sql("UPDATE extractors SET version = 3 - version + 10")
        self.sql("UPDATE extractors SET version = version - 10")
        for name in ("sales", "sales@1", "sales@2"):
            self.assert_refused(self.airlock("extract", name, "p.txt"), "is not the one of sales@", code=1)
        self.sql("DELETE FROM extractors WHERE version = 1")
        for name in ("sales", "sales@2"):  # what was replaced stands in the place of the newest
            self.assert_refused(self.airlock("extract", name, "p.txt"), "is not the one of sales@2", code=1)
        self.sql("UPDATE extractors SET version = 1")
        self.ok("extract", "sales", "p.txt")

    def test_another_kind_is_found_even_with_texts_that_are_both(self):
        self.write("both.yaml", RULE)
        self.approve("both.yaml")
        self.sql("UPDATE extractors SET kind = 'python', policy = 'extractor'")
        self.refused("is not the one of sales@1")

    def test_a_receipt_of_the_first_form_is_said_and_approving_again_is_enough(self):
        self.approve()
        row = dict(self.sql("SELECT * FROM extractors")[0])
        self.sql("UPDATE extractors SET receipt = ?", receipt_of(row, form=1))
        changes = self.refused("the receipt is of the first form", "airlock approve sales@1")
        self.assertEqual(len(changes), 1)
        self.assertEqual(self.json("approve", "sales@1")["version"], 2)
        self.ok("extract", "sales", "p.txt")
        self.sql("UPDATE extractors SET text = text || '#' WHERE version = 1")
        self.assertEqual(self.airlock("approve", "sales@1").returncode, 1)

    def test_another_interpreter_is_said_and_approving_again_is_enough(self):
        self.approve()
        self.reseal(interpreter="CPython 3.10.1 (main) [GCC 11]")
        changes = self.refused("the interpreter has changed since sales@1 was approved on", "it was CPython 3.10.1",
                               "and is CPython 3.11", "airlock approve sales@1")
        self.assertEqual(len(changes), 1)
        self.assertEqual(self.json("approve", "sales@1")["version"], 2)
        self.ok("extract", "sales", "p.txt")

    def test_reapproving_says_that_nothing_is_different(self):
        self.approve()
        self.reseal(interpreter="CPython 3.10.1 (main) [GCC 11]")
        done = self.airlock("extractors", "reapprove", "sales", code=1)
        self.assertIn("the interpreter has changed since sales@1", done.out)
        self.assertIn("2 answers as when it was approved", done.out)
        self.assertIn("not approved: nobody said so; with --yes: airlock extractors reapprove sales@1 --yes", done.out)
        self.assertEqual(self.names(), ["sales@1"])
        self.assert_refused(self.airlock("extractors", "reapprove", "sales", "--yes", "--by", "a\nb"), "one line")
        self.assertIn("✓ approved as sales@2", self.ok("extractors", "reapprove", "sales", "--yes", "--by", "Ann Lee", "--note", "new interpreter").out)
        self.assertIn("Ann Lee", self.ok("extractors", "show", "sales@2").out)
        self.ok("extract", "sales", "p.txt")
        self.assertEqual(self.ok("extractors", "reapprove", "--all", "--yes").out, "Nothing is to be approved again: the receipts hold.\n")
        self.assertEqual(self.names(), ["sales@2"])

    def test_reapproving_shows_what_is_different(self):
        self.approve()
        first = self.sql("SELECT answers FROM extractors")[0][0].split("\0")[0]
        self.assertEqual(first, hashlib.sha256(b'{"client":"ABC","name":"report.csv"}').hexdigest())
        self.reseal(interpreter="CPython 3.10.1 (main) [GCC 11]", answers=first + "\0" + "0" * 64 + "\0")
        done = self.airlock("extractors", "reapprove", "sales@1", code=1)
        self.assertIn("1 of 2 answers other than when it was approved; now:\n      /data/XYZ/summary.csv → ", done.out)
        self.assertNotIn("report.csv", done.out)
        told = self.json("extractors", "reapprove", "--all", "--yes")["extractors"]
        self.assertEqual([(one["name"], one["version"], one["valid"], one["compared"], one["approved"], one["refusal"]) for one in told],
                         [("sales", 1, True, True, 2, None)])
        self.assertEqual(told[0]["differences"], [{"path": "/data/XYZ/summary.csv", "now": '{"client":"XYZ","name":"summary.csv"}'}])

    def test_reapproving_what_was_approved_before_answers_were_kept_shows_them_all(self):
        self.approve()
        self.reseal(interpreter="CPython 3.10.1 (main) [GCC 11]", answers="")
        done = self.airlock("extractors", "reapprove", "--all", "--yes", code=0)
        self.assertIn("What it answered when it was approved was not kept. It answers now:\n      /data/ABC/report.csv → ", done.out)
        self.assertEqual(self.names(), ["sales@2"])

    def test_what_was_altered_or_fails_is_not_reapproved(self):
        self.approve()
        self.approve("r.yaml", "rule")
        self.sql("UPDATE extractors SET text = text || '#' WHERE name = 'sales'")
        done = self.airlock("extractors", "reapprove", "--all", "--yes", code=1)
        self.assertIn("the text in the store is not what was approved", done.out)
        self.assertIn("✗ not approved: To look at it", done.out)
        self.assertEqual(self.names(), ["rule@1", "sales@1"])
        self.sql("UPDATE extractors SET answers = answers || 'x' WHERE name = 'rule'")
        self.assertIn("is not the one of rule@1", self.airlock("extractors", "verify", "rule", code=1).out)
        for words in ([], ["sales", "--all"], ["nobody"]):
            self.assertEqual(self.airlock("extractors", "reapprove", *words).returncode, 2, words)

    def test_another_policy_is_said(self):
        self.approve()
        self.reseal(policy_sha256="0" * 64)
        self.refused("the policy 'extractor' has changed since sales@1 was approved on", "airlock approve sales@1")

    def test_a_policy_file_counts_by_what_it_allows(self):
        policy = self.write("mine.toml", POLICY)
        self.approve("e.py", "sales", "--policy", "mine.toml")
        self.assertEqual(self.json("extractors", "show", "sales")["policy"], str(policy))
        self.write("mine.toml", "# a comment\n" + POLICY)
        self.ok("extract", "sales", "p.txt")
        self.write("mine.toml", POLICY + "[limits]\nsource_bytes = 5000\n")
        self.refused(f"the policy '{policy}' has changed since sales@1")
        policy.unlink()
        self.refused(f"the policy '{policy}' cannot be used any more")

    def test_a_rule_has_a_receipt_too(self):
        self.approve("r.yaml")
        self.sql("UPDATE extractors SET text = replace(text, 'filename', 'full_path')")
        self.refused("the text in the store is not what was approved")

    def test_rows_of_any_kind_are_survived(self):
        self.approve()
        for column in ("kind", "text", "samples", "hint", "policy", "approved", "receipt", "interpreter", "text_sha256"):
            before = self.sql(f"SELECT {column} FROM extractors")[0][0]
            for value in (b"\xff\x00\xfe", "", 2 ** 62, -5, 1.5, "\x1b[2J"):
                self.sql(f"UPDATE extractors SET {column} = ?", value)
                for command in (["extractors"], ["extractors", "--format", "json"], ["extractors", "show", "sales"],
                                ["extractors", "show", "sales", "--format", "json"], ["extractors", "verify"],
                                ["extract", "sales", "p.txt"]):
                    done = self.airlock(*command)
                    self.assertIn(done.returncode, (0, 1), (column, value, done.err))
                    self.assertNotIn("\x1b", done.out + done.err)
            self.sql(f"UPDATE extractors SET {column} = ?", before)

    def test_without_airlock_host_nothing_is_run(self):
        self.approve()
        other = self.folder / "airlock"
        other.write_bytes(harness.AIRLOCK.read_bytes())
        other.chmod(0o700)
        done = self.finish(subprocess.Popen([str(other), "extract", "sales", "p.txt"], cwd=self.folder, env=self.environment,
                                            stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        self.assertEqual((done.returncode, done.out), (3, ""))
        self.assertIn("airlock-host", done.err)


class Diff(Case):
    def setUp(self):
        super().setUp()
        self.approve()
        self.approve("two.py")

    def test_no_change_is_zero(self):
        done = self.json("diff", "sales@1", "e.py", "--samples", "p.txt")
        self.assertEqual((done["before"], done["after"], done["paths"], done["changed"]), ("sales@1", "e.py", 2, 0))
        self.assertIn("0 of 2 answers changed", self.ok("diff", "sales@1", "sales@1", "--samples", "p.txt").out)

    def test_changes_are_counted_by_field_and_the_first_are_shown(self):
        done = self.json("diff", "sales@1", "sales@2", "--samples", "p.txt", code=1)
        self.assertEqual(done["changed"], 2)
        self.assertEqual(done["fields"], {"client": {"same": 2, "changed": 0, "only_before": 0, "only_after": 0},
                                          "name": {"same": 0, "changed": 2, "only_before": 0, "only_after": 0},
                                          "year": {"same": 0, "changed": 0, "only_before": 0, "only_after": 2}})
        self.assertEqual((done["added_fields"], done["removed_fields"]), (["year"], []))
        self.assertEqual(done["examples"][0],
                         {"path": PATHS[0], "field": "name", "before": "report.csv", "after": "REPORT.CSV"})
        self.assertEqual(done["examples"][1], {"path": PATHS[0], "field": "year", "before": None, "after": 2024})
        back = self.json("diff", "sales@2", "sales@1", "--samples", "p.txt", "--show", "1", code=1)
        self.assertEqual((back["removed_fields"], len(back["examples"])), (["year"], 1))
        text = self.ok("diff", "sales@1", "sales@2", "--samples", "p.txt", code=1).out
        for words in ("sales@1 → sales@2", "  client  same", "  name    2 changed", "  year    added",
                      '    name: "report.csv" → "REPORT.CSV"', "2 of 2 answers changed"):
            self.assertIn(words, text)

    def test_a_rule_and_a_program_and_standard_input(self):
        paths = ("\n".join(PATHS) + "\n/data/Q/x.txt\n").encode()
        done = self.json("diff", "e.py", "r.yaml", "--samples", "-", code=1, stdin=paths)
        self.assertEqual((done["paths"], done["changed"], done["only_before_ok"]), (3, 1, 1))
        self.assertIsNone(done["examples"][0]["field"])

    def test_tags_are_answers(self):
        self.write("tagged.yaml", RULE + "    tag: one\n")
        self.write("other.yaml", RULE + "    tag: two\n")
        done = self.json("diff", "tagged.yaml", "other.yaml", "--samples", "p.txt", code=1)
        self.assertEqual(done["changed"], 2)

    def test_what_cannot_be_run_is_not_compared(self):
        self.write("bad.py", "import os\n" + CODE)
        self.assertEqual(self.airlock("diff", "sales", "bad.py", "--samples", "p.txt").returncode, 1)
        self.assert_refused(self.airlock("diff", "sales", "nothing", "--samples", "p.txt"), "there is no approved extractor")
        self.assert_refused(self.airlock("diff", "sales", "sales@1", "--samples", "nowhere"), "nowhere")
        self.assert_refused(self.airlock("diff", "sales", "sales@1", "--samples", "."), "folder")
        self.assertEqual(self.airlock("diff", "sales", "sales@1").returncode, 2)
        self.sql("UPDATE extractors SET text = text || '#' WHERE version = 1")
        self.assert_refused(self.airlock("diff", "sales@1", "sales@2", "--samples", "p.txt"), "does not hold", code=1)

    def test_an_interrupt_ends_it_cleanly(self):
        self.write("slow.py", SLOW)
        done = self.interrupt(self.start("diff", "slow.py", "sales@2", "--samples", "p.txt"))
        self.assertEqual((done.returncode, done.out), (130, ""))


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
