#!/usr/bin/env python3
"""Installs the wheel in bare Debian systems and runs the package's tests there: no compiler, and no file of this project but the tests.

    tools/try_wheel.py [--wheel FILE] [--roots DIR] SUITE…      bullseye bookworm trixie …

Roots are made with debootstrap when they are not there, with python3 and python3-venv; what is mounted for a run is bubblewrap's, and ends
with it. A system whose glibc is older than the wheel's tag must be refused by pip, in words. The programs cannot run there; its Python is
tried nevertheless (bullseye has 3.9, the oldest that the package is for): every module is imported, and the tests that need no program run."""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import distribution
from distribution import ROOT

VENV = "/opt/venv"
TESTS = "/opt/airlock"
TESTED = ("session", "async", "faults", "extract", "adapters")  # of tests/python; the others need more than the package
WITHOUT_PROGRAMS = ("Package", "Odd", "older_and_a_newer", "something_else", "ends_at_once", "nonsense_later")  # of faults_test.py
MODULES = "import airlock, airlock.autogen, airlock.dask, airlock.fastmcp, airlock.pandas, airlock.probe, airlock.smolagents; print('imported')"
FIRST = "import airlock; print(airlock.__version__, airlock.run('import sys; [sys.version_info[:2], sum(range(n))]', inputs={'n': 5}).value)"


def make_root(folder, suite):
    if not (folder / "usr/bin/python3").exists():
        print(f"{suite}: debootstrap", flush=True)
        subprocess.run(["debootstrap", "--variant=minbase", "--include=python3,python3-venv", suite, folder], check=True, stdout=subprocess.DEVNULL)


def inside(folder, *command):
    """Runs it there without capabilities, as an ordinary program has none."""
    return subprocess.run(["bwrap", "--bind", folder, "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--unshare-net", "--die-with-parent", "--clearenv",
                           "--setenv", "PATH", "/usr/bin:/bin", "--setenv", "HOME", "/root", "--setenv", "LANG", "C.UTF-8", *command],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def says(suite, what, done):
    for line in re.findall(r"^(?:FAIL|ERROR): .*", done.stdout, re.MULTILINE):
        print(f"{suite}: {what}: {line}", flush=True)
    print(f"{suite}: {what}: {'exit ' + str(done.returncode) + ': ' if done.returncode else ''}{done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ''}", flush=True)
    return done.returncode == 0


def try_in(suite, folder, wheel):
    """Whether all is well there."""
    make_root(folder, suite)
    for place in (VENV, TESTS):
        shutil.rmtree(folder / place[1:], ignore_errors=True)
    (folder / "opt" / wheel.name).write_bytes(wheel.read_bytes())
    for part in ("tests/python", "tests/support"):
        shutil.copytree(ROOT / part, folder / TESTS[1:] / part, ignore=shutil.ignore_patterns("__pycache__"))
    said = inside(folder, "python3", "-c", "import platform; print(platform.libc_ver()[1], platform.python_version())").stdout.split()
    print(f"{suite}: glibc {said[0]}, Python {said[1]}", flush=True)
    installed = inside(folder, "sh", "-c", f"python3 -m venv {VENV} && {VENV}/bin/pip install --no-index --no-deps /opt/{wheel.name}")
    if distribution_needs(wheel) > tuple(map(int, said[0].split("."))):
        refusal = [line for line in installed.stdout.splitlines() if "not a supported wheel" in line]
        print(f"{suite}: {'pip refuses it, as it must: ' + refusal[0] if refusal else 'pip DID NOT REFUSE IT: ' + installed.stdout[-300:]}", flush=True)
        return try_without_programs(suite, folder) and bool(refusal)
    if not says(suite, "pip", installed) or not says(suite, "first result", inside(folder, f"{VENV}/bin/python", "-I", "-c", FIRST)):
        return False
    says(suite, "the command", inside(folder, f"{VENV}/bin/airlock", "--version"))
    program = inside(folder, f"{VENV}/bin/python", "-Ic", "from airlock._program import find_program; print(find_program())").stdout.strip()
    return all([says(suite, f"tests/python/{name}_test.py", inside(folder, f"{VENV}/bin/python", f"{TESTS}/tests/python/{name}_test.py", "--airlock", program))
                for name in TESTED])


def try_without_programs(suite, folder):
    """Whether the Python there takes the package as it stands in this tree."""
    shutil.copytree(ROOT / "python", folder / TESTS[1:] / "python", ignore=shutil.ignore_patterns("__pycache__"))
    imported = says(suite, "its Python, without the programs", inside(folder, "env", f"PYTHONPATH={TESTS}/python", "python3", "-W", "error", "-c", MODULES))
    return says(suite, "tests that need no program", inside(folder, "python3", f"{TESTS}/tests/python/faults_test.py", "--airlock", "/bin/true", *WITHOUT_PROGRAMS)) and imported


def distribution_needs(wheel):
    """(2, 36), of its tag."""
    return tuple(map(int, wheel.name.split("manylinux_")[1].split("_")[:2]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", type=pathlib.Path, help="made when it is not given")
    parser.add_argument("--roots", type=pathlib.Path, help="a folder where roots are kept, one for each suite")
    parser.add_argument("suites", nargs="+", metavar="SUITE")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="airlock-roots-") as scratch:
        wheel = arguments.wheel or distribution.make_wheel(ROOT / "build", pathlib.Path(scratch))
        good = [try_in(suite, (arguments.roots or pathlib.Path(scratch)) / suite, wheel) for suite in arguments.suites]
    print(f"{sum(good)} of {len(good)} as they must be")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
