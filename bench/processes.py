"""What /proc says about a process and everything below it."""
import os, pathlib

PROC = pathlib.Path("/proc")


def parents():
    """{process: (parent, state, name)} of all there are."""
    found = {}
    for entry in os.listdir(PROC):
        if not entry.isdigit():
            continue
        try:
            text = (PROC / entry / "stat").read_text(errors="replace")
        except OSError:
            continue  # it ended meanwhile
        name, rest = text[text.index("(") + 1 : text.rindex(")")], text[text.rindex(")") + 2 :].split()
        found[int(entry)] = (int(rest[1]), rest[0], name)
    return found


def family(root, found=None):
    """`root` and all its descendants."""
    found = parents() if found is None else found
    below = {}
    for process, (parent, _, _) in found.items():
        below.setdefault(parent, []).append(process)
    members, waiting = [], [root]
    while waiting:
        process = waiting.pop()
        members.append(process)
        waiting += below.get(process, [])
    return members


def status(process, field):
    """A number of /proc/PID/status (memory in kB), or 0 when the process is gone."""
    try:
        for line in (PROC / str(process) / "status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def open_descriptors(process):
    try:
        return len(os.listdir(PROC / str(process) / "fd"))
    except OSError:
        return 0
