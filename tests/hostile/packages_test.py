#!/usr/bin/env python3
"""Real libraries behind the walls, in hostile hands: every attack again in a cell whose zygote has imported numpy and pandas, what these packages
themselves can be asked to do, and whether one session leaves anything to the next. What is not installed here is not tested, and says so.

    tests/hostile/packages_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from commands.libraries_test import needs
from hostile.session_walls_test import breach_of
from hostile.threads_test import HEAD, bodies, breach_in
from support import harness, serving

AIRLOCK = harness.AIRLOCK
SHOWN = ("/usr/lib/x86_64-linux-gnu", "/usr/share/zoneinfo", "/usr/share/fonts", "/usr/share/matplotlib", "/etc/alternatives", "/usr/lib/python3.11", "/usr/lib/python3/dist-packages")

# Bodies of attack(); each answers with something true when it got through. OUTSIDE is a folder of the host that all users can write to, SECRET a file in it.
NUMPY = {
    "fromfile": "return np.fromfile('SECRET', dtype=np.uint8).tobytes()",
    "fromfile of accounts": "return np.fromfile('/etc/passwd', dtype=np.uint8).tobytes()",
    "memmap to read": "return bytes(np.memmap('SECRET', dtype=np.uint8, mode='r'))",
    "memmap to write": "return np.memmap('OUTSIDE/new', dtype=np.uint8, mode='w+', shape=10)",
    "memmap of a library": "return np.memmap(np.__file__, dtype=np.uint8, mode='r+')",
    "shared memory through /out": "return np.memmap('/out/m', dtype=np.uint8, mode='w+', shape=4096)",
    "tofile": "np.zeros(4).tofile('OUTSIDE/new')\nreturn True",
    "tofile over a library": "np.zeros(4).tofile(np.__file__)\nreturn True",
    "save": "np.save('OUTSIDE/new', np.zeros(4))\nreturn True",
    "savez beside the packages": "np.savez('/usr/lib/python3/dist-packages/new', a=np.zeros(4))\nreturn True",
    "loadtxt": "return np.loadtxt('SECRET', dtype=str)",
    "genfromtxt": "return np.genfromtxt('SECRET', dtype=str)",
    "a data source": "return np.DataSource('/out').open('http://127.0.0.1:1/x')",
    "a data source of a file": "return np.DataSource('/out').open('file://SECRET').read()",
    "a pickle that runs a program": ("class P:\n    def __reduce__(self): return (os.system, ('echo x > OUTSIDE/new',))\na = np.empty(1, dtype=object)\na[0] = P()\nnp.save('/out/p.npy', a, allow_pickle=True)\n"
                                     "return np.load('/out/p.npy', allow_pickle=True)[0] == 0"),
    "a library of its own": "import shutil\nshutil.copyfile(np.core._multiarray_umath.__file__, '/out/own.so')\nreturn np.ctypeslib.load_library('own.so', '/out')",
    "its own libraries as a way to libc": "lib = np.ctypeslib.load_library(os.path.basename(np.core._multiarray_umath.__file__), os.path.dirname(np.core.__file__))\nreturn lib.fork() >= 0",
    "an array to write and run": "return libc.mprotect(ctypes.c_void_p(np.zeros(8192, dtype=np.uint8).ctypes.data & ~4095), 4096, 7) == 0",
    "code in an array": ("page = np.frombuffer(b'\\xb8\\x01\\0\\0\\0\\xc3'.ljust(8192, b'\\x90'), dtype=np.uint8).copy()\nat = page.ctypes.data + 4095 & ~4095\n"
                         "return libc.mprotect(ctypes.c_void_p(at), 4096, 5) == 0"),
    "a compiler": "import numpy.f2py\nreturn numpy.f2py.compile('end') == 0",
}
PANDAS = {
    "read_csv": "return pd.read_csv('SECRET').to_string()",
    "read_csv of accounts": "return pd.read_csv('/etc/passwd', sep=':', header=None).to_string()",
    "read_csv of a URL": "return pd.read_csv('http://127.0.0.1:1/x.csv')",
    "read_csv of a file's URL": "return pd.read_csv('file://SECRET').to_string()",
    "read_fwf": "return pd.read_fwf('SECRET').to_string()",
    "read_json": "return pd.read_json('SECRET')",
    "to_pickle": "pd.DataFrame({'a': [1]}).to_pickle('OUTSIDE/new')\nreturn True",
    "to_csv": "pd.DataFrame({'a': [1]}).to_csv('OUTSIDE/new')\nreturn True",
    "to_csv climbing out": "pd.DataFrame({'a': [1]}).to_csv('/out/../OUTSIDE/new')\nreturn True",
    "a pickle that forks": ("class P:\n    def __reduce__(self): return (os.fork, ())\nimport pickle\nopen('/out/p', 'wb').write(pickle.dumps(P()))\nreturn pd.read_pickle('/out/p') >= 0"),
    "read_sql": "import sqlite3\nreturn pd.read_sql('select 1', sqlite3.connect('OUTSIDE/new'))",
    "a database that attaches": "import sqlite3\nsqlite3.connect(':memory:').execute(\"attach 'OUTSIDE/new' as x\").execute('create table x.t (a)')\nreturn True",
    "a database that writes a file": "import sqlite3\nsqlite3.connect(':memory:').execute(\"vacuum into 'OUTSIDE/new'\")\nreturn True",
    "an extension of a database": ("import shutil, sqlite3\nshutil.copyfile(np.core._multiarray_umath.__file__, '/out/own.so')\nbase = sqlite3.connect(':memory:')\nbase.enable_load_extension(True)\n"
                                   "base.load_extension('/out/own.so')\nreturn True"),
    "the clipboard": "return pd.read_clipboard()",
    "eval": "return pd.eval('__import__(\"os\").fork()') >= 0",
    "query": "return pd.DataFrame({'a': [1]}).query('@os.system(\"true\") == 0') is not None",
}
MATPLOTLIB = {
    "savefig": "plt.figure().savefig('OUTSIDE/new.png')\nreturn True",
    "savefig beside its fonts": "plt.figure().savefig('/usr/share/matplotlib/new.png')\nreturn True",
    "imread": "return plt.imread('SECRET')",
    "a style": "plt.style.use('SECRET')\nreturn True",
    "TeX": "plt.rcParams['text.usetex'] = True\nplt.title('$x$')\nplt.savefig('/out/x.png')\nreturn True",
    "a film": "from matplotlib import animation\nanimation.FuncAnimation(plt.figure(), lambda i: [], frames=2).save('/out/x.mp4', writer='ffmpeg')\nreturn os.path.exists('/out/x.mp4')",
    "a font": "import matplotlib.font_manager as fonts\nreturn fonts.get_font('SECRET')",
}
HEADS = {"numpy": "import os, ctypes\nimport numpy as np\n", "pandas": "import os\nimport numpy as np, pandas as pd\n", "matplotlib": "import os\nimport matplotlib\nmatplotlib.use('Agg')\nimport matplotlib.pyplot as plt\n"}


class Case(serving.Case):
    PACKAGES = "numpy,pandas"

    def setUp(self):
        super().setUp()
        self.folder.chmod(0o777)
        self.outside = self.folder / "outside"
        self.outside.mkdir()
        self.outside.chmod(0o777)
        self.secret = self.write("outside/secret.txt", "the secret of the host\n")
        self.client = self.serve("--packages", self.PACKAGES)

    def open(self, **members):
        return self.client.open(**{"timeout": 20, "deadline": 60, "memory_mb": 600, **members})

    def run_piece(self, code, session=None):
        return self.client.run(code, session or self.open())

    def assert_untouched(self):
        self.assertEqual([one.name for one in self.outside.iterdir()], ["secret.txt"])

    def try_all(self, attacks, head, setting="in a second thread, others alive"):
        tried, breaches = 0, []
        for name, body in attacks.items():
            body = body.replace("OUTSIDE", str(self.outside)).replace("SECRET", str(self.secret))
            attack = head + "def attack():\n" + "".join(f"    {line}\n" for line in body.split("\n"))
            why = breach_in(self.client, setting, attack, memory_mb=600, timeout=20)
            tried += 1
            if why or [one.name for one in self.outside.iterdir()] != ["secret.txt"]:
                breaches.append((name, why))
        print(f"\n{tried} attacks {setting}, with {self.PACKAGES} warm: {len(breaches)} breaches")
        self.assertEqual(breaches, [])


@needs("numpy", "pandas")
class Warm(Case):
    def test_every_attack_on_nodes_again(self):
        canary = self.outside / "canary"
        for setting in ("in a second thread, others alive", "in all threads at once"):
            breaches = [(name, why) for name, attack in bodies(canary) if (why := breach_in(self.client, setting, attack, before="import numpy as np, pandas as pd\n", memory_mb=600)) or canary.exists()]
            print(f"\n{len(list(bodies(canary)))} attacks {setting}, with {self.PACKAGES} warm: {len(breaches)} breaches")
            self.assertEqual(breaches, [])

    def test_what_numpy_can_be_asked_for(self):
        self.try_all(NUMPY, HEADS["numpy"])

    def test_what_pandas_can_be_asked_for(self):
        self.try_all(PANDAS, HEADS["pandas"])

    def test_every_program_that_the_scan_refuses_in_a_thread(self):
        text = (harness.ROOT / "tests/scan/corpus/attacks.txt").read_text(encoding="utf-8")
        tried, breaches = 0, []
        for part in text.split("#==== ")[1::4]:
            name, _, program = part.partition("\n")
            tried += 1
            in_thread = ("import threading, numpy\ndef extract_later(path, of=globals()):\n    got = []\n    thread = threading.Thread(target=lambda: got.append(of['given'](path)))\n    thread.start()\n    thread.join()\n"
                         "    return got[0] if got else None\ngiven, extract = extract, extract_later\n")
            why = breach_of(self.client, program + "\n" + in_thread)
            if why and not why.startswith("it says so"):
                breaches.append((name, why))
        print(f"\n{tried} refused programs in threads, with {self.PACKAGES} warm: {len(breaches)} breaches")
        self.assertEqual(breaches, [])


@needs("numpy", "pandas", "matplotlib")
class Drawing(Case):
    PACKAGES = "numpy,pandas,matplotlib"

    def test_what_matplotlib_can_be_asked_for(self):
        self.try_all(MATPLOTLIB, HEADS["matplotlib"])


class Shown(serving.Case):
    """The folders of the host that `node` shows: to read, and as they are."""

    def setUp(self):
        super().setUp()
        self.client = self.serve()

    def run_piece(self, code):
        return self.client.run(code, self.client.open(timeout=20))

    @harness.needs_files
    def test_none_can_be_written(self):
        code = HEAD + f"places = [one for one in {SHOWN!r} if os.path.isdir(one)]\n" + (
            "through = []\ndef tried(name, act):\n    try:\n        act()\n        through.append(name)\n    except OSError: pass\n"
            "def attack():\n    for place in places:\n        old = os.path.join(place, sorted(os.listdir(place))[0])\n"
            "        for name, act in {'new': lambda: open(place + '/new', 'w'), 'append': lambda: open(old, 'ab'), 'unlink': lambda: os.unlink(old), 'rename': lambda: os.rename(old, place + '/x'),\n"
            "                          'into out': lambda: os.rename(old, '/out/x'), 'replace': lambda: os.replace('/out/y', old), 'mkdir': lambda: os.mkdir(place + '/d'), 'rmdir': lambda: os.rmdir(place),\n"
            "                          'link': lambda: os.link(old, place + '/l'), 'link out': lambda: os.link(old, '/out/l'), 'symlink': lambda: os.symlink('/', place + '/s'), 'fifo': lambda: os.mkfifo(place + '/f'),\n"
            "                          'chmod': lambda: os.chmod(place, 0o777), 'utime': lambda: os.utime(place), 'truncate': lambda: os.truncate(old, 0), 'chown': lambda: os.chown(place, 0, 0),\n"
            "                          'xattr': lambda: os.setxattr(place, 'user.x', b'y'), 'nameless': lambda: os.open(place, os.O_TMPFILE | os.O_WRONLY)}.items():\n            tried((place, name), act)\n"
            "open('/out/y', 'w').close()\nbegin(1)[0].join()\n[len(places) > 3, found, through]")
        got = self.run_piece(code)
        self.assert_fine(got, [True, [False], []])

    def test_links_lead_nowhere_else(self):
        """/etc/alternatives is full of links to programs and manuals, which are not here."""
        code = ("import os\nfound = []\nfor folder, _, names in os.walk('/etc/alternatives'):\n    for name in names:\n        try:\n            with open(os.path.join(folder, name), 'rb'): found.append(os.path.realpath(os.path.join(folder, name)))\n"
                "        except OSError: pass\n[one for one in found if not one.startswith(('/etc/alternatives/', '/usr/lib/', '/usr/share/fonts', '/usr/share/zoneinfo', '/usr/share/matplotlib'))]")
        self.assert_fine(self.run_piece(code), [])
        code = ("import os\nthrough = []\nfor way in ('/etc/alternatives/../passwd', '/etc/alternatives/../../etc/shadow', '/usr/lib/x86_64-linux-gnu/../../bin/sh', '/usr/share/zoneinfo/../../../root', '/proc/self/root/etc/passwd',\n"
                "            '/proc/self/cwd', '/dev/fd/0', '/out/../etc/passwd', '/out/../../proc/1/root', '/usr/share/zoneinfo/localtime/../../../../etc/hostname', '/etc/localtime', '/etc/ld.so.cache', '//etc/passwd'):\n"
                "    if os.path.lexists(way): through.append(way)\nthrough")
        self.assert_fine(self.run_piece(code), [])

    @harness.needs_files
    def test_only_libraries_become_code(self):
        """Nothing that was written or given, and no time zone or font."""
        given = self.write("given.bin", b"\xb8\x2a\0\0\0\xc3".ljust(4096, b"\0"))
        code = HEAD + ("open('/out/x', 'wb').write(open('/data/given.bin', 'rb').read())\nnames = ['/out/x', '/data/given.bin']\n"
                       "for folder in ('/usr/share/zoneinfo', '/usr/share/fonts', '/usr/share/matplotlib'):\n    names += [os.path.join(at, files[0]) for at, _, files in os.walk(folder) if files][:1]\nthrough = []\n"
                       "for name in names:\n    for how in (4, 5, 6, 7):\n        for flags in (1, 2):\n            file = os.open(name, os.O_RDONLY)\n            if libc.mmap(None, 4096, how, flags, file, 0) != FAILED: through.append((name, how, flags))\n"
                       "            os.close(file)\nthrough")
        session = self.client.open(timeout=20, files={"given.bin": str(given)})
        self.assert_fine(self.client.run(code, session), [])

    @harness.needs_files
    def test_what_a_file_in_out_can_be(self):
        code = HEAD + ("made = []\nfor name, act in {'link': lambda: os.symlink('/etc/passwd', '/out/l'), 'hard link': lambda: os.link(os.__file__, '/out/h'), 'fifo': lambda: os.mkfifo('/out/f'),\n"
                       "                  'socket': lambda: __import__('socket').socket(1).bind('/out/s'), 'device': lambda: os.mknod('/out/d', 0o60666, 0x801), 'program': lambda: os.execv('/out/p', ['p'])}.items():\n"
                       "    open('/out/p', 'w').write('#!/bin/sh\\n')\n    os.chmod('/out/p', 0o7777)\n    try:\n        act()\n        made.append(name)\n    except OSError: pass\n"
                       "[made, os.stat('/out/p').st_mode & 0o111 != 0]")
        got = self.run_piece(code)
        self.assert_fine(got)
        self.assertEqual((got["value"][0], sorted(got["artifacts"])), ([], ["p"]))


@needs("numpy", "pandas")
class Leaks(Case):
    """One zygote serves all sessions."""

    def test_no_two_sessions_draw_the_same_numbers(self):
        code = ("import os, random, secrets, ssl, tempfile, uuid\nimport numpy as np\n"
                "[random.random(), secrets.token_hex(8), str(uuid.uuid4()), str(uuid.uuid1()), ssl.RAND_bytes(8).hex(), next(tempfile._get_candidate_names()), os.urandom(8).hex(), float(np.random.rand()),\n"
                " float(np.random.default_rng().random()), float(np.random.RandomState().rand()), float(np.random.Generator(np.random.MT19937()).random()), int(np.random.randint(2 ** 62))]")
        rows = [self.run_piece(code)["value"] for _ in range(5)]
        for column in zip(*rows):
            self.assertEqual(len(set(column)), 5, column)

    @harness.needs_files
    def test_what_one_session_changes_no_other_sees(self):
        """Names, objects in place, and memory under the interpreter's feet."""
        change = ("import builtins, ctypes, os, sys\nimport numpy as np, pandas as pd\nfor one in (np, np.core, pd.DataFrame, builtins, sys, pd): one.evil = 'the word of the first'\n"
                  "np.set_printoptions(precision=1)\npd.set_option('display.max_rows', 1)\nos.environ['EVIL'] = 'the word of the first'\nos.umask(0)\nos.chdir('/out')\nopen('/out/evil', 'w').write('x')\n"
                  "sys.modules['json'] = None\nfor name in list(vars(np.linalg)):\n    if name[0] != '_': setattr(np.linalg, name, None)\n"
                  "text = np.version.version\nctypes.memset(id(text) + sys.getsizeof(text) - len(text) - 1, ord('9'), len(text))\nnp.version.version")
        first = self.open()
        got = self.run_piece(change, first)
        self.assertRegex(got["value"], r"^9+$")
        look = ("import builtins, json, os, sys\nimport numpy as np, pandas as pd\n[[hasattr(one, 'evil') for one in (np, np.core, pd.DataFrame, builtins, sys, pd)], np.get_printoptions()['precision'], pd.get_option('display.max_rows'),\n"
                " dict(os.environ).get('EVIL'), os.umask(0o22), os.getcwd(), os.listdir('/out'), np.linalg.det is None, set(np.version.version) == {'9'}]")
        # One that was made before, and one that is made now; the change stands all the while.
        for session in (self.open(), self.open(memory_mb=601)):
            got = self.run_piece(look, session)
            self.assert_fine(got)
            self.assertEqual(got["value"][0], [False] * 6)
            self.assertEqual(got["value"][1:4], [8, 60, None])
            self.assertNotEqual(got["value"][4], 0)
            self.assertEqual(got["value"][6:], [[], False, False])
        self.assertNotIn("the word of the first", json.dumps(got))

    def test_nothing_of_the_server_is_in_memory(self):
        """A zygote holds no secret: neither what others sent, nor the server's variables and words."""
        self.environment["A_VARIABLE"] = "a marker of the server"
        client = self.serve("--packages", self.PACKAGES)
        other = client.open(memory_mb=600)
        self.assert_fine(client.run("kept = 'a marker ' + 'of another session'\nlen(kept)", other, inputs={"given": "a marker of another session"}), 27)
        code = HEAD + ("libc.sbrk.restype = ctypes.c_void_p\ndef is_readable(page):\n    ctypes.set_errno(0)\n    libc.access(ctypes.c_void_p(page), 0)\n    return ctypes.get_errno() != errno.EFAULT\n"
                       "def memory(start, end):\n    for page in range(start & ~4095, end, 4096):\n        if is_readable(page): yield ctypes.string_at(page, 4096)\n"
                       "end = libc.sbrk(0)\nstart = end & ~4095\nwhile is_readable(start - 4096): start -= 4096\nhere = libc.mmap(None, 4096, 3, 0x22, -1, 0)\n"
                       "mine = ctypes.create_string_buffer(b'a marker of ' + b'this one')\ndef ends(page):\n    at = page.find(b'a marker of ')\n    while at >= 0:\n        yield page[at + 12:at + 27]\n        at = page.find(b'a marker of ', at + 1)\n"
                       "ranges = [(start, end), (here - (1 << 25), here + (1 << 25))]\nseen = {word.decode() for one in ranges for page in memory(*one) for found in ends(page) for word in (b'the server', b'another session', b'this one') if found.startswith(word)}\n"
                       "[end - start > 10 ** 6, sorted(seen)]")
        # Neither its text nor its objects have a marker of the others whole, or it would find its own.
        got = client.run(code, client.open(timeout=30, memory_mb=600))
        self.assert_fine(got, [True, ["this one"]])


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
