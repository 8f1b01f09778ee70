#!/usr/bin/env python3
"""Hours in minutes: honest and hostile code, several at a time, and what is left behind.

    tests/load/leaks.py [--build DIR] [--minutes 10] [--parallel 4] [--every 10] [--busy-machine]

Workers validate and extract without a pause: programs of tests/scan/corpus and examples, with the scan and without it, and
crimes of their own (crashes, memory, hangs, floods); the doctor tries forks and the like behind the walls; some commands are
interrupted or killed half-way. Beside them one `airlock extract` lives all the time, on an extractor that now and then
loses its cell. Every few seconds a row: what the machine holds that it did not hold before. Exit code 1 when anything leaked or
any command ended as it should not.

This process adopts what its children leave behind, so a process that outlives its command is seen below it: `late` counts those
that ended by themselves within a second after their command, which is no leak; `left` those that did not. With --busy-machine,
what others could have made (entries of /tmp and /dev/shm, SysV objects) is shown but not judged.
"""
import argparse, collections, ctypes, json, os, pathlib, random, signal, subprocess, sys, tempfile, threading, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import processes

SECONDS = 60  # seconds; a safety net against hangs, not a measure of speed
PR_SET_CHILD_SUBREAPER = 36

# One crime each; the body of extract(path). All are run without the scan.
CRIMES = {
    "hangs": "while True: pass",
    "long operation": "return {'n': len(str(10 ** 10 ** 8))}",
    "exploding regex": "import re\n    return {'m': bool(re.match(r'(a+)+$', 'a' * 64 + 'b'))}",
    "one large allocation": "return {'n': len(bytearray(4_000_000_000))}",
    "slow growth": "kept = []\n    while True: kept.append('x' * 100_000)",
    "deep recursion": "return extract(path)",
    "large result": "return {'x': 'y' * 50_000_000}",
    "deep result": "d = {}\n    for _ in range(10_000): d = {'d': d}\n    return d",
    "output flood": "while True: print('flood' * 1000)",
    "stack smash": "x = ()\n    for _ in range(1_000_000): x = (x,)\n    return {'n': hash(x)}",
    "exits": "raise SystemExit(3)",
    "file": "from pathlib import Path\n    return {'x': Path('/etc/passwd').read_text()}",
    "looks for fork": """for kind in ().__class__.__base__.__subclasses__():
        if kind.__name__ == '_wrap_close':
            kind.__init__.__globals__['fork']()
    raise LookupError('nothing here leads to fork')""",
}

# For the bulk job: mostly honest, and every kind of loss now and then.
BULK = """
def extract(path: str) -> dict:
    name = path.rpartition("/")[2]
    if name == "hang":
        while True:
            pass
    if name == "memory":
        return {"n": len(bytearray(4_000_000_000))}
    if name == "recursion":
        return extract(path)
    if name == "large":
        return {"x": "y" * 5_000_000}
    return {"name": name, "parts": path.split("/")}
"""


def extractor(body):
    """The last line is for the signature stage: a function that never returns a dict would not be run."""
    return f"def extract(path: str) -> dict:\n    {body}\n    return {{}}\n"


def corpus(file):
    """{name: program}; '#==== name' begins one."""
    found, name = {}, None
    for line in file.read_text(encoding="utf-8").split("\n"):  # form feeds are part of programs here
        if line.startswith("#==== "):
            name = line[6:]
            found[name] = ""
        elif name is not None:
            found[name] += line + "\n"
    return found


class Jobs:
    """What the workers choose from: (name, code, options, acceptable exit codes)."""

    def __init__(self):
        honest, attacks = corpus(ROOT / "tests/scan/corpus/honest.txt"), corpus(ROOT / "tests/scan/corpus/attacks.txt")
        self.honest = [(name, code, ["--explore", "20"], (0, 1)) for name, code in honest.items()]
        self.honest += [(file.name, file.read_text(), [], (0, 1)) for file in sorted((ROOT / "examples/honest").glob("*.py"))]
        self.refused = [(name, code, [], (1,)) for name, code in attacks.items()]
        self.attacks = [(name, code, ["--no-scan", "--timeout", "1"], (0, 1)) for name, code in attacks.items()]
        self.crimes = [(name, extractor(body), ["--no-scan", "--timeout", "0.5"], (1,)) for name, body in CRIMES.items()]

    def pick(self, chance):
        kind = chance.choices(["honest", "refused", "attacks", "crimes", "extract", "doctor", "interrupted", "killed"],
                              [20, 5, 20, 40, 10, 2, 3, 2])[0]
        if kind in ("honest", "refused", "attacks", "crimes"):
            return (kind, *chance.choice(getattr(self, kind)))
        if kind == "extract":
            return (kind, "bulk extractor", BULK, ["--timeout", "0.3"], (0,))
        if kind == "doctor":
            return (kind, "all crimes", "", [], (0,))
        codes = (130,) if kind == "interrupted" else (-signal.SIGKILL,)
        return (kind, "hangs", extractor(CRIMES["hangs"]), ["--no-scan"], codes)


