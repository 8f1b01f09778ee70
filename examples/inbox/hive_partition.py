def extract(path: str) -> dict:
    pairs = (segment.partition("=") for segment in path.split("/"))
    return {key: value for key, mark, value in pairs if mark}
