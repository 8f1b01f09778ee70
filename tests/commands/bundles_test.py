#!/usr/bin/env python3
"""Tests of `airlock extractors export|import`, `airlock keys` and `airlock extract x.airlock` between two states that know nothing of
each other: what goes over, and everything that is refused with its reason. Needs only python3 and a built airlock.

    tests/commands/bundles_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

The last line is `N passed, N failed`.
"""
import fcntl
import hashlib
import json
import os
import pathlib
import pty
import signal
import subprocess
import sys
import termios

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, signing
from support.drafts import CODE, PATHS, Case, receipt_of
from support.serving import Client

SEED = bytes(range(32))  # of somebody who writes bundles without airlock
KEY = "ed25519:" + signing.public_key(SEED).hex()
POLICY = 'name = "mine"\nextends = "extractor"\n[modules.csv]\nwhy = "tables"\nattributes = ["reader"]\n'


def members(bundle):
    return json.loads(bundle)


class Bundles(Case):
    """`self` is at home where it was approved; `there()` is the other side."""

    def setUp(self):
        super().setUp()
        self.there_home = self.folder / "there"
        self.there_environment = {**self.environment, "AIRLOCK_HOME": str(self.there_home)}

    def there(self, *words, **options):
        return self.airlock(*words, **{"env": self.there_environment, **options})

    def there_json(self, *words, **options):
        return self.json(*words, **{"env": self.there_environment, **options})

    def export(self, name="sales", file="x.airlock"):
        text = self.ok("extractors", "export", name).out
        self.write(file, text)
        return text

    def own_key(self, **options):
        return self.json("keys", "show", **options)["keys"][0]["key"]

    def trust(self, key=None, name="anna@lab"):
        return self.there_json("keys", "trust", key or self.own_key(), "--name", name, "--why", "we work together")

    def shared(self, *more):
        """Approved here, exported, and trusted there."""
        self.approve("e.py", "sales", *more)
        text = self.export()
        self.trust()
        return text

    def forged(self, bundle, **changes):
        """The bundle with these members, a receipt that fits, and the signature of SEED, whom the other side trusts."""
        whole = members(bundle)
        receipt = {**whole["receipt"], **changes.pop("receipt", {})}
        whole.update(changes)
        row = {"kind": whole["kind"], "policy": whole["policy"]["name"], "name": whole["name"], "version": whole["version"],
               "answers": "".join(one + "\0" for one in whole["answers"]), **receipt}
        row["text_sha256"] = hashlib.sha256("\n".join(whole["text"]).encode()).hexdigest()
        whole["receipt"] = {"sha256": receipt_of(row), **{name: row[name] for name in
                            ("text_sha256", "policy_sha256", "interpreter", "samples_sha256")}}
        return signing.resigned(json.dumps(whole, indent=2, ensure_ascii=False), SEED)

    def assert_not_imported(self, text, *words, code=1, name="bad.airlock"):
        self.write(name, text)
        before = self.there_json("extractors")
        for command in (["extractors", "import", name, "--yes"], ["extract", name, "p.txt"]):
            self.assert_refused(self.there(*command), *words, code=code)
        self.assertEqual(self.there_json("extractors"), before)