class Soak:
    def __init__(self, args, folder):
        self.airlock, self.folder = args.build / "airlock", folder
        self.scratch = folder / "tmp"
        self.scratch.mkdir()
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "AIRLOCK_HOME": str(folder / "home"),
                            "LANG": "C.UTF-8", "TMPDIR": str(self.scratch)}
        self.jobs, self.lock = Jobs(), threading.Lock()
        self.running, self.counts, self.unexpected = set(), collections.Counter(), []
        self.deadline = time.monotonic() + args.minutes * 60
        self.sent = self.received = self.late = 0
        self.started = set()  # commands that their worker waits for; only processes that nobody waits for are reaped here

    def work(self, number):
        chance, turn = random.Random(number), 0
        file = self.folder / f"worker{number}.py"
        while time.monotonic() < self.deadline:
            kind, name, code, options, codes = self.jobs.pick(chance)
            file.write_text(code, encoding="utf-8")
            paths = [f"/data/CLIENT-A/2024/Q{1 + turn % 4}/report_{turn}.csv", "/a/b"]
            turn += 1
            if kind == "extract":
                lines = "\n".join(paths * 200 + ["/a/hang", "/a/memory", "/a/recursion", "/a/large"]) + "\n"
                command = ["extract", file, "-", *options]
            elif kind == "doctor":
                lines, command = "", ["doctor", "--format", "json"]
            else:
                lines, command = "", ["validate", file, "--format", "json", *options, "--path", paths[0], "--path", paths[1]]
            code, output, error = self.run([self.airlock, *command], lines, kind)
            with self.lock:
                self.counts[kind] += 1
                if code not in codes:
                    wanted = " or ".join(map(str, codes))
                    self.unexpected.append(f"{kind}, {name}: exit code {code}, not {wanted}: {error[-300:]}")
                elif kind == "crimes" and not json.loads(output)["test_results"]:
                    self.unexpected.append(f"{kind}, {name}: was not run")

    def run(self, command, lines, kind):
        with self.lock:
            process = subprocess.Popen(command, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
            self.running.add(process.pid)
            self.started.add(process.pid)
        if kind in ("interrupted", "killed"):
            time.sleep(0.15)
            process.send_signal(signal.SIGINT if kind == "interrupted" else signal.SIGKILL)
        try:
            output, error = process.communicate(lines.encode(), timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            output, error = process.communicate()
            error = b"it hung. " + error
        with self.lock:
            self.running.discard(process.pid)
            self.started.discard(process.pid)  # the process number may be used again
        return process.returncode, output, error.decode(errors="replace").strip()

    def start_bulk(self):
        file = self.folder / "bulk.py"
        file.write_text(BULK)
        self.bulk = subprocess.Popen([self.airlock, "extract", file, "-", "--timeout", "0.3"], env=self.environment,
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.running.add(self.bulk.pid)
        self.started.add(self.bulk.pid)
        threads = [threading.Thread(target=self.feed_bulk), threading.Thread(target=self.drain_bulk)]
        for thread in threads:
            thread.start()
        return threads

    def feed_bulk(self):
        """Slowly enough that most of the machine is left for the workers."""
        lines = [f"/data/{i}/file_{i}.csv" for i in range(1000)] + ["/a/hang", "/a/memory", "/a/recursion", "/a/large"]
        block = ("\n".join(lines) + "\n").encode()
        try:
            while time.monotonic() < self.deadline:
                self.bulk.stdin.write(block)
                self.sent += len(lines)
                time.sleep(0.1)
            self.bulk.stdin.close()
        except BrokenPipeError:
            pass

    def drain_bulk(self):
        for _ in self.bulk.stdout:
            self.received += 1

    def look(self):
        """(processes below us that belong to no running command, those of running ones that are zombies)."""
        with self.lock:
            running = set(self.running)
        found = processes.parents()
        at_work = {one for job in running for one in processes.family(job, found)}
        adopted = set(processes.family(os.getpid(), found)) - {os.getpid()} - at_work
        for one in [one for one in adopted if found.get(one) and found[one][:2] == (os.getpid(), "Z")]:
            with self.lock:
                is_ours = one in self.started
            if not is_ours:  # what init would do
                os.waitpid(one, os.WNOHANG)
                self.late += 1
                adopted.discard(one)
        return {one for one in adopted if one in found}, {one for one in at_work if found.get(one, "  ")[1] == "Z"}

    def left_behind(self):
        """As look(), but what is gone a moment later does not count: a command that begins or ends just now is no leak."""
        seen = self.look()
        for _ in range(10):
            time.sleep(0.1)
            seen = tuple(old & new for old, new in zip(seen, self.look()))
        return seen


def entries(folder):
    try:
        return set(os.listdir(folder))
    except OSError:
        return set()


def sysv_objects():
    return sum(max(0, len(pathlib.Path(f"/proc/sysvipc/{kind}").read_text().splitlines()) - 1) for kind in ("shm", "msg", "sem"))


class Table:
    COLUMNS = ["seconds", "commands", "late", "left", "zombies", "bulk fds", "bulk MB", "bulk all fds", "bulk all MB",
               "/dev/shm", "/tmp", "TMPDIR", "SysV"]

    def __init__(self, soak, parallel):
        self.soak, self.parallel, self.start, self.rows = soak, parallel, time.monotonic(), []
        self.shm, self.tmp, self.sysv = entries("/dev/shm"), entries("/tmp"), sysv_objects()
        print("  ".join(self.COLUMNS))

    def take(self):
        soak = self.soak
        left, zombies = soak.left_behind()
        members = processes.family(soak.bulk.pid)
        row = [round(time.monotonic() - self.start), sum(soak.counts.values()), soak.late, len(left), len(zombies),
               processes.open_descriptors(soak.bulk.pid), processes.status(soak.bulk.pid, "VmRSS") / 1e3,
               sum(map(processes.open_descriptors, members)), sum(processes.status(one, "VmRSS") for one in members) / 1e3,
               len(entries("/dev/shm") - self.shm), len(entries("/tmp") - self.tmp), len(entries(soak.scratch)),
               sysv_objects() - self.sysv]
        self.rows.append(dict(zip(self.COLUMNS, row)))
        print("  ".join(f"{value:>{len(name)}.0f}" for name, value in zip(self.COLUMNS, row)), flush=True)

    def leaks(self, busy_machine):
        """Sentences; none is good. The first row is the measure for what may stand but not grow."""
        found = []
        if most := max(row["left"] for row in self.rows):
            found.append(f"up to {most} processes outlived their commands")
        # A running command may leave a dead child unreaped for a while; one that collects them leaks.
        if (most := max(row["zombies"] for row in self.rows)) > self.parallel or self.rows[-1]["zombies"]:
            found.append(f"up to {most} zombies, {self.rows[-1]['zombies']} at the end")
        while_bulk = [row for row in self.rows if row["bulk MB"] > 0]
        if while_bulk:
            first, last = while_bulk[0], while_bulk[-1]
            if last["bulk fds"] > first["bulk fds"] + 2:
                found.append(f"the bulk job's descriptors grew from {first['bulk fds']} to {last['bulk fds']}")
            if last["bulk MB"] > first["bulk MB"] * 1.2 + 4:
                found.append(f"the bulk job grew from {first['bulk MB']:.0f} MB to {last['bulk MB']:.0f} MB")
        judged = ["TMPDIR"] if busy_machine else ["TMPDIR", "/tmp", "/dev/shm", "SysV"]
        found += [f"{name}: {self.rows[-1][name]} new entries" for name in judged if self.rows[-1][name] > 0]
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--parallel", type=int, default=4)
    parser.add_argument("--every", type=float, default=10, help="seconds between two rows")
    parser.add_argument("--busy-machine", action="store_true", help="others work here too")
    args = parser.parse_args()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory(prefix="airlock-soak-") as folder:
        soak = Soak(args, pathlib.Path(folder))
        threads = soak.start_bulk()
        threads += [threading.Thread(target=soak.work, args=(number,)) for number in range(args.parallel)]
        table = Table(soak, args.parallel)
        for thread in threads[2:]:
            thread.start()
        while time.monotonic() + args.every < soak.deadline:
            time.sleep(args.every)
            table.take()
        for thread in threads:
            thread.join()
        bulk_code = soak.bulk.wait()
        soak.running.clear()
        table.take()  # nothing runs any more: whatever is there now is left
    if bulk_code != 0 or soak.sent != soak.received:
        soak.unexpected.append(f"the bulk job ended with {bulk_code}: {soak.sent} paths in, {soak.received} rows out")
    print("\n" + ", ".join(f"{count} {kind}" for kind, count in sorted(soak.counts.items())) + f"; bulk: {soak.received:,} rows")
    leaks = table.leaks(args.busy_machine)
    for line in soak.unexpected[:20] + leaks:
        print(f"NOT WELL: {line}")
    print("well" if not soak.unexpected and not leaks else f"{len(soak.unexpected)} unexpected endings, {len(leaks)} leaks")
    sys.exit(1 if soak.unexpected or leaks else 0)


if __name__ == "__main__":
    main()
