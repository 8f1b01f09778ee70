"""A node leaves nothing to the next one but its entry in the store (and the modules it imported): what code may have changed for
the whole process is put back."""
import os
import signal
import sys


class Surroundings:
    """As they were when it was made."""

    def __init__(self):
        self.recursion = sys.getrecursionlimit()
        self.stdin = sys.stdin
        self.folder = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self.place = os.getcwdb()
        self.environment = dict(os.environ)
        self.raw_environment = dict(os.environ._data)  # comparing these needs no decoding
        self.path = list(sys.path)
        self.arguments = list(sys.argv)
        self.main = sys.modules.get("__main__")

    def put_back(self):
        sys.settrace(None)
        sys.setprofile(None)
        sys.stdin = self.stdin
        sys.modules["__main__"] = self.main
        if sys.path != self.path:
            sys.path[:] = self.path
        if sys.argv != self.arguments:
            sys.argv[:] = self.arguments
        if os.environ._data != self.raw_environment:
            os.environ.clear()
            os.environ.update(self.environment)
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.go_back()

    def go_back(self):
        try:
            if os.getcwdb() == self.place:
                return
        except OSError:
            pass
        try:
            os.fchdir(self.folder)
        except OSError:
            pass  # the code has closed the descriptor