class RoundTrip(Bundles):
    def test_what_was_approved_here_runs_there(self):
        self.shared()
        want = self.ok("extract", "sales", "p.txt").out
        told = self.there("extractors", "import", "x.airlock", "--yes", code=0).out
        for word in ("sales@1, python", "extractor, built in", "CPython 3.11", "anna@lab, trusted", "2 paths", "def extract", "✓ sales@1 is imported"):
            self.assertIn(word, told)
        self.assertEqual(self.there("extract", "sales", "p.txt", code=0).out, want)
        self.assertIn("1 receipt checked", self.there("extractors", "verify", code=0).out)
        shown = self.there_json("extractors", "show", "sales")
        self.assertEqual((shown["code"], shown["samples"]), (CODE, []))
        self.assertEqual(shown["imported"]["came_as"], "sales@1")
        self.assertFalse(shown["imported"]["revoked"])

    def test_it_runs_without_being_imported(self):
        self.shared()
        self.assertEqual(self.there("extract", "x.airlock", "p.txt", code=0).out, self.ok("extract", "sales", "p.txt").out)
        self.assertEqual(self.there_json("extractors"), {"extractors": []})
        self.assert_refused(self.there("extract", "x.airlock", "p.txt", "--policy", "extractor"), "leave --policy out")
        self.assert_refused(self.there("extract", "gone.airlock", "p.txt"), "gone.airlock", "No such file")

    def test_a_rule_travels_too(self):
        self.approve("r.yaml", "rule")
        self.export("rule")
        self.trust()
        want = self.ok("extract", "rule", "p.txt").out
        self.assertEqual(self.there("extract", "x.airlock", "p.txt", code=0).out, want)
        self.there("extractors", "import", "x.airlock", "--yes", code=0)
        self.assertEqual(self.there("extract", "rule", "p.txt", code=0).out, want)

    def test_a_policy_that_is_not_built_in_comes_along(self):
        policy = self.write("my policy.toml", POLICY)
        text = self.shared("--policy", policy)
        self.assertNotIn(str(self.folder), text)
        self.assertEqual(members(text)["policy"], {"name": "my_policy.toml", "text": POLICY.split("\n")})
        policy.unlink()
        want = self.there("extract", "x.airlock", "p.txt", code=0).out
        told = self.there_json("extractors", "import", "x.airlock", "--yes")
        self.assertEqual(pathlib.Path(told["policy"]).read_text(), POLICY)
        self.assertEqual(pathlib.Path(told["policy"]).stat().st_mode & 0o777, 0o600)
        self.assertEqual(self.there("extract", "sales", "p.txt", code=0).out, want)
        self.assertIn("1 receipt checked", self.there("extractors", "verify", code=0).out)
        self.there("extractors", "export", "sales", code=0)  # and on to a third

    def test_another_name_and_the_next_version(self):
        self.shared()
        self.there("extractors", "import", "x.airlock", "--yes", "--as", "clients", code=0)
        told = self.there_json("extractors", "import", "x.airlock", "--yes", "--as", "clients")
        self.assertEqual((told["name"], told["version"], told["came_as"]), ("clients", 2, "sales@1"))
        self.assertEqual(told["key"]["name"], "anna@lab")
        for name in ("", "a b", "x.airlock", "../x"):
            done = self.there("extractors", "import", "x.airlock", "--yes", f"--as={name}")
            self.assertEqual(done.returncode, 2, name)

    def test_from_standard_input(self):
        text = self.shared()
        self.there("extractors", "import", "-", "--yes", stdin=text, code=0)
        self.assert_refused(self.there("extractors", "import", "-", "--yes", stdin=b""), "this is no bundle", code=1)

    def test_the_file_is_what_the_manual_says(self):
        text = self.shared()
        whole = members(text)
        self.assertEqual("\n".join(whole["text"]), CODE)
        self.assertEqual(whole["samples"], [hashlib.sha256(path.encode()).hexdigest() for path in PATHS])
        for path in (*PATHS, str(self.folder)):
            self.assertNotIn(path, text)
        seed = bytes.fromhex((self.home / "airlock.key").read_text().splitlines()[1])
        signed = "".join(text.splitlines(keepends=True)[:-2])
        self.assertEqual(whole["signature"], signing.sign(seed, signed.encode()).hex())
        self.assertEqual(whole["key"], "ed25519:" + signing.public_key(seed).hex())
        self.assertEqual(text, self.export())  # the same again, to the byte

    def test_one_that_another_program_signed_is_taken(self):
        text = self.shared()
        self.trust(KEY, "robot")
        self.write("r.airlock", self.forged(text))
        self.there("extractors", "import", "r.airlock", "--yes", code=0)

    def test_only_what_holds_is_exported(self):
        self.approve()
        self.assert_refused(self.airlock("extractors", "export", "nosuch"), "there is no approved extractor 'nosuch'")
        self.assertFalse((self.home / "airlock.key").exists())
        self.ok("extractors", "disable", "sales")
        self.assert_refused(self.airlock("extractors", "export", "sales"), "is disabled", code=1)
        self.ok("extractors", "enable", "sales")
        self.sql("UPDATE extractors SET text = text || '#'")
        self.assert_refused(self.airlock("extractors", "export", "sales"), "not what was approved", code=1)
        self.assertFalse((self.home / "airlock.key").exists())

    def test_help_shows_an_example(self):
        for command in (["keys"], ["keys", "show"], ["keys", "trust"], ["keys", "revoke"], ["extractors", "export"], ["extractors", "import"]):
            self.assertIn("Example:", self.ok(*command, "--help").out)


