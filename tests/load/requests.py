#!/usr/bin/env python3
"""Many requests a second of run_python, for minutes, at POST /mcp; the same for a minute with the Python package.

    tests/load/requests.py [--build DIR] [--rate 200] [--seconds 300] [--json FILE]

Each request is a piece in a chamber of its own. They come at fixed times whether or not the last ones were answered, and each
is timed from when it was due: a server that falls behind is not spared what piles up. Exit code 1 when any request failed or was
answered wrongly, or processes, descriptors, threads or memory of the server grew. SOAK_SCALE takes a part of the time.
"""
import argparse, itertools, json, os, pathlib, sys, threading, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "python")]
from support import agents, harness, http_client, processes

MB = 1000 * 1000
CLIENTS = 32           # connections, each with one request at a time
MOST_GROWTH = 10 * MB  # of the server: what the C library keeps of peaks
# Spares come with a peak, each with a few descriptors; a leak would be thousands.
MORE = {"processes": 4, "descriptors": 20, "threads": CLIENTS}
WARM = 0.1             # of the time, before the first look
CODE = "import json\nrows = [{{'n': n, 'square': n * n}} for n in range(20)]\nsum(row['square'] for row in json.loads(json.dumps(rows))) + {number}"
TOTAL = sum(n * n for n in range(20))


class Overload(Exception):
    """What was due long ago has not even been sent."""


def at_a_rate(rate, seconds, clients):
    """Calls each client in turn, at fixed times. (milliseconds from when each was due to when it was answered, what went wrong)"""
    numbers, lock, took, wrong = itertools.count(), threading.Lock(), [], []
    start = time.monotonic() + 0.1

    def work(client):
        while True:
            with lock:
                number = next(numbers)
            due = start + number / rate
            if due >= start + seconds or len(wrong) > 100:
                return
            time.sleep(max(0.0, due - time.monotonic()))
            try:
                if time.monotonic() - due > 20:
                    raise Overload(f"request {number} is 20 s late")
                value = client(CODE.format(number=number))
                if value != TOTAL + number:
                    raise ValueError(f"{value} instead of {TOTAL + number}")
                took.append((time.monotonic() - due) * 1000)
            except Exception as error:
                wrong.append(f"request {number}: {type(error).__name__}: {str(error)[:300]}")

    workers = [threading.Thread(target=work, args=(client,)) for client in clients]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sorted(took), wrong


def agent_at(served):
    """A client of POST /mcp on a connection of its own."""
    line = served.connect()
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": agents.STATELESS, "Mcp-Method": "tools/call", "Mcp-Name": "run_python"}

    def call(code):
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "run_python", "arguments": {"code": code}, "_meta": agents.meta()}}
        reply = served.ask("POST", "/mcp", message, line=line, headers=headers)
        if reply is None or reply.status != 200:
            raise ConnectionError(reply and reply.body[:300])
        return reply.json()["result"]["structuredContent"]["value"]
    return call


def package_client(pool):
    def call(code):
        with pool.session() as session:
            return session.run(code).value
    return call


def share(took, part):
    return took[min(len(took) - 1, int(len(took) * part))] if took else float("nan")


def told(name, took, wrong, seconds):
    print(f"{name}: {len(took)} requests in {seconds:.0f} s ({len(took) / seconds:.0f} a second), {len(wrong)} failed; "
          f"p50 {share(took, 0.5):.1f} ms, p99 {share(took, 0.99):.1f} ms, worst {share(took, 1):.0f} ms", flush=True)
    for line in wrong[:5]:
        print(f"  {line}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rate", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=300 * float(os.environ.get("SOAK_SCALE", "1")))
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    process = harness.start("serve", "--http", "127.0.0.1:0", program=arguments.build / "airlock")
    served = http_client.Served(process)
    agents_there = [agent_at(served) for _ in range(CLIENTS)]
    at_a_rate(arguments.rate, WARM * arguments.seconds, agents_there)
    before = processes.settled_holdings(process.pid)
    took, wrong = at_a_rate(arguments.rate, arguments.seconds, agents_there)
    after = processes.settled_holdings(process.pid)
    told("POST /mcp", took, wrong, arguments.seconds)
    for name in before:
        unit = (lambda n: f"{n / MB:.1f} MB") if name == "memory" else str
        print(f"  {name:12} before {unit(before[name]):>10}   after {unit(after[name]):>10}")
    failed = [f"{len(wrong)} requests"] if wrong or not took else []
    failed += [name for name, more in MORE.items() if after[name] > before[name] + more]
    if after["memory"] > before["memory"] + MOST_GROWTH:
        failed.append("memory")
    if served.end() != 0:
        failed.append("end")

    os.environ["AIRLOCK_PROGRAM"] = str(arguments.build / "airlock")
    import airlock
    seconds = arguments.seconds / 5
    with airlock.Pool() as pool:
        clients = [package_client(pool) for _ in range(CLIENTS)]
        at_a_rate(arguments.rate, WARM * seconds, clients)
        of_package, wrong_there = at_a_rate(arguments.rate, seconds, clients)
    told("the package", of_package, wrong_there, seconds)
    if wrong_there:
        failed.append(f"{len(wrong_there)} requests of the package")
    if arguments.json:
        figures = {name: {"p50_ms": share(times, 0.5), "p99_ms": share(times, 0.99), "count": len(times)} for name, times in (("mcp", took), ("package", of_package))}
        arguments.json.write_text(json.dumps({**figures, "before": before, "after": after}))
    print("FAILED: " + ", ".join(failed) if failed else "no request failed, and nothing grew")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
