"""What the tools that embed files in the program share: a C++ literal of a text, and a file that is replaced as a whole."""
import os


def quote(text):
    """A C++ literal, a line of it for each line of the text."""
    lines = []
    for line in text.splitlines():
        out = "".join("\\" + char if char in '"\\' else char if " " <= char <= "~" else
                      "".join(f"\\{byte:03o}" for byte in char.encode()) for char in line)
        lines.append(f'     "{out}\\n"')
    return "\n".join(lines) or '     ""'


def replace_file(path, text):
    """A build that is stopped leaves the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    os.replace(new, path)
