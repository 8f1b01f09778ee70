#!/usr/bin/env python3
"""The wizard's screens in a real terminal: tmux plays the person, build/wizard_screens the wizard (the real machine with
answers ready for everything it asks). Looks at what stands on the screen, at exit codes, and at the terminal afterwards.

    tests/screens/screens_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

Skipped when there is no tmux. Waiting is always for something to appear; time-outs are a safety net.
"""
import fcntl
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import termios
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness
from support.screen import ENVIRONMENT, SECONDS, Case, program

GOLDEN = harness.ROOT / "tests" / "screens" / "golden"


class Paths(Case):
    """Every path through the machine."""

    def test_a_rule_is_approved(self):
        self.open()
        self.wait("Output:       YAML rule", "✓ Passed (5/5 paths", "Confidence:", "[Enter] Approve", "[?] Help")
        self.press("Enter")
        self.expect_end(0, "✓ Approved: client_reports, version 1", "airlock extract client_reports PATHS")

    def test_a_model_is_asked_only_after_consent_and_corrects_itself(self):
        self.open("model", "python", "fail2")
        self.wait("Nothing is sent before you press Enter or s.", "ollama llama3.2", "5 paths", "What will leave this machine", "Retries add:")
        self.press("Enter")
        self.wait("Generating Python extractor...", "attempt 1 of 4", "├─ Security scan:")
        self.wait("└─ Sandbox tests:   ▶ Running (")
        self.wait("attempt 3 of 4", "✗ 2. model: failed at the sandbox tests", "(the same as before)")
        self.wait("Output:       Python extractor", "✓ Passed (5/5 paths, avg 2.3ms)", '✓ report.csv  → {client_id: "ABC"')
        self.press("Enter")
        self.expect_end(0, "Approved")

    def test_each_retry_is_shown_to_who_asks_for_it(self):
        self.open("model", "python", "fail2")
        self.wait("Nothing is sent", "[s] Send, show retries")
        self.press("s")
        self.wait("AIRLOCK WIZARD - BEFORE A RETRY IS SENT", "What this retry adds", "PREVIOUS ATTEMPT FAILED", "Retries left:", "3",
                  "invalid literal for int() with base 10: 'Q1'", "Nothing is sent before you press Enter or a.")
        self.press("Enter")
        self.wait("BEFORE A RETRY IS SENT", "Retries left: 2")
        self.press("a")
        self.wait("✓ Passed (5/5 paths, avg 2.3ms)")
        self.press("Enter")
        self.expect_end(0, "Approved")

    def test_a_retry_that_is_not_wanted_is_not_sent(self):
        self.open("model", "python", "fail2")
        self.wait("Nothing is sent")
        self.press("s")
        self.wait("BEFORE A RETRY IS SENT", "[Esc] Send nothing")
        self.press("Escape")
        self.wait("AIRLOCK WIZARD - VALIDATION FAILED", "[h] Add hint - ", "[r] Retry fresh - ")
        self.press("Escape")
        self.expect_end(1)

    def test_without_the_model_it_goes_on_alone(self):
        self.open("model", "python")
        self.wait("Nothing is sent")
        self.press("w")
        self.wait("Output:       Python extractor · from built-in templates, without a model")
        self.press("Escape")
        self.expect_end(1, "The draft 1a2b3c4d waits for 24 hours", "airlock approve 1a2b3c4d --name client_reports")

    def test_all_attempts_fail_and_the_simpler_rule_is_taken(self):
        self.open("model", "python", "fail4")
        self.wait("Nothing is sent")
        self.press("Enter")
        self.wait("AIRLOCK WIZARD - VALIDATION FAILED", "Last error (sandbox test)", "ValueError: invalid literal", "[h] Add hint - ",
                  "[e] Edit manually - ", "[r] Retry fresh - ", "[y] YAML fallback - ", "[Esc] Close - ")
        self.press("y")
        self.wait("AIRLOCK WIZARD - FALLBACK OPTION", "simpler YAML", "Original request:", '"Quarter folder should compute',
                  "YAML cannot compute derived fields (start_month, end_month)", "[y] Use YAML")
        self.press("y")
        self.wait("Output:       YAML rule")
        self.press("Enter")
        self.expect_end(0, "Approved")

    def test_giving_up_after_an_error(self):
        self.open("python", "fail9")
        self.wait("[Esc] Close")
        self.press("Escape")
        self.expect_end(1, "✗ ", "Nothing was kept.")

    def test_a_model_that_is_down_says_what_mends_it(self):
        self.open("model", "python", "down")
        self.wait("Nothing is sent")
        self.press("Enter")
        self.wait("MODEL NOT REACHED", "Ollama is not running", "Fix: ollama serve", "[w] Without model")
        self.press("w")
        self.wait("Output:       Python extractor · from built-in templates")
        self.press("Escape")
        self.expect_end(1)

    def test_a_hint_is_typed_and_used(self):
        self.open()
        self.wait("Output:       YAML rule")
        self.press("h")
        self.wait("AIRLOCK WIZARD - HINT", "0/500")
        self.type("größer 東京, compute months")
        self.wait("größer 東京, compute months", "25/500")
        self.press("BSpace")
        self.wait("24/500")
        self.press("Enter")
        self.wait("Regenerating Python extractor")
        self.wait("Output:       Python extractor")
        self.press("Tab", "Tab")
        self.wait("Details", "Your hint", "größer 東京, compute month")
        self.press("Escape")
        self.expect_end(1, "Canceled.")

    def test_escape_leaves_a_dialog_and_not_the_wizard(self):
        self.open()
        self.wait("YAML rule")
        for key, text in (("h", "WIZARD - HINT"), ("n", "WIZARD - NAME"), ("p", "DETECTED PATTERNS")):
            self.press(key)
            self.wait(text)
            self.press("Escape")
            self.wait("Output:       YAML rule")
        self.press("Escape")
        self.expect_end(1)

    def test_a_name_is_chosen(self):
        self.open()
        self.wait("YAML rule")
        self.press("n")
        self.wait("Extractor name", "client_reports")
        self.type(" two")
        self.press("Enter")
        self.wait("⚠ ", "client_reports two")
        self.press("C-u")
        self.type("other_name")
        self.press("Enter")
        self.wait("Extractor name: other_name")
        self.press("Enter")
        self.expect_end(0, "Approved: other_name")

    def test_patterns_are_ignored_and_the_rule_is_made_again(self):
        self.open()
        self.wait("YAML rule")
        self.press("p")
        self.wait("[✓] year")
        self.press("Down", "Space")
        self.wait("[ ] year")
        self.press("Enter")
        self.wait("Output:       YAML rule")
        self.press("p")
        self.wait("[ ] year", "[✓] client_id")
        self.press("Escape")
        self.wait("Output:")
        self.press("Escape")
        self.expect_end(1)

    def test_an_edit_is_judged_again(self):
        self.open("python", variables="EDITOR='sed -i s/QUARTER/FOURTH/'")
        self.wait("QUARTER =")
        self.press("e")
        self.wait("FOURTH =", "edited by you")
        self.press("Enter")
        self.expect_end(0)

    def test_an_edit_that_breaks_it_is_said_and_can_be_discarded(self):
        self.open("python", variables="EDITOR='sed -i s/QUARTER/BROKEN/'")
        self.wait("QUARTER =")
        self.press("e")
        self.wait("EDIT NOT TAKEN", "The edited text does not pass.", "[e] Edit again", "[Esc] Discard")
        self.press("Escape")
        self.wait("QUARTER =")
        self.press("Escape")
        self.expect_end(1)

    def test_an_editor_that_fails_or_is_missing_loses_nothing(self):
        for editor in ("false", "there-is-no-such-editor"):
            with self.subTest(editor):
                self.open("python", variables=f"VISUAL= EDITOR={editor}")
                self.wait("QUARTER =")
                self.press("e")
                self.wait("EDIT NOT TAKEN")
                self.press("Escape")
                self.wait("QUARTER =")
                self.press("Escape")
                self.expect_end(1)
                self.end()

    def test_an_approval_that_fails_keeps_the_draft(self):
        self.open("refused")
        self.wait("YAML rule")
        self.press("Enter")
        self.wait("It was not approved", "No space left", "[Enter] Approve")
        self.press("Escape")
        self.expect_end(1, "The draft 1a2b3c4d waits for 24 hours")

    def test_work_can_be_stopped(self):
        self.open("endless")
        self.wait("Analyzing 5 sample paths")
        self.press("Escape")
        self.expect_end(1, "Canceled. Nothing was kept.")


