#!/usr/bin/env python3
"""Tests of `airlock drafts` and `airlock approve` as their users meet them: what becomes a draft, how it is edited, what is
approved, and what is said when the disk is full, the store is somebody else's or another process is quicker.
Needs only python3 and a built airlock.

    tests/commands/drafts_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

The last line is `N passed, N failed`.
"""
import os
import pathlib
import pty
import re
import resource
import stat
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness
from support.drafts import CODE, PATHS, RULE, SECOND, SECONDS, SLOW, Case, receipt_of

AIRLOCK = harness.AIRLOCK
DAY = 24 * 60 * 60 * 1000


class Drafts(Case):
    def test_looking_makes_no_store(self):
        self.assertEqual(self.json("drafts"), {"drafts": []})
        self.assertIn("There are no drafts", self.ok("drafts", "list").out)
        self.assert_refused(self.airlock("drafts", "show", "ab"), "there is no draft 'ab'")
        self.assert_refused(self.airlock("drafts", "delete", "ab"), "there is no draft 'ab'")
        self.ok("drafts", "delete", "--all")
        self.assertFalse(self.home.exists())

    def test_only_what_passes_becomes_a_draft(self):
        self.write("bad.py", "import os\n" + CODE)
        self.write("fails.py", CODE.replace("parts[2]", "parts[9]"))
        self.write("bad.yaml", RULE.replace("segment(-2)", "nowhere"))
        self.write("misses.yaml", RULE.replace("*.csv", "*.txt"))
        for file, word in (("bad.py", "AL201"), ("fails.py", "IndexError"), ("bad.yaml", "nowhere"),
                           ("misses.yaml", "0 of 2 samples match")):
            done = self.ok("drafts", "add", file, "--samples", "p.txt", code=1)
            self.assertIn(word, done.out, file)
            self.assertIn("No draft was made", done.err)
            self.assertFalse(self.json("drafts", "add", file, "--samples", "p.txt", code=1)["valid"])
        self.assertFalse(self.home.exists())

    def test_a_draft_is_shown_with_everything(self):
        one = self.json("drafts", "add", "e.py", "--samples", "p.txt", "--path", "/data/Q/x.csv", "--name", "sales")
        self.assertRegex(one["id"], r"\A[0-9a-f]{8}\Z")
        self.assertEqual((one["code"], one["samples"], one["name"], one["output"], one["policy"]),
                         (CODE, ["/data/Q/x.csv", *PATHS], "sales", "python", "extractor"))
        self.assertEqual(self.json("drafts", "show", one["id"]), one)
        text = self.ok("drafts", "show", one["id"][:5].upper()).out
        for word in ("def extract", "/data/Q/x.csv", "expires in   23 h 59 min", f"airlock approve {one['id']} --name sales"):
            self.assertIn(word, text)
        self.assertIn(one["id"] + "  python  sales  3 samples", self.ok("drafts").out)

    def test_a_models_answer_is_kept_as_its_code(self):
        self.write("answer.md", f"Here it is:\n```python\n{CODE}```\nEnjoy!\n")
        self.assertEqual(self.json("drafts", "show", self.add("answer.md"))["code"], CODE)

    def test_a_rule_is_a_draft_too(self):
        draft = self.json("drafts", "show", self.add("r.yaml"))
        self.assertEqual((draft["output"], draft["code"], draft["policy"]), ("yaml", RULE, None))

    def test_who_approved_and_why_is_on_the_receipt(self):
        draft = self.add()
        self.assert_refused(self.airlock("approve", draft, "--name", "sales", "--by", "a\nb"), "one line")
        done = self.json("approve", draft, "--name", "sales", "--by", "Ann Lee", "--note", "looked at both")
        self.assertEqual((done["approved_by"], done["note"], done["author"], done["draft"]), ("Ann Lee", "looked at both", "file", draft))
        shown = self.json("extractors", "show", "sales")
        self.assertEqual((shown["approved_by"], shown["note"]), ("Ann Lee", "looked at both"))
        text = self.ok("extractors", "show", "sales").out
        self.assertIn("approved by  Ann Lee", text)
        self.ok("extractors", "verify")
        self.sql("UPDATE extractors SET approved_by = 'Bob'")
        self.assertIn("the receipt in the store is not the one of sales@1", self.ok("extractors", "verify", code=1).out)

    def test_a_rejected_draft_waits_no_longer_and_says_why(self):
        draft = self.add("e.py")
        self.assert_refused(self.airlock("drafts", "reject", draft, "--by", "Ann"), "A reason is missing")
        self.assertEqual(self.drafts(), [draft])
        self.assertIn(f"draft {draft} is rejected", self.ok("drafts", "reject", draft[:4], "--by", "Ann", "--note", "the year\nis wrong").out)
        self.assertEqual(self.drafts(), [])
        [one] = self.json("drafts", "--rejected")["rejected"]
        self.assertEqual((one["id"], one["rejected_by"], one["note"], one["code"]), (draft, "Ann", "the year\nis wrong", CODE))
        self.assertEqual(self.json("drafts", "list", "--rejected")["rejected"], [one])
        text = self.ok("drafts", "--rejected").out
        self.assertIn("by Ann\n  the year\n  is wrong\n", text)
        self.assert_refused(self.airlock("approve", draft, "--name", "sales"), "there is no draft")

    def test_the_eleventh_drops_the_oldest(self):
        ids = [self.add("r.yaml") for _ in range(11)]
        self.assertEqual(self.drafts(), ids[:0:-1])
        self.assert_refused(self.airlock("drafts", "show", ids[0]), "the 10 newest are kept")

    def test_after_a_day_it_has_expired(self):
        draft = self.add()
        self.sql("UPDATE drafts SET created = created - ?", DAY)
        self.assertEqual(self.drafts(), [])
        for command in (["drafts", "show", draft], ["drafts", "validate", draft], ["drafts", "edit", draft],
                        ["drafts", "delete", draft], ["approve", draft, "--name", "sales"]):
            self.assert_refused(self.airlock(*command), "has expired", "24 h")
        self.assertEqual(self.names(), [])

    def test_an_id_that_is_not_there_is_said_with_the_nearest(self):
        draft = self.add("r.yaml")
        wrong = draft[:-1] + ("0" if draft[-1] != "0" else "1")
        for command in (["drafts", "show", wrong], ["approve", wrong, "--name", "sales"]):
            self.assert_refused(self.airlock(*command), f"there is no draft '{wrong}'", f"did you mean {draft}?")
        for word in ("e", draft[0], draft[:3].upper()):  # a typo approves nothing, whichever letters the id has
            self.assert_refused(self.airlock("approve", word, "--name", "sales"), f"there is no draft '{word}'",
                                "at least 4 of its characters", "airlock drafts")
        self.assertEqual(self.names(), [])
        self.write("deadbeef", CODE)
        self.assert_refused(self.airlock("approve", "deadbeef", "--name", "sales"), "say ./deadbeef")

    def test_a_beginning_that_two_have_names_neither(self):
        ids = [self.add("r.yaml") for _ in range(3)]
        for old, new in zip(ids, ("abcd1111", "abcd2222", "abce3333")):
            self.sql("UPDATE drafts SET id = ? WHERE id = ?", new, old)
        for command in (["approve", "abcd", "--name", "sales"], ["drafts", "delete", "ABCD"], ["drafts", "edit", "abcd"]):
            done = self.airlock(*command)
            self.assert_refused(done, "more than one draft begins with", "abcd2222", "abcd1111")
            self.assertNotIn("abce3333", done.err)
        self.assertEqual(self.json("approve", "abce", "--name", "sales")["version"], 1)

    def test_all_are_deleted_or_none(self):
        a, b, c = self.add("r.yaml"), self.add("r.yaml"), self.add("e.py")
        self.assert_refused(self.airlock("drafts", "delete", a, "nothing"), "Nothing was deleted")
        self.assert_refused(self.airlock("drafts", "delete"), "Say which drafts")
        self.assert_refused(self.airlock("drafts", "delete", a, "--all"), "Say which drafts")
        self.assertEqual(self.drafts(), [c, b, a])
        self.assertEqual(self.json("drafts", "delete", a, b), {"deleted": 2})
        self.assertEqual(self.ok("drafts", "delete", "--all").out, "deleted 1 draft\n")

    def test_a_draft_can_be_tried_on_other_samples(self):
        draft = self.add()
        self.ok("drafts", "validate", draft)
        self.write("more.txt", "/x\n")
        report = self.json("drafts", "validate", draft, "--samples", "more.txt", code=1)
        self.assertEqual(report["test_results"]["results"][0]["error_type"], "IndexError")
        self.assertEqual(self.json("drafts", "show", draft)["samples"], PATHS)

    def test_samples_beyond_the_limit_are_left_out_and_that_is_said(self):
        self.write("many.txt", "".join(f"/data/a/{n}.csv\n" for n in range(1500)))
        done = self.ok("drafts", "add", "r.yaml", "--samples", "many.txt")
        self.assertIn("Of 1500 samples the first 1000", done.err)
        self.assert_refused(self.airlock("drafts", "add", "r.yaml"), "There is no sample path")
        self.assert_refused(self.airlock("drafts", "add", "nowhere.py", "--samples", "p.txt"), "nowhere.py")
        self.assert_refused(self.airlock("drafts", "add", "e.py", "--samples", "nowhere"), "nowhere")
        for command in (["drafts", "add", "-"], ["approve", "-", "--name", "x"], ["drafts", "add", "e.py", "--samples", "-"]):
            self.assert_refused(self.airlock(*command, "--samples", "-"), "Standard input can be read once")
        draft = self.add()
        self.sql("UPDATE drafts SET samples = ''")
        for command in (["approve", draft, "--name", "x"], ["drafts", "validate", draft]):
            self.assert_refused(self.airlock(*command), "It has no sample paths")
        self.ok("drafts", "validate", draft, "--samples", "p.txt")

    def test_what_is_foreign_never_reaches_the_terminal_raw(self):
        draft = self.add()
        self.sql("UPDATE drafts SET name = ?, text = ?, hint = ?, policy = ?, samples = ?", "n\x1b[2J", "#\x1b]0;x\x07\u202e\n",
                 "h\x1b[1m", "p\r", "/a\x1b[31m\0")
        for command in (["drafts"], ["drafts", "show", draft], ["drafts", "--format", "json"],
                        ["drafts", "show", draft, "--format", "json"], ["approve", draft]):
            done = self.airlock(*command)
            for bad in ("\x1b", "\x07", "\u202e", "\r"):
                self.assertNotIn(bad, done.out + done.err, command)

    def test_rows_of_any_kind_are_survived(self):
        draft = self.add()
        for column in ("kind", "name", "text", "samples", "hint", "policy", "created"):
            before = self.sql(f"SELECT {column} FROM drafts")[0][0]
            for value in (b"\xff\x00\xfe", "", 2 ** 62, -5, 1.5, "x" * 100000):
                self.sql(f"UPDATE drafts SET {column} = ?", value)
                for command in (["drafts"], ["drafts", "--format", "json"], ["drafts", "show", draft],
                                ["drafts", "show", draft, "--format", "json"]):
                    self.assertIn(self.airlock(*command).returncode, (0, 2), (column, value))
            self.assertIn(self.airlock("approve", draft, "--name", "sales").returncode, (0, 1, 2), column)
            if not self.sql("SELECT id FROM drafts WHERE id = ?", draft):
                draft = self.add()
            self.sql(f"UPDATE drafts SET {column} = ?", before)

    def test_help_shows_an_example(self):
        for command in (["drafts"], *(["drafts", one] for one in ("list", "show", "edit", "validate", "delete", "add")),
                        ["approve"]):
            self.assertIn("Example:", self.ok(*command, "--help").out)
        self.assert_refused(self.airlock("drafts", "shwo"), "Did you mean show?")


