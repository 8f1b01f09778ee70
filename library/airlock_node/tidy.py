"""A node leaves nothing to the next one but its entry in the store (and the modules it imported): what code may have changed for
the whole process is put back."""
import _signal
import builtins
import gc
import os
import sys
import warnings

HEEDED = (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP, _signal.SIGCHLD, _signal.SIGPIPE, _signal.SIGALRM, _signal.SIGUSR1,
          _signal.SIGUSR2)


class Surroundings:
    """As they were when it was made."""

    def __init__(self):
        self.recursion = sys.getrecursionlimit()
        self.stdin = sys.stdin
        self.place, self.folder = place_now()
        self.environ = os.environ
        self.environment = dict(os.environ)
        self.raw_environment = dict(os.environ._data)  # comparing these needs no decoding
        self.path_list, self.path = sys.path, list(sys.path)
        self.argument_list, self.arguments = sys.argv, list(sys.argv)
        self.main = sys.modules.get("__main__")
        self.modules = dict(sys.modules)
        self.builtins = dict(vars(builtins))
        self.umask = os.umask(0o77)
        os.umask(self.umask)
        self.mask = _signal.pthread_sigmask(_signal.SIG_BLOCK, ())
        self.handlers = [_signal.getsignal(one) for one in HEEDED]
        self.warnings = list(warnings.filters)

    def put_back(self):
        put_entries_back(vars(builtins), self.builtins)
        put_entries_back(sys.modules, self.modules)
        sys.stdin = self.stdin
        sys.modules["__main__"] = self.main
        sys.path = put_list_back(self.path_list, self.path)
        sys.argv = put_list_back(self.argument_list, self.arguments)
        os.environ = self.environ
        if self.environ._data != self.raw_environment:
            self.environ.clear()
            self.environ.update(self.environment)
        if warnings.filters != self.warnings:
            warnings.filters[:] = self.warnings
            warnings._filters_mutated()
        os.umask(self.umask)
        gc.enable()
        self.put_signals_back()
        self.go_back()

    def put_signals_back(self):
        _signal.pthread_sigmask(_signal.SIG_SETMASK, self.mask)
        _signal.setitimer(_signal.ITIMER_REAL, 0)
        for number, handler in zip(HEEDED, self.handlers):
            if _signal.getsignal(number) is not handler and handler is not None:
                _signal.signal(number, handler)

    def go_back(self):
        try:
            if os.getcwdb() == self.place:
                return
        except OSError:
            pass
        try:
            os.fchdir(self.folder)
        except (OSError, TypeError):
            pass  # there was none, or the code has closed the descriptor


def place_now():
    """The working folder by its name and by a descriptor, as far as it has them: it may have been deleted."""
    try:
        folder = os.open(".", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        folder = None
    try:
        return os.getcwdb(), folder
    except OSError:
        return None, folder


def put_entries_back(now, before):
    """What was there is there again; what is new stays."""
    if now == before:
        return
    for name, value in before.items():
        if now.get(name) is not value:
            now[name] = value


def put_list_back(one, before):
    if one != before:
        one[:] = before
    return one
