#!/usr/bin/env python3
"""The corpora against the scan: every attack is refused, every honest extractor is accepted.

    tests/scan/corpus_test.py [--airlock build/airlock]

corpus/*.txt hold many small files each; they are laid out in a temporary folder and judged in one call.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness

AIRLOCK = harness.AIRLOCK
CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"


def lay_out(corpus, folder):
    parts = corpus.read_text(encoding="utf-8").split("\n#==== ")
    for part in parts[1:]:
        name, _, text = part.partition("\n")
        (folder / f"{name}.py").write_text(text + "\n", encoding="utf-8")
    return len(parts) - 1


class Corpus(unittest.TestCase):
    maxDiff = None

    def judge(self, name, wanted):
        with tempfile.TemporaryDirectory() as folder:
            count = lay_out(CORPUS / f"{name}.txt", pathlib.Path(folder))
            done = subprocess.run([AIRLOCK, "check", "--format", "json", folder], capture_output=True, timeout=300)
        files = json.loads(done.stdout)["files"]
        self.assertEqual(len(files), count)
        self.assertGreater(count, 200)
        wrong = []
        for file in files:
            if file["verdict"] != wanted:
                first = next((x for x in file["findings"] if x["severity"] == "error"), {})
                wrong.append(f"{pathlib.Path(file['file']).stem}: {file['verdict']}; {first.get('rule', '')} {first.get('message', '')}")
        self.assertEqual(wrong, [], f"not {wanted}")
        print(f"{count} {name} {wanted}", flush=True)

    def test_every_attack_is_refused(self):
        self.judge("attacks", "refused")

    def test_every_honest_extractor_is_accepted(self):
        self.judge("honest", "accepted")


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
