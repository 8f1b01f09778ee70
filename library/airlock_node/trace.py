"""Where an exception comes from, in the user's code only: our frames are never shown, a library's only as the place where it was raised."""
MOST_FRAMES = 12


def positions(code, instruction):
    """(line, end line, column, end column) of an instruction; columns count UTF-8 bytes."""
    if instruction < 0:
        return None, None, None, None
    for number, found in enumerate(code.co_positions()):
        if number == instruction // 2:
            return found
    return None, None, None, None


def frames(trace):
    while trace is not None:
        yield trace
        trace = trace.tb_next


def marked(line, start, end):
    """The line without its indentation, and marks below what was at work."""
    text = line.strip()
    lead = len(line) - len(line.lstrip())
    if start is None or end is None or end <= start:
        return f"    {text}"
    before = len(line.encode()[:start].decode("utf-8", "replace")) - lead
    width = len(line.encode()[start:end].decode("utf-8", "replace"))
    if before < 0 or (before == 0 and width >= len(text)):
        return f"    {text}"
    return f"    {text}\n    {' ' * before}{'^' * width}"


def of(error, filename, source):
    """(line that failed, the traceback as text). (0, "") when nothing of the user's code was at work."""
    lines = source.splitlines()
    shown, at, outside = [], 0, ""
    for one in frames(error.__traceback__):
        code = one.tb_frame.f_code
        if code.co_filename != filename:
            outside = f"{code.co_filename}, line {one.tb_lineno}, in {code.co_name}" if at else ""
            continue
        at, outside = one.tb_lineno or 0, ""
        first, last, start, end = positions(code, one.tb_lasti)
        text = lines[at - 1] if 0 < at <= len(lines) else ""
        shown.append(f"  line {at}, in {code.co_name}\n" + marked(text, start, end if first == last else None))
    if not shown:
        return 0, ""
    if len(shown) > MOST_FRAMES:
        left = len(shown) - MOST_FRAMES
        shown = [*shown[:MOST_FRAMES // 2], f"  … {left} more calls …", *shown[-MOST_FRAMES // 2:]]
    name = type(error).__name__
    try:
        words = str(error)
    except Exception:
        words = "(its text could not be had)"
    last = f"{name}: {words}" if words else name
    where = f"\n  (raised in {outside})" if outside else ""
    return at, "Traceback (most recent call last):\n" + "\n".join(shown) + where + f"\n{last}"
