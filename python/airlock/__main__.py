"""The command, with the programs of this package: `python -m airlock check -- x.py`, or just `airlock` where the wheel is installed."""
from __future__ import annotations

import os
import sys

from ._program import find_program
from .errors import Usage


def main() -> None:
    try:
        program = find_program()
    except Usage as error:
        sys.exit(f"airlock: {error}")
    if os.path.realpath(program) == os.path.realpath(sys.argv[0]):
        sys.exit("airlock: the programs are not in this package, and PATH leads back here. Install the wheel, or set AIRLOCK_PROGRAM")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
