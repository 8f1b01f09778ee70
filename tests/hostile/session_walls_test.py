#!/usr/bin/env python3
"""The walls around a session, with hostile guests: its folders /out and /data, what is left of the host's tree, and every attack that other
tests have, sent as pieces.

    tests/hostile/session_walls_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
    tests/hostile/session_walls_test.py --attacks FOLDER                       every program of a folder of attacks through sessions
"""
import base64
import json
import os
import pathlib
import socket
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from hostile.node_test import ATTACKS, PREAMBLE
from support import harness, processes, serving

AIRLOCK = harness.AIRLOCK
MIB = 1024 * 1024


class Folders(serving.SessionCase):
    def artifacts(self, code, session=None, **members):
        got = self.run_piece(code, session, **members)
        self.assertIsNone(got["error"], got["error"])
        return {name: base64.b64decode(data) for name, data in got["artifacts"].items()}, got.get("artifacts_left_out", [])

    @harness.needs_files
    def test_a_million_files(self):
        code = ("import os\nmade = 0\ntry:\n    for i in range(10 ** 6):\n        os.close(os.open(f'/out/{i}', os.O_CREAT | os.O_WRONLY))\n        made += 1\n"
                "except OSError as error:\n    why = error.errno\nmade")
        session = self.open()
        got = self.run_piece(code, session)
        self.assert_fine(got)
        self.assertLess(got["value"], 10_100)
        self.assertEqual(len(got["artifacts"]), 200)
        self.assertIn("more", got["artifacts_left_out"][-1])
        self.assert_goes_on(session, has_lost=False)

    @harness.needs_files
    def test_what_is_no_file(self):
        found, left_out = self.artifacts(
            "import os, socket\nfor act in (lambda: os.symlink('/etc/passwd', '/out/link'), lambda: os.mkfifo('/out/fifo'), lambda: os.link('/out/a', '/out/b'),\n"
            "            lambda: os.mknod('/out/device', 0o20600, os.makedev(1, 3)), lambda: os.symlink('/', '/out/root')):\n    try:\n        act()\n    except OSError: pass\n"
            "open('/out/honest', 'w').write('1')")
        self.assertEqual(found, {"honest": b"1"})

    @harness.needs_files
    def test_holes_and_large_files(self):
        found, left_out = self.artifacts("for size in (10 ** 12, 60 * 2 ** 20):\n    try:\n        with open('/out/hole', 'wb') as f:\n            f.truncate(size)\n    except OSError: pass\n"
                                         "open('/out/small', 'w').write('1')")
        self.assertEqual(found, {"small": b"1"})
        self.assertIn("hole", left_out[0])
        found, left_out = self.artifacts("with open('/out/hole', 'wb') as f:\n    f.truncate(30 * 2 ** 20)\nwith open('/out/other', 'wb') as f:\n    f.truncate(30 * 2 ** 20)")
        self.assertEqual((len(found), len(left_out)), (1, 1))

    def test_out_is_bounded(self):
        session = self.open()
        got = self.run_piece("written = 0\ntry:\n    with open('/out/x', 'wb', 0) as f:\n        while True: written += f.write(b'x' * 2 ** 20)\nexcept OSError as error:\n    pass\nwritten", session)
        self.assertLessEqual(got["value"], 65 * MIB)
        got = self.run_piece("kept = bytearray(300_000_000)", session)
        self.assert_ended(got, "memory")

    @harness.needs_files
    def test_deep_folders(self):
        found, left_out = self.artifacts("import os\nfor i in range(500):\n    os.mkdir('d')\n    os.chdir('d')\nopen('deep', 'w').write('x')\nopen('/out/top', 'w').write('1')")
        self.assertEqual(found, {"top": b"1"})
        self.assertIn("deep", left_out[0])

    @harness.needs_files
    def test_names_of_any_bytes(self):
        found, left_out = self.artifacts(
            "import os\nfor name in (b'new\\nline', b'\\xff\\xfe', b'..x', b'...', b'\\x1b[31m', b'quote\"', b'back\\\\slash', b'\\xc2\\x85', b'a' * 255, b' ', b'-rf', b'CON', b'c:x'):\n"
            "    open(b'/out/' + name, 'w').write('1')")
        self.assertEqual(len(found), 12)
        self.assertIn("UTF-8", left_out[0])
        for name in found:
            self.assertNotIn(name, (".", ".."))
            self.assertFalse(name.startswith("/") or "/../" in f"/{name}/")

    @harness.needs_files
    def test_modes_that_forbid_reading(self):
        found, left_out = self.artifacts("import os\nopen('/out/x', 'w').write('1')\nos.chmod('/out/x', 0)\nos.mkdir('/out/d')\nopen('/out/d/y', 'w').write('1')\nos.chmod('/out/d', 0)")
        self.assertIsInstance(found, dict)

    def test_out_itself_is_changed(self):
        for code in ("import os\nos.chmod('/out', 0)", "import os\nos.rmdir('/out')", "import os\nos.rename('/out', '/gone')", "import shutil\nshutil.rmtree('/out', True)"):
            session = self.open()
            self.run_piece(code, session)
            self.assert_goes_on(session, has_lost=False)

    @harness.needs_files
    def test_only_out_can_be_written(self):
        path = self.write("given.txt", "precious")
        session = self.open(files={"given.txt": str(path)})
        code = ("import os\ngot = []\nfor name in ('/x', '/usr/x', '/data/x', '/data/given.txt', '/tmp/x', '/.host/x', '/usr/lib/python3.11/x', '/out/../x', '/dev/x', '/proc/x'):\n"
                "    for mode in ('w', 'a', 'r+'):\n        try:\n            open(name, mode).write('x')\n            got.append(name)\n        except OSError: pass\n"
                "for act in (lambda: os.unlink('/data/given.txt'), lambda: os.rename('/data/given.txt', '/out/x'), lambda: os.truncate('/data/given.txt', 0), lambda: os.chmod('/data/given.txt', 0o777),\n"
                "            lambda: os.link('/data/given.txt', '/out/linked'), lambda: os.mkdir('/data/d'), lambda: os.rmdir('/data'), lambda: os.utime('/data/given.txt')):\n"
                "    try:\n        act()\n        got.append('act')\n    except OSError: pass\ngot")
        self.assert_fine(self.run_piece(code, session), [])
        self.assertEqual(path.read_text(), "precious")
        self.assert_fine(self.run_piece("open('/data/given.txt').read()", session), "precious")

    @harness.needs_files
    def test_the_hosts_tree_is_gone(self):
        path = self.write("given.txt", "x")
        session = self.open(files={"given.txt": str(path)})
        code = ("import os\ngot = []\nfor name in ('/.host', '/.host/etc', '/.host/etc/passwd', '/proc', '/proc/self/root', '/proc/1/root', '/sys', '/dev/mem', '/etc/passwd', '/root', '/home', '/tmp'):\n"
                "    for act in (os.listdir, open, os.stat, os.readlink):\n        try:\n            found = act(name)\n            if found: got.append((name, str(found)[:50]))\n        except OSError: pass\n[g for g in got if 'stat_result' not in g[1]]")
        self.assert_fine(self.run_piece(code, session), [])

    @harness.needs_files
    def test_a_file_that_is_exchanged_is_not_shown(self):
        path = self.write("given.txt", "first")
        session = self.open(files={"given.txt": str(path)})
        self.assert_fine(self.run_piece("open('/data/given.txt').read()", session), "first")
        path.unlink()
        path.symlink_to("/etc/passwd")
        self.run_piece("import os\nos._exit(1)", session)
        answer = self.client.request("run", session=session, code="open('/data/given.txt').read()")
        self.assertNotIn("root:", json.dumps(answer))


