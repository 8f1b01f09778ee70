def extract(path: str) -> list:
    return [part for part in path.split("/") if part]
