#!/usr/bin/env python3
"""Packages of sessions: imported before the first one (--packages, `packages` in a policy), found in a virtual environment
(--packages-from); and policies that name what is not there, in every command that takes a policy.

    tests/commands/packages_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, serving

VERSION = "3.11"


class Case(serving.Case):
    def make_environment(self, name="venv", version=f"{VERSION}.2", **settings):
        """A virtual environment with one pure package in it, written by hand."""
        settings = {"home": "/usr/bin", "include-system-site-packages": "false", "version": version, **settings}
        root = self.write(f"{name}/pyvenv.cfg", "".join(f"{key} = {value}\n" for key, value in settings.items() if value is not None)).parent
        packages = root / "lib" / f"python{'.'.join(version.split('.')[:2])}" / "site-packages"
        self.write(packages / "tea/__init__.py", "import os\nSTEEP = 3\nloaded_by = os.getpid()\n")
        self.write(packages / "tea/green.py", "def brew(cups):\n    return cups * 2\n")
        self.write(packages / "run_me.pth", f"import os; open({str(self.folder / 'ran')!r}, 'w').close()\n")
        return root

    def session(self, *words, code=0, **options):
        return self.airlock("session", *words, code=code, **options)


class FromAnEnvironment(Case):
    def test_its_packages_are_there(self):
        done = self.session("--packages-from", self.make_environment(), stdin="import tea.green\n[tea.STEEP, tea.green.brew(4)]")
        self.assertEqual((done.out, done.err), ("[3, 8]\n", ""))

    def test_they_can_be_imported_before_the_first_piece(self):
        code = "import sys\n['tea' in sys.modules, 'tea.green' in sys.modules]\n# %%\nimport tea.green, os\n[tea.green.brew(1), tea.loaded_by == os.getpid()]"
        done = self.session("--packages-from", self.make_environment(), "--packages", "tea", stdin=code)
        self.assertEqual(done.out, "[True, False]\n[2, False]\n")

    def test_a_file_behind_their_names_is_a_file(self):
        file = self.write("piece.py", "import sys\n['tea' in sys.modules, 'wave' in sys.modules]\n")
        done = self.session("--packages-from", self.make_environment(), "--packages", "tea", "--packages", "wave", file)
        self.assertEqual(done.out, "[True, True]\n")

    def test_programs_in_pth_files_are_not_run(self):
        self.session("--packages-from", self.make_environment(), "--packages", "tea", stdin="1")
        self.assertFalse((self.folder / "ran").exists())

    def test_it_is_there_to_read_and_nothing_around_it(self):
        root = self.make_environment()
        self.write("secret.txt", "no")
        for code, expected in ((f"open({str(root / 'pyvenv.cfg')!r})", "FileNotFoundError"),
                               (f"open({str(self.folder / 'secret.txt')!r})", "FileNotFoundError"),
                               ("import tea\nopen(tea.__file__, 'w')", "Error"),
                               ("import tea, os\nos.unlink(tea.__file__)", "Error")):
            done = self.session("--packages-from", root, stdin=code, code=1)
            self.assertIn(expected, done.err, code)
        self.assertIn("STEEP", (root / f"lib/python{VERSION}/site-packages/tea/__init__.py").read_text())

    def test_the_hosts_packages_are_hidden_unless_it_shows_them(self):
        code = "import sys\n[one for one in sys.path if one.endswith('dist-packages')] == []"
        self.assertEqual(self.session("--packages-from", self.make_environment("alone"), stdin=code).out, "True\n")
        shows = self.make_environment("shows", **{"include-system-site-packages": "true"})
        order = "import sys\n[one.rsplit('/', 1)[1] for one in sys.path if one.endswith('-packages')][0]"
        self.assertEqual(self.session("--packages-from", shows, stdin=order).out, "'site-packages'\n")
        if os.path.isdir("/usr/lib/python3/dist-packages"):
            self.assertEqual(self.session("--packages-from", shows, stdin=code).out, "False\n")

    def test_a_relative_name_and_a_link(self):
        root = self.make_environment()
        (self.folder / "link").symlink_to(root)
        for name in ("venv", "link", "./link/"):
            self.assertEqual(self.session("--packages-from", name, stdin="import tea\ntea.STEEP", cwd=self.folder).out, "3\n", name)

    def test_one_that_python_made(self):
        root = self.folder / "made"
        if subprocess.run([f"/usr/bin/python{VERSION}", "-m", "venv", "--without-pip", root], capture_output=True).returncode != 0:
            self.skipTest(f"python{VERSION} -m venv is not installed")
        self.assertEqual(self.session("--packages-from", root, stdin="1 + 1").out, "2\n")

    def test_of_another_python(self):
        done = self.session("--packages-from", self.make_environment(version="3.12.1"), stdin="1", code=2)
        self.assertIn("it is for Python 3.12, and airlock-host is Python 3.11 (3.11.", done.err)
        self.assertIn("make one with 'python3.11 -m venv DIR'", done.err)

    def test_what_is_none(self):
        for name, words in (("none", "not a folder"), (".", "no pyvenv.cfg")):
            for command in ("session", "serve --stdio"):
                done = self.airlock(*command.split(), "--packages-from", self.folder / name, stdin="", code=2)
                self.assertIn(words, done.err)
                self.assertIn("python3.11 -m venv", done.err)

    def test_a_policy_without_the_grants(self):
        done = self.session("--packages-from", self.make_environment(), "--policy", "probe", stdin="1", code=2)
        self.assertIn("'probe' does not grant python_folders and shared_libraries", done.err)
        done = self.airlock("serve", "--stdio", "--policies", "extractor", "--packages-from", self.make_environment(), stdin="", code=2)
        self.assertIn("no policy here can hold one", done.err)

    def test_of_a_server(self):
        client = self.serve("--packages-from", self.make_environment(), "--packages", "tea")
        for _ in range(3):
            session = client.open()
            self.assert_fine(client.run("import sys\nhas = 'tea' in sys.modules\nimport tea.green\n[has, tea.green.brew(2)]", session), [True, 4])


class OfAPolicy(Case):
    def policy(self, text, name="mine.toml"):
        return self.write(name, 'extends = "node"\n' + text)

    def test_are_imported_before_any_cell_is_made(self):
        policy = self.policy('packages = ["wave", "xml.dom.minidom"]\n')
        code = "import sys\n[one in sys.modules for one in ('wave', 'xml.dom.minidom', 'chunk2')]"
        self.assertEqual(self.session("--policy", policy, stdin=code).out, "[True, True, False]\n")

    def test_are_added_to_those_of_the_flag(self):
        policy = self.policy('packages = ["wave"]\n')
        done = self.session("--policy", policy, "--packages", "tea,wave", "--packages-from", self.make_environment(), stdin="import sys\n['wave' in sys.modules, 'tea' in sys.modules]")
        self.assertEqual(done.out, "[True, True]\n")

    def test_are_there_in_validate(self):
        policy = self.policy('packages = ["wave"]\n')
        file = self.write("e.py", "import sys\n\n\ndef extract(path: str) -> dict:\n    return {'warm': 'wave' in sys.modules}\n")
        report = self.json("validate", file, "--policy", policy, "--path", "/a")
        self.assertEqual(report["test_results"]["results"][0]["result"], {"warm": True})

    def test_of_a_server(self):
        client = self.serve("--policies", self.policy('packages = ["wave"]\n'))
        session = client.open(policy="mine")
        self.assert_fine(client.run("import sys\n'wave' in sys.modules", session), True)

    def test_are_shown(self):
        policy = self.policy('packages = ["wave"]\n')
        self.assertIn("Packages imported (1)\n  Once, before any cell is made\n  wave\n", self.airlock("policy", "show", policy).out)
        self.assertEqual(self.json("policy", "show", policy)["preloaded"], ["wave"])
        self.assertEqual(self.json("policy", "show", "node")["preloaded"], [])


class Mistakes(Case):
    """A policy that names what is not there is exit 2 with its reason, whatever the command."""

    EXTRACTOR = "def extract(path: str) -> dict:\n    return {'n': len(path)}\n"

    def assert_everywhere(self, policy, *words):
        file = self.write("e.py", self.EXTRACTOR)
        commands = [["check", "--policy", policy, file], ["validate", file, "--policy", policy, "--path", "/a"],
                    ["extract", file, "--policy", policy, "-"], ["policy", "show", policy], ["policy", "show", policy, "--format", "json"],
                    ["wizard", "--batch", "--samples", self.write("paths.txt", "/a\n"), "--policy", policy],
                    ["drafts", "add", file, "--samples", self.folder / "paths.txt", "--name", "x", "--policy", policy],
                    ["serve", "--stdio", "--policies", f"node,{policy}"]]
        if "extends = \"node\"" in policy.read_text():
            commands.append(["session", "--policy", policy])
        for command in commands:
            done = self.airlock(*command, stdin="/a\n", code=2)
            self.assertEqual(done.out if command[0] != "serve" else "", "", command)
            for word in words:
                self.assertIn(word, done.err, command)

    def test_a_misspelt_module(self):
        policy = self.write("p.toml", 'extends = "extractor"\n\n[modules.daetime]\nwhy = "x"\nattributes = ["*"]\n')
        self.assert_everywhere(policy, "p.toml:3:10: there is no module 'daetime' in Python 3.11", "did you mean 'datetime'?")

    def test_a_misspelt_attribute(self):
        policy = self.write("p.toml", 'extends = "extractor"\n\n[modules.csv]\nwhy = "x"\nattributes = ["raeder"]\n')
        self.assert_everywhere(policy, "p.toml:5:15: the module csv has no 'raeder'; did you mean 'reader'?")

    def test_a_package_that_is_not_there(self):
        policy = self.write("p.toml", 'extends = "node"\npackages = ["nunpy_not_there"]\n')
        self.assert_everywhere(policy, "cannot import the package nunpy_not_there", "No module named 'nunpy_not_there'")

    def test_a_module_that_cannot_be_loaded_here(self):
        """encodings.mbcs is of other systems: it stands in the library, and never loads."""
        policy = self.write("p.toml", 'extends = "extractor"\n\n[modules."encodings.mbcs"]\nwhy = "x"\nattributes = ["*"]\n')
        self.assert_everywhere(policy, "encodings.mbcs", "cannot be loaded here")

    def test_a_package_of_the_flag(self):
        for command in (["session"], ["serve", "--stdio"]):
            done = self.airlock(*command, "--packages", "nunpy_not_there", stdin="", code=2)
            self.assertIn("cannot import the package nunpy_not_there: ", done.err)

    def test_the_nearest_of_what_is_installed_is_named(self):
        root = self.make_environment()
        done = self.session("--packages-from", root, "--packages", "taea", stdin="1", code=2)
        self.assertIn("cannot import the package taea: No module named 'taea'; did you mean 'tea'?", done.err)
        done = self.session("--packages-from", root, "--packages", "tea.grean", stdin="1", code=2)
        self.assertIn("No module named 'tea.grean'\n", done.err)

    def test_a_package_that_leaves_a_thread(self):
        root = self.make_environment()
        self.write(root / f"lib/python{VERSION}/site-packages/busy.py", "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n")
        done = self.session("--packages-from", root, "--packages", "busy", stdin="1", code=2)
        self.assertIn("cannot import the package busy: it has started a thread", done.err)

    def test_a_package_that_ends_the_process(self):
        root = self.make_environment()
        self.write(root / f"lib/python{VERSION}/site-packages/leaves.py", "import os\nos._exit(0)\n")
        done = self.session("--packages-from", root, "--packages", "leaves", stdin="1", code=2)
        self.assertIn("importing leaves ended the process", done.err)

    def test_an_exception_has_its_name(self):
        root = self.make_environment()
        self.write(root / f"lib/python{VERSION}/site-packages/boom.py", "raise KeyError('tea')\n")
        done = self.session("--packages-from", root, "--packages", "boom", stdin="1", code=2)
        self.assertIn("cannot import the package boom: KeyError: 'tea'", done.err)

    @harness.needs_files
    def test_what_a_package_writes_and_sees_while_it_is_imported(self):
        """A folder in memory that is gone afterwards; and what keeps it from starting threads."""
        root = self.make_environment()
        self.write(root / f"lib/python{VERSION}/site-packages/writer.py",
                   "import os, pathlib, tempfile\nTHREADS = os.environ['NUMEXPR_NUM_THREADS']\nPLACE = tempfile.mkdtemp()\n"
                   "HOME = pathlib.Path.home()\n(HOME / 'seen.txt').write_text('x')\n")
        code = "import os, tempfile, writer\nprint(writer.THREADS, os.path.exists(writer.PLACE), writer.HOME, dict(os.environ))\nprint(tempfile.NamedTemporaryFile().name[:5])"
        done = self.session("--packages-from", root, "--packages", "writer", self.write("one.py", code), code=0)
        self.assertRegex(done.out, r"^1 False /\S+ \{\}\n/out/\n")
        self.assertFalse((pathlib.Path(done.out.split()[2]) / "seen.txt").exists())


class WithNumpy(Case):
    def setUp(self):
        super().setUp()
        if not os.path.isdir("/usr/lib/python3/dist-packages/numpy"):
            self.skipTest("numpy is not installed")

    def test_an_environment_that_shows_the_hosts_numpy(self):
        root = self.make_environment(**{"include-system-site-packages": "true"})
        done = self.session("--packages-from", root, "--packages", "tea,numpy", "--timeout", "60", stdin="import numpy, tea\nint(numpy.arange(tea.STEEP + 1).sum())")
        self.assertEqual(done.out, "6\n")

    def test_each_session_draws_its_own_numbers(self):
        client = self.serve("--packages", "numpy")
        drawn = [client.run("import numpy\nint(numpy.random.randint(1 << 62))", client.open())["value"] for _ in range(4)]
        self.assertEqual(len(set(drawn)), 4, drawn)

    def test_an_environment_that_hides_it(self):
        done = self.session("--packages-from", self.make_environment(), "--packages", "numpy", stdin="1", code=2)
        self.assertIn("No module named 'numpy'", done.err)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
