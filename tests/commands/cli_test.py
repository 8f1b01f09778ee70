#!/usr/bin/env python3
"""Tests of whole commands, as a new user meets them: arguments, exit codes, streams, signals, and input that is broken,
huge or hostile. Needs only python3 and a built airlock.

    tests/commands/cli_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

The last line is `N passed, N failed` (and `, N skipped` when some could not run). Time-outs are a safety net against hangs,
not a measure of speed.
"""
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, processes

ROOT = harness.ROOT
AIRLOCK = harness.AIRLOCK
SECONDS = 20

HONEST = "def extract(path: str) -> dict:\n    return {'path': path}\n"
HOSTILE = "import os\n\n\ndef extract(path: str) -> dict:\n    return {'n': os.getpid()}\n"


class Case(harness.Case):
    def write(self, name, content=HONEST):
        super().write(name, content)
        return name

    def many(self, folder, count, content=HONEST):
        for i in range(count):
            self.write(f"{folder}/f{i:05}.py", content)
        return folder

    def copied_programs(self):
        (self.folder / "bin").mkdir()
        for name in ("airlock", "airlock-host"):
            shutil.copy2(AIRLOCK.parent / name, self.folder / "bin" / name)
        return self.folder / "bin"

    def check(self, *arguments, **options):
        """`airlock check --format json`: the exit code and the parsed document."""
        done = self.airlock("check", "--format", "json", *arguments, **options)
        self.assertIn(done.returncode, (0, 1), done.err)
        return done.returncode, json.loads(done.out)

    def refusal(self, content, *arguments):
        """The one file's entry when `content` is judged; it must be refused."""
        self.write("x.py", content)
        code, document = self.check("x.py", *arguments)
        [entry] = document["files"]
        self.assertEqual((code, entry["verdict"]), (1, "refused"), entry)
        return entry

    def assert_refused_by(self, content, *rules):
        found = {f["rule"] for f in self.refusal(content)["findings"] if f["severity"] == "error"}
        self.assertTrue(found & set(rules), f"refused by {found}, expected one of {rules}")


