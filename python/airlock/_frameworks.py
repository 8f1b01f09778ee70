"""What the adapters share. A framework is never imported here: who uses it has loaded it, and then its own types are taken."""
from __future__ import annotations

import sys
from typing import Any, NoReturn

from .errors import Error
from .results import Out

LONGEST_LOG = 50_000  # characters of what a piece printed that a model is shown


def loaded(module: str, name: str) -> Any:
    """What the framework calls so; None when the program has not loaded it."""
    return getattr(sys.modules.get(module), name, None)


def raise_as(error: Error, module: str, name: str) -> NoReturn:
    """The framework's own exception with the text for a model, or without the framework the error as it is."""
    kind = loaded(module, name)
    if kind is None:
        raise error
    raise kind(error.for_model()) from error


def value_of(out: Out) -> Any:
    """The value, or what it looks like when it is no JSON."""
    return out.shown if out.value is None else out.value


def shortened(text: str, most: int = LONGEST_LOG) -> str:
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n… {len(text) - 2 * half:,} characters left out …\n{text[len(text) - half:]}"


def printed(out: Out) -> str:
    """Both streams, with a line end between them."""
    if out.stdout and out.stderr and not out.stdout.endswith("\n"):
        return f"{out.stdout}\n{out.stderr}"
    return out.stdout + out.stderr
