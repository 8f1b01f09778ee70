#!/usr/bin/env python3
"""The examples of the Python package run, and print what they promise; so do the blocks of docs/python.md. The agent talks to a model of ours.

    tests/python/examples_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, libraries, model_server, package

AIRLOCK = harness.AIRLOCK
EXAMPLES = harness.ROOT / "examples" / "python"
PAGE = harness.ROOT / "docs" / "python.md"
FIRST = "Let me see.\n```python\nboxes = [stok(tea) for tea in teas()]\nsum(boxes)\n```\n"
SECOND = "```python\nsum(stock(tea) for tea in teas())\n```"


class Examples(package.Case):
    def example(self, name, *words, code=0):
        environment = {**self.environment, "PYTHONPATH": str(package.PACKAGE), "AIRLOCK_PROGRAM": str(harness.AIRLOCK), "PYTHONWARNINGS": "error"}
        process = subprocess.Popen([sys.executable, EXAMPLES / name, *map(str, words)], env=environment, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(harness.end, process)
        done = self.finish(process)
        self.assertEqual((done.returncode, done.err), (code, ""), done.out)
        return done.out

    def test_every_example_has_its_test(self):
        names = {path.stem for path in EXAMPLES.glob("*.py")}
        self.assertEqual(names, {name[len("test_"):] for name in dir(self) if name.startswith("test_")} & names)

    def test_quick_start(self):
        out = self.example("quick_start.py")
        for words in ("285\n", "it says: counting\n{'the': 3, 'quick': 5, 'brown': 5, 'fox': 3}\n", "NameError in line 2 after 'so far\\n'", "did you mean 'words'?",
                      "denied: socket\n", "False - Full 'os' module blocked"):
            self.assertIn(words, out)

    def test_functions(self):
        out = self.example("functions.py")
        for words in ('def stock(tea: str) -> int:\n    """How many boxes of a tea', "[{'tea': 'Darjeeling', 'now': 20}]\n['stock', 'stock', 'stock', 'order']\n", "no Coffee\n"):
            self.assertIn(words, out)

    @harness.needs_files
    def test_files_and_plots(self):
        out = self.example("files_and_plots.py", self.folder)
        self.assertIn("{'ann': 16.75, 'bob': 3.25}\nplot.svg ", out)
        self.assertIn("<rect", (self.folder / "plot.svg").read_text())

    def test_gather(self):
        self.assertEqual(self.example("gather.py"), f"{[200 * number + 100 for number in range(8)]}\nstill here\n")

    def test_many_paths(self):
        out = self.example("many_paths.py", 20_000)
        self.assertEqual(out, "{2020: 3980, 2021: 4000, 2022: 4000, 2023: 4000, 2024: 4000}\n"
                              "20 failed - the first: /data/client-0/unknown/report_0.csv: invalid literal for int() with base 10: 'unknown'\n")

    def test_frames(self):
        if not libraries.has("pandas"):
            self.skipTest("pandas is not installed here")
        out = self.example("frames.py").splitlines()
        self.assertIn("'year': 'Int64', 'share': 'Float64'", out[0])
        self.assertEqual(out[1], "{2020: 250, 2021: 250, 2022: 250, 2023: 250}")
        self.assertIn("/data/client-1/unknown/x.csv", out[2])
        self.assertEqual(out[3], "True" if libraries.has("dask") else "Dask is not installed here")

    @harness.needs_files
    def test_adapters(self):
        self.assertEqual(self.example("adapters.py"), "[4, 'search: coffee 2']\nCodeOutput(output=42, logs='one more step\\n', is_final_answer=True)\n"
                         "(1, \"The code failed: NameError: name 'nothing' is not defined\", {'x.txt': b'20'})\n")

    def test_agent(self):
        """The model writes a piece, sees the error, mends it, done."""
        with model_server.ModelServer("openai", [model_server.whole(text) for text in (FIRST, SECOND, "DONE: 42 boxes")]) as server:
            out = self.example("agent.py", server.url, "test", "How many boxes are there?")
            self.assertIn("done after 2 pieces: 42 boxes\n", out)
            self.assertIn("did you mean 'stock'?\n  stock(tea: str) -> int\n", out)
            self.assertIn("The value is 42.", out)
            told = [request.json["messages"][-1]["content"] for request in server.requests]
            self.assertIn("def stock(tea: str) -> int:", server.requests[0].json["messages"][0]["content"])
            self.assertIn("NameError: name 'stok' is not defined\n", told[1])
            self.assertEqual(told[2], "The value is 42.")

    def test_an_agent_that_never_gets_it_right(self):
        with model_server.ModelServer("openai", [model_server.whole("```\nnosuch\n```")]) as server:
            self.assertIn("not done after 5 pieces", self.example("agent.py", server.url, "test", "x", code=1))


class Page(package.Case):
    @harness.needs_files
    def test_every_block_of_python_runs(self):
        """In their order, in one program; a line `# 42` after print is what it prints."""
        blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
        self.assertGreater(len(blocks), 4)
        text = "\n".join(blocks)
        wanted = re.findall(r"^ *print\(.*\)  # (.+)$", text, re.MULTILINE)
        self.write("orders.csv", "customer,amount\nann,1\n")
        done = self.run_program(text)
        self.assertEqual(done.err, "")
        self.assertEqual(done.out.splitlines(), wanted)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