class Usage(Case):
    def assert_usage_error(self, *arguments, words=""):
        done = self.airlock(*arguments)
        self.assertEqual(done.returncode, 2, done.err)
        self.assertEqual(done.out, "")
        self.assertIn(words, done.err)
        return done.err

    def test_no_command_is_a_usage_error(self):
        self.assertIn("check", self.assert_usage_error())

    def test_an_unknown_command_is_a_usage_error(self):
        self.assert_usage_error("chekc", words="chekc")

    def test_an_unknown_flag_is_a_usage_error(self):
        self.assert_usage_error("check", "--fromat", "json", self.write("a.py"), words="--fromat")

    def test_an_unknown_format_is_a_usage_error_that_lists_the_formats(self):
        self.assert_usage_error("check", "--format", "xml", self.write("a.py"), words="sarif")

    def test_check_without_a_file_is_a_usage_error(self):
        self.assert_usage_error("check")

    def test_help_has_an_example(self):
        for arguments in (["--help"], ["check", "--help"], ["policy", "--help"], ["policy", "show", "--help"]):
            with self.subTest(arguments=arguments):
                done = self.airlock(*arguments)
                self.assertEqual(done.returncode, 0)
                self.assertRegex(done.out, r"(?i)example")

    def test_version_is_one_line_on_stdout(self):
        done = self.airlock("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.out, r"\Aairlock \d+\.\d+\.\d+[^\n]*\n\Z")


class Files(Case):
    def test_honest_code_is_accepted(self):
        done = self.airlock("check", self.write("a.py"))
        self.assertEqual((done.returncode, done.err), (0, ""))

    def test_hostile_code_is_refused_with_place_and_words(self):
        done = self.airlock("check", self.write("a.py", HOSTILE))
        self.assertEqual(done.returncode, 1)
        for words in ("a.py:1", "AL201", "import os", "os.path"):
            self.assertIn(words, done.out)

    def test_any_other_name_is_taken_as_a_models_answer(self):
        code, document = self.check(self.write("answer.txt", f"Sure!\n\n```python\n{HONEST}```\n\nBye!\n"))
        self.assertEqual(code, 0)
        rules = {f["rule"]: f["severity"] for f in document["files"][0]["findings"]}
        self.assertEqual(rules.get("AL001"), "note", rules)

    def test_stdin_is_a_file_called_stdin(self):
        code, document = self.check("-", stdin=HOSTILE.encode())
        self.assertEqual((code, document["files"][0]["file"]), (1, "<stdin>"))

    def test_several_files_stand_in_the_order_they_were_named(self):
        names = [self.write("b.py"), self.write("a.py", HOSTILE), self.write("c.py")]
        code, document = self.check(*names)
        self.assertEqual([f["file"] for f in document["files"]], names)
        self.assertEqual([f["verdict"] for f in document["files"]], ["accepted", "refused", "accepted"])
        self.assertEqual(code, 1)

    def test_a_folder_is_walked_for_python_files_only(self):
        for name in ("d/b.py", "d/a.py", "d/e/c.py", "d/notes.txt", "d/f.pyc"):
            self.write(name)
        code, document = self.check("d")
        self.assertEqual(code, 0)
        self.assertEqual(sorted(f["file"] for f in document["files"]), ["d/a.py", "d/b.py", "d/e/c.py"])

    def test_a_folder_gives_the_same_order_every_time(self):
        self.many("d", 40)
        first, second = (self.airlock("check", "--format", "json", "d").out for _ in range(2))
        self.assertEqual(first, second)

    def test_a_link_that_leads_back_up_does_not_catch_the_walk(self):
        self.write("d/a.py")
        (self.folder / "d" / "again").symlink_to(self.folder / "d")
        code, document = self.check("d")
        self.assertEqual(code, 0)
        self.assertEqual(len(document["files"]), 1)

    def test_an_empty_folder_says_so(self):
        (self.folder / "d").mkdir()
        done = self.airlock("check", "d")
        self.assertIn(done.returncode, (0, 2))
        self.assertRegex(done.out + done.err, r"(?i)\bno \*\.py|\bno python|\b0 files")

    def test_a_missing_file_is_named_and_exits_with_2(self):
        done = self.airlock("check", "nowhere.py")
        self.assertEqual(done.returncode, 2)
        self.assertIn("nowhere.py", done.err)
        self.assertIn("No such file", done.err)

    def test_a_missing_file_among_others_exits_with_2(self):
        done = self.airlock("check", self.write("a.py"), "nowhere.py", self.write("b.py", HOSTILE))
        self.assertEqual(done.returncode, 2)
        self.assertIn("nowhere.py", done.err)

    def test_a_file_that_cannot_be_read_exits_with_2(self):
        done = self.airlock("check", "/proc/self/mem")  # opens for everybody, reads for nobody: EIO at offset 0
        self.assertEqual(done.returncode, 2)
        self.assertIn("/proc/self/mem", done.err)

    def test_a_file_without_permission_exits_with_2(self):
        (self.folder / self.write("a.py")).chmod(0)
        self.folder.chmod(0o755)
        program, options = AIRLOCK, {}
        if os.geteuid() == 0:  # may read everything: ask as nobody, who may not be able to reach the build folder
            program, options = self.copied_programs() / "airlock", {"user": 65534}
        process = self.start("check", "a.py", program=program, **options)
        _, error = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 2)
        self.assertIn(b"Permission denied", error)

    def test_odd_file_names_are_fine(self):
        for name in ("ein name.py", "ünï.py", "-dash.py", "a'b\"c.py", "tab\there.py"):
            with self.subTest(name=name):
                self.write(name)
                code, document = self.check("./" + name)
                self.assertEqual((code, document["files"][0]["file"]), (0, "./" + name))

    def test_a_name_that_is_not_utf8_still_gives_a_valid_document(self):
        (self.folder / os.fsdecode(b"bad\xff.py")).write_text(HOSTILE)
        done = self.airlock("check", "--format", "json", ".")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(json.loads(done.stdout.decode("utf-8"))["files"]), 1)

    def test_crlf_and_byte_order_mark_are_fine(self):
        self.assertEqual(self.check(self.write("a.py", b"\xef\xbb\xbf" + HONEST.replace("\n", "\r\n").encode()))[0], 0)