class Screens(Case):
    """What must work on every screen."""

    def test_the_spinner_moves_while_work_goes_on(self):
        self.open("endless")
        first = self.wait("Analyzing")
        end = time.monotonic() + SECONDS
        while self.screen() == first:
            self.assertLess(time.monotonic(), end, "it stands still")
        self.press("C-c")
        self.expect_end(130, "Interrupted.")

    def test_help_lists_the_keys(self):
        self.open()
        self.wait("YAML rule")
        self.press("?")
        self.wait("Keys (Esc closes this)", "Approve it under the name shown", "Scroll a line", "Ctrl-Z")
        self.press("Escape")
        self.wait("Extractor name: client_reports")
        self.press("Escape")
        self.expect_end(1)

    def test_any_size_at_any_time(self):
        self.open("python")
        self.wait("Generated code")
        self.resize(20, 5)
        self.wait("make the window", "larger (now 20×5,", "needs 60×15)")
        self.resize(1, 1)
        self.resize(60, 15)
        self.wait("Generated code", "[Enter] Approve")
        self.resize(120, 40)
        self.wait("Generated code", "Preview (sample extractions)", "Details")
        for columns in range(50, 90, 7):
            self.resize(columns, columns // 3)
        self.resize(80, 24)
        end = time.monotonic() + SECONDS
        while {len(line) for line in self.screen().splitlines()} != {80}:
            self.assertLess(time.monotonic(), end, self.screen())
        self.wait("Extractor name: client_reports", "[Enter] Approve")
        self.press("Escape")
        self.expect_end(1)

    def test_a_small_window_still_ends_with_escape(self):
        self.open(size=(20, 5))
        self.wait("make the window")
        end = time.monotonic() + SECONDS
        while "exit" not in self.screen() and time.monotonic() < end:
            self.press("Escape")
        self.wait("exit code 1")

    def test_a_paste_approves_nothing(self):
        self.open()
        self.wait("YAML rule")
        self.tmux("set-buffer", "r\r\nq\r\n")
        self.tmux("paste-buffer", "-p")
        self.press("h")
        self.wait("WIZARD - HINT")
        self.tmux("set-buffer", "two\nlines")
        self.tmux("paste-buffer", "-p")
        self.wait("two lines", "9/500")
        self.press("Escape")
        self.wait("Output:       YAML rule")
        self.press("Escape")
        self.expect_end(1)

    def test_sequences_that_nobody_knows_are_not_escape(self):
        self.open()
        self.wait("YAML rule")
        self.press("-H", "1b", "5b", "49")  # the focus came
        self.press("-H", "1b", "5b", "3c", "30", "3b", "31", "3b", "31", "4d")  # a mouse
        self.press("?")
        self.wait("Keys (Esc closes this)")
        self.press("Escape")
        self.press("C-c")
        self.expect_end(130)

    def test_ascii_and_no_colour(self):
        self.open("--ascii", variables="NO_COLOR=1")
        self.wait("ok Passed (5/5 paths", "+- AIRLOCK WIZARD ---")
        colours = self.tmux("capture-pane", "-p", "-e")
        self.assertTrue(colours.isascii())
        self.assertFalse(re.search(r"\x1b\[[0-9;]*(3[0-7]|38)", colours), "a colour")
        self.press("Escape")
        self.expect_end(1)

    def test_a_locale_without_utf8_gets_ascii(self):
        self.open(variables="LC_ALL=C")
        self.wait("ok Passed (5/5 paths", "+- AIRLOCK WIZARD ---")
        self.press("Escape")
        self.expect_end(1)

    def test_colours_by_background(self):
        seen = set()
        for variables in ("COLORFGBG='15;0'", "COLORFGBG='0;15'", "TERM=screen", "NO_COLOR=1"):
            self.open("python", variables=variables)
            self.wait("Generated code")
            seen.add(self.tmux("capture-pane", "-p", "-e"))
            self.end()
        self.assertEqual(len(seen), 4)

    def test_every_screen_stands_whole(self):
        names = [path.name[:-len(".80x24.txt")] for path in
                 sorted(GOLDEN.glob("*.80x24.txt"))]
        final = {"approved", "canceled", "closed", "help", "drafts"}
        for name in [name for name in names if name not in final and not name.startswith("draft")]:
            with self.subTest(name):
                kept = (GOLDEN / f"{name}.80x24.txt").read_text()
                self.open("show", name)
                screen = self.wait(kept.splitlines()[0])
                spinner = re.compile("[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]")
                self.wait(kept.splitlines()[-2])
                screen = self.screen()
                self.assertEqual(spinner.sub("*", screen.rstrip("\n")), spinner.sub("*", kept.rstrip("\n")))
                self.end()


class Endings(Case):
    """However the wizard ends, the terminal's settings are restored."""

    def test_signals(self):
        for name, code in (("SIGTERM", 143), ("SIGHUP", 129), ("SIGINT", 130), ("SIGQUIT", 131)):
            with self.subTest(name):
                self.open("endless")
                self.wait("Analyzing")
                os.kill(self.process(), getattr(signal, name))
                self.expect_end(code, "Interrupted. Nothing was kept.")
                self.end()

    def test_a_signal_keeps_the_draft(self):
        self.open()
        self.wait("YAML rule")
        self.press("C-c")
        self.expect_end(130, "The draft 1a2b3c4d waits for 24 hours")

    def test_a_crash_of_ours(self):
        self.open("crash")
        self.expect_end(134)

    def test_put_aside_and_brought_back(self):
        """With a shell that knows jobs."""
        self.tmux("new-session", "-d", "-x", "80", "-y", "24", "exec bash --norc --noprofile")
        self.tmux("set", "-g", "status", "off")
        self.type(f"PS1='ready> '; {program()}\n")
        self.wait("Output:       YAML rule")
        self.press("C-z")
        screen = self.wait("Stopped", "ready> ")
        self.assertNotIn("AIRLOCK WIZARD", screen)
        self.type("fg\n")
        self.wait("Output:       YAML rule", "[Enter] Approve")
        self.press("Enter")
        self.wait("Approved: client_reports")

    def test_a_terminal_that_is_closed_in_the_middle(self):
        for words in (("endless",), ("show", "python_result")):
            with self.subTest(words):
                self.assertEqual(self.close_under(words), 129)

    def close_under(self, words):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, b"\x18\x00\x50\x00\x00\x00\x00\x00")

        def own_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        process = subprocess.Popen([program(), *words], stdin=slave, stdout=slave, stderr=slave, env=ENVIRONMENT,
                                   preexec_fn=own_terminal)
        os.close(slave)
        seen = b""
        while b"WIZARD" not in seen:
            seen += os.read(master, 4096)
        os.close(master)
        return process.wait(timeout=SECONDS)

    def test_the_pane_is_killed(self):
        self.open("endless")
        self.wait("Analyzing")
        process = self.process()
        self.tmux("kill-server")
        end = time.monotonic() + SECONDS
        while pathlib.Path(f"/proc/{process}").exists():
            self.assertLess(time.monotonic(), end, "it lives on")
            time.sleep(0.02)


