#!/usr/bin/env python3
"""The sessions shown in README.md and docs/ are real: each is run, and must print what the page shows.

    tests/commands/documents_test.py [--airlock build/airlock]
    tests/commands/documents_test.py --update      writes what the program prints now into the pages; read the difference

A fenced block after `<!-- file: NAME -->` is written to NAME. A `console` block after `<!-- test -->` is run command by
command. In what it shows, `…` stands for any text. The examples of the repository are at hand as examples/. A block after
`<!-- screen: NAME -->` is the screen tests/screens/golden/NAME.txt, which the tests of the screens hold to what is drawn.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness

ROOT = harness.ROOT
AIRLOCK = harness.AIRLOCK
PAGES = ["README.md", *(f"docs/{name}.md" for name in (
    "check", "validate", "extract", "admit", "gather", "run", "path-rules", "infer", "models", "wizard", "extractors", "bundles", "sessions"))]
SESSIONS = "docs/sessions.md"
BLOCK = re.compile(r"(<!-- (?:test|file: (\S+)) -->\n+(`{3,})\w*\n)(.*?)(^\3$)", re.DOTALL | re.MULTILINE)
SCREEN = re.compile(r"(<!-- screen: (\S+) -->\n+```\n)(.*?)(^```$)", re.DOTALL | re.MULTILINE)


def screen(name):
    return (ROOT / "tests" / "screens" / "golden" / f"{name}.txt").read_text(encoding="utf-8")


def run_session(folder, text):
    """Yields (command, what the page shows, what is printed) for each command of a console block."""
    steps = [piece.partition("\n") for piece in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]]
    # The mark between commands keeps $?, so that a session can show `echo $?`.
    script = "".join(f"{command}\n(status=$?; echo '@@@'; exit $status)\n" for command, _, _ in steps)
    environment = {"PATH": f"{AIRLOCK.parent}:/usr/bin:/bin", "HOME": folder, "AIRLOCK_HOME": folder, "LANG": "C.UTF-8"}
    done = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=60)
    for (command, _, shown), real in zip(steps, done.stdout.decode().split("@@@\n"), strict=False):
        yield command, shown, real


def matches(shown, real):
    pattern = ".*".join(map(re.escape, shown.strip("\n").split("…")))
    pattern = pattern.replace(r".*\ ms", r".*\ (?:ms|s)")  # what takes a few milliseconds may take a second
    return re.fullmatch(pattern, real.strip("\n"), re.DOTALL) is not None


def visit(page, see_session):
    """Walks the blocks of a page in order; returns its text with every session replaced by what `see_session` says."""
    with tempfile.TemporaryDirectory(prefix="airlock-documents-") as folder:
        pathlib.Path(folder, "examples").symlink_to(ROOT / "examples")

        def one(match):
            before, file, _, text, after = match.groups()
            if file:
                pathlib.Path(folder, file).write_text(text, encoding="utf-8")
                return match[0]
            return before + "".join(see_session(*step) for step in run_session(folder, text)) + after
        return BLOCK.sub(one, (ROOT / page).read_text(encoding="utf-8"))


class Documents(unittest.TestCase):
    def test_every_session_prints_what_the_page_shows(self):
        self.check([page for page in PAGES if page != SESSIONS])

    @harness.needs_files
    def test_every_session_of_sessions_prints_what_the_page_shows(self):
        self.check([SESSIONS])

    def check(self, pages):
        for page in pages:
            commands = 0

            def compare(command, shown, real):
                nonlocal commands
                commands += 1
                with self.subTest(page=page, command=command):
                    self.assertTrue(matches(shown, real), f"it shows\n{shown}\nand the program prints\n{real}")
                return ""
            visit(page, compare)
            self.assertGreater(commands, 0, f"no session in {page}")

    def test_screens_are_those_that_are_drawn(self):
        shown = [match for page in ("README.md", "docs/wizard.md") for match in SCREEN.findall((ROOT / page).read_text(encoding="utf-8"))]
        self.assertGreater(len(shown), 3)
        for _, name, text, _ in shown:
            self.assertEqual(text, screen(name), name)

    def test_the_table_of_walls_is_the_programs_own(self):
        done = subprocess.run([str(AIRLOCK), "doctor", "--format", "json"], capture_output=True, timeout=60)
        real = [(wall["name"], "always" if wall["needed"] else "offered", wall["why"])
                for wall in json.loads(done.stdout)["walls"]]
        text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("## The walls")[2].partition("\n## ")[0]
        shown = re.findall(r"^\| `(\S+)` \| [^|]+ \| (\w+) \| (.*) \|$", text, re.MULTILINE)
        self.assertEqual(shown, real)

    def test_links_between_the_pages_lead_somewhere(self):
        for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/*.md"), *ROOT.glob("tests/*.md"), *ROOT.glob("examples/*.md")]:
            text = re.sub(r"^(`{3,}).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
            for target in re.findall(r"\]\(([^)\s]+)\)", text):
                if not target.startswith(("http:", "https:", "#")):
                    path = page.parent / target.partition("#")[0]
                    self.assertTrue(path.exists(), f"{page.relative_to(ROOT)}: {target}")


def update():
    for page in PAGES:
        text = visit(page, lambda command, shown, real: f"$ {command}\n" + (shown if matches(shown, real) else real))
        text = SCREEN.sub(lambda match: match[1] + screen(match[2]) + match[4], text)
        (ROOT / page).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(harness.main(__doc__, update=update))