class BadInput(Case):
    def test_an_empty_file(self):
        self.assert_refused_by("", "AL103")

    def test_white_space_only(self):
        self.assert_refused_by("\n  \n\t\n", "AL103")

    def test_binary(self):
        self.assert_refused_by(AIRLOCK.read_bytes()[:65536], "AL106", "AL107")

    def test_nul_bytes(self):
        self.assert_refused_by(HONEST + "x = '\0'\n", "AL107")

    def test_invalid_utf8(self):
        self.assert_refused_by(HONEST.encode() + b"# caf\xe9\n", "AL106")

    def test_utf16(self):
        for codec in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
            with self.subTest(codec=codec):
                self.assert_refused_by(HONEST.encode(codec), "AL106", "AL107")

    def test_fifty_megabytes_take_little_memory(self):
        self.write("x.py", (HONEST + "# " + "x" * 1022 + "\n") * 48000)
        process = self.start("check", "--format", "json", "x.py")
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 1)
        self.assertIn("AL104", [f["rule"] for f in json.loads(output)["files"][0]["findings"]])
        self.assertLess(usage.ru_maxrss, 300 * 1024, "kilobytes")

    def test_a_file_without_an_end(self):
        done = self.airlock("check", "/dev/zero")
        self.assertIn(done.returncode, (1, 2))

    def test_fifty_megabytes_on_stdin(self):
        code, document = self.check("-", stdin=b"#" * 50_000_000)
        self.assertEqual((code, document["files"][0]["findings"][0]["rule"]), (1, "AL104"))

    def test_ten_thousand_nested_brackets(self):
        for left, right in ("()", "[]", "{}"):
            with self.subTest(bracket=left):
                self.assert_refused_by("x = " + left * 10000 + right * 10000 + "\n" + HONEST, "AL105")

    def test_a_line_of_one_megabyte(self):
        self.assert_refused_by("x = '" + "a" * 1_000_000 + "'\n" + HONEST, "AL104")

    def test_the_longest_line_that_fits_is_fine(self):
        self.assertEqual(self.check(self.write("a.py", "X = '" + "a" * 200_000 + "'\n" + HONEST))[0], 0)

    def test_a_chain_of_additions(self):
        self.assert_refused_by("x = 0" + "+0" * 200_000 + "\n" + HONEST, "AL104", "AL105")
        self.assert_refused_by("x = 0" + "+0" * 60_000 + "\n" + HONEST, "AL105")

    def test_deep_operators_of_every_kind(self):
        for head, link, tail in (("x = ", "-", "1"), ("x = ", "not ", "1"), ("x = ", "lambda: ", "1"), ("x = a", ".b", ""),
                                 ("x = f", "()", ""), ("x = a", "[0]", ""), ("x = 1", " if 1 else 1", ""),
                                 ("x = ", "f(", "1" + ")" * 5000), ("x = 2", "**2", "")):
            with self.subTest(link=link):
                self.refusal(head + link * 5000 + tail + "\n" + HONEST)

    def test_a_deep_elif(self):
        self.refusal("def extract(path):\n    if path == '0':\n        return {}\n" +
                     "".join(f"    elif path == '{i}':\n        return {{}}\n" for i in range(5000)))

    def test_deep_indentation(self):
        self.refusal("".join(" " * i + "if 1:\n" for i in range(300)) + " " * 300 + "pass\n" + HONEST)

    def test_a_chain_of_string_pieces_and_of_comparisons_ends(self):
        for text in ("x = " + "'a' " * 20_000, "x = 1" + " < 1" * 20_000, "x = [" + "0, " * 50_000 + "]"):
            self.write("x.py", text + "\n" + HONEST)
            self.check("x.py")

    def test_a_device_and_a_pipe_are_read_or_refused_but_never_hang(self):
        self.assertIn(self.airlock("check", "/dev/null").returncode, (1, 2))
        self.assertEqual(self.airlock("check", "/dev/stdin", stdin=HONEST.encode()).returncode, 0)

    def test_a_bad_file_does_not_spoil_its_neighbours(self):
        names = [self.write("a.py"), self.write("b.py", b"\0\xff" * 5000), self.write("c.py", "(" * 10000),
                 self.write("d.py", ""), self.write("e.py")]
        _, document = self.check(*names)
        self.assertEqual([f["verdict"] for f in document["files"]], ["accepted", *["refused"] * 3, "accepted"])


