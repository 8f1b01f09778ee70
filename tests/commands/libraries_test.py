#!/usr/bin/env python3
"""Real libraries behind the walls: each of these packages is imported in a cell and does its ordinary work there. What is not installed here is
not tested, and says so.

    tests/commands/libraries_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import base64
import importlib.util
import json
import pathlib
import struct
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, serving


def needs(*packages):
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    return unittest.skipIf(missing, f"{', '.join(missing)} is not installed")


class Libraries(serving.Case):
    def setUp(self):
        super().setUp()
        self.client = self.serve()
        self.session = self.client.open(timeout=60, deadline=120, memory_mb=1000)

    def run_piece(self, code, **members):
        result = self.client.run(code, self.session, **members)
        self.assertIsNone(result["error"], result)
        return result

    def assert_clean(self, result):
        """Nothing was asked for that had to be denied."""
        self.assertEqual(result["denials"], [], result)

    @needs("numpy")
    def test_a_linear_regression_with_numpy(self):
        got = self.run_piece("import numpy as np\nx = np.arange(50.0)\ny = 3 * x + 2\nslope, offset = np.linalg.lstsq(np.vstack([x, np.ones(50)]).T, y, rcond=None)[0]\n"
                             "[round(float(slope), 6), round(float(offset), 6), float(np.fft.fft(x)[0].real)]")
        self.assertEqual(got["value"], [3.0, 2.0, 1225.0])
        self.assert_clean(got)

    @needs("numpy")
    def test_an_array_is_shown(self):
        got = self.run_piece("import numpy as np\nnp.eye(2)")
        self.assertIsNone(got["value"])
        self.assertIn("[1., 0.]", got["shown"])

    @needs("pandas")
    def test_a_group_by_and_time_zones_with_pandas(self):
        got = self.run_piece("import pandas as pd\nframe = pd.DataFrame({'who': ['a', 'b', 'a'], 'n': [1, 2, 3]})\nsums = frame.groupby('who')['n'].sum().to_dict()\n"
                             "at = pd.Timestamp('2024-07-01 12:00', tz='Europe/Berlin').tz_convert('America/New_York')\n[sums, at.isoformat()]")
        self.assertEqual(got["value"], [{"a": 4, "b": 2}, "2024-07-01T06:00:00-04:00"])
        self.assert_clean(got)

    @needs("pandas")
    @harness.needs_files
    def test_a_csv_out_of_data(self):
        path = self.write("orders.csv", "tea,price\ngreen,3\nblack,4\n")
        session = self.client.open(timeout=60, memory_mb=1000, files={"orders.csv": str(path)})
        result = self.client.run("import pandas as pd\nframe = pd.read_csv('/data/orders.csv')\nframe.to_csv('/out/copy.csv', index=False)\nint(frame['price'].sum())", session)
        self.assert_fine(result, 7)
        self.assertEqual(base64.b64decode(result["artifacts"]["copy.csv"]), path.read_bytes())

    @needs("scipy")
    def test_scipy(self):
        got = self.run_piece("from scipy import optimize, stats\n[round(float(optimize.brentq(lambda x: x * x - 2, 0, 2)), 6), round(float(stats.norm.cdf(0)), 6)]")
        self.assertEqual(got["value"], [1.414214, 0.5])

    @needs("matplotlib")
    @harness.needs_files
    def test_a_plot_into_out(self):
        got = self.run_piece("import matplotlib\nmatplotlib.use('Agg')\nimport matplotlib.pyplot as plt\nfigure, axes = plt.subplots(figsize=(3, 2))\n"
                             "axes.plot([1, 2, 3], [2, 4, 8])\naxes.set_title('Tea')\nfigure.savefig('/out/plot.png')")
        data = base64.b64decode(got["artifacts"]["plot.png"])
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", data[16:24]), (300, 200))
        self.assertEqual(sorted(got["artifacts"]), ["plot.png"])

    @needs("PIL")
    @harness.needs_files
    def test_a_picture(self):
        got = self.run_piece("from PIL import Image, ImageDraw\nimage = Image.new('RGB', (20, 10), 'white')\nImageDraw.Draw(image).line((0, 0, 19, 9), fill='black')\n"
                             "image.save('/out/line.png')\nImage.open('/out/line.png').size")
        self.assertEqual(got["value"], [20, 10])

    @needs("sklearn")
    def test_a_regression_with_sklearn(self):
        got = self.run_piece("from sklearn.linear_model import LinearRegression\nmodel = LinearRegression().fit([[0], [1], [2]], [1, 3, 5])\n"
                             "[round(float(model.coef_[0]), 6), round(float(model.intercept_), 6)]")
        self.assertEqual(got["value"], [2.0, 1.0])

    @needs("lxml")
    def test_an_xml_document(self):
        got = self.run_piece("from lxml import etree\nroot = etree.fromstring('<a><b n=\"1\"/><b n=\"2\"/></a>')\n[one.get('n') for one in root.findall('b')]")
        self.assertEqual(got["value"], ["1", "2"])
        self.assert_clean(got)

    @needs("yaml")
    def test_yaml(self):
        self.assertEqual(self.run_piece("import yaml\nyaml.safe_load('a: [1, 2]')")["value"], {"a": [1, 2]})

    @needs("requests")
    def test_requests_loads_and_a_request_fails_clearly(self):
        self.run_piece("import requests")
        for scheme in ("http", "https") if pathlib.Path("/etc/ssl/certs/ca-certificates.crt").exists() else ("http",):
            with self.subTest(scheme):
                result = self.client.run(f"requests.get('{scheme}://example.com/', timeout=5)", self.session)
                self.assertEqual(result["error"]["kind"], "violation", result)
                self.assertIn("socket", result["error"]["message"])
                self.assert_fine(self.client.run("1", self.session), 1)

    def test_native_modules_of_the_standard_library(self):
        got = self.run_piece("import sqlite3, ssl, bz2, lzma, decimal, ctypes, zoneinfo, hashlib, uuid\n"
                             "db = sqlite3.connect(':memory:')\n[db.execute('select 1 + 1').fetchone()[0], str(decimal.Decimal(1) / 8), zoneinfo.ZoneInfo('Asia/Tokyo').key]")
        self.assertEqual(got["value"], [2, "0.125", "Asia/Tokyo"])
        self.assert_clean(got)

    @harness.needs_files
    def test_what_is_shown_cannot_be_written(self):
        for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/share/zoneinfo", "/etc/alternatives"):
            result = self.client.run(f"open('{folder}/new', 'w')", self.session)
            self.assertIn(result["error"]["type"], ("PermissionError", "OSError", "FileNotFoundError"), result)
        self.assertEqual(self.run_piece("import os\n[os.path.exists(one) for one in ('/etc/alternatives', '/etc/passwd', '/etc/ld.so.cache', '/usr/bin', '/home')]")["value"],
                         [True, False, False, False, False])


class Threads(serving.Case):
    def setUp(self):
        super().setUp()
        self.client = self.serve()
        self.session = self.client.open(timeout=20, functions=[{"name": "double"}, {"name": "later", "async": True}])

    def run_piece(self, code, answers=None):
        return self.client.run(code, self.session, answers=answers or {})

    def test_threads_of_the_same_process(self):
        code = ("import threading\nfound = []\nthreads = [threading.Thread(target=found.append, args=(i,)) for i in range(20)]\n"
                "for one in threads: one.start()\nfor one in threads: one.join()\nsorted(found)")
        result = self.run_piece(code)
        self.assert_fine(result, list(range(20)))
        self.assertEqual(result["denials"], [])

    def test_at_most_32(self):
        code = ("import threading\nstop = threading.Event()\nstarted = 0\ntry:\n    while started < 100:\n        threading.Thread(target=stop.wait).start()\n        started += 1\n"
                "except RuntimeError as error:\n    print(error)\nstop.set()\nstarted")
        result = self.run_piece(code)
        self.assert_fine(result, 31)
        self.assertEqual(result["stdout"], "can't start new thread\n")
        self.assertEqual(result["denials"], [])

    def test_to_thread_runs_beside(self):
        code = ("import asyncio, threading\nmeeting = threading.Barrier(3)\nasync def main():\n    return await asyncio.gather(*(asyncio.to_thread(meeting.wait, 10) for _ in range(3)))\n"
                "sorted(await main())")
        self.assert_fine(self.run_piece(code), [0, 1, 2])
        self.assert_fine(self.run_piece("sorted(asyncio.run(main()))"), [0, 1, 2])

    def test_host_functions_from_threads(self):
        code = ("from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(4) as pool:\n    found = list(pool.map(double, range(40)))\nfound")
        self.assert_fine(self.run_piece(code, {"double": lambda n: n * 2}), [n * 2 for n in range(40)])

    def test_host_functions_from_threads_beside_those_of_the_loop(self):
        code = ("import asyncio\nasync def main():\n    return await asyncio.gather(asyncio.to_thread(double, 1), later(2), asyncio.to_thread(double, 3), later(4))\nawait main()")
        self.assert_fine(self.run_piece(code, {"double": lambda n: n * 2, "later": lambda n: -n}), [2, -2, 6, -4])

    def test_nothing_moves_between_two_pieces(self):
        """A thread that counts has no time but that of pieces; what it prints belongs to the piece that runs."""
        self.assert_fine(self.run_piece("import threading, time\ncount = 0\ndef work():\n    global count\n    while True:\n        count += 1\n        time.sleep(0.0005)\n"
                                        "threading.Thread(target=work, daemon=True).start()\nwhile count < 3: time.sleep(0.001)"))
        first = self.run_piece("count")["value"]
        time.sleep(1)  # in which it would come to a thousand
        moved = self.run_piece("count")["value"]
        self.assertLess(moved - first, 400)

    def test_a_piece_that_is_late_with_threads_at_work(self):
        session = self.client.open(timeout=0.3)
        result = self.client.run("import threading\nfor _ in range(3): threading.Thread(target=lambda: [None for _ in iter(int, 1)], daemon=True).start()\nwhile True: pass", session)
        self.assert_ended(result, "timeout", state_lost=True)
        self.assert_fine(self.client.run("1", session), 1)

    def test_processes_are_denied_as_before(self):
        for code in ("import os\nos.fork()", "import subprocess\nsubprocess.run(['/bin/true'])", "import multiprocessing\nmultiprocessing.Process(target=print).start()",
                     "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nif libc.syscall(56, 17, 0, 0, 0, 0) < 0: raise OSError(ctypes.get_errno(), 'clone')",
                     # a thread's flags with one more: its own network, or a process of the same memory
                     "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nif libc.syscall(56, 0x3d0f00 | 0x40000000, 0, 0, 0, 0) < 0: raise OSError(ctypes.get_errno(), 'clone')",
                     "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nif libc.syscall(56, 0x100 | 0x4000, 0, 0, 0, 0) < 0: raise OSError(ctypes.get_errno(), 'clone')"):
            result = self.run_piece(code)
            self.assertIsNotNone(result["error"], code)
            self.assertTrue(result["denials"], result)


class CellsWithoutASession(serving.Case):
    """The same libraries in a sandboxed node and in `validate --policy node`, whose cells have no folder to write."""
    WORK = {
        "numpy": ("import numpy as np\nfound = round(float(np.linalg.det(2 * np.eye(3))), 6)", 8.0),
        "pandas": ("import pandas as pd\nfound = pd.DataFrame({'a': ['x', 'y', 'x'], 'n': [1, 2, 3]}).groupby('a')['n'].sum().to_dict()", {"x": 4, "y": 2}),
        "scipy": ("from scipy import optimize, stats\nfound = round(float(optimize.brentq(lambda x: x * x - 2, 0, 2)), 6)", 1.414214),
        "sklearn": ("from sklearn.linear_model import LinearRegression\nfound = round(float(LinearRegression().fit([[1], [2], [3]], [2, 4, 6]).predict([[4]])[0]), 6)", 8.0),
        "PIL": ("import io\nfrom PIL import Image\nfile = io.BytesIO()\nImage.new('RGB', (2, 2)).save(file, 'PNG')\nfound = file.getvalue()[1:4].decode()", "PNG"),
        "lxml": ("from lxml import etree\nfound = etree.fromstring('<a><b>é</b></a>'.encode('latin-1'), etree.XMLParser(encoding='latin-1')).findtext('b')", "é"),
        "yaml": ("import yaml\nfound = yaml.safe_load('a: [1, 2]')", {"a": [1, 2]}),
        "requests": ("import requests\nfound = requests.Request('GET', 'http://a.example/', params={'q': 1}).prepare().url", "http://a.example/?q=1"),
        "zoneinfo": ("import datetime, zoneinfo\nfound = datetime.datetime(2024, 7, 1, tzinfo=zoneinfo.ZoneInfo('Europe/Berlin')).isoformat()", "2024-07-01T00:00:00+02:00"),
        "pandas.io": ("import pandas as pd\nprint(pd.DataFrame({'a': [1, 2]}).describe())\nfound = str(pd.Series([1, 2])).splitlines()[0]", "0    1"),
        "sklearn.cluster": ("import numpy as np\nfrom sklearn.cluster import KMeans\nfound = sorted(set(KMeans(2, n_init=2).fit(np.array([[0.0], [0.1], [9.0], [9.1]])).labels_.tolist()))", [0, 1]),
        "shutil": ("import shutil\nfound = list(shutil.get_terminal_size())", [80, 24]),
        "platform": ("import platform\nfound = [platform.system(), platform.processor()]", ["Linux", ""]),
    }

    def each(self, found_by):
        for package, (code, expected) in self.WORK.items():
            if importlib.util.find_spec(package.partition(".")[0]) is None:
                print(f"  {package} is not installed: not tried here", file=sys.stderr)
                continue
            with self.subTest(package):
                self.assertEqual(found_by(code), expected)

    def test_warnings_are_shown_as_python_shows_them(self):
        self.write("node.json", json.dumps({"type": "code", "params": {"code": "import warnings\nwarnings.warn('look here')\nwarnings.warn('not here', ResourceWarning)\nresult: int = 1"}}))
        shared = self.ask("run", "node.json", "--sandbox")["shared"]
        self.assertIn("UserWarning: look here", shared["stderr"])
        self.assertNotIn("not here", shared["stderr"])

    def ask(self, *arguments):
        done = self.airlock(*arguments, "--format", "json")
        self.assertEqual(done.returncode, 0, done.out)
        return json.loads(done.out)

    def test_in_a_sandboxed_node(self):
        def found(code):
            self.write("node.json", json.dumps({"type": "code", "params": {"code": code + "\nresult: object = found", "inputs": {}}}))
            return self.ask("run", "node.json", "--sandbox")["shared"]["result"]
        self.each(found)

    def test_in_validate(self):
        def found(code):
            self.write("x.py", "def extract(path: str) -> dict:\n" + "".join(f"    {line}\n" for line in code.split("\n")) + "    return {'found': found}\n")
            report = self.ask("validate", "x.py", "--policy", "node", "--path", "/a", "--timeout", "60", "--memory", "1000")
            return report["test_results"]["results"][0]["result"]["found"]
        self.each(found)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
