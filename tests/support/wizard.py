"""What the tests of `airlock wizard` share: a home of their own for each test, and the batch command."""
import json

from support import harness


class WizardCase(harness.Case):
    def batch(self, paths, *words, code=0):
        """The JSON of `airlock wizard --batch` for these paths."""
        done = self.airlock("wizard", "--samples", "-", "--batch", *words, stdin="".join(path + "\n" for path in paths), code=code)
        return json.loads(done.out)
