"""Finds the programs that do the work: `airlock`, with `airlock-host` beside it."""
from __future__ import annotations

import os

from .errors import Usage

VARIABLE = "AIRLOCK_PROGRAM"
IN_THE_WHEEL = os.path.join(os.path.dirname(os.path.realpath(__file__)), "bin", "airlock")


def find_program() -> str:
    """What AIRLOCK_PROGRAM names; else what came with this package; else what PATH has."""
    named = os.environ.get(VARIABLE)
    if named:
        if not is_program(named):
            raise Usage(f"{VARIABLE} names {named}, and there is no program")
        return os.path.abspath(named)
    if is_program(IN_THE_WHEEL):
        return IN_THE_WHEEL
    import shutil
    found = shutil.which("airlock")
    if found is None:
        raise Usage(f"the program 'airlock' was not found: it is not in this package ({os.path.dirname(IN_THE_WHEEL)}), not on PATH, and {VARIABLE} is not set. "
                    f"Install the wheel, or set {VARIABLE} to the program")
    return os.path.abspath(found)


def is_program(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)
