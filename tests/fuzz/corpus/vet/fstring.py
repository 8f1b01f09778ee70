def extract(path):
    a = f"{path!r:>{len(path)}} {{}} {path=}"
    return {"a": a, "b": "%s" % a, "c": "é" "ü"}