class Editing(Case):
    def editor(self, script, name="ed"):
        self.environment["EDITOR"] = str(self.write(name, f"#!/bin/sh\n{script}\n", 0o700))
        self.environment["TMPDIR"] = str(self.folder)

    def edit(self, draft, *more):
        return self.airlock("drafts", "edit", draft, *more)

    def test_what_passes_takes_the_place_of_the_draft(self):
        draft = self.add()
        self.editor(f"cp {self.folder}/two.py \"$1\"")
        done = self.ok("drafts", "edit", draft)
        self.assertIn(f"The draft {draft} is changed", done.out)
        self.assertEqual(self.json("drafts", "show", draft)["code"], SECOND)
        self.assertEqual(self.json("drafts", "edit", draft)["code"], SECOND)

    def test_what_is_broken_is_refused_with_the_findings(self):
        draft = self.add()
        self.editor("echo 'import os' >> \"$1\"")
        done = self.edit(draft)
        self.assertEqual(done.returncode, 1)
        self.assertIn("AL201", done.out)
        self.assertIn(f"the draft {draft} is as it was", done.err)
        aside = re.search(r"What you wrote is in (\S+\.py)", done.err).group(1)
        self.assertTrue(aside.startswith(str(self.folder)))
        self.assertEqual(os.stat(aside).st_mode & 0o777, 0o600)
        with open(aside, encoding="utf-8") as text:
            self.assertTrue(text.read().endswith("import os\n"))
        self.assertEqual(self.json("drafts", "show", draft)["code"], CODE)
        self.assertEqual(self.json("drafts", "edit", draft, code=1)["stage_reached"], "security")

    def test_a_rule_is_edited_as_a_rule(self):
        draft = self.add("r.yaml")
        self.editor("case $1 in *.yaml) sed -i 's/Clients/Customers/' \"$1\";; esac")
        self.ok("drafts", "edit", draft)
        self.assertIn("Customers", self.json("drafts", "show", draft)["code"])
        self.editor("sed -i 's/filename/nowhere/' \"$1\"")
        self.assertIn("nowhere", self.ok("drafts", "edit", draft, code=1).out)

    def test_an_editor_that_fails_keeps_the_original(self):
        draft = self.add()
        for script, word in (("echo x > \"$1\"; exit 7", "exit code 7"), ("kill -9 $$", "signal 9"),
                             ("rm \"$1\"", "has removed the file"), (": > \"$1\"", "is empty now"),
                             ("head -c 1100000 /dev/zero > \"$1\"", "1 MiB"), ("printf '\\377' > \"$1\"", "not UTF-8")):
            self.editor(script)
            self.assert_refused(self.edit(draft), word, f"The draft {draft} is unchanged")
        self.environment["EDITOR"] = "no-such-editor -x"
        self.assert_refused(self.edit(draft), "there is no editor 'no-such-editor'", "EDITOR")
        self.assertEqual(self.json("drafts", "show", draft)["code"], CODE)
        self.assertEqual([one.name for one in self.folder.iterdir() if one.name.startswith("airlock-edit")], [])

    def test_an_edit_that_changes_nothing_is_fine(self):
        draft = self.add()
        self.editor("exit 0")
        self.assertIn("Nothing was changed", self.ok("drafts", "edit", draft).err)

    def test_an_editor_with_a_window_is_asked_to_wait(self):
        draft = self.add()
        self.editor(f"echo \"$@\" > {self.folder}/seen", name="code")
        self.ok("drafts", "edit", draft)
        self.assertRegex((self.folder / "seen").read_text(), r"\A--wait /\S+\.py\n\Z")

    def test_somebody_quicker_is_not_overwritten(self):
        draft = self.add()
        self.editor(f"cp {self.folder}/two.py \"$1\"\n/usr/bin/python3 -c \"import sqlite3; d = sqlite3.connect('{self.file}'); "
                    "d.execute(\\\"UPDATE drafts SET text = 'theirs'\\\"); d.commit()\"")
        self.assert_refused(self.edit(draft), "changed by somebody else", "nothing was kept")
        self.assertEqual(self.json("drafts", "show", draft)["code"], "theirs")

    def test_on_a_terminal_it_can_be_edited_again(self):
        draft = self.add()
        # The first time it breaks the code, the second time it mends it.
        self.editor(f"if grep -q 'import os' \"$1\"; then cp {self.folder}/two.py \"$1\"; else echo 'import os' >> \"$1\"; fi")
        us, them = pty.openpty()
        self.addCleanup(os.close, us)
        process = subprocess.Popen([str(AIRLOCK), "drafts", "edit", draft], cwd=self.folder, env=self.environment, stdin=them,
                                   stdout=subprocess.PIPE, stderr=them)
        os.close(them)
        os.write(us, b"\n")
        out, _ = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 0, out)
        self.assertIn(b"AL201", out)
        self.assertEqual(self.json("drafts", "show", draft)["code"], SECOND)


