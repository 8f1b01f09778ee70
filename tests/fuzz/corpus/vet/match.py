def extract(path: str) -> dict:
    match path.split("."):
        case [name, "txt" | "csv" as kind]:
            return {"name": name, "kind": kind}
        case [*_, str(last)] if last:
            return {"last": last}
        case {"k": 1, **rest}:
            return rest
        case object(x=y):
            return {"y": y}
        case _:
            return {}
