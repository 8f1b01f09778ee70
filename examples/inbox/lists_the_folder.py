import os


def extract(path: str) -> dict:
    return {"siblings": os.listdir(os.path.dirname(path))}