PATHS = ["/data/CLIENT-ABC/2024/Q1/report.csv", "/data/payroll/2024/Q2/x.csv"]
SECRETS = [text for text in (pathlib.Path(name).read_text().strip().splitlines()[0] for name in ("/etc/hostname", "/etc/passwd") if os.path.exists(name)) if len(text) > 3]


def canaries():
    return {str(path) for path in pathlib.Path("/tmp").glob("airlock_breach_*")}


def breach_of(client, program, is_forging=False, is_strict=False):
    """Sends a hostile extractor as a piece, and calls it in another; how it broke out, or None. Strict: as extractors are judged."""
    before, said = canaries(), []
    session = client.open(timeout=2, deadline=10, strict=is_strict)
    for code, members in ((program, {}), ("[extract(path) for path in paths]", {"inputs": {"paths": PATHS}})):
        answer = client.request("run", session=session, code=code, **members)
        if "result" not in answer:
            return f"no result: {answer}"
        said.append(answer["result"])
    client.request("close", session=session)
    client.heard.clear()
    if canaries() - before:
        return f"a file outside: {sorted(canaries() - before)}"
    if any(secret in json.dumps(said) for secret in SECRETS):
        return f"a secret of the host: {json.dumps(said)[:300]}"
    values = said[1]["value"] if isinstance(said[1]["value"], list) else []
    for value in values:
        if isinstance(value, dict) and (value.get("breach") or (is_forging and value.get("forged"))):
            return f"it says so: {str(value)[:200]}"
    return None


