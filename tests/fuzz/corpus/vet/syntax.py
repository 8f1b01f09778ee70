def extract(path)
    return {"a: 1}
