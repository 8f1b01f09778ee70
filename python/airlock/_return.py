"""Code with a `return` at its top level: the body of a function whose names are those of the module, so that it means what it says. Errors
tell the lines of the code as it was.

(1) Every name in the code is declared global, and the function's own code object is run with the module's names as its local ones: what is
    assigned, imported or made by exec() is where code without a `return` would have it.
(2) What a function cannot have is written otherwise, on the same lines: `from x import *` as a call, the annotation of a global name as
    blanks, `from __future__` before the function.
(3) The code is read token by token, so that every Python from 3.9 on sees what the one inside sees, also where their grammars differ.
    Lines that begin inside a string are left as they are."""
from __future__ import annotations

import io
import keyword
import re
import tokenize
from typing import Any, Dict, List, NamedTuple, Optional, Set, Tuple

from ._model_text import defined_names
from .errors import Error

NAME = "__returning__"
LINES_BEFORE = 3  # of ours, before the first of the code
# Without CO_OPTIMIZED and CO_NEWLOCALS, as the code of a module has it.
CALL = f"await {NAME}.__class__({NAME}.__code__.replace(co_flags={NAME}.__code__.co_flags & ~3, co_name='<module>'), {NAME}.__globals__)()"

Place = Tuple[int, int]  # line, from 1, and column


class Edit(NamedTuple):
    start: Place
    end: Place
    text: str  # blanks follow, up to the end


class Reading:
    """What one pass over the tokens finds out."""

    def __init__(self, code: str) -> None:
        self.returns = False  # outside of every function
        self.names: Dict[str, None] = {}
        self.futures: List[str] = []
        self.edits: List[Edit] = []
        self.inside_strings: Set[int] = set()  # lines, from 1, that begin there
        self._blocks: List[str] = []  # of each that is open: "def", "class", or "" when its names are those around it
        self._opens = ""  # what the line before this one begins
        self._begun: List[int] = []  # lines where the strings that are open begin (Python 3.12 has strings in strings)
        statement: List[tokenize.TokenInfo] = []
        line: List[str] = []  # the words of a logical line
        depth = 0  # of brackets
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            self._take_string(token)
            if token.type == tokenize.INDENT:
                self._blocks.append(self._opens)
            elif token.type == tokenize.DEDENT:
                self._blocks.pop()
            elif token.type in (tokenize.NEWLINE, tokenize.ENDMARKER):
                self._take_statement(statement)
                self._take_line(line)
                statement, line = [], []
            elif token.type == tokenize.OP and token.string == ";" and depth == 0:
                self._take_statement(statement)
                statement = []
            elif token.type not in (tokenize.COMMENT, tokenize.NL):
                depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(token.string, 0) if token.type == tokenize.OP else 0
                statement.append(token)
                if token.type in (tokenize.NAME, tokenize.OP):
                    line.append(token.string)

    def _take_line(self, words: List[str]) -> None:
        self._opens = "def" if words[:1] == ["def"] or words[:2] == ["async", "def"] else "class" if words[:1] == ["class"] else ""
        if "return" in words and self._opens != "def" and "def" not in self._blocks:
            self.returns = True

    def _take_statement(self, tokens: List[tokenize.TokenInfo]) -> None:
        words = [token.string for token in tokens]
        for number, token in enumerate(tokens):
            if token.type == tokenize.NAME and not keyword.iskeyword(token.string) and token.string != "__debug__" and words[number - 1:number] != ["."]:
                self.names[token.string] = None
        if any(self._blocks) or not tokens:
            return
        start, end = tokens[0].start, tokens[-1].end
        if words[:3] == ["from", "__future__", "import"]:
            self.futures.append(" ".join(words))
            self.edits.append(Edit(start, end, "0"))
        elif words[:1] == ["from"] and words[-2:] == ["import", "*"]:
            text = f"from {''.join(words[1:-2])} import *"
            self.edits.append(Edit(start, end, f"{NAME}.__builtins__['exec']({text!r}, {NAME}.__globals__)"))
        elif len(words) > 2 and tokens[0].type == tokenize.NAME and words[1] == ":" and not keyword.iskeyword(words[0]):
            given = self._value_at(words)
            self.edits.append(Edit(start, end, "0") if given is None else Edit(tokens[1].start, tokens[given].start, ""))

    @staticmethod
    def _value_at(words: List[str]) -> Optional[int]:
        """Where the `=` of an annotated name is."""
        depth = 0
        for number, word in enumerate(words):
            depth += (word in ("(", "[", "{")) - (word in (")", "]", "}"))
            if word == "=" and depth == 0:
                return number
        return None

    def _take_string(self, token: tokenize.TokenInfo) -> None:
        if token.type == tokenize.STRING:
            self.inside_strings.update(range(token.start[0] + 1, token.end[0] + 1))
        elif tokenize.tok_name[token.type] in ("FSTRING_START", "TSTRING_START"):
            self._begun.append(token.start[0])
        elif tokenize.tok_name[token.type] in ("FSTRING_END", "TSTRING_END"):
            self.inside_strings.update(range(self._begun.pop() + 1, token.end[0] + 1))


