"""Where an exception comes from, in the user's code only: our frames are never shown, a library's only as the place where it was raised."""
import re
import unicodedata

MOST_FRAMES = 12  # of a deep recursion: the first and the last six
MOST_COLUMNS = 160  # of a line that is shown
LINE_END = re.compile(r"\r\n?|\n")  # as Python's own reader has it; str.splitlines() knows more


def line_of(source, number):
    lines = LINE_END.split(source)
    return lines[number - 1] if 0 < number <= len(lines) else ""


def positions(code, instruction):
    """(line, end line, column, end column) of an instruction; columns count UTF-8 bytes."""
    if instruction < 0:
        return None, None, None, None
    for number, found in enumerate(code.co_positions()):
        # An instruction is two bytes; co_positions() has one entry for each.
        if number == instruction // 2:
            return found
    return None, None, None, None


def characters(line, start, end):
    """Places in UTF-8 bytes as places in characters."""
    if start is None or end is None:
        return 0, 0
    data = line.encode("utf-8", "replace")
    return len(data[:start].decode("utf-8", "replace")), len(data[:end].decode("utf-8", "replace"))


def frames(trace):
    while trace is not None:
        yield trace
        trace = trace.tb_next


def width(text):
    """Columns on a screen."""
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def window(line, start, end):
    """The part of a long line that holds what is marked, and where that is in it."""
    if len(line) <= MOST_COLUMNS:
        return line, start, end
    first = max(0, min(start - MOST_COLUMNS // 4, len(line) - MOST_COLUMNS))
    shown = ("…" if first else "") + line[first:first + MOST_COLUMNS] + ("…" if first + MOST_COLUMNS < len(line) else "")
    moved = first - (1 if first else 0)
    return shown, start - moved, min(end - moved, len(shown))


def marked(line, start, end, keep_indent=False):
    """The line, and marks below what was at work; `start` and `end` count characters. Without a mark when that would be all of the line."""
    lead = 0 if keep_indent else len(line) - len(line.lstrip())
    start, end = max(start - lead, 0), max(end - lead, 0)
    text, start, end = window(line[lead:].rstrip().replace("\t", " "), start, end)
    if end <= start or (not keep_indent and start == 0 and end >= len(text)):
        return f"    {text}"
    start = min(start, len(text))
    return f"    {text}\n    {' ' * width(text[:start])}{'^' * max(width(text[start:end]), 1)}"


def shown_frame(one, lines):
    code, at = one.tb_frame.f_code, one.tb_lineno or 0
    text = lines[at - 1] if 0 < at <= len(lines) else ""
    first, last, start, end = positions(code, one.tb_lasti)
    return f"  line {at}, in {code.co_name}\n" + marked(text, *(characters(text, start, end) if first == last else (0, 0)))


def of(error, words, filename, source):
    """(line that failed, the traceback as text). (0, "") when nothing of the user's code was at work."""
    all_frames = list(frames(error.__traceback__))
    users = [one for one in all_frames if one.tb_frame.f_code.co_filename == filename]
    if not users:
        return 0, ""
    lines, left, half = LINE_END.split(source), len(users) - MOST_FRAMES, MOST_FRAMES // 2
    if left > 0:
        shown = [*(shown_frame(one, lines) for one in users[:half]), f"  … {left} more calls …",
                 *(shown_frame(one, lines) for one in users[-half:])]
    else:
        shown = [shown_frame(one, lines) for one in users]
    last, where = all_frames[-1], ""
    if last is not users[-1]:
        code = last.tb_frame.f_code
        where = f"\n  (raised in {code.co_filename}, line {last.tb_lineno}, in {code.co_name})"
    name = type(error).__name__
    return users[-1].tb_lineno or 0, ("Traceback (most recent call last):\n" + "\n".join(shown) + where
                                      + (f"\n{name}: {words}" if words else f"\n{name}"))
