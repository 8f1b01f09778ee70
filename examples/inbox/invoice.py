import re

NUMBER = re.compile(r"invoice[-_](\d{4})[-_](\d+)", re.IGNORECASE)


def extract(path: str) -> dict:
    if found := NUMBER.search(path):
        return {"year": int(found[1]), "number": found[2]}
    return {}