class LineByLine(Case):
    """Without a screen."""

    def run_lines(self, answers, *words, **variables):
        return subprocess.run([program(), "--lines", *words], input=answers, capture_output=True, text=True, timeout=SECONDS,
                              env={**ENVIRONMENT, **variables})

    def test_the_same_questions_on_a_pipe(self):
        done = self.run_lines("?\nx\nn\nbad name\nother\n\n", "python")
        self.assertEqual(done.returncode, 0, done.stdout)
        for text in ("Analyzing 5 sample paths...", "Output: Python extractor", "Generated code:", "    def extract(path: str) -> dict:",
                     "[Enter] Approve, [n] Name", "[q] Cancel", "'x' is none of the keys.", "Extractor name: other",
                     "✓ Approved: other, version 1"):
            self.assertIn(text, done.stdout)
        self.assertNotIn("\x1b", done.stdout)

    def test_the_end_of_input_is_escape(self):
        done = self.run_lines("")
        self.assertEqual(done.returncode, 1)
        self.assertIn("The draft 1a2b3c4d waits", done.stdout)

    def test_patterns_hints_and_consent(self):
        done = self.run_lines("p\n2\n\nh\nuse months\n\n", "model")
        self.assertIn("ignore year", done.stdout)
        self.assertIn("Nothing is sent before you press Enter", done.stdout)
        self.assertIn("Asking ollama", done.stdout)

    def test_a_terminal_that_cannot_move_its_cursor(self):
        self.open(variables="TERM=dumb")
        self.wait("[Enter] Approve")
        self.assertIn("going on line by line", self.tmux("capture-pane", "-p", "-S", "-100"))
        self.type("q\n")
        self.wait("exit code 1")


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
