#!/usr/bin/env python3
"""The large sizes, for scripts/soak: memory that stays flat while the work grows a hundredfold.

    tests/load/large_sizes.py rows     extract over 10^5 and 10^7 rows, by a program and by a rule
    tests/load/large_sizes.py files    check over 10^4 and 10^6 files
    tests/load/large_sizes.py tree     gather over repositories of 10^3 and 10^5 files

SOAK_SCALE=0.01 makes every size smaller. Each line is a figure; the exit code is 1 when memory grew.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
AIRLOCK = pathlib.Path(os.environ.get("AIRLOCK", ROOT / "build" / "airlock"))
SCALE = float(os.environ.get("SOAK_SCALE", "1"))
SMALL, LARGE = 1, 100    # the large size is so many times the small one
ROOM = 32 << 20          # what the large one may need beyond the small one: a page cache of rows, not a copy of them
LINKS = 20000            # of one file; file systems stop at 32,000 or 65,000

PROGRAM = '''def extract(path: str) -> dict:
    parts = path.split("/")
    return {"client": parts[2], "name": parts[-1], "depth": len(parts)}
'''


def measure(command, feed=None):
    """Runs it to its end: (exit code, peak memory of the process itself in bytes, seconds). Its output goes nowhere."""
    started = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.PIPE if feed else subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if feed:
        feed(process.stdin)
        process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024, time.monotonic() - started


def rows(count):
    def feed(stream):
        for start in range(0, count, 10000):
            stream.write("".join(f"/data/client-{number % 977}/2024/report_{number}.csv\n" for number in range(start, min(start + 10000, count))).encode())
    return feed


def compare(name, size, run):
    """`run(count)` at both sizes; whether the exit code is 0 and the memory flat."""
    small, large = max(int(size * SCALE / LARGE), 10), max(int(size * SCALE), 100)
    codes, peaks = [], []
    for count in (small, large):
        code, peak, seconds = run(count)
        codes.append(code)
        peaks.append(peak)
        print(f"{name}: {count} in {seconds:.1f} s ({count / seconds:,.0f} a second), peak {peak / 2**20:.1f} MiB, exit {code}", flush=True)
    flat = peaks[1] < peaks[0] + ROOM
    if codes != [0, 0] or not flat:
        print(f"{name}: FAILED: {'memory grew' if not flat else 'it did not end well'}", flush=True)
    return codes == [0, 0] and flat


def soak_rows(folder):
    program = folder / "extractor.py"
    program.write_text(PROGRAM, encoding="utf-8")
    rule = ROOT / "examples" / "rules" / "hive.yaml"
    by_program = compare("extract by a program", 10**7, lambda count: measure([AIRLOCK, "extract", program, "-"], rows(count)))
    by_rule = compare("extract by a rule", 10**7, lambda count: measure([AIRLOCK, "extract", rule, "-"], rows(count)))
    return by_program and by_rule


def fill(folder, count, text, ending):
    """`count` files, most of them names of the same few: a file system has room for a million names."""
    folder.mkdir(parents=True)
    for number in range(count):
        inside = folder / f"{number // 1000:04}"
        if number % 1000 == 0:
            inside.mkdir()
        if number % LINKS == 0:
            first = inside / f"f{number}{ending}"
            first.write_text(text, encoding="utf-8")
        else:
            os.link(first, inside / f"f{number}{ending}")
    return folder


def soak_files(folder):
    def run(count):
        return measure([AIRLOCK, "check", "--", fill(folder / str(count), count, PROGRAM, ".py")])
    return compare("check", 10**6, run)


def soak_tree(folder):
    probe = ROOT / "examples" / "probes" / "licences.py"

    def run(count):
        repository = fill(folder / str(count), count, "# SPDX-License-Identifier: MIT\n", ".txt")
        return measure([AIRLOCK, "gather", repository, "--probe", probe, "--timeout", "300", "--no-cache"])
    return compare("gather", 10**5, run)


PARTS = {"rows": soak_rows, "files": soak_files, "tree": soak_tree}


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in PARTS:
        print(__doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        return 0 if PARTS[sys.argv[1]](pathlib.Path(folder)) else 1


if __name__ == "__main__":
    sys.exit(main())
