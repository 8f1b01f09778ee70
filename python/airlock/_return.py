"""Code with a `return` at its top level, as the body of a function: the same names, and errors that tell the lines of the code as it was.

The code is read token by token, so that every Python from 3.9 on sees what the one inside sees, also where their grammars differ. Lines that
begin inside a string are left as they are."""
from __future__ import annotations

import io
import re
import tokenize
from typing import Any, Dict, List, Optional, Set

from .errors import Error

NAME = "__returning__"
LINES_BEFORE = 2  # of ours, before the first of the code


class Reading:
    """What one pass over the tokens finds out."""

    def __init__(self, code: str) -> None:
        self.returns = False  # outside of every function
        self.globals: Dict[str, None] = {}  # names that functions inside declare global
        self.inside_strings: Set[int] = set()  # lines, from 1, that begin there
        self._functions: List[bool] = []  # of each block that is open: whether it is the body of a function
        self._begun: List[int] = []  # lines where the strings that are open begin (Python 3.12 has strings in strings)
        line: List[str] = []  # the words of a logical line
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            self._take_string(token)
            if token.type == tokenize.INDENT:
                self._functions.append(self._opens)
            elif token.type == tokenize.DEDENT:
                self._functions.pop()
            elif token.type == tokenize.NEWLINE:
                self._take_line(line)
                line = []
            elif token.type in (tokenize.NAME, tokenize.OP):
                line.append(token.string)
        self._take_line(line)

    _opens = False  # the line before this one begins a function

    def _take_line(self, words: List[str]) -> None:
        self._opens = words[:1] == ["def"] or words[:2] == ["async", "def"]
        if "return" in words and not self._opens and not any(self._functions):
            self.returns = True
        for number, word in enumerate(words):
            if word == "global":
                for name in words[number + 1:]:
                    if name == ";":
                        break
                    if name != ",":
                        self.globals[name] = None

    def _take_string(self, token: tokenize.TokenInfo) -> None:
        if token.type == tokenize.STRING:
            self.inside_strings.update(range(token.start[0] + 1, token.end[0] + 1))
        elif tokenize.tok_name[token.type] in ("FSTRING_START", "TSTRING_START"):
            self._begun.append(token.start[0])
        elif tokenize.tok_name[token.type] in ("FSTRING_END", "TSTRING_END"):
            self.inside_strings.update(range(self._begun.pop() + 1, token.end[0] + 1))


def with_function(code: str) -> Optional[str]:
    """The code in a function that is called, LINES_BEFORE lines further down; None when nothing at its top level returns."""
    if "return" not in code:
        return None
    code = code.replace("\r\n", "\n").replace("\r", "\n")  # as Python reads it, in strings too
    try:
        reading = Reading(code)
    except (tokenize.TokenError, SyntaxError, IndexError):
        return None  # no Python: what is wrong is told inside
    if not reading.returns:
        return None
    # A form feed would take the indentation back.
    body = "\n".join(line if number in reading.inside_strings else " " + line.lstrip("\f") for number, line in enumerate(code.split("\n"), 1))
    declared = f"global {', '.join(reading.globals)}" if reading.globals else "pass"
    return f"async def {NAME}():\n {declared}\n{body}\nawait {NAME}()"


PLACE = re.compile(r"(?<=, line )\d+(?=$|, in )", re.MULTILINE)
FRAME_OF_OURS = re.compile(rf"^  piece \d+, line \d+, in <module>\n    await {NAME}\(\)\n(?:[ ~^]*\n)?", re.MULTILINE)


def as_it_was(error: Error, code: str) -> Error:
    """The same error, told of the code that was given."""
    def moved(line: Any) -> Any:
        return max(1, line - LINES_BEFORE) if isinstance(line, int) and line > 0 else line

    error.line = moved(error.line)
    error.denials = [{**one, "line": moved(one.get("line"))} for one in error.denials]
    error.traceback = PLACE.sub(lambda found: str(moved(int(found[0]))), FRAME_OF_OURS.sub("", error.traceback)).replace(f", in {NAME}\n", ", in <module>\n")
    if error.type in ("SyntaxError", "IndentationError", "TabError"):
        error.message = re.sub(r"(?<= on line )\d+", lambda found: str(moved(int(found[0]))), error.message)
        error.args = (error.message,)
    error._about["code"] = code
    return error
