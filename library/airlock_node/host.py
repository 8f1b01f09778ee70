"""The node host's Python side: the store, and what airlock asks for. `_airlock_host` is the other half of the process, in C++."""
import _signal
import gc
import os
import signal
import sys
from json import JSONDecoder

import _airlock_host
from airlock_node import capture, faults, messages, node, reading, showing, templates, tidy

reading.read = _airlock_host.read_code
read_json = JSONDecoder().decode  # not json.loads: a node may have put something else in its place


class Host:
    """What node.run() tells about its progress, and the store."""

    def __init__(self):
        self.shared = {}
        self.armed = False
        self.was_told = False  # that the time of the node is up
        self.is_late = False  # what shows the result has used up its time
        self.other_threads = frozenset()
        self.initial_state = tidy.ProcessState()
        signal.signal(_airlock_host.TIME_IS_UP, self.time_is_up)

    def time_is_up(self, number, frame):
        """The handler of the signal that airlock sends when the time is up. It raises in the node's code alone: `armed` is set only
        while that runs."""
        if self.armed:
            self.armed, self.was_told = False, True
            raise faults.NodeTimeout

    def began(self, timeout):
        self.was_told = False
        _airlock_host.began()

    def ended(self):
        """The node's code is over. True: its time was up, whether or not it let the exception pass."""
        if _airlock_host.ended():  # in a child that the code has forked: the node is its parent's affair
            self.watched(capture.flush)
            _airlock_host.leave()
        sys.setrecursionlimit(self.initial_state.recursion)
        return self.was_told

    def watched(self, what, *arguments):
        """For what may run code of the node after its end (its __str__, its streams): on a clock of its own, and None whatever it raises."""
        _airlock_host.shows()
        self.armed = True
        try:
            return what(*arguments)
        except BaseException:
            return None
        finally:
            self.armed = False
            _airlock_host.ended()

    def failed(self, error):
        """An attempt that is tried again."""
        _airlock_host.rests()


host = None


def start(shared_text):
    global host
    sys.path.append("")  # modules beside the flow, after everything that is installed
    host = Host()
    host.shared = read_json(shared_text)
    gc.freeze()  # what is alive now stays: no collection needs to look at it


def moved():
    """This is the copy that was kept, in a process of its own."""
    host.other_threads = frozenset()


def restore_handler():
    if _signal.getsignal(_airlock_host.TIME_IS_UP) != host.time_is_up:  # without signal's enums
        signal.signal(_airlock_host.TIME_IS_UP, host.time_is_up)


def finish(name, outcome, output, error_output):
    """Puts the entry into the store."""
    if not capture.is_in_place():
        host.watched(capture.flush)
    _airlock_host.flush()
    host.initial_state.restore()
    restore_handler()
    outcome.entry["stdout"], outcome.entry["stderr"] = capture.text_of(output), capture.text_of(error_output)
    if name:
        host.shared[name] = outcome.entry
    return outcome.action, outcome.phase, outcome.error_type, outcome.line, outcome.entry


def run(name, params_text, actions_text, attempts, wait, output, error_output, goes_on):
    """One node. `goes_on`: another may follow in this process."""
    params = read_json(params_text)
    host.is_late = False
    capture.begin(host.other_threads)
    outcome = node.run(host.shared, params, host, name, read_json(actions_text) if actions_text else (), attempts, wait)
    answer = finish(name, outcome, output, error_output)
    if goes_on:
        host.other_threads = capture.threads_now()
        if host.other_threads:  # at once: they go on while the descriptors become those of the next node
            capture.begin(host.other_threads)
    return answer


def refuse_result(entry, keys):
    """The entry of a node that ran well, as one that failed: JSON cannot say what it gave."""
    outcome = node.failure("post", node.doubled_keys(keys))
    del entry["result"]
    entry.update(outcome.entry)
    return outcome.action, outcome.phase, outcome.error_type, outcome.line, entry


def describe(value):
    """(type, repr) of what is no JSON; under the clock, because it may run code of the node."""
    if host.is_late:
        return showing.name_of(type(value)), "(no repr: the others took too long)"
    host.armed = True
    try:
        return showing.describe(value)
    except faults.NodeTimeout:
        host.is_late = True
        _airlock_host.ended()  # what is left to do is not the node's
        return showing.name_of(type(value)), "(no repr: it took too long)"
    finally:
        host.armed = False


def put(name, entry_text):
    """The entry of a node that ran elsewhere."""
    host.shared[name] = read_json(entry_text)


def resolve(value_text):
    """(value, "") or (None, what is wrong): for nodes that run elsewhere."""
    host.is_late = False
    try:
        return templates.resolve(read_json(value_text), host.shared), ""
    except BaseException as error:
        return None, messages.fit_to_send(faults.words_of(error) or messages.kind(error))
