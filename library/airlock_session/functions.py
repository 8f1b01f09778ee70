"""Host functions as the guest sees them: ordinary functions with a name, a signature and a doc string. A call is a message to the one who
opened the session; its result, or what it raised, comes back in another."""
import _thread
import builtins
import inspect
from json import loads  # the guest may put another one into its module

import _airlock_session as wire

unclaimed = {}  # results that came while somebody waited for another one: call -> (success, value, error type, error)
futures = {}    # asynchronous calls under way: call -> future
receiving = _thread.allocate_lock()  # one thread waits for results, of whoever; the others wait for it

KINDS = {"positional": inspect.Parameter.POSITIONAL_ONLY, "ordinary": inspect.Parameter.POSITIONAL_OR_KEYWORD,
         "rest": inspect.Parameter.VAR_POSITIONAL, "named": inspect.Parameter.KEYWORD_ONLY, "named_rest": inspect.Parameter.VAR_KEYWORD}


class Text:
    """A default or an annotation that exists outside only: shown as it was written there."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


def signature_of(text):
    """From {"parameters": [{"name", "kind", "default"?, "annotation"?}], "returns"?}; None when there is none."""
    if not text:
        return None
    told = loads(text)
    empty = inspect.Parameter.empty
    parameters = [inspect.Parameter(one["name"], KINDS[one["kind"]], default=Text(one["default"]) if "default" in one else empty,
                                    annotation=Text(one["annotation"]) if "annotation" in one else empty) for one in told["parameters"]]
    return inspect.Signature(parameters, return_annotation=Text(told["returns"]) if "returns" in told else inspect.Signature.empty)


class HostError(Exception):
    """What a host function raised, of a type that Python does not have."""


def exception(type_name, text):
    """As it was raised outside: with its own type where builtins has it, else one of that name."""
    known = getattr(builtins, type_name, None)
    if isinstance(known, type) and issubclass(known, Exception) and not issubclass(known, (UnicodeError, BaseExceptionGroup)):
        return known(text)
    return type(type_name, (HostError,), {"__module__": "builtins"})(text) if type_name.isidentifier() else HostError(text)


def outcome(result):
    success, value, type_name, text = result
    if success:
        return loads(value)
    raise exception(type_name, text)


def end_piece():
    """Nobody answers any more: whoever still waits for a call is told so."""
    unclaimed.clear()
    for call, future in list(futures.items()):
        wire.forget(call)
        if not future.done():
            future.set_exception(RuntimeError("the piece that called this host function ended before it was answered"))
    futures.clear()


def take(message):
    """A result that has come: to the future that waits for it, or kept for the call that does."""
    call, *result = message
    future = futures.pop(call, None)
    if future is None:
        unclaimed[call] = result
    elif not future.done():
        try:
            future.set_result(outcome(result))
        except StopIteration as error:  # which no future takes
            future.set_exception(RuntimeError(f"StopIteration: {error}"))
        except Exception as error:
            future.set_exception(error)


def receive(timeout):
    """Takes the next result, if one comes in time."""
    if not receiving.acquire(timeout=-1 if timeout is None else timeout):
        return
    try:
        message = wire.receive(timeout)
    finally:
        receiving.release()
    if message is not None:
        take(message)


def call_and_wait(name, arguments):
    call = wire.call(name, arguments, True)
    try:
        while call not in unclaimed:
            with receiving:
                message = None if call in unclaimed else wire.receive(None)
                if message is not None:
                    take(message)
    except BaseException:
        wire.forget(call)  # interrupted: its result is nobody's any more
        raise
    return outcome(unclaimed.pop(call))


def make(name, doc, signature, is_async):
    known = signature_of(signature)

    def checked(positional, named):
        if known is not None:
            known.bind(*positional, **named)  # a TypeError here costs no call
        return {"args": list(positional), "kwargs": named}

    if is_async:
        async def function(*args, **kwargs):
            import asyncio
            loop = asyncio.get_running_loop()
            call = wire.call(name, checked(args, kwargs), False)
            future = futures[call] = loop.create_future()
            try:
                return await future
            except asyncio.CancelledError:
                if futures.pop(call, None) is not None:
                    wire.forget(call)
                raise
    else:
        def function(*args, **kwargs):
            return call_and_wait(name, checked(args, kwargs))
    function.__name__ = function.__qualname__ = name
    function.__module__ = "host"
    function.__doc__ = doc or None
    if known is not None:
        function.__signature__ = known
    return function
