"""Figures of `airlock serve`, as a program over --stdio sees them: its own JSON and both pipes are in every one."""
import json, statistics, subprocess, sys, time

import baselines

PIECE = "rows = [i * 2 for i in range(n)]\ntotal = sum(rows)\ntotal\n"
HOST_CALL = "f(1)\n"
NO_CALL = "1\n"
PACKAGES = ("numpy", "pandas")
USE = "import numpy, pandas\nframe = pandas.DataFrame({'a': numpy.arange(n)})\nint(frame['a'].sum())\n"
MOMENT = 0.005  # seconds


class Client:
    """One request at a time. Host functions answer with their first argument."""

    def __init__(self, airlock, *options):
        self.process = subprocess.Popen([airlock, "serve", "--stdio", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.process.stdout.readline()
        self.id = 0

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, what, **members):
        self.id += 1
        self.send({"id": self.id, "do": what, **members})
        while True:
            answer = json.loads(self.process.stdout.readline() or b'{"error": "the server has gone"}')
            if answer.get("event") == "call":
                self.send({"id": answer["id"], "do": "answer", "call": answer["call"], "value": answer["arguments"]["args"][0]})
                continue
            if "result" not in answer or answer["result"].get("error"):
                sys.exit(f"bench: serve: {what}: {str(answer)[:300]}")
            return answer["result"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def milliseconds(work):
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1e3


def first_piece(client, code=PIECE):
    session = client.ask("open")["session"]
    client.ask("run", session=session, code=code, inputs={"n": 10})
    return session


def new_sessions(client, count, code=PIECE):
    """Milliseconds from opening a session to the end of its first piece, with a moment before each."""
    took = []
    for _ in range(count):
        time.sleep(MOMENT)
        start = time.perf_counter()
        new = first_piece(client, code)
        took.append((time.perf_counter() - start) * 1e3)
        client.ask("close", session=new)
    return took


def measure_round(client, bench, took, count):
    """Each figure `count` times. Between two validations or new sessions there is a moment, as with one who looks at the answer
    first; "without rest" is measured on its own."""
    source = bench.typical.read_text(encoding="utf-8")
    session = client.ask("open", functions=[{"name": "f"}])["session"]
    client.ask("run", session=session, code="n = 10")

    def validate():
        if not client.ask("validate", source=source, paths=bench.paths)["valid"]:
            sys.exit("bench: serve: the extractor is not valid")

    for _ in range(count):
        took["ping"].append(milliseconds(lambda: client.ask("ping")))
    for _ in range(count):
        took["piece"].append(milliseconds(lambda: client.ask("run", session=session, code=PIECE)))
    for _ in range(count):
        with_call = milliseconds(lambda: client.ask("run", session=session, code=HOST_CALL))
        took["call"].append(with_call - milliseconds(lambda: client.ask("run", session=session, code=NO_CALL)))
    for _ in range(count):
        took["check"].append(milliseconds(lambda: client.ask("check", source=source)))
    took["new"] += new_sessions(client, count)
    for _ in range(count):
        time.sleep(MOMENT)
        took["validate"].append(milliseconds(validate))
    for _ in range(count):
        took["without rest"].append(milliseconds(validate))
    client.ask("close", session=session)


def missing_packages():
    """Those that the host's Python does not have."""
    look = "import importlib.util, sys; print(*(one for one in sys.argv[1:] if importlib.util.find_spec(one) is None))"
    return subprocess.run([baselines.PYTHON, "-I", "-c", look, *PACKAGES], capture_output=True, text=True, check=True).stdout.split()


def measure_packages(bench):
    row = f"a new session with {' and '.join(PACKAGES)}"
    if missing := missing_packages():
        bench.report.skip(row, f"{', '.join(missing)} is not installed")
        return
    count = 60 // bench.scale
    first, use = [], []
    client = Client(bench.airlock, "--packages", ",".join(PACKAGES))
    for _ in range(bench.rounds):
        first += new_sessions(client, count)
        use += new_sessions(client, count, USE)
    client.close()
    bench.report.say(row, statistics.median(first), "ms", "allowed", 5, at_most=1)
    bench.report.say("the same, its first piece a data frame", statistics.median(use), "ms")


def measure(bench, bare):
    count = 60 // bench.scale
    took = {name: [] for name in ("piece", "call", "validate", "without rest", "check", "ping", "new")}
    bare_work, theirs = [], []
    client = Client(bench.airlock)
    for _ in range(bench.rounds):
        measure_round(client, bench, took, count)
        bare_work += bare(baselines.BARE, bench.typical, count, 1, *bench.paths)
        if bench.reference:
            theirs += bare(baselines.REFERENCE_PIPELINE, bench.typical, 3, bench.reference, *bench.paths)
    client.close()
    middle = {name: statistics.median(values) for name, values in took.items()}
    say = bench.report.say
    bench.report.part("airlock serve over --stdio, from a Python client (p50)")
    say("a question that needs nothing (ping)", middle["ping"], "ms")
    say("a piece of 3 lines in a live session", middle["piece"], "ms", "allowed", 0.5, at_most=1)
    say("a new session with its first piece", middle["new"], "ms", "allowed", 3, at_most=1)
    measure_packages(bench)
    say("a host function's round trip", middle["call"], "ms", "allowed", 0.25, at_most=1)
    say("check, stages 1-3", middle["check"], "ms")
    say("validate, 5 samples and a second look", middle["validate"], "ms", "bare, re's cache empty", statistics.median(bare_work) / 1e3, at_most=3)
    say("validate, one after the other without rest", middle["without rest"], "ms", "with a moment between", middle["validate"])
    if theirs:
        say("validate, 5 samples and a second look", middle["validate"], "ms", "reference pipeline", statistics.median(theirs) / 1e3, faster=True, at_least=25)
    else:
        bench.report.skip("validate through serve, beside the reference", bench.why_no_reference)
