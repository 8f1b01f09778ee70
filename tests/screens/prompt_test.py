#!/usr/bin/env python3
"""`airlock session` at a real terminal: tmux plays the person.

    tests/screens/prompt_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

Skipped when there is no tmux.
"""
import os
import pathlib
import re
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, screen


class Prompt(screen.Case):
    def session(self, *words, size=(80, 24), variables=""):
        self.open("session", *words, command=harness.AIRLOCK, size=size, variables=variables)
        self.wait(">>>")

    def enter(self, *lines):
        for line in lines:
            self.type(line)
            self.press("Enter")

    def lines(self):
        """What stands on the screen, without spaces at the ends and without empty lines."""
        return [line.rstrip() for line in self.screen().splitlines() if line.strip()]

    def expect_lines(self, *expected):
        """At the end of the screen, above the prompt."""
        self.wait_for(lambda: self.lines()[-len(expected) - 1:] == [*expected, ">>>"], f"{expected}; instead:\n{self.screen()}\nit")

    def paste(self, text, *words):
        file = self.write("paste", text)
        self.tmux("load-buffer", str(file))
        self.tmux("paste-buffer", *words)


class Typing(Prompt):
    """Lines and pieces."""

    def test_it_feels_like_python(self):
        self.session()
        self.enter("x = 41", "x + 1")
        self.expect_lines(">>> x = 41", ">>> x + 1", "42")
        self.enter("def f(a):", "    return a * 2", "", "f(4)")
        self.expect_lines(">>> def f(a):", "...     return a * 2", "...", ">>> f(4)", "8")
        self.enter("1 / 0")
        self.wait("ZeroDivisionError: division by zero")
        self.enter("None", "await __import__('asyncio').sleep(0, 'waited')")
        self.wait("'waited'")
        self.press("C-d")
        self.expect_end(0)

    def test_what_is_open_asks_for_more(self):
        self.session()
        for first, second, value in (("[1,", "2]", "[1, 2]"), ('"""a', 'b"""', "'a\\nb'"), ("5 + \\", "5", "10"), ("dict(", "a=1)", "{'a': 1}")):
            with self.subTest(first):
                self.enter(first, second)
                self.expect_lines(f">>> {first}", f"... {second}", value)

    def test_a_block_ends_with_an_empty_line(self):
        self.session()
        self.enter("if True: 'in'", "")
        self.expect_lines(">>> if True: 'in'", "...")
        self.enter("try:", "    1 / 0", "except ZeroDivisionError:", "    print('caught')", "")
        self.wait("\ncaught")
        self.enter("@staticmethod", "def g(): pass", "", "if 1:", "")
        self.wait("IndentationError: expected an indented block")
        self.enter("def f(:")
        self.wait("SyntaxError: invalid syntax")

    def test_ways_to_leave(self):
        for words in ("exit", "quit", "exit()", " quit() ", "raise SystemExit", "import sys; sys.exit(0)"):
            with self.subTest(words):
                self.session()
                self.enter(words)
                self.expect_end(0)
                self.end()

    def test_editing_and_history(self):
        self.session()
        self.type("pront('東京é')")
        self.press("Home", "Right", "Right", "DC")
        self.type("i")
        self.press("C-e", "Left", "Left", "BSpace")
        self.type("e")
        self.press("Enter")
        self.expect_lines(">>> print('東京e')", "東京e")
        self.enter("x = 1")
        self.press("Up", "Up", "Enter")
        self.expect_lines(">>> print('東京e')", "東京e", ">>> x = 1", ">>> print('東京e')", "東京e")
        self.type("garbage")
        self.press("C-u", "Up", "Up", "Down", "Down")
        self.enter("7 * 6")
        self.expect_lines(">>> 7 * 6", "42")

    def test_a_line_longer_than_the_screen(self):
        self.session(size=(40, 10))
        text = "'" + "0123456789" * 12 + "'"
        self.type(text)
        self.wait("6789'")
        self.press("Home", "Right")
        self.type("X")
        self.press("Enter")
        self.wait("'X01234567890")
        self.type("'" + "ab" * 300)
        self.wait(">>> <")
        self.type("' == 1")
        self.press("Enter")
        self.wait("False")

    def test_a_paste_is_one_piece(self):
        self.session()
        self.paste("def f():\n    a = 1\n\n    return a\n\nprint(f())\nf() + 1\n", "-p")
        self.wait("... f() + 1")
        self.press("Enter")
        self.expect_lines("... f() + 1", "...", "1", "2")

    def test_a_large_paste(self):
        self.session()
        self.paste("x = [\n" + "".join(f"  {i},  # {'y' * 40}\n" for i in range(18_000)) + "]\n", "-p")
        self.wait("... ]")
        self.press("Enter")
        self.wait("the limit is")
        # A terminal that does not say that it pastes.
        self.paste("x = [\n" + "".join(f"  {i},  # {'y' * 40}\n" for i in range(4000)) + "]\nlen(x)\n")
        self.wait("\n4000")
        self.enter("'still here'")
        self.wait("\n'still here'")

    def test_bytes_that_are_no_text(self):
        self.session()
        self.tmux("send-keys", "-H", "ff", "fe")
        self.wait("\\xff\\xfe")
        self.press("Enter")
        self.wait("not UTF-8")
        self.enter("1 + 1")
        self.wait("\n2")

    def test_another_size(self):
        self.session(size=(60, 20))
        self.type("'" + "abcdefghij" * 8 + "'")
        self.resize(30, 20)
        self.wait("abcdefghij'")
        self.resize(100, 20)
        self.type(" + 'k'")
        self.press("Enter")
        self.wait("\n'" + "abcdefghij" * 8 + "k'")
        self.assertEqual(self.screen().count(">>> 'abc"), 1, self.screen())

    def test_a_terminal_that_cannot_move_its_cursor(self):
        self.session(variables="TERM=dumb")
        for line in ("if 1:", "  print('in')", ""):
            self.enter(line)
            self.wait_for(lambda: self.lines()[-1] in ("...", ">>>"), "a prompt")
        self.wait("\nin\n")
        self.type("half")
        self.press("C-c")
        self.wait("KeyboardInterrupt")
        self.enter("2 + 3")
        self.wait("\n5\n")
        self.press("C-d")
        self.expect_end(0)