class Formats(Case):
    def test_json_has_the_keys_of_the_contract(self):
        entry = self.refusal(HOSTILE)
        self.assertEqual(entry["stage"], "security")
        self.assertRegex(entry["sha256"], r"\A[0-9a-f]{64}\Z")
        [finding] = [f for f in entry["findings"] if f["line"] == 1]
        expected = {"rule": "AL201", "stage": "security", "severity": "error", "kind": "forbidden_import", "item": "os",
                    "line": 1, "column": 0, "end_line": 1, "end_column": 9}
        self.assertEqual({key: finding[key] for key in expected}, expected)
        self.assertTrue(finding["message"] and finding["suggestion"])

    def test_json_is_one_document_with_a_version(self):
        _, document = self.check(self.write("a.py"))
        self.assertRegex(document["version"], r"\A\d+\.\d+\.\d+")

    def test_lines_of_a_wrapped_answer_are_given_both_ways(self):
        entry = self.refusal(f"Here it is:\n\n```python\n{HOSTILE}```\n", "--answer")
        [finding] = [f for f in entry["findings"] if f["rule"] == "AL201"]
        self.assertEqual((finding["line"], finding["raw_line"]), (1, 4))
        self.assertIn("x.py:4", self.airlock("check", "--answer", "x.py").out)

    def test_findings_are_sorted_by_place_and_complete(self):
        entry = self.refusal("import sys\nimport os\n\ndef extract(path):\n    return {'a': eval(path), 'b': exec}\n")
        places = [(f["line"], f["column"]) for f in entry["findings"]]
        self.assertEqual(places, sorted(places))
        self.assertEqual({f["item"] for f in entry["findings"]}, {"sys", "os", "eval", "exec"})

    def test_sarif_has_rules_results_and_fingerprints(self):
        self.write("ein ordner/a.py", HOSTILE)
        done = self.airlock("check", "--format", "sarif", "ein ordner")
        self.assertEqual(done.returncode, 1)
        judged = subprocess.run([sys.executable, ROOT / "tests" / "support" / "sarif_check.py"], input=done.stdout, capture_output=True)
        self.assertEqual(judged.returncode, 0, judged.stdout.decode() + judged.stderr.decode())
        [run] = json.loads(done.out)["runs"]
        self.assertTrue(run["results"])
        for result in run["results"]:
            self.assertTrue(result["partialFingerprints"])
            place = result["locations"][0]["physicalLocation"]
            self.assertEqual(place["artifactLocation"]["uri"], "ein%20ordner/a.py")
        for rule in run["tool"]["driver"]["rules"]:
            self.assertTrue(rule["help"]["text"], rule["id"])

    def test_sarif_of_accepted_code_has_no_results(self):
        done = self.airlock("check", "--format", "sarif", self.write("a.py"))
        self.assertEqual((done.returncode, json.loads(done.out)["runs"][0]["results"]), (0, []))

    def test_github_annotations_are_one_command_a_line(self):
        done = self.airlock("check", "--format", "github", self.write("a.py", HOSTILE))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.out.splitlines()[0], r"\A::error file=a\.py,line=1,.*::.+")

    def test_a_hostile_name_cannot_forge_an_annotation(self):
        self.write("x\n::error file=b.py::forged.py", HOSTILE)
        done = self.airlock("check", "--format", "github", ".")
        self.assertEqual(done.returncode, 1)
        self.assertNotRegex(done.out, r"(?m)^::error file=b\.py")

    def test_hostile_source_cannot_forge_an_annotation(self):
        self.write("a.py", "import os # ::error file=b.py::x\nx = '''\n::error file=b.py,line=1::forged\n''' + eval\n")
        done = self.airlock("check", "--format", "github", "a.py")
        self.assertNotRegex(done.out, r"(?m)^::error file=b\.py")

    def test_control_characters_of_the_source_never_reach_the_terminal(self):
        self.write("a.py", "import os; x = '\x1b]0;owned\x07\x1b[2J\x9b'\u202e\n")
        for form in ("text", "json", "sarif", "github"):
            out = self.airlock("check", "--format", form, "a.py").out
            self.assertNotRegex(out, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", form)

    def test_explain_prints_a_rules_page(self):
        done = self.airlock("check", "--explain", "AL203")
        self.assertEqual(done.returncode, 0)
        self.assertIn("AL203", done.out)
        self.assertEqual(self.airlock("check", "--explain", "al203").out, done.out)

    def test_explaining_an_unknown_rule_is_a_usage_error(self):
        done = self.airlock("check", "--explain", "AL999")
        self.assertEqual((done.returncode, done.out), (2, ""))
        self.assertIn("AL999", done.err)

    def test_no_signature_leaves_the_last_stage_out(self):
        self.write("a.py", "VALUE = 1\n")
        self.assertEqual(self.airlock("check", "a.py").returncode, 1)
        self.assertEqual(self.airlock("check", "--no-signature", "a.py").returncode, 0)
        self.write("b.py", "import os\n")
        self.assertEqual(self.airlock("check", "--no-signature", "b.py").returncode, 1)


class Streams(Case):
    def on_a_terminal(self, *arguments, **environment):
        near, far = pty.openpty()
        process = self.start(*arguments, stdout=far, stderr=far, env={**self.environment, "TERM": "xterm", **environment})
        os.close(far)
        output = b""
        while True:
            try:
                piece = os.read(near, 65536)
            except OSError:  # EIO: the other side is closed
                break
            if not piece:
                break
            output += piece
        os.close(near)
        self.assertEqual(process.wait(SECONDS), 1)
        return output

    def test_colour_on_a_terminal_only(self):
        self.write("a.py", HOSTILE)
        self.assertIn(b"\x1b[", self.on_a_terminal("check", "a.py"))
        self.assertNotIn("\x1b", self.airlock("check", "a.py").out)

    def test_no_color_is_respected(self):
        self.write("a.py", HOSTILE)
        self.assertNotIn(b"\x1b", self.on_a_terminal("check", "a.py", NO_COLOR="1"))

    def test_json_is_never_coloured(self):
        self.write("a.py", HOSTILE)
        self.assertNotIn(b"\x1b", self.on_a_terminal("check", "--format", "json", "a.py"))

    def test_a_reader_that_goes_away_is_no_crash(self):
        self.many("d", 300, HOSTILE)
        process = self.start("check", "d")
        process.stdout.read(100)
        process.stdout.close()
        error = process.stderr.read()
        self.assertNotIn(process.wait(SECONDS), (70, -signal.SIGSEGV, -signal.SIGABRT))
        self.assertNotIn(b"terminate", error)

    def test_a_full_disk_is_an_error_with_words(self):
        self.write("a.py")
        for form in ("text", "json", "sarif", "github"):
            with self.subTest(form=form), open("/dev/full", "wb") as full:
                self.write("a.py", HOSTILE)
                done = self.airlock("check", "--format", form, "a.py", stdout=full, stderr=subprocess.PIPE)
                self.assertNotIn(done.returncode, (0, 1))
                self.assertIn("No space left", done.err)

    def test_a_closed_stdout_is_an_error_not_a_crash(self):
        self.write("a.py", HOSTILE)
        done = subprocess.run(["/bin/sh", "-c", '"$0" check a.py >&-', str(AIRLOCK)], cwd=self.folder, timeout=SECONDS,
                              env=self.environment, stderr=subprocess.PIPE)
        self.assertIn(done.returncode, range(1, 71))

    def test_closed_stdin_and_stderr_do_no_harm(self):
        self.write("a.py", HOSTILE)
        done = subprocess.run(["/bin/sh", "-c", '"$0" check a.py <&- 2>&-', str(AIRLOCK)], cwd=self.folder, timeout=SECONDS,
                              env=self.environment, stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"AL201", done.stdout)


class Processes(Case):
    def setUp(self):
        super().setUp()
        # Copies of their own, so that the command line tells these hosts from any other that runs on the machine.
        self.programs = self.copied_programs()

    def hosts(self):
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if (process / "exe").resolve() == (self.programs / "airlock-host").resolve():
                    found.append(int(process.name))
            except OSError:
                pass
        return found

    def locked_hosts(self):
        """Those whose walls stand: they are at work, or about to be."""
        return [host for host in self.hosts() if processes.is_locked(host)]

    def test_the_host_starts_only_when_it_is_needed_and_never_outlives_the_command(self):
        self.write("a.py")
        process = self.start("check", "-", "a.py", program=self.programs / "airlock", stdin=subprocess.PIPE)
        process.communicate(HONEST.encode(), timeout=SECONDS)
        self.wait_for(lambda: not self.hosts(), "the host is still there")

    def test_an_interrupt_ends_cleanly_with_130(self):
        process = self.start("check", "-", program=self.programs / "airlock", stdin=subprocess.PIPE)
        state = pathlib.Path(f"/proc/{process.pid}/stat")
        self.wait_for(lambda: ") S " in state.read_text(), "airlock does not come to wait for stdin")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(SECONDS), 130)
        self.wait_for(lambda: not self.hosts(), "the host is still there")

    def test_an_interrupt_in_the_middle_of_many_files_ends_with_130(self):
        self.many("d", 6000)
        process = self.start("check", "d", program=self.programs / "airlock", stdout=subprocess.DEVNULL)
        self.wait_for(self.hosts, "no host was started")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(SECONDS), 130)
        self.wait_for(lambda: not self.hosts(), "the host is still there")

    def test_a_killed_supervisor_takes_its_hosts_with_it(self):
        self.many("d", 6000)
        process = self.start("check", "d", program=self.programs / "airlock", stdout=subprocess.DEVNULL)
        self.wait_for(self.hosts, "no host was started")
        process.kill()
        process.wait(SECONDS)
        self.wait_for(lambda: not self.hosts(), "the host is still there")

    def test_a_killed_vetter_costs_at_most_the_files_it_held(self):
        self.many("d", 4000)
        with open(self.folder / "out.json", "wb") as output:
            process = self.start("check", "--format", "json", "d", program=self.programs / "airlock", stdout=output)
            killed = 0
            for _ in range(3):
                self.wait_for(lambda: self.locked_hosts() or process.poll() is not None, "no host was started")
                # This is about files that a host has in hand: it has worked since its walls stand.
                before = {host: processes.processor_seconds(host) for host in self.locked_hosts()}
                self.wait_for(lambda: all(processes.is_gone(host) or processes.processor_seconds(host) > used for host, used in before.items()))
                for host in set(before) & set(self.hosts()):
                    os.kill(host, signal.SIGKILL)
                    killed += 1
            code = process.wait(SECONDS)
        self.assertGreater(killed, 0, "the command was over before a host could be killed")
        files = json.loads((self.folder / "out.json").read_bytes())["files"]
        refused = [f for f in files if f["verdict"] == "refused"]
        self.assertEqual(len(files), 4000)
        self.assertEqual({f["findings"][0]["rule"] for f in refused} - {"AL110"}, set())
        self.assertLessEqual(len(refused), killed)
        self.assertEqual(code, 1 if refused else 0)

    def test_without_the_host_beside_it_the_message_says_so(self):
        (self.programs / "airlock-host").unlink()
        self.write("a.py")
        process = self.start("check", "a.py", program=self.programs / "airlock")
        out, error = process.communicate(timeout=SECONDS)
        self.assertNotIn(process.returncode, (0, 1))
        self.assertIn(b"airlock-host", error)
        self.assertEqual(out, b"")


