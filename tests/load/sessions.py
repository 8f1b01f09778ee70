#!/usr/bin/env python3
"""Sessions by the thousand on one server: what it holds before and after, and what an idle one costs.

    tests/load/sessions.py [--build DIR] [--count 10000] [--json FILE]

Most are opened, used once and closed; some lose their cell (a crash, a timeout), some are cancelled, some write to /out, some are left to
the end of their connection. Exit code 1 when processes, descriptors or memory of the server grew, or an idle session costs more than 5 MB.
SOAK_SCALE takes a part.
"""
import argparse, json, os, pathlib, sys, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from support import harness, processes, serving

MB = 1000 * 1000
MOST_IDLE = 5 * MB
MOST_GROWTH = 10 * MB  # of the server: what the C library keeps of peaks
WARM = 200             # sessions before the first look
ADD = [{"name": "add"}]
KINDS = [("1 + 1", {}), ("print('x' * 1000)", {}), ("open('/out/x', 'w').write('y')", {}), ("add(1)", {"functions": ADD}), ("1 / 0", {})] * 9 + [
    ("import os\nos._exit(1)", {}), ("import ctypes\nctypes.string_at(1)", {}), ("while True: pass", {"timeout": 0.05}), ("x = bytearray(10 ** 9)", {}), ("CANCEL", {})]


def one(client, turn):
    code, members = KINDS[turn % len(KINDS)]
    session = client.open(**members)
    if code == "CANCEL":
        number = client.ask("run", session=session, code="print(1)\nwhile True: pass", prints=True)
        client.event(number, "printed")
        client.ask("cancel", id=number)
        client.answer_to(number)
    else:
        client.run(code, session, answers={"add": lambda *given: 1})
    client.request("close", session=session)
    client.heard.clear()


def cells_below(pid):
    return [one for one, _ in processes.descendants(pid) if processes.is_locked(one)]


def idle_cost(client, count=10):
    """Private_Dirty of cells that have run a piece and wait."""
    before = set(cells_below(client.process.pid))
    sessions = [client.open() for _ in range(count)]
    for session in sessions:
        client.run("x = 1", session)
    costs = [processes.private_dirty(cell) for cell in cells_below(client.process.pid) if cell not in before]
    for session in sessions:
        client.request("close", session=session)
    return max(costs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--count", type=int, default=int(10_000 * float(os.environ.get("SOAK_SCALE", "1"))))
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    process = harness.start("serve", "--stdio", program=arguments.build / "airlock", stdin=-1, stderr=None)
    client = serving.Client(process.stdout, process.stdin).begin()
    client.process = process
    client.next()
    for turn in range(WARM):
        one(client, turn)
    before, started = processes.settled_holdings(process.pid), time.monotonic()
    for turn in range(arguments.count):
        one(client, turn)
    seconds = time.monotonic() - started
    after = processes.settled_holdings(process.pid, before)
    idle = idle_cost(client)
    left = processes.descendants(process.pid)
    process.stdin.close()
    code = process.wait(timeout=60)
    patience = time.monotonic() + 30  # the kernel takes a moment to end what was killed
    while (left := [one for one in left if processes.is_alive(one)]) and time.monotonic() < patience:
        time.sleep(0.01)
    print(f"{arguments.count} sessions opened, used and closed in {seconds:.1f} s ({arguments.count / seconds:.0f} a second)")
    for name in before:
        unit = (lambda n: f"{n / MB:.1f} MB") if name == "memory" else str
        print(f"  {name:12} before {unit(before[name]):>10}   after {unit(after[name]):>10}")
    print(f"  an idle session costs {idle / MB:.2f} MB (Private_Dirty; bound {MOST_IDLE / MB:.0f} MB)\n  processes left at the end: {len(left)}")
    wrong = [name for name in ("processes", "descriptors", "threads") if after[name] > before[name] + 2]
    if after["memory"] > before["memory"] + MOST_GROWTH:
        wrong.append("memory")
    if idle > MOST_IDLE:
        wrong.append("idle session")
    if left or code:
        wrong.append("end")
    if arguments.json:
        arguments.json.write_text(json.dumps({"count": arguments.count, "seconds": seconds, "before": before, "after": after, "idle_bytes": idle, "left": len(left)}))
    print("FAILED: " + ", ".join(wrong) if wrong else "nothing leaked")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
