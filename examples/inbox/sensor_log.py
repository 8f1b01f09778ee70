from collections import Counter
from os import path as paths


def extract(path: str) -> dict:
    stem, extension = paths.splitext(paths.basename(path))
    letters = Counter(c for c in stem if c.isalpha())
    return {"sensor": stem.split("-")[0], "format": extension.lstrip("."), "most_common": letters.most_common(1)}
