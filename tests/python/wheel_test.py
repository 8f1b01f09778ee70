#!/usr/bin/env python3
"""The wheel and the source archive: what is in them, and that a fresh virtual environment needs nothing else of this project.

    tests/python/wheel_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

In bare Debian systems of three ages: scripts/package --try bullseye bookworm trixie.
"""
import base64
import csv
import email
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness

AIRLOCK = harness.AIRLOCK
TOOL = harness.ROOT / "tools" / "distribution.py"
FIRST = "import airlock; print(airlock.run('sum(range(n))', inputs={'n': 5}).value)"


def make(output, *kinds, programs=None):
    return subprocess.run(["/usr/bin/python3", "-B", TOOL, "--programs", programs or AIRLOCK.parent, "--output", output, *kinds], capture_output=True, text=True)


class Wheel(harness.Case):
    @classmethod
    def setUpClass(cls):
        cls.dist = pathlib.Path(tempfile.mkdtemp(prefix="airlock-dist-"))
        cls.addClassCleanup(harness.remove, cls.dist)
        done = make(cls.dist, "wheel")
        if done.returncode:
            raise AssertionError(done.stderr)
        cls.wheel = pathlib.Path(done.stdout.strip())
        cls.archive = zipfile.ZipFile(cls.wheel)
        cls.addClassCleanup(cls.archive.close)
        cls.version = re.search(r"project\(airlock VERSION (\S+)", (harness.ROOT / "CMakeLists.txt").read_text())[1]
        cls.info = f"airlock-{cls.version}.dist-info"

    def text(self, name):
        return self.archive.read(f"{self.info}/{name}").decode()

    def test_its_name_says_the_version_and_the_glibc_that_the_programs_need(self):
        wanted = max(tuple(map(int, found.split(".")[:2])) for name in ("airlock", "airlock-host") for found in re.findall(
            r"GLIBC_([\d.]+)", subprocess.run(["objdump", "-T", AIRLOCK.parent / name], capture_output=True, text=True, check=True).stdout))
        self.assertEqual(self.wheel.name, f"airlock-{self.version}-py3-none-manylinux_{wanted[0]}_{wanted[1]}_x86_64.whl")
        self.assertIn(f"Tag: {self.wheel.stem.split('-', 2)[2]}\n", self.text("WHEEL"))
        self.assertIn("Root-Is-Purelib: false\n", self.text("WHEEL"))

    def test_it_has_the_package_the_programs_and_nothing_else(self):
        package = {str(path.relative_to(harness.ROOT / "python")) for path in (harness.ROOT / "python" / "airlock").rglob("*") if path.suffix == ".py" or path.name == "py.typed"}
        self.assertLessEqual({"airlock/__init__.py", "airlock/py.typed", "airlock/fastmcp.py"}, package)
        about = {f"{self.info}/{name}" for name in ("LICENSE", "METADATA", "WHEEL", "entry_points.txt", "RECORD")}
        licences = {name for name in self.archive.namelist() if name.startswith(f"{self.info}/licenses/")}
        self.assertEqual(set(self.archive.namelist()), package | about | licences | {"airlock/bin/airlock", "airlock/bin/airlock-host"})
        self.assertEqual(self.archive.read("airlock/bin/airlock"), AIRLOCK.read_bytes())
        for entry in self.archive.infolist():
            self.assertEqual(entry.external_attr >> 16, 0o100755 if "/bin/" in entry.filename else 0o100644, entry.filename)

    def test_its_record_has_every_file_with_its_hash(self):
        rows = {row[0]: row[1:] for row in csv.reader(self.text("RECORD").splitlines())}
        self.assertEqual(set(rows), set(self.archive.namelist()))
        self.assertEqual(rows.pop(f"{self.info}/RECORD"), ["", ""])
        for name, (digest, size) in rows.items():
            content = self.archive.read(name)
            self.assertEqual(digest, "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode(), name)
            self.assertEqual(int(size), len(content))

    def test_its_metadata_say_what_it_needs(self):
        about = email.message_from_string(self.text("METADATA"))
        self.assertEqual((about["Name"], about["Version"], about["Requires-Python"], about["License"]), ("airlock", self.version, ">=3.9", "Apache-2.0"))
        self.assertIsNone(about["Requires-Dist"])
        self.assertIn("Lets AI-written Python in", about.get_payload())
        self.assertIn("airlock = airlock.__main__:main\n", self.text("entry_points.txt"))

    def test_the_libraries_inside_bring_their_licences(self):
        for name, words in (("libpython3.11", b"PYTHON SOFTWARE FOUNDATION LICENSE"), ("simdjson", b"Apache License"), ("zlib1g", b"Jean-loup Gailly"), ("libstdc++-12", b"GCC RUNTIME LIBRARY EXCEPTION")):
            self.assertIn(words.lower(), b" ".join(self.archive.read(f"{self.info}/licenses/{name}.txt").lower().split()))
        for name in ("libcurl4-openssl", "libgtest"):
            self.assertNotIn(f"{self.info}/licenses/{name}.txt", self.archive.namelist())

    def test_two_builds_are_the_same_bytes(self):
        again = make(self.folder, "wheel", "sdist")
        first, second = make(self.folder / "other", "sdist"), self.folder / self.wheel.name
        self.assertEqual((again.returncode, first.returncode), (0, 0), again.stderr + first.stderr)
        self.assertEqual(second.read_bytes(), self.wheel.read_bytes())
        sdist = f"airlock-{self.version}.tar.gz"
        self.assertEqual((self.folder / sdist).read_bytes(), (self.folder / "other" / sdist).read_bytes())

    def test_the_source_archive_has_what_is_needed_to_build(self):
        self.assertEqual(make(self.folder, "sdist").returncode, 0)
        top = f"airlock-{self.version}"
        with tarfile.open(self.folder / f"{top}.tar.gz") as archive:
            names = set(archive.getnames())
            about = email.message_from_bytes(archive.extractfile(f"{top}/PKG-INFO").read())
        self.assertEqual((about["Name"], about["Version"]), ("airlock", self.version))
        wanted = ("pyproject.toml", "CMakeLists.txt", "scripts/build", "src/mains/airlock.cc", "tools/distribution.py", "python/airlock/__init__.py", "LICENSE")
        self.assertEqual({f"{top}/{name}" for name in wanted} - names, set())
        self.assertEqual([name for name in names if not name.startswith(top + "/") or f"{top}/build/" in name or "__pycache__" in name], [])

    def test_a_program_that_needs_more_than_glibc_makes_no_wheel(self):
        for name in ("airlock", "airlock-host"):
            shutil.copy(shutil.which("cmake", path="/usr/bin") or "/bin/bash", self.folder / name)
        done = make(self.folder / "dist", "wheel", programs=self.folder)
        self.assertEqual((done.returncode, list(self.folder.glob("dist/*"))), (1, []))
        self.assertRegex(done.stderr, r"needs lib.*, which a wheel may not take from the host")

    def installed(self):
        """A fresh environment with the wheel in it; what is run there."""
        venv = self.folder / "venv"
        has_pip = subprocess.run([sys.executable, "-m", "venv", venv], capture_output=True).returncode == 0
        if has_pip:
            done = subprocess.run([venv / "bin" / "pip", "install", "--no-index", "--no-deps", "--disable-pip-version-check", self.wheel], capture_output=True,
                                  text=True, env=self.environment)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        else:  # no ensurepip here: as pip does it
            subprocess.run([sys.executable, "-m", "venv", "--clear", "--without-pip", venv], check=True)
            into = pathlib.Path(sysconfig.get_path("purelib", "venv", {"base": str(venv), "platbase": str(venv)}))
            for entry in self.archive.infolist():
                os.chmod(self.archive.extract(entry, into), entry.external_attr >> 16 & 0o777)
        return venv, has_pip

    def test_a_fresh_environment_has_a_first_result_and_needs_nothing_else(self):
        venv, has_pip = self.installed()
        run = lambda *words: subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd="/", env=self.environment)
        done = run(venv / "bin" / "python", "-I", "-c", FIRST)
        self.assertEqual((done.stdout, done.stderr), ("10\n", ""))
        done = run(venv / "bin" / "python", "-I", "-c", "import airlock, airlock._program; print(airlock.__file__, airlock._program.find_program(), airlock.__version__)")
        file, program, version = done.stdout.split()
        self.assertTrue(file.startswith(str(venv)) and program.startswith(str(venv)), done.stdout)
        self.assertEqual(version, self.version)
        commands = [[venv / "bin" / "python", "-m", "airlock"]] + ([[venv / "bin" / "airlock"]] if has_pip else [])
        for command in commands:
            with self.subTest(command=command):
                done = run(*command, "check", "-")
                self.assertEqual(done.returncode, 1, done.stderr)  # an empty answer is refused
                self.assertIn(self.version, run(*command, "--version").stdout)

    def test_the_first_lines_of_the_readme(self):
        """As they are typed, one after the other: the wheel is made, the next line ends in a Python that has it, and takes the program."""
        page = (harness.ROOT / "README.md").read_text(encoding="utf-8")
        install, program = re.search(r"<!-- wheel -->\n```\n(.*?)\n```\n```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE).groups()
        make, start = install.splitlines()
        self.assertEqual(len(program.splitlines()), 2)
        packages, command = make.partition("#")[0].split(" && ")
        self.assertEqual(packages.split()[-1], "python3-venv")  # without which the next line cannot work
        self.assertTrue(os.access(harness.ROOT / command.strip(), os.X_OK), command)  # what it makes is there already
        (self.folder / "dist").symlink_to(self.dist)
        if subprocess.run([sys.executable, "-m", "venv", self.folder / "other"], capture_output=True).returncode:
            self.skipTest("there is no ensurepip here (python3-venv)")
        environment = {**self.environment, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        done = subprocess.run(["bash", "-c", start], input=program, cwd=self.folder, env=environment, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1:], done.stderr), (0, [program.strip().rpartition("# ")[2]], ""), done.stdout)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
