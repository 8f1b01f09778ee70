#!/usr/bin/env python3
"""`airlock wizard` itself in a real terminal: tmux plays the person, a local server the model. The screens one by one are
tests/screens/screens_test.py; here the whole program goes through its states with everything real.

    tests/screens/terminal_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

Skipped when there is no tmux.
"""
import json
import pathlib
import shlex
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, model_server, processes, screen

PATHS = ["/data/CLIENT-ABC/2024/Q1/report.csv", "/data/CLIENT-XYZ/2024/Q2/data.csv", "/data/CLIENT-QRS/2023/Q4/sum.csv"]
HINT = "Quarter folder should compute start/end month"
GOOD = """```python
def extract(path: str) -> dict:
    parts = path.split("/")
    quarter = int(parts[-2][1:])
    return {"client": parts[-4], "start_month": 3 * quarter - 2, "end_month": 3 * quarter}
```"""
BAD = "import os\n\n\ndef extract(path: str) -> dict:\n    return {'here': os.getcwd()}\n"


class Terminal(screen.Case):
    def setUp(self):
        super().setUp()
        self.home.mkdir(mode=0o700)
        (self.folder / "paths.txt").write_text("\n".join(PATHS) + "\n")

    def wizard(self, *words, variables="", size=(80, 24)):
        self.open("wizard", "--samples", "paths.txt", *map(shlex.quote, words), command=harness.AIRLOCK, size=size,
                   variables=f"AIRLOCK_HOME={self.home} {variables}")

    def model(self, answers, protocol="ollama"):
        server = model_server.ModelServer(protocol, answers)
        server.__enter__()
        self.addCleanup(server.__exit__)
        (self.home / "config.toml").write_text(
            f'[model]\nprovider = "{protocol}"\nendpoint = "{server.url}"\nmodel = "test"\n')
        return server

    def editor(self, script):
        file = self.folder / "editor"
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o700)
        return f"VISUAL={file}"


class WithoutModel(Terminal):
    """Without a model."""

    def test_a_rule_is_approved_and_runs(self):
        self.wizard()
        self.wait("YAML", "Passed (3/3 paths", "client_id")
        self.press("n")
        self.wait("Extractor name")
        self.press("C-u")
        self.type("reports")
        self.press("Enter")
        self.wait("Extractor name: reports")
        self.press("Enter")
        self.expect_end(0, "Approved: reports")
        row = json.loads(self.airlock("extract", "reports", "-", stdin=PATHS[0] + "\n", code=0).out)
        self.assertEqual(row["data"]["client_id"], "ABC")

    def test_a_hint_makes_it_a_program(self):
        self.wizard()
        self.wait("YAML", "Passed")
        self.press("h")
        self.wait("/500")
        self.type(HINT)
        self.wait(f"{len(HINT)}/500")
        self.press("Enter")
        self.wait("Python extractor", "Passed (3/3 paths")
        self.press("Enter")
        self.expect_end(0, "Approved")

    def test_leaving_keeps_the_draft(self):
        self.wizard()
        self.wait("Passed")
        self.press("Escape")
        screen = self.expect_end(1, "draft") or self.screen()
        drafts = self.json("drafts", "list")
        self.assertIn(next(iter(drafts["drafts"]))["id"], screen)

    def test_patterns_can_be_ignored(self):
        self.wizard()
        self.wait("Passed")
        self.press("p")
        self.wait("DETECTED PATTERNS", "client_id")
        self.press("Space", "Enter")
        screen = self.wait("Passed", "[p] Patterns")
        self.assertNotIn("client_id:", screen)

    def test_an_edit_is_validated_again(self):
        self.wizard("--hint", HINT, variables=self.editor("sed -i 's/start_month/first_month/' \"$1\""))
        self.wait("Python extractor", "Passed")
        self.press("e")
        self.wait("first_month", "Passed (3/3 paths")
        self.press("Enter")
        self.expect_end(0, "Approved")
        row = json.loads(self.airlock("extract", "client", "-", stdin=PATHS[0] + "\n", code=0).out)
        self.assertEqual(row["data"]["first_month"], 1)

    def test_a_broken_edit_can_be_thrown_away(self):
        self.wizard("--hint", HINT, variables=self.editor("echo 'def extract(:' > \"$1\""))
        self.wait("Python extractor", "Passed")
        self.press("e")
        self.wait("does not pass")
        self.press("Escape")
        self.wait("Python extractor", "Passed (3/3 paths")

    def test_an_editor_that_fails_changes_nothing(self):
        for number, script in enumerate(("exit 3", "kill -9 $$", "rm \"$1\"")):
            with self.subTest(script):
                self.wizard("--hint", HINT, variables=self.editor(script))
                self.wait("Python extractor", "Passed")
                self.press("e")
                self.wait("nothing was changed")
                self.press("Escape")
                self.wait("Passed (3/3 paths")
                self.end()

    def test_no_editor(self):
        self.wizard("--hint", HINT, variables="VISUAL=/nowhere/editor")
        self.wait("Python extractor", "Passed")
        self.press("e")
        self.wait("/nowhere/editor")

    def test_what_no_recipe_knows_becomes_a_rule(self):
        self.wizard("--hint", "translate the client into a country by lookup")
        self.wait("[y]", "[Esc]")
        self.press("y")
        self.wait("FALLBACK OPTION")
        self.press("y")
        self.wait("YAML", "Passed (3/3 paths")
        self.press("Enter")
        self.expect_end(0, "Approved")

    def test_paths_cannot_reach_the_terminal(self):
        (self.folder / "paths.txt").write_bytes(b"".join(b"/data/\x1b[31m\x1b]0;owned\x07%d/20%02d/Q1/\xff.csv\n" % (i, i) for i in range(10, 20)))
        self.wizard()
        screen = self.wait("Sample path")
        self.assertIn("\\x1b", screen)
        self.assertNotIn("owned", self.tmux("display-message", "-p", "#{pane_title}"))


