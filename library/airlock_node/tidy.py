"""A node leaves nothing to the next one but its entry in the store (and the modules it imported): what code may have changed for
the whole process is put back."""
import _signal
import builtins
import gc
import os
import sys
import warnings

# Signals whose handlers are looked at after each node. That of the clock is not among them: host.py looks after it.
RESTORED_SIGNALS = (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP, _signal.SIGCHLD, _signal.SIGPIPE, _signal.SIGALRM,
                    _signal.SIGUSR1, _signal.SIGUSR2)


class ProcessState:
    """What code can change for the whole process (variables, handlers, sys.path, …), as it was when this was made. One in a node host,
    made before the first node; restore() is called after each. Only what differs is written: most nodes change nothing."""

    def __init__(self):
        self.recursion = sys.getrecursionlimit()
        self.stdin = sys.stdin
        self.folder_name, self.folder = current_folder()
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
        # `_signal` rather than `signal`: it returns plain numbers, without making an enum for each.
        self.mask = _signal.pthread_sigmask(_signal.SIG_BLOCK, ())
        self.handlers = [_signal.getsignal(one) for one in RESTORED_SIGNALS]
        self.warnings = list(warnings.filters)

    def restore(self):
        """Objects are put back before their contents: code may have put another dict or list in their place."""
        restore_entries(vars(builtins), self.builtins)
        restore_entries(sys.modules, self.modules)
        sys.stdin = self.stdin
        sys.modules["__main__"] = self.main
        sys.path = restore_list(self.path_list, self.path)
        sys.argv = restore_list(self.argument_list, self.arguments)
        os.environ = self.environ
        if self.environ._data != self.raw_environment:
            self.environ.clear()
            self.environ.update(self.environment)
        if warnings.filters != self.warnings:
            warnings.filters[:] = self.warnings
            warnings._filters_mutated()
        os.umask(self.umask)
        # Code may have switched the collector off; the next node must not run out of memory for it.
        gc.enable()
        self.restore_signals()
        self.restore_folder()

    def restore_signals(self):
        """An alarm that the code has set must not go off in the next node, so the timer is stopped, too."""
        _signal.pthread_sigmask(_signal.SIG_SETMASK, self.mask)
        _signal.setitimer(_signal.ITIMER_REAL, 0)
        for number, handler in zip(RESTORED_SIGNALS, self.handlers):
            if _signal.getsignal(number) is not handler and handler is not None:
                _signal.signal(number, handler)

    def restore_folder(self):
        """By its descriptor: the name may lead elsewhere by now."""
        try:
            if os.getcwdb() == self.folder_name:
                return
        except OSError:
            pass
        try:
            os.fchdir(self.folder)
        except (OSError, TypeError):
            pass  # there was none, or the code has closed the descriptor


def current_folder():
    """The working folder by its name and by a descriptor, as far as it has them: it may have been deleted."""
    try:
        folder = os.open(".", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        folder = None
    try:
        return os.getcwdb(), folder
    except OSError:
        return None, folder


def restore_entries(now, before):
    """What was there is there again; what is new stays."""
    if now == before:
        return
    for name, value in before.items():
        if now.get(name) is not value:
            now[name] = value


def restore_list(one, before):
    """The same list object with its old contents: libraries keep references to it."""
    if one != before:
        one[:] = before
    return one
