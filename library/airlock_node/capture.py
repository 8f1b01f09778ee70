"""What a node prints. sys.stdout and sys.stderr write through to descriptors 1 and 2, as C code and child processes do: all of it
lies in one file for each stream, in order, and stays there when this process is killed. The file is in memory and belongs to one node."""
import io
import os
import sys
import threading

# Of each stream, in a report.
MOST_BYTES = 1024 * 1024


class Stream(io.TextIOWrapper):
    """One for each descriptor's number, for the life of this process: what it holds changes below it, with dup2()."""
    other_threads = frozenset()


class PerThread(Stream):
    """The same while threads of earlier nodes go on: what they still print is dropped."""

    def write(self, text):
        if threading.get_native_id() in self.other_threads:
            return len(text)
        return super().write(text)


def stream(descriptor):
    return Stream(io.FileIO(descriptor, "w", closefd=False), "utf-8", "backslashreplace", "\n", False, True)


def threads_now():
    """Every thread but this one."""
    try:
        return frozenset(int(one) for one in os.listdir("/proc/self/task")) - {threading.get_native_id()}
    except OSError:
        return frozenset()


def is_unchanged(made):
    """A stream that no code has closed, detached or set up otherwise serves the next node too."""
    try:
        return (made is not None and not made.closed and made.write_through and made.encoding == "utf-8"
                and made.errors == "backslashreplace" and vars(made).keys() <= {"other_threads"})
    except ValueError:
        return False


made = [None, None]
# What stood in sys.stdout and sys.stderr while there were threads. print() only borrows them: should one be given back while a
# thread is inside of print(), that thread goes on with memory that is no longer a stream, and the process ends.
retired = []


def begin(other_threads):
    """The streams for the next node. `other_threads`: the threads that are none of its own."""
    if other_threads:
        retired.extend(one for one in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__, *made)
                       if not any(one is known for known in retired))
    for number, one in enumerate(made):
        if not is_unchanged(one):
            made[number] = stream(number + 1)
        made[number].other_threads = other_threads
        made[number].__class__ = PerThread if other_threads else Stream
    sys.stdout = sys.__stdout__ = made[0]
    sys.stderr = sys.__stderr__ = made[1]
    if not other_threads:
        retired.clear()


def is_in_place():
    """Whether the streams are ours. They write through: then there is nothing to flush."""
    return sys.stdout is made[0] and sys.stderr is made[1]


def flush():
    for one in (sys.stdout, sys.stderr):
        try:
            one.flush()
        except Exception:  # closed or replaced by the code: its own affair
            pass


def cut_between_characters(data):
    """Without the beginning of a character whose end was cut off."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte < 0x80:
            return data
        if byte >= 0xC0:
            whole = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return data if whole <= back else data[:-back]
    return data


def text_of(descriptor):
    size = os.lseek(descriptor, 0, os.SEEK_END)  # every writer writes at the end: the place is nobody's
    if size == 0:
        return ""
    data = os.pread(descriptor, min(size, MOST_BYTES), 0)
    if size <= MOST_BYTES:
        return data.decode("utf-8", "replace")
    return cut_between_characters(data).decode("utf-8", "replace") + f"\n[output cut off: {MOST_BYTES} of {size} bytes are kept]\n"
