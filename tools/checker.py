"""What the checks of the tree share: how they are called, and how they test themselves against planted mistakes."""

import argparse
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[1]


def report_self_test(name, missed, wrong):
    """The exit code. `missed`: planted and not found; `wrong`: found where all is well."""
    for line in [f"not found: {words}" for words in missed] + [f"found without reason: {line}" for line in wrong]:
        print(f"{name} self-test: {line}")
    return 1 if missed or wrong else 0


def main(description, violations, self_test):
    """Prints each of violations(root), and answers with 1 when there are any."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    found = list(violations(arguments.root))
    for violation in found:
        print(violation)
    return 1 if found else 0