class Approving(Case):
    def test_a_draft_becomes_an_extractor_and_is_gone(self):
        draft = self.add()
        done = self.ok("approve", draft, "--name", "sales")
        for word in ("sales@1 is approved", "CPython 3.11", "airlock extract sales"):
            self.assertIn(word, done.out)
        self.assertEqual((self.drafts(), self.names()), ([], ["sales@1"]))
        self.assert_refused(self.airlock("approve", draft, "--name", "sales"), "there is no draft")

    def test_its_receipt_is_a_hash_over_the_parts(self):
        done = self.json("approve", self.add(), "--name", "sales")
        row = dict(self.sql("SELECT * FROM extractors")[0])
        self.assertEqual(done["receipt"], receipt_of(row))
        self.assertEqual((done["name"], done["version"], done["output"]), ("sales", 1, "python"))

    def test_the_name_of_the_draft_is_the_name_when_none_is_given(self):
        self.json("drafts", "add", "e.py", "--samples", "p.txt", "--name", "sales")
        self.ok("approve", self.drafts()[0])
        self.assertEqual(self.names(), ["sales@1"])
        self.assert_refused(self.airlock("approve", self.add()), "--name")

    def test_names_have_rules(self):
        draft = self.add("r.yaml")
        for name, word in (("x.py", "taken for a file"), ("x.yaml", "taken for a file"), ("9x", "begins with a letter"),
                           ("a b", "only letters"), ("a/b", "only letters"), ("a@1", "only letters"), ("", "missing"),
                           ("a" * 65, "at most 64"), ("ä", "begins with a letter")):
            self.assert_refused(self.airlock("approve", draft, "--name", name), word)
        self.ok("approve", draft, "--name", "a.b-C_9")

    def test_a_file_is_approved_when_it_passes(self):
        self.assertEqual(self.approve()["version"], 1)
        self.assertEqual(self.approve("r.yaml", "rule")["output"], "yaml")
        self.assertEqual(self.approve("two.py")["version"], 2)
        self.write("bad.py", "import os\n" + CODE)
        done = self.ok("approve", "bad.py", "--name", "bad", "--samples", "p.txt", code=1)
        self.assertIn("AL201", done.out)
        self.assertIn("was not approved", done.err)
        self.assert_refused(self.airlock("approve", "e.py", "--name", "x"), "There is no sample path")
        self.assertEqual(self.names(), ["rule@1", "sales@2"])

    def test_what_is_not_valid_any_more_stays_a_draft(self):
        draft = self.add()
        self.sql("UPDATE drafts SET text = ?", "import os\n" + CODE)
        self.assertIn("AL201", self.ok("approve", draft, "--name", "sales", code=1).out)
        self.assertEqual((self.drafts(), self.names()), ([draft], []))

    def test_two_at_once_on_one_draft_and_one_wins(self):
        draft = self.add()
        both = [self.start("approve", draft, "--name", f"sales{n}") for n in range(2)]
        codes = sorted(self.finish(one).returncode for one in both)
        self.assertEqual(codes, [0, 2])
        self.assertEqual((self.drafts(), len(self.names())), ([], 1))

    def test_two_at_once_on_one_name_are_two_versions(self):
        many = [self.start("approve", "r.yaml", "--name", "sales", "--samples", "p.txt") for _ in range(4)]
        self.assertEqual([self.finish(one).returncode for one in many], [0] * 4)
        self.assertEqual([one["version"] for one in self.json("extractors", "history", "sales")["extractors"]], [4, 3, 2, 1])

    def test_everything_is_for_this_user_alone(self):
        self.approve()
        self.assertEqual(stat.S_IMODE(self.home.stat().st_mode), 0o700)
        for entry in self.home.iterdir():
            self.assertEqual(stat.S_IMODE(entry.stat().st_mode), 0o600, entry)


