"""What the kernel tells about processes and pipes, so that a test can wait for what is there instead of for time to pass."""
import fcntl
import os
import pathlib
import sys
import termios
import threading
import time

TICK = 1 / os.sysconf("SC_CLK_TCK")


def _stat(pid):
    """The fields after the name, from the state on; None when there is no such process."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None


def is_gone(pid):
    """Ended, though perhaps nobody has asked for its exit code yet."""
    fields = _stat(pid)
    return fields is None or fields[0] == "Z"


def state(pid):
    """The kernel's letter: R runs, S waits, T was stopped; None when there is no such process."""
    fields = _stat(pid)
    return fields[0] if fields else None


def parent(pid):
    fields = _stat(pid)
    return int(fields[1]) if fields else None


def processor_seconds(pid):
    fields = _stat(pid)
    return int(fields[11]) * TICK if fields else 0


def resident_bytes(pid):
    """How much memory it holds now."""
    return int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def is_locked(pid):
    """Behind a filter of system calls: a vetter, or a cell."""
    try:
        return "Seccomp:\t2" in pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def is_still(pid):
    """No thread of it runs or wants to."""
    try:
        return all(fields is not None and fields[0] != "R" for fields in map(_stat, (f"{pid}/task/{one}" for one in os.listdir(f"/proc/{pid}/task"))))
    except OSError:
        return True


def descendants(pid):
    """Every process below `pid`, as (pid, start time): a number that is used again is another process."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (fields := _stat(entry)):
            parents.setdefault(int(fields[1]), []).append((int(entry), fields[19]))
    found, waiting = [], [pid]
    while waiting:
        below = parents.get(waiting.pop(), [])
        found += below
        waiting += [one for one, _ in below]
    return found


def is_alive(process):
    """Of descendants()."""
    fields = _stat(process[0])
    return fields is not None and fields[19] == process[1] and fields[0] != "Z"


def busy_cells(pid):
    """The cells below `pid` whose code has had the processor for a while: guests that loop."""
    return [one for one, _ in descendants(pid) if is_locked(one) and processor_seconds(one) >= 0.1]


def bytes_in(pipe):
    """How much waits in a pipe, at either of its ends."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, b"\0" * 4), sys.byteorder)


def is_full(pipe):
    """As full as lines make it: they do not fill every page."""
    return bytes_in(pipe) >= fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ) - 8192


class Flood:
    """Writes a line again and again, beside the test, up to `most` bytes: so many are taken only by one who reads without end."""

    def __init__(self, pipe, line, most=20_000_000):
        self.written, self.most = 0, most
        self.lines = line * (65536 // len(line))
        threading.Thread(target=self.write, args=(pipe.fileno(),), daemon=True).start()

    def write(self, descriptor):
        try:
            while self.written < self.most:
                self.written += os.write(descriptor, self.lines)
        except OSError:
            pass

    def is_held_up(self):
        """Nobody has taken anything for a while, or all of it was taken."""
        before = self.written
        time.sleep(1)
        return before > 0 and self.written == before


def private_dirty(pid):
    """Bytes of memory that are the process's own."""
    for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Private_Dirty:"):
            return int(line.split()[1]) * 1024
    return 0


def holdings(pid):
    """What a server has: processes below it, descriptors, memory of its own, threads."""
    return {"processes": len(descendants(pid)), "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
            "memory": private_dirty(pid), "threads": len(os.listdir(f"/proc/{pid}/task"))}


def settled_holdings(pid, expected=None, seconds=20):
    """Spares and idle helpers come and go for a moment: the least of a few looks is what it holds. With `expected`, as many looks as it
    takes to see no more than that, or so many seconds."""
    least, end = holdings(pid), time.monotonic() + seconds
    looks = 0
    while looks < 20 or (expected and any(least[name] > expected[name] for name in least) and time.monotonic() < end):
        time.sleep(0.05)
        least = {name: min(least[name], count) for name, count in holdings(pid).items()}
        looks += 1
    return least
