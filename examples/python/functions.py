"""Code mode: the functions that you give are all that code inside can reach.

    python3 examples/python/functions.py
"""
import airlock

STOCK = {"Assam": 12, "Darjeeling": 0, "Ceylon": 30}


def stock(tea: str) -> int:
    """How many boxes of a tea there are. Raises KeyError for one that we do not sell."""
    return STOCK[tea]


def order(tea: str, *, boxes: int = 1) -> dict:
    """Orders boxes of a tea."""
    STOCK[tea] += boxes
    return {"tea": tea, "now": STOCK[tea]}


with airlock.Pool() as pool:
    with pool.session(functions={"stock": stock, "order": order}) as session:
        print(session.describe())
        out = session.run("""
low = [tea for tea in ("Assam", "Darjeeling", "Ceylon") if stock(tea) < 10]
[order(tea, boxes=20) for tea in low]
""")
        print(out.value)
        print([call["name"] for call in out.calls])

        # What your function raises is raised inside, and can be caught there.
        print(session.run("try:\n    stock('Coffee')\nexcept KeyError as error:\n    answer = f'no {error.args[0]}'\nanswer").value)