def edited(lines: List[str], edits: List[Edit]) -> List[str]:
    """Each stays on its lines; one of several lines leaves line ends that Python does not see."""
    for start, end, text in reversed(edits):
        first, last = start[0] - 1, end[0] - 1
        after = lines[last][end[1]:]
        if first == last:
            lines[first] = lines[first][:start[1]] + text.ljust(end[1] - start[1]) + after
        else:
            lines[first] = lines[first][:start[1]] + text + " \\"
            lines[first + 1:last] = [" \\"] * (last - first - 1)
            lines[last] = " " * end[1] + after
    return lines


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
    lines = edited(code.split("\n"), reading.edits)
    # A form feed would take the indentation back.
    body = "\n".join(line if number in reading.inside_strings else " " + line.lstrip("\f") for number, line in enumerate(lines, 1))
    declared = f"global {', '.join(reading.names)}" if reading.names else "pass"
    return f"{'; '.join(reading.futures) or 'pass'}\nasync def {NAME}():\n {declared}\n{body}\n{CALL}"


PLACE = re.compile(r"(?<=, line )\d+(?=$|, in )", re.MULTILINE)
FRAME_OF_OURS = re.compile(rf"^  piece \d+, line \d+, in <module>\n    await {NAME}\..*\n(?:[ ~^]*\n)?", re.MULTILINE)
TEXT_OF_OURS = re.compile(rf'^(  piece \d+, line (\d+), in .*\n)    .*{NAME}.*(?:\n[ ~^]+)?(?:\n  File "<string>".*)?$', re.MULTILINE)
IN_WORDS = re.compile(r"(?<=\bline )\d+")


def as_it_was(error: Error, code: str) -> Error:
    """The same error, told of the code that was given."""
    last = code.count("\n") + 1

    def moved(line: Any) -> Any:
        return min(max(1, line - LINES_BEFORE), last) if isinstance(line, int) and line > 0 else line

    def reworded(text: str) -> str:
        return IN_WORDS.sub(lambda found: str(moved(int(found[0]))), text)

    def all_moved(found: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
        return [{**one, **({"line": moved(one["line"])} if "line" in one else {}), **({"suggestion": reworded(one["suggestion"])} if one.get("suggestion") else {})}
                for one in found]

    error.line = moved(error.line)
    error.denials, error.findings = all_moved(error.denials), all_moved(error.findings)
    if error.out is not None:
        error.out.denials = all_moved(error.out.denials)
    error.traceback = PLACE.sub(lambda found: str(moved(int(found[0]))), FRAME_OF_OURS.sub("", error.traceback)).replace(f", in {NAME}\n", ", in <module>\n")
    lines = code.split("\n")
    error.traceback = TEXT_OF_OURS.sub(lambda found: f"{found[1]}    {lines[int(found[2]) - 1].strip()}", error.traceback)
    if type(error).__name__ != "GuestError" or error.type in ("SyntaxError", "IndentationError", "TabError"):  # words of ours, or of the parser
        error.message = reworded(error.message)
        error.args = (error.message,)
    error._about.update(code=code, defined=defined_names(code))
    return error
