"""What the tests of `airlock wizard` share: a home of their own for each test, and the batch command."""
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from support import harness

SECONDS = 60


class WizardCase(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="airlock-wizard-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "LANG": "C.UTF-8",
                            "AIRLOCK_HOME": str(self.folder / "home")}

    def write(self, name, text):
        file = self.folder / name
        file.write_text(text, encoding="utf-8", errors="surrogateescape")
        return str(file)

    def airlock(self, *words, stdin="", code=None):
        done = subprocess.run([str(harness.AIRLOCK), *words], input=stdin.encode("utf-8", "surrogateescape"), timeout=SECONDS,
                              env=self.environment, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        done.stdout = done.stdout.decode("utf-8", "replace")
        done.stderr = done.stderr.decode("utf-8", "replace")
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout[-2000:] + done.stderr)
        return done

    def batch(self, paths, *words, code=0):
        """The JSON of `airlock wizard --batch` for these paths."""
        done = self.airlock("wizard", "--samples", "-", "--batch", *words, stdin="".join(path + "\n" for path in paths), code=code)
        return json.loads(done.stdout)
