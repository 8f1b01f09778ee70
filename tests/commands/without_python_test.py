#!/usr/bin/env python3
"""Airlock on a host that has no Python: its folders are covered by empty ones, in a mount namespace of the test. What airlock-host carries
is enough; what it does not carry says so. Needs python3 for the test itself, and a built airlock.

    tests/commands/without_python_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness

# The folders of every Python of the system, and its programs.
COVER = ('for folder in /usr/lib/python3* /usr/local/lib/python3*; do [ ! -d "$folder" ] || mount -t tmpfs -o size=4k none "$folder" || exit 125; done; '
         'for program in /usr/bin/python3*; do [ ! -f "$program" ] || mount --bind /dev/null "$program" || exit 125; done; exec "$@"')
WITHOUT = ("unshare", "-m", "sh", "-c", COVER, "sh")
# Every module of the library by its name, but those that are tests, of other systems, or do something when they are imported.
WHOLE = """
import importlib, sys
broken = {}
for name in sorted(sys.stdlib_module_names - {'antigravity', 'this', 'idlelib', 'test'}):
    try:
        importlib.import_module(name)
    except ImportError as error:
        broken[name] = str(error)
result: dict = broken
"""
# What these need is not part of airlock-host.
NOT_CARRIED = """_bz2 _crypt _ctypes _curses _curses_panel _dbm _hashlib _lzma _sqlite3 _ssl _tkinter _uuid bz2 crypt ctypes curses distutils ensurepip
    lib2to3 lzma nis ossaudiodev pydoc_data readline sqlite3 ssl tkinter turtle turtledemo venv _gdbm _bootsubprocess _aix_support _osx_support nturl2path
    _msi _overlapped _scproxy _winapi msilib msvcrt nt winreg winsound _xxsubinterpreters""".split()


class WithoutPython(harness.Case):
    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)
        self.environment["PATH"] += ":/usr/sbin:/sbin"
        if harness.finish(harness.start("-c", "exit 0", program="sh", before=WITHOUT, env=self.environment)).returncode != 0:
            self.skipTest("this user cannot mount anything here")

    def without(self, *words):
        return harness.airlock(*words, before=WITHOUT, cwd=self.folder, env=self.environment)

    def result_of(self, code, **more):
        node = self.write("node.json", {"type": "code", "params": {"code": code}, **more})
        done = self.without("run", node, "--format", "json")
        self.assertEqual(done.returncode, 0, (done.out, done.err))
        return json.loads(done.out)["shared"]["result"]

    def test_there_is_no_python_there(self):
        done = harness.finish(harness.start("-c", "ls /usr/lib/python3*/os.py || test -s /usr/bin/python3.11", program="sh", before=WITHOUT,
                                            env=self.environment))
        self.assertNotEqual(done.returncode, 0, done.out)

    def test_an_extractor_passes_with_every_module_that_it_may_use(self):
        extractor = self.write("all.py", "import re\nimport json\nimport hashlib\nimport datetime\nfrom pathlib import PurePosixPath\n\n\n"
                               "def extract(path: str) -> dict:\n    when = datetime.datetime.strptime(re.search(r'\\d{4}-\\d\\d', path)[0], '%Y-%m')\n"
                               "    return {'name': PurePosixPath(path).name, 'year': when.year, 'sha': hashlib.sha256(path.encode()).hexdigest()[:4],\n"
                               "            'part': str(PurePosixPath(path).parent), 'list': json.loads('[1, 2]'), 'text': b'\\x82\\xa0'.decode('shift_jis')}\n")
        words = ("validate", extractor, "--path", "/a/2024-03/b.csv", "--format", "json")
        done, here = self.without(*words), harness.airlock(*words, cwd=self.folder, env=self.environment)
        self.assertEqual(done.returncode, 0, (done.out, done.err))
        self.assertEqual([one["result"] for one in json.loads(done.out)["test_results"]["results"]],
                         [one["result"] for one in json.loads(here.out)["test_results"]["results"]])

    def test_a_node_behind_the_walls_works(self):
        self.assertEqual(self.result_of(
            "import asyncio, json, decimal, dataclasses, logging\n"
            "result: list = [json.loads('[1]'), str(decimal.Decimal('0.5')), json.__file__]\n", sandbox=True), [[1], "0.5", "/usr/lib/python3.11/json/__init__.py"])

    def test_a_trusted_node_works(self):
        self.assertEqual(self.result_of("import json, logging, decimal, email.message\nresult: str = json.dumps(str(decimal.Decimal('0.5')))\n"), '"0.5"')

    def test_all_of_the_library_is_there_but_for_what_is_named(self):
        for sandbox in (True, False):
            with self.subTest(sandbox=sandbox):
                self.assertEqual(sorted(set(self.result_of(WHOLE, sandbox=sandbox)) - set(NOT_CARRIED)), [])

    def test_what_is_not_carried_says_so(self):
        for sandbox in (True, False):
            with self.subTest(sandbox=sandbox):
                said = self.result_of("try:\n    import sqlite3\n    said = ''\nexcept ImportError as error:\n    said = f'{type(error).__name__}: {error}'\n"
                                      "result: str = said\n", sandbox=sandbox)
                self.assertEqual(said, "ModuleNotFoundError: No module named '_sqlite3': airlock-host does not carry it, because it needs libsqlite3.so.0; "
                                       "it is there where Python 3.11 is installed, in /usr/lib/python3.11/lib-dynload")


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
