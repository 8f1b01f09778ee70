"""Tests that need libraries of Debian's Python run under that Python, or are skipped, and say so."""
import importlib.util
import os
import sys

DEBIANS = "/usr/bin/python3"


def need(*modules, packages):
    """Returns when all can be imported here; otherwise this test runs again under Debian's Python, or ends as skipped."""
    if all(importlib.util.find_spec(module) for module in modules):
        return
    if os.path.realpath(sys.executable) != os.path.realpath(DEBIANS) and os.path.exists(DEBIANS) and "AIRLOCK_TEST_PYTHON" not in os.environ:
        os.environ["AIRLOCK_TEST_PYTHON"] = DEBIANS
        os.execv(DEBIANS, [DEBIANS, *sys.argv])
    print(f"skipped: {', '.join(modules)} cannot be imported here (scripts/setup --cluster installs {packages})", file=sys.stderr)
    print("0 passed, 0 failed, 1 skipped")
    sys.exit(0)


def has(module):
    return importlib.util.find_spec(module) is not None
