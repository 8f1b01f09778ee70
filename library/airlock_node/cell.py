"""The same node behind the walls: one question as JSON text, one answer as a dict. Runs in the cell, beside the code: everything
said here is checked again outside."""
import json
import sys

from airlock_node import node
from airlock_node.messages import refuse


class NoClock:
    """In a cell the clock is outside."""
    armed = False

    def began(self, timeout):
        pass

    def ended(self):
        # CPython's default: the code may have lowered it so far that nothing of ours could be called.
        sys.setrecursionlimit(1000)
        return False

    def watched(self, what, *arguments):
        return node.unwatched(what, *arguments)

    def failed(self, error):
        pass


def key_text(key):
    """The text that json.dumps makes of a key."""
    return key if isinstance(key, str) else {None: "null", True: "true", False: "false"}[key] if key is None or isinstance(key, bool) else repr(key)


def doubled_keys(value):
    """`1 and "1"`: two keys of one dict that json.dumps writes as one; None when there are none. `value` is known to be JSON's."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            seen = {}
            for key in one if any(type(key) is not str for key in one) else ():
                first = seen.setdefault(key_text(key), key)
                if first is not key:
                    return " and ".join(json.dumps(each) if isinstance(each, str) else repr(each) for each in (first, key))
            one = one.values()
        waiting.extend(inner for inner in one if isinstance(inner, (dict, list, tuple)))
    return None


def as_json(result):
    """The result as JSON text, or the outcome that says why there is none."""
    try:
        text = json.dumps(result, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
        keys = doubled_keys(result) if isinstance(result, (dict, list, tuple)) else None
        if keys:
            return None, node.failure("post", node.doubled_keys(keys))
        return text.encode("utf-8", "backslashreplace").decode(), None
    except (TypeError, ValueError, RecursionError) as error:
        problem = refuse(TypeError, f"Result cannot leave the sandbox: {error}", "A sandboxed node takes and gives JSON values.",
                         ("Turn it into text, numbers, lists and dicts: str(x), sorted(x), x.isoformat()",
                          "Or run the node without \"sandbox\""))
        return None, node.failure("post", problem)


def answer(question):
    asked = json.loads(question)
    if asked["do"] == "check":
        from airlock_node import checking
        problems, warnings, annotations = checking.check(asked["name"], asked["params"], asked["unchecked"])
        return {"problems": problems, "warnings": warnings, "annotations": annotations}
    if asked["do"] == "fit":
        from airlock_node import fitting
        return {"fits": [fitting.can_fit(*one) for one in asked["pairs"]]}
    outcome = node.run(None, asked["params"], NoClock(), asked["name"], asked["actions"])
    text = None
    if "error" not in outcome.entry:
        text, problem = as_json(outcome.entry["result"])
        outcome = problem or outcome
    told = {"action": outcome.action, "phase": outcome.phase, "error_type": outcome.error_type, "line": outcome.line}
    if text is None:
        return {**told, "error": outcome.entry["error"].encode("utf-8", "replace").decode()}
    return {**told, "result": text}
