"""The node host's Python side: the store, and what airlock asks for. `_airlock_host` is the other half of the process, in C++."""
import _signal
import gc
import json
import os
import signal
import sys

import _airlock_host
from airlock_node import capture, checking, faults, messages, node, outer_types, reading, showing, templates, tidy

reading.read = _airlock_host.read_code


class Host:
    """What node.run() tells about its progress, and the store."""

    def __init__(self):
        self.shared = {}
        self.armed = False
        self.process = os.getpid()
        self.strangers = frozenset()
        self.surroundings = tidy.Surroundings()
        signal.signal(_airlock_host.TIME_IS_UP, self.time_is_up)

    def time_is_up(self, number, frame):
        if self.armed:
            self.armed = False
            raise faults.NodeTimeout

    def began(self, timeout):
        _airlock_host.began()

    def ended(self):
        _airlock_host.ended()
        sys.setrecursionlimit(self.surroundings.recursion)
        if os.getpid() != self.process:  # a child that the code has forked: the node is its parent's affair
            capture.flush()
            os._exit(0)

    def failed(self, error):
        """An attempt that is tried again."""
        _airlock_host.rests()


host = None


def start(shared_text):
    global host
    sys.path.append("")  # modules beside the flow, after everything that is installed
    host = Host()
    host.shared = json.loads(shared_text)
    gc.freeze()  # what is alive now stays: no collection needs to look at it


def moved():
    """This is the copy that was kept, in a process of its own."""
    host.process = os.getpid()
    host.strangers = frozenset()


def put_handler_back():
    if _signal.getsignal(_airlock_host.TIME_IS_UP) != host.time_is_up:  # without signal's enums
        signal.signal(_airlock_host.TIME_IS_UP, host.time_is_up)


def finish(name, outcome, output, error_output):
    """Puts the entry into the store."""
    capture.flush()
    _airlock_host.flush()
    host.surroundings.put_back()
    put_handler_back()
    outcome.entry["stdout"], outcome.entry["stderr"] = capture.text_of(output), capture.text_of(error_output)
    if name:
        host.shared[name] = outcome.entry
    return outcome.action, outcome.phase, outcome.error_type, outcome.line, outcome.entry


def run(name, params_text, actions_text, attempts, wait, output, error_output, goes_on):
    """One node. `goes_on`: another may follow in this process."""
    params = json.loads(params_text)
    capture.begin(host.strangers)
    outcome = node.run(host.shared, params, host, name, json.loads(actions_text) if actions_text else (), attempts, wait)
    answer = finish(name, outcome, output, error_output)
    if goes_on:
        host.strangers = capture.threads_now()
        if host.strangers:  # at once: they go on while the descriptors become those of the next node
            capture.begin(host.strangers)
    return answer


def describe(value):
    """(type, repr) of what is no JSON; under the clock, because it may run code of the node."""
    host.armed = True
    try:
        return showing.describe(value)
    except faults.NodeTimeout:
        return showing.name_of(type(value)), "(no repr: it took too long)"
    finally:
        host.armed = False


def put(name, entry_text):
    """The entry of a node that ran elsewhere."""
    host.shared[name] = json.loads(entry_text)


def resolve(value_text):
    """(value, "") or (None, what is wrong): for nodes that run elsewhere."""
    try:
        return templates.resolve(json.loads(value_text), host.shared), ""
    except ValueError as error:
        return None, messages.fit_to_send(str(error))


def check(name, params_text):
    return checking.check(name, json.loads(params_text))


def can_fit(given, declared):
    return outer_types.can_fit(given, declared)
