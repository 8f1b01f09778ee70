#!/usr/bin/env python3
"""Two files are the installation: what airlock and airlock-host need of the machine, and what they show to libraries that are loaded.

    tests/commands/installation_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness

PROGRAMS = ("airlock", "airlock-host")
GLIBC = {"linux-vdso.so.1", "libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}
NEWEST_GLIBC = (2, 36)  # Debian 12
EXTRACTOR = "def extract(path: str) -> dict:\n    return {'path': path}\n"


def printed(*words):
    return subprocess.run(list(map(str, words)), check=True, capture_output=True, text=True).stdout


class TwoFilesAreTheInstallation(harness.Case):
    def test_both_need_glibc_and_no_other_library(self):
        for name in PROGRAMS:
            with self.subTest(program=name):
                needed = {pathlib.Path(line.split()[0]).name for line in printed("ldd", harness.AIRLOCK.parent / name).splitlines()}
                self.assertIn("libc.so.6", needed)
                self.assertEqual(needed - GLIBC, set())

    def test_both_start_with_the_glibc_of_debian_12(self):
        for name in PROGRAMS:
            with self.subTest(program=name):
                versions = re.findall(r"GLIBC_(\d+)\.(\d+)", printed("objdump", "-T", harness.AIRLOCK.parent / name))
                self.assertLessEqual(max((int(major), int(minor)) for major, minor in versions), NEWEST_GLIBC)

    def test_a_library_that_is_loaded_sees_no_names_but_those_of_cpython(self):
        """Otherwise one that needs zlib or libstdc++ would call into the copies inside."""
        for name in PROGRAMS:
            with self.subTest(program=name):
                shown = {line.split()[-1] for line in printed("nm", "-D", "--defined-only", harness.AIRLOCK.parent / name).splitlines()}
                ours = {symbol for symbol in shown if "@GLIBC_" not in symbol}  # those are glibc's own variables
                self.assertEqual({symbol for symbol in ours if not symbol.startswith(("Py", "_Py"))}, set())
                self.assertEqual("Py_IncRef" in ours, name == "airlock-host")

    def test_what_the_loader_has_bound_is_read_only(self):
        for name in PROGRAMS:
            with self.subTest(program=name):
                self.assertRegex(printed("readelf", "-d", harness.AIRLOCK.parent / name), r"BIND_NOW|FLAGS_1.*\bNOW\b")
                self.assertIn("GNU_RELRO", printed("readelf", "-lW", harness.AIRLOCK.parent / name))

    def test_a_host_of_another_build_is_told(self):
        """As if the messages between the two had changed: one digit of what airlock says of itself is another."""
        for name in PROGRAMS:
            shutil.copy2(harness.AIRLOCK.parent / name, self.folder / name)
        ours, theirs = ((self.folder / name).read_bytes() for name in ("airlock", "airlock-host"))
        shared = [one for one in set(re.findall(rb"(?<=\0)[0-9a-f]{16}(?=\0)", ours)) if one in theirs and one != b"0123456789abcdef"]
        self.assertEqual(len(shared), 1, shared)
        other = bytes([shared[0][0] ^ 1]) + shared[0][1:]
        (self.folder / "airlock").write_bytes(ours.replace(shared[0], other))
        self.write("one.py", EXTRACTOR)
        for words in (["check", "one.py"], ["validate", "one.py", "--path", "/a"]):
            done = subprocess.run([self.folder / "airlock", *words], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("airlock-host is of another build than airlock", done.stderr)

    def test_both_copied_elsewhere_judge_and_run(self):
        for name in PROGRAMS:
            shutil.copy2(harness.AIRLOCK.parent / name, self.folder / name)
        self.write("one.py", EXTRACTOR)
        self.write("samples.txt", "a/b.txt\n")
        for words in (["check", "one.py"], ["validate", "one.py", "--samples", "samples.txt"]):
            with self.subTest(command=words[0]):
                done = self.airlock(*words, program=self.folder / "airlock")
                self.assertEqual(done.returncode, 0, done.out + done.err)

    def test_what_needs_no_python_runs_in_a_root_of_glibc_alone(self):
        root = self.folder / "root"
        loaded = [pathlib.Path(word) for word in printed("ldd", harness.AIRLOCK).split() if word.startswith("/")]
        for file in [*loaded, *(harness.AIRLOCK.parent / name for name in PROGRAMS)]:
            place = root / (file.relative_to("/") if file in loaded else file.name)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, place)
        self.write("root/document.json", {"schema_slice": {"files": 3}, "raw_artifacts": [], "confidence": "high", "duration_ms": 1,
                                          "warnings": [], "errors": []})
        self.write("root/paths.txt", "".join(f"/data/CLIENT-{n}/2024/Q{n % 4 + 1}/report.csv\n" for n in range(40)))
        for words in (["--version"], ["admit", "/document.json"], ["infer", "/paths.txt"]):
            with self.subTest(command=words[0]):
                done = subprocess.run(["unshare", "--user", "--map-root-user", f"--root={root}", "/airlock", *words],
                                      env={"HOME": "/"}, capture_output=True, text=True, timeout=self.SECONDS)
                if "unshare failed" in done.stderr:
                    self.skipTest("this host gives no user namespaces")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