class Policies(Case):
    def test_list_names_the_built_in_policies(self):
        done = self.airlock("policy", "list")
        self.assertEqual(done.returncode, 0)
        self.assertIn("extractor", done.out)

    def test_show_gives_the_entries_with_their_reasons(self):
        done = self.airlock("policy", "show", "extractor")
        self.assertEqual(done.returncode, 0)
        for words in ("pathlib", "os.path", "re", "PurePosixPath", "isinstance"):
            self.assertIn(words, done.out)

    def test_an_unknown_policy_exits_with_2_and_a_hint(self):
        for arguments in (["policy", "show", "extrator"], ["check", "--policy", "extrator", self.write("a.py")]):
            with self.subTest(arguments=arguments):
                done = self.airlock(*arguments)
                self.assertEqual((done.returncode, done.out), (2, ""))
                self.assertIn("extractor", done.err)

    def test_a_missing_policy_file_exits_with_2(self):
        done = self.airlock("check", "--policy", "nowhere.toml", self.write("a.py"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("nowhere.toml", done.err)

    def test_a_policy_file_that_is_no_toml_exits_with_2_and_its_line(self):
        self.write("p.toml", 'extends = "extractor"\n[modules\n')
        done = self.airlock("check", "--policy", "p.toml", self.write("a.py"))
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.err, r"p\.toml:\d+|line \d+")


    def test_every_mistake_in_a_policy_file_stands_on_a_line_of_its_own(self):
        self.write("p.toml", 'extends = "extractor"\n[modules.os]\nwhy = "x"\n[builtins.id]\n')
        done = self.airlock("check", "--policy", "p.toml", self.write("a.py"))
        self.assertEqual(done.returncode, 2)
        self.assertGreaterEqual(len(re.findall(r"(?m)^(?:airlock: )?p\.toml:\d+:\d+: ", done.err)), 2, done.err)

    def test_a_policy_file_can_allow_a_module_and_say_why(self):
        self.write("p.toml", 'extends = "extractor"\n[modules.csv]\nwhy = "rows in names"\nattributes = ["reader"]\n')
        self.write("a.py", "import csv\n\ndef extract(path):\n    return {'row': list(csv.reader([path]))}\n")
        self.write("b.py", "import csv\n\ndef extract(path):\n    return {'d': csv.list_dialects()}\n")
        self.assertEqual(self.airlock("check", "a.py").returncode, 1)
        self.assertEqual(self.airlock("check", "--policy", "p.toml", "a.py").returncode, 0)
        self.assertEqual(self.airlock("check", "--policy", "p.toml", "b.py").returncode, 1)
        self.assertIn("rows in names", self.airlock("policy", "show", "p.toml").out)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