class Page(Prompt):
    """docs/sessions.md."""

    @harness.needs_files
    def test_the_page_shows_what_stands_on_the_screen(self):
        shown = re.search(r"<!-- prompt -->\n```\n(.*?)^```$", (harness.ROOT / "docs" / "sessions.md").read_text(), re.DOTALL | re.MULTILINE)[1]
        self.session(size=(100, 200))
        for line in shown.splitlines():
            if line.startswith((">>> ", "...")):
                self.wait_for(lambda: self.lines()[-1] in (">>>", "..."), "a prompt")
                before = len(self.lines())
                self.enter(line[4:])
                self.wait_for(lambda before=before: len(self.lines()) > before, "the next line")
        self.wait_for(lambda: self.lines()[-1] == ">>>", "a prompt")
        pattern = ".*".join(map(re.escape, shown.rstrip("\n").split("…")))
        self.assertRegex("\n".join(self.lines()), f"(?s)\n{pattern}\n>>>$")


class Running(Prompt):
    """While a piece runs, and what is left of it."""

    def test_ctrl_c_at_the_prompt_forgets_the_line(self):
        self.session()
        self.enter("def f():")
        self.type("    half")
        self.press("C-c")
        self.expect_lines(">>> def f():", "...     half", "KeyboardInterrupt")
        self.press("C-c")
        self.press("C-c")
        self.enter("'still here'")
        self.expect_lines(">>> 'still here'", "'still here'")

    def test_ctrl_c_stops_a_piece_and_keeps_the_names(self):
        self.session()
        self.enter("x = 5", "import time", "print('go'); time.sleep(600)")
        self.wait("\ngo")
        self.press("C-c")
        self.wait("KeyboardInterrupt")
        self.enter("x")
        self.wait("\n5")

    def test_ctrl_c_twice(self):
        self.session()
        self.enter("print('go')", "while True: pass", "")
        self.wait("\ngo", "\n...")
        self.press("C-c", "C-c")
        self.wait("KeyboardInterrupt")
        self.enter("'still here'")
        self.wait("\n'still here'")
        self.press("C-d")
        self.expect_end(0)

    def test_a_killed_piece_says_that_names_are_gone(self):
        self.session("--timeout", "0.5")
        self.enter("x = 5", "while True: pass", "")
        self.wait("TimeoutError: Execution timed out after 0.5s", "names of the session are gone")
        self.enter("x")
        self.wait("NameError: name 'x' is not defined")
        self.assertEqual(self.screen().count("are gone"), 1)

    def test_prints_come_as_they_are_made(self):
        self.session()
        self.enter("import time; print('early'); time.sleep(600)")
        self.wait("\nearly")
        self.press("C-c")
        self.wait("KeyboardInterrupt")
        self.enter("print('no end', end='')")
        self.expect_lines(">>> print('no end', end='')", "no end")

    def test_the_guest_cannot_drive_the_terminal(self):
        self.session()
        self.enter("print('\\x1b]0;owned\\x07\\x1b[2Jhere')")
        self.wait("\n\\x1b]0;owned\\x07\\x1b[2Jhere")
        self.assertNotIn("owned", self.tmux("display-message", "-p", "#{pane_title}"))

    @harness.needs_files
    def test_files_in_and_out(self):
        self.write("orders.csv", "1,2\n")
        self.session("--data", "orders.csv", "--out", "made")
        self.enter("open('/data/orders.csv').read()")
        self.expect_lines(">>> open('/data/orders.csv').read()", "'1,2\\n'")
        self.enter("open('/out/a.txt', 'w').write('abc')")
        self.wait("/out/a.txt, 3 B → made/a.txt")
        self.assertEqual((self.folder / "made" / "a.txt").read_text(), "abc")

    def test_questions(self):
        self.session("--timeout", "7")
        self.enter("?")
        self.wait("names: none", "policy node; 7 s for a piece, 256 MB", "/out")
        self.enter("def area(width, height=2):", "    'Of a rectangle.'", "", "n = 3", "area?")
        self.wait("area(width, height=2)  function", "Of a rectangle.")
        self.enter("len?", "nothing?", "n?", "?")
        self.wait("Return the number of items in a container.", "there is no nothing", "area  function", "n     int  3")
        self.enter("1/0")  # questions take no number
        self.wait("piece 3, line 1")
        self.enter("sorted(n for n in globals() if not n.startswith('__'))")
        self.wait("['area', 'n']")

    def test_a_signal_ends_it_and_gives_the_terminal_back(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            for piece in ("", "print('go'); import time; time.sleep(600)"):
                with self.subTest(f"{number} {piece}"):
                    self.session()
                    if piece:
                        self.enter(piece)
                        self.wait("\ngo")
                    os.kill(self.process(), number)
                    self.expect_end(128 + number)
                    self.end()

    def test_standard_output_elsewhere(self):
        self.open("session", "> values", command=harness.AIRLOCK)
        self.wait(">>>")
        self.enter("6 * 7")
        self.press("C-d")
        self.expect_end(0)
        self.assertEqual((self.folder / "values").read_text(), "42\n")

    def test_the_cell_is_killed_from_outside(self):
        self.session()
        self.enter("x = 1", "x")
        self.wait("\n1")
        for child in pathlib.Path(f"/proc/{self.process()}/task").glob("*/children"):
            for word in child.read_text().split():
                os.kill(int(word), signal.SIGKILL)
        self.enter("'next'")
        self.wait_for(lambda: "gone" in self.screen() or "\n'next'" in self.screen(), "an answer")
        self.enter("'after'")
        self.wait("\n'after'")


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