class Refused(Bundles):
    def test_an_unknown_key_is_not_trusted_by_its_first_use(self):
        self.approve()
        self.assert_not_imported(self.export(), "is not trusted here: fingerprint " + self.json("keys", "show")["keys"][0]["fingerprint"],
                                 "airlock keys trust")
        self.assert_not_imported(self.export(), "is not trusted here")
        self.assertEqual(self.there_json("keys", "show"), {"keys": []})
        self.assertFalse(self.there_home.exists())

    def test_bytes_that_were_changed_on_the_way(self):
        text = self.shared()
        for changed, *words in (
                (text.replace("parts[2]", "parts[1]"), "altered after it was signed"),
                (text.replace('"version": 1', '"version": 2'), "altered after it was signed"),
                (text.replace('"name": "sales"', '"name": "salez"'), "altered after it was signed"),
                (text.replace('"name": "extractor"', '"name": "node"'), "altered after it was signed"),
                (text.replace(members(text)["signature"], "0" * 128), "altered after it was signed"),
                (text.replace(members(text)["fingerprint"], "0" * 64), "not as airlock writes one, in line "),
                (text.replace(": ", ":", 1), "not as airlock writes one, in line 2"),
                (text + "\n", "not as airlock writes one"),
                (text.replace("\n", "\r\n"), "this is no bundle"),
                (text.replace('  "version"', '  "name": "sales",\n  "version"'), "this is no bundle"),
                (text.replace('  "version"', '  "extra": 1,\n  "version"'), "not as airlock writes one, in line 4"),
                (text.replace('"airlock_bundle": 1', '"airlock_bundle": 2'), "it reads form 1"),
                (text.replace('"kind": "python"', '"kind": "yaml"'), "'policy' is not null"),
                (text[:len(text) // 2], "this is no bundle"),
                ("", "this is no bundle"),
                (CODE, "this is no bundle"),
                ("{}", "this is no bundle"),
                (b"\xff" * 100, "this is no bundle"),
                ("[" * 100_000, "this is no bundle"),
                (" " * (16 * 1024 * 1024 + 1), "more than 16777216 bytes")):
            with self.subTest(words=words):
                self.assert_not_imported(changed, *words)

    def test_every_part_of_the_file_is_covered(self):
        """One letter in each line, in turn."""
        text = self.shared()
        lines = text.splitlines(keepends=True)
        for number, line in enumerate(lines):
            at = len(line) // 2
            other = "0" if line[at] != "0" else "1"
            changed = "".join(lines[:number]) + line[:at] + other + line[at + 1:] + "".join(lines[number + 1:])
            with self.subTest(line=number + 1):
                self.write("bad.airlock", changed)
                self.assert_refused(self.there("extractors", "import", "bad.airlock", "--yes"), "Nothing was imported", code=1)
        self.assertEqual(self.there_json("extractors"), {"extractors": []})

    def test_another_interpreter_names_both_and_the_way_on(self):
        text = self.shared()
        self.trust(KEY, "robot")
        here = members(text)["receipt"]["interpreter"]
        self.assert_not_imported(self.forged(text, receipt={"interpreter": "CPython 3.12.1 (main)"}), "approved for another interpreter: CPython 3.12.1 (main)",
                                 "The interpreter here is " + here, "airlock extractors reapprove sales")

    def test_another_policy_of_the_same_name(self):
        text = self.shared()
        self.trust(KEY, "robot")
        self.assert_not_imported(self.forged(text, receipt={"policy_sha256": "0" * 64}), "the policy 'extractor' is another one here",
                                 "0" * 64, members(text)["receipt"]["policy_sha256"])
        self.assert_not_imported(self.forged(text, policy={"name": "nosuch"}), "cannot be used here", "there is no policy 'nosuch'")
        self.assert_not_imported(self.forged(text, policy={"name": "probe"}), "cannot be used here", "for probes")
        for toml, words in (("extends = \"extractor\"\n[modules.os]\nwhy = \"x\"\n", "can never be allowed"), ("= 1", "x.toml")):
            self.assert_not_imported(self.forged(text, policy={"name": "x.toml", "text": toml.split("\n")}), "cannot be used here", words)

    def test_a_receipt_that_is_not_that_of_the_text(self):
        text = self.shared()
        self.trust(KEY, "robot")
        whole = members(text)
        whole["receipt"]["sha256"] = "0" * 64
        self.assert_not_imported(signing.resigned(json.dumps(whole, indent=2), SEED), "the receipt in the bundle is not that of sales@1")
        whole = members(text)
        whole["text"][2] += "#"
        self.assert_not_imported(signing.resigned(json.dumps(whole, indent=2), SEED), "the receipt in the bundle is not that of sales@1")

    def test_code_is_judged_again_whoever_signed_it(self):
        text = self.shared()
        self.trust(KEY, "robot")
        self.write("evil.airlock", self.forged(text, text=["import os", "def extract(path: str) -> dict:", "    return {}", ""]))
        done = self.there("extract", "evil.airlock", "p.txt", code=1)
        self.assertIn("The extractor is refused; nothing of it was run", done.err)

    def test_what_is_no_file(self):
        self.shared()
        os.mkfifo(self.folder / "pipe.airlock")
        (self.folder / "folder.airlock").mkdir()
        for name in ("pipe", "folder", "gone"):
            self.assert_refused(self.there("extractors", "import", f"{name}.airlock", "--yes"), f"{name}.airlock")


class Keys(Bundles):
    def test_looking_makes_neither_store_nor_key(self):
        self.assertEqual(self.json("keys"), {"keys": []})
        told = self.ok("keys", "show").out
        self.assertIn("No key is trusted here", told)
        self.assertIn("airlock extractors export NAME makes one", told)
        self.assertFalse(self.home.exists())

    def test_the_own_key_is_shown_without_its_private_half(self):
        self.approve()
        self.export()
        private = (self.home / "airlock.key").read_text().splitlines()[1]
        self.assertEqual((self.home / "airlock.key").stat().st_mode & 0o777, 0o600)
        for words in (["show"], ["show", "--format", "json"]):
            told = self.ok("keys", *words).out
            self.assertIn("ed25519:", told)
            self.assertNotIn(private, told)
        self.assertNotIn(private.encode(), self.file.read_bytes())
        key, = self.json("keys")["keys"]
        self.assertEqual((key["name"], key["state"]), ("own", "own"))
        self.assertEqual(key["fingerprint"], hashlib.sha256(bytes.fromhex(key["key"][8:])).hexdigest())

    def test_the_own_bundle_is_taken_at_home(self):
        self.approve()
        self.export()
        self.ok("extract", "x.airlock", "p.txt")
        self.assertEqual(self.json("extractors", "import", "x.airlock", "--yes")["version"], 2)

    def test_trusting_says_who_when_and_why(self):
        told = self.there_json("keys", "trust", KEY, "--name", "anna", "--why", "we work together")
        self.assertEqual((told["name"], told["state"], told["key"], told["why"]), ("anna", "trusted", KEY, "we work together"))
        self.there("keys", "trust", KEY, "--name", "anna", code=0)  # again changes nothing
        self.assertEqual(self.there_json("keys")["keys"][0]["why"], "we work together")
        other = "ed25519:" + "0" * 64
        for words, message in ((("keys", "trust", KEY, "--name", "bert"), "trusted already, as 'anna'"),
                               (("keys", "trust", other, "--name", "anna"), "another key is trusted as 'anna'"),
                               (("keys", "trust", told["fingerprint"], "--name", "c"), "may be a fingerprint"),
                               (("keys", "trust", KEY[:-1], "--name", "c"), "64 hex digits"),
                               (("keys", "trust", KEY.upper(), "--name", "c"), "64 hex digits"),
                               (("keys", "trust", other, "--name", "own"), "choose another"),
                               (("keys", "trust", other, "--name", "a b"), "A key's name begins with"),
                               (("keys", "trust", other, "--name", "a\x1b"), "A key's name begins with"),
                               (("keys", "trust", other, "--name", "d", "--why", "x" * 501), "--why has more than 500"),
                               (("keys", "revoke", "nobody"), "there is no key 'nobody'"),
                               (("keys", "revoke", "anan"), "did you mean 'anna'?"),
                               (("keys", "revoke", told["fingerprint"][:7]), "there is no key")):
            with self.subTest(words=words):
                self.assert_refused(self.there(*words), message)
        self.assertEqual(len(self.there_json("keys")["keys"]), 1)

    def test_a_reason_cannot_drive_the_terminal(self):
        self.there("keys", "trust", KEY, "--name", "anna", "--why", "\x1b]0;x\x07\u202e", code=0)
        self.assertNotIn("\x1b", self.there("keys", code=0).out)
        self.assertNotIn("\u202e", self.there("keys", code=0).out)

    def test_revoked_is_for_ever_and_says_what_came_with_it(self):
        text = self.shared()
        self.there("extractors", "import", "x.airlock", "--yes", code=0)
        self.there("extractors", "import", "x.airlock", "--yes", "--as", "other", code=0)
        self.there("approve", "e.py", "--name", "mine", "--samples", "p.txt", code=0)
        told = self.there_json("keys", "revoke", "anna@lab", "--why", "her laptop was stolen")
        self.assertEqual((told["state"], told["extractors"]), ("revoked", ["other@1", "sales@1"]))
        self.assert_not_imported(text, "was revoked on ", "her laptop was stolen")
        self.assert_refused(self.there("extract", "sales", "p.txt"), "with a key that was revoked since", "airlock approve sales@1", code=1)
        self.assertIn("revoked", self.there("extractors", "verify", code=1).out)
        self.there("extract", "mine", "p.txt", code=0)
        self.assert_refused(self.there("keys", "trust", told["key"], "--name", "anna@lab"), "stays revoked", code=1)
        self.assertIn("her laptop was stolen", self.there("keys", "revoke", "anna@lab", "--why", "other", code=0).out)
        # A person here may still approve what came, on samples of here.
        self.assertIn("without sample paths", self.there("extractors", "reapprove", "sales", "--yes", code=1).out)
        self.there("approve", "sales@1", "--samples", "p.txt", code=0)
        self.there("extract", "sales", "p.txt", code=0)

    def test_a_key_can_be_revoked_by_fingerprint_or_before_it_was_met(self):
        told = self.trust(KEY)
        self.assertEqual(self.there_json("keys", "revoke", told["fingerprint"][:8])["state"], "revoked")
        other = "ed25519:" + signing.public_key(b"o" * 32).hex()
        self.assertEqual(self.there_json("keys", "revoke", other)["extractors"], [])
        self.assert_refused(self.there("keys", "trust", other, "--name", "o"), "stays revoked", code=1)

    def test_the_own_key_can_be_revoked_and_the_next_is_another(self):
        self.approve()
        text = self.export()
        self.ok("keys", "revoke", "own", "--why", "copied")
        self.assertFalse((self.home / "airlock.key").exists())
        self.assert_refused(self.airlock("extract", "x.airlock", "p.txt"), "was revoked on ", code=1)
        self.assertNotEqual(members(self.export())["key"], members(text)["key"])
        self.ok("extract", "x.airlock", "p.txt")

    def test_a_key_file_that_is_not_private_signs_nothing(self):
        self.approve()
        self.export()
        key = self.home / "airlock.key"
        for mode in (0o640, 0o604, 0o644):
            key.chmod(mode)
            self.assert_refused(self.airlock("extractors", "export", "sales"), "others can read it", "makes another key")
        key.chmod(0o600)
        text = key.read_bytes()
        elsewhere = self.write("elsewhere", text, 0o600)
        key.unlink()
        key.symlink_to(elsewhere)
        self.assert_refused(self.airlock("extractors", "export", "sales"), "it is a symbolic link")
        key.unlink()
        os.link(elsewhere, key)
        self.assert_refused(self.airlock("extractors", "export", "sales"), "it has a second name")
        key.unlink()
        self.write("state/airlock.key", text[:-9], 0o600)
        done = self.airlock("extractors", "export", "sales")
        self.assert_refused(done, "it is damaged")
        self.assertNotIn(text.decode().splitlines()[1][:20], done.err)

    def test_two_first_exports_make_one_key(self):
        self.approve()
        started = [self.start("extractors", "export", "sales") for _ in range(4)]
        done = [self.finish(one) for one in started]
        self.assertEqual([one.returncode for one in done], [0] * 4, [one.err for one in done])
        self.assertEqual(len({one.out for one in done}), 1)


class Faults(Bundles):
    def test_without_a_word_nothing_is_imported(self):
        self.shared()
        done = self.there("extractors", "import", "x.airlock", code=1)
        self.assertIn("nobody said so. With --yes: airlock extractors import x.airlock --yes", done.err)
        self.there("extractors", "import", "x.airlock", "--format", "json", code=1)
        self.assertEqual(self.there_json("extractors"), {"extractors": []})

    def at_the_question(self, answer):
        """The exit code after `answer` (bytes, or a signal) at the terminal, and all that it showed."""
        ours, theirs = pty.openpty()
        process = self.start("extractors", "import", "x.airlock", env=self.there_environment, stdin=theirs, stdout=theirs, stderr=theirs,
                             start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(theirs)
        shown = b""
        while b"[y/N] " not in shown:
            shown += os.read(ours, 4096)
        os.write(ours, answer)
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        os.close(ours)
        return process.wait(harness.SECONDS), shown.decode()

    def test_a_person_is_asked(self):
        self.shared()
        for answer in (b"n\n", b"\n", b"Yes please\n", b"\x04"):
            code, shown = self.at_the_question(answer)
            self.assertEqual(code, 1, shown)
        code, shown = self.at_the_question(b"\x03")  # Ctrl-C
        self.assertEqual(code, 130, shown)
        self.assertIn("nothing was imported", shown)
        self.assertEqual(self.there_json("extractors"), {"extractors": []})
        code, shown = self.at_the_question(b"y\n")
        self.assertEqual(code, 0, shown)
        for word in ("def extract", "anna@lab", "Import it as sales?", "sales@1 is imported"):
            self.assertIn(word, shown)

    def test_a_full_disk_keeps_nothing(self):
        if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], check=False).returncode != 0:
            self.skipTest("mounting a small file system needs root")
        self.write("mine.toml", POLICY)
        self.shared("--policy", "mine.toml")
        key = self.own_key()
        self.there_home.mkdir(mode=0o700, exist_ok=True)
        script = ('set -e; mount -t tmpfs -o size=256k,mode=0700 none "$AIRLOCK_HOME"; "$0" keys trust "$1" --name anna > /dev/null; '
                  'dd if=/dev/zero of="$AIRLOCK_HOME/airlock.filler" bs=1k count=1000 status=none || true; '
                  'code=0; "$0" extractors import x.airlock --yes > /dev/null || code=$?; rm "$AIRLOCK_HOME/airlock.filler"; '
                  '"$0" extractors; exit $code')
        done = subprocess.run(["unshare", "-m", "sh", "-c", script, str(harness.AIRLOCK), key], cwd=self.folder, env=self.there_environment,
                              capture_output=True, text=True, timeout=harness.SECONDS, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("Nothing was imported", done.stderr)
        self.assertIn("No extractor was approved yet", done.stdout)

    def test_a_home_that_cannot_be_written(self):
        text = self.shared()
        (self.folder / "plain").write_text("")
        environment = {**self.environment, "AIRLOCK_HOME": str(self.folder / "plain" / "home")}
        self.assert_refused(self.airlock("keys", "trust", KEY, "--name", "a", env=environment), "plain")
        done = self.airlock("extract", "x.airlock", "p.txt", env=environment)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.out, "")
        self.write("y.airlock", text)

    def test_killed_in_the_middle_there_is_all_or_nothing(self):
        self.shared()
        process = self.start("extractors", "import", "x.airlock", "--yes", env=self.there_environment)
        process.send_signal(signal.SIGKILL)
        self.finish(process)
        self.there("extractors", "verify", code=0)


class Serve(Bundles):
    def test_a_bundle_as_a_request(self):
        text = self.shared()
        want = [json.loads(line) for line in self.ok("extract", "sales", "p.txt").out.splitlines()]
        process = self.start("serve", "--stdio", env=self.there_environment, stdin=subprocess.PIPE)
        client = Client(process.stdout, process.stdin)
        client.begin()
        answer = client.request("extract", bundle=text, paths=PATHS)
        self.assertEqual(answer["result"]["rows"], want)
        self.assertEqual(client.request("extract", bundle=text.replace("parts[2]", "parts[1]"), paths=PATHS)["error"]["type"], "Refused")
        self.assertEqual(client.request("extract", bundle=text, extractor="sales", paths=PATHS)["error"]["type"], "Usage")
        self.assertEqual(client.request("extract", bundle=7, paths=PATHS)["error"]["type"], "Usage")
        self.there("keys", "revoke", "anna@lab", code=0)
        error = client.request("extract", bundle=text, paths=PATHS)["error"]
        self.assertEqual(error["type"], "Refused")
        self.assertIn("was revoked on", error["message"])


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