def table(path):
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line.strip() and not line.startswith("#")]
    return [dict(zip(lines[0], row)) for row in lines[1:]]


def says_so_without_a_session(file):
    """What a program finds of its own interpreter is a breach where the policy lists what may be used; here everything of Python's may."""
    done = harness.airlock("validate", file, "--path", PATHS[0], "--no-scan", "--policy", "node", "--format", "json")
    results = (json.loads(done.out).get("test_results") or {}).get("results") or []
    return any(isinstance(one["result"], dict) and one["result"].get("breach") for one in results)


def try_folder(folder):
    """Of a folder with index.tsv and canaries.tsv: each attack that a chamber, or the kernel alone, must hold."""
    folder = pathlib.Path(folder)
    kinds = {row["file"]: row["canary"] for row in table(folder / "canaries.tsv")}
    process = harness.start("serve", "--stdio", stdin=-1)
    client = serving.Client(process.stdout, process.stdin).begin()
    client.next()
    count, granted = {"kernel": [0, []], "chamber": [0, []]}, []
    for row in table(folder / "index.tsv"):
        for section, is_in in (("kernel", row["category"] == "kernel"), ("chamber", row["layer"] in ("static", "runtime") and kinds.get(row["file"]) != "semantic")):
            if not is_in:
                continue
            why = breach_of(client, (folder / row["file"]).read_bytes().decode("utf-8", "replace"), kinds.get(row["file"]) == "poison", is_strict=True)
            count[section][0] += 1
            if why and why.startswith("it says so") and says_so_without_a_session(folder / row["file"]):
                granted.append(row["file"])
            elif why:
                count[section][1].append((row["file"], why))
    process.stdin.close()
    process.wait()
    for section, (tried, breaches) in count.items():
        print(f"{section}: {tried} attacks through sessions, {len(breaches)} breaches")
        for file, why in breaches:
            print(f"  {file}: {why}")
    print(f"{len(granted)} programs look at their own interpreter, as the policy 'node' grants to all: {', '.join(granted)}")