class WithModel(Terminal):
    def test_nothing_is_sent_before_the_person_agrees(self):
        server = self.model([model_server.answer(GOOD)])
        self.wizard("--hint", HINT)
        self.wait("BEFORE ANYTHING IS SENT", "Nothing is sent before you press Enter")
        self.assertEqual(server.requests + server.listings, [])
        self.press("Enter")
        self.wait("Python extractor", "Passed (3/3 paths")
        self.assertEqual(len(server.requests), 1)
        self.press("Enter")
        self.expect_end(0, "Approved")

    def test_without_the_model(self):
        server = self.model([model_server.answer(GOOD)])
        self.wizard("--hint", HINT)
        self.wait("BEFORE ANYTHING IS SENT")
        self.press("w")
        self.wait("without a model", "Passed (3/3 paths")
        self.assertEqual(server.requests, [])

    def test_four_wrong_answers_and_a_rule(self):
        server = self.model([model_server.answer(BAD)])
        self.wizard("--hint", HINT, "--send")
        self.wait("VALIDATION FAILED", "after 3 attempts", "security scan")
        self.assertEqual(len(server.requests), 4)
        self.press("y")
        self.wait("FALLBACK OPTION", HINT)
        self.press("y")
        self.wait("Passed (3/3 paths")

    def test_a_hint_after_an_error_is_one_more_try(self):
        server = self.model([model_server.answer(BAD)] * 4 + [model_server.answer(GOOD)])
        self.wizard("--hint", HINT, "--send")
        self.wait("VALIDATION FAILED")
        self.press("h")
        self.wait("/500")
        self.type(" please")
        self.press("Enter")
        self.wait("Passed (3/3 paths")
        self.assertEqual(len(server.requests), 5)

    def test_retry_fresh(self):
        server = self.model([model_server.answer(BAD)] * 5 + [model_server.answer(GOOD)])
        self.wizard("--hint", HINT, "--send")
        self.wait("VALIDATION FAILED")
        self.press("r")
        self.wait("Passed (3/3 paths")
        self.assertEqual(len(server.requests), 6)

    def test_a_model_that_says_nothing_can_be_stopped(self):
        self.model([model_server.silence()])
        self.wizard("--hint", HINT, "--send")
        self.wait("Generating Python extractor")
        self.press("Escape")
        self.expect_end(1)

    def test_a_model_that_is_not_running(self):
        (self.home / "config.toml").write_text('[model]\nprovider = "ollama"\nendpoint = "http://127.0.0.1:9"\nmodel = "test"\n')
        self.wizard("--hint", HINT, "--send")
        self.wait("could not be asked", "ollama serve")
        self.press("w")
        self.wait("without a model", "Passed (3/3 paths")

    def test_the_terminal_goes_away(self):
        self.model([model_server.silence()])
        self.wizard("--hint", HINT, "--send")
        self.wait("Generating Python extractor")
        process = self.process()
        self.tmux("kill-server", check=False)
        self.servers += 1
        self.wait_for(lambda: processes.is_gone(process), "its end")


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
