# Crime: says the forbidden words in pieces, in a template, as a default and in letters that only look different.
def extract(path: str, run=eval) -> dict:
    door = "__imp" + "ort__"
    peek = "{0.__globals__}".format(extract)
    return {"path": ｅｖａｌ(path), "door": door, "peek": peek}