class Walls(serving.SessionCase):
    """Everything that the attacks on nodes try, as pieces of sessions; and what a cell of a session has more than others: mounts."""

    def test_every_attack_on_nodes(self):
        breaches, tried = [], 0
        host = socket.gethostname()
        canary = self.folder / "canary"
        session = self.open(timeout=5)
        for name, body in ATTACKS.items():
            body = body.replace("CANARY", str(canary)).replace("HOST", host)
            code = PREAMBLE + "def attack():\n" + "".join(f"    {line}\n" for line in body.split("\n")) + "bool(attack())"
            got = self.run_piece(code, session)
            tried += 1
            is_through = (got["error"] is None and got["value"] is True) or canary.exists()
            if is_through and name not in ("look at the root",):
                breaches.append((name, got["shown"]))
        print(f"\n{tried} attacks on nodes through sessions, {len(breaches)} breaches")
        self.assertEqual(breaches, [])

    def test_every_program_that_the_scan_refuses(self):
        """Here nothing is scanned. What they reach of Python is theirs; what is the host's, they do not."""
        text = (harness.ROOT / "tests/scan/corpus/attacks.txt").read_text(encoding="utf-8")
        breaches, tried = [], 0
        for part in text.split("#==== ")[1:]:
            name, _, program = part.partition("\n")
            tried += 1
            why = breach_of(self.client, program)
            if why and not why.startswith("it says so"):
                breaches.append((name, why))
        print(f"\n{tried} refused programs through sessions, {len(breaches)} breaches")
        self.assertEqual(breaches, [])

    def test_mounts_and_namespaces(self):
        numbers = {"mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161, "unshare": 272, "setns": 308, "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431,
                   "fsmount": 432, "fspick": 433, "mount_setattr": 442, "clone": 56, "clone3": 435, "ptrace": 101, "process_vm_readv": 310, "bpf": 321, "userfaultfd": 323, "keyctl": 250,
                   "open_by_handle_at": 304, "name_to_handle_at": 303, "io_uring_setup": 425, "pidfd_open": 434, "pidfd_getfd": 438, "perf_event_open": 298, "init_module": 175,
                   "kexec_load": 246, "reboot": 169, "swapon": 167, "sethostname": 170, "setuid": 105, "setgid": 106, "capset": 126, "prctl": 157, "seccomp": 317, "personality": 135,
                   "memfd_create": 319, "execve": 59, "execveat": 322, "landlock_create_ruleset": 444, "mknod": 133, "symlink": 88, "link": 86, "chown": 92, "setrlimit": 160}
        session = self.open()
        code = PREAMBLE + f"numbers = {numbers!r}\n" + (
            "text = [ctypes.create_string_buffer(t) for t in (b'airlock', b'/out', b'tmpfs', b'/usr', b'/')]\ngot = []\n"
            "forms = {'unshare': [(0x10000000,), (0x20000,), (0x10020000,)], 'mount': [(text[0], text[1], text[2], 0, None), (text[3], text[1], None, 4096, None)], 'umount2': [(text[1], 2), (text[1], 0)],\n"
            "         'pivot_root': [(text[1], text[1])], 'chroot': [(text[1],)], 'open_tree': [(-100, text[4], 1)], 'fsopen': [(text[2], 0)], 'clone': [(0x10000011, None, None, None, None)],\n"
            "         'memfd_create': [(text[0], 0)], 'prctl': [(8, 1, 0, 0, 0), (24, 1, 0, 0, 0), (22, 0, 0, 0, 0)], 'link': [(text[3], text[1])]}\n"
            "for name, number in numbers.items():\n    for form in forms.get(name, [(0, 0, 0, 0, 0)]):\n        if call(number, *form) >= 0: got.append(name)\ngot")
        got = self.run_piece(code, session)
        self.assert_fine(got, [])
        self.assertGreater(len(got["denials"]), 20)

    def test_it_has_no_powers(self):
        code = PREAMBLE + ("head = (ctypes.c_uint32 * 2)(0x20080522, 0)\nsets = (ctypes.c_uint32 * 6)()\nanswer = call(125, head, sets)\n[answer, list(sets)]")
        got = self.run_piece(code)
        if got["error"] is None and got["value"][0] == 0:
            self.assertEqual(got["value"][1], [0] * 6)
        cells = [one for one, _ in processes.descendants(self.client.process.pid) if processes.is_locked(one)]
        self.assertTrue(cells)
        for cell in cells:
            status = dict(line.split(":\t", 1) for line in pathlib.Path(f"/proc/{cell}/status").read_text().splitlines() if ":\t" in line)
            self.assertEqual([status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")], ["0" * 16] * 4)
            self.assertEqual(status["NoNewPrivs"], "1")


if __name__ == "__main__":
    sys.exit(harness.main(__doc__, attacks=try_folder))