class Faults(Case):
    def test_a_disk_without_room_changes_nothing(self):
        self.write("big.yaml", RULE + "# " + "x" * 100000 + "\n")
        draft = self.add("big.yaml")

        def no_room():
            resource.setrlimit(resource.RLIMIT_FSIZE, (33000, 33000))  # for SQLite's index of its journal, and little more
        self.assert_refused(self.airlock("approve", draft, "--name", "sales", preexec_fn=no_room), str(self.file),
                            "Nothing was approved")
        self.assert_refused(self.airlock("drafts", "add", "big.yaml", "--samples", "p.txt", preexec_fn=no_room), str(self.file))
        self.assertEqual((self.drafts(), self.names()), ([draft], []))
        self.ok("approve", draft, "--name", "sales")

    def test_a_full_disk_is_said_and_the_draft_is_still_there(self):
        small = self.small_disk("400k")
        self.environment["AIRLOCK_HOME"] = str(small / "state")
        draft = self.add()
        filler = self.fill(small)
        self.write("big.py", CODE + "# " + "x" * 200000 + "\n")
        done = self.airlock("approve", "big.py", "--name", "sales", "--samples", "p.txt")
        self.assert_refused(done, "disk is full", "Nothing was approved")
        filler.unlink()
        self.assertEqual((self.drafts(), self.names()), ([draft], []))
        self.ok("approve", draft, "--name", "sales")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_home_that_cannot_be_written_is_said(self):
        self.approve()
        os.chmod(self.home, 0o500)
        self.addCleanup(os.chmod, self.home, 0o700)
        self.assertEqual(self.airlock("drafts", "add", "r.yaml", "--samples", "p.txt").returncode, 2)

    def test_a_home_where_nothing_can_be_made_is_said(self):
        self.write("file", "")
        self.environment["AIRLOCK_HOME"] = str(self.folder / "file" / "state")
        for command in (["drafts", "add", "r.yaml", "--samples", "p.txt"],
                        ["approve", "r.yaml", "--name", "sales", "--samples", "p.txt"]):
            self.assert_refused(self.airlock(*command), str(self.folder / "file"))

    def test_a_store_of_a_newer_airlock_is_refused_and_not_changed(self):
        draft = self.add()
        self.sql("PRAGMA user_version = 99")
        before = self.file.read_bytes()
        for command in (["drafts"], ["drafts", "show", draft], ["drafts", "delete", draft], ["approve", draft, "--name", "s"],
                        ["extractors"], ["extractors", "verify"], ["extract", "sales", "p.txt"],
                        ["drafts", "add", "r.yaml", "--samples", "p.txt"]):
            done = self.airlock(*command)
            self.assertEqual(done.returncode, 2, command)
            self.assertIn("newer airlock", done.err)
        self.assertEqual(self.file.read_bytes(), before)

    def test_a_store_of_an_older_airlock_is_brought_up_to_date(self):
        self.add()
        for table in ("drafts", "extractors", "extractor_names"):
            self.sql(f"DROP TABLE {table}")
        self.sql("PRAGMA user_version = 2")
        for later in [row[0] for row in self.sql("SELECT name FROM sqlite_schema WHERE type = 'table'")]:
            if later not in ("cache", "runs", "executions", "findings", "flow_runs", "flow_steps"):
                self.sql(f"DROP TABLE {later}")  # of steps after these
        self.assertEqual(self.drafts(), [])
        self.approve()

    def test_an_interrupt_ends_it_cleanly(self):
        draft = self.add()
        self.sql("UPDATE drafts SET text = ?", SLOW)
        done = self.interrupt(self.start("approve", draft, "--name", "sales"))
        self.assertEqual((done.returncode, done.out), (130, ""))
        self.assertEqual((self.drafts(), self.names()), ([draft], []))


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
