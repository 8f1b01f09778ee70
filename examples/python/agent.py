"""An agent loop: a model writes a piece of code, sees what came of it, mends it, and is done when it says so.

    python3 examples/python/agent.py http://127.0.0.1:11434 MODEL "How many boxes of tea do we have to order?"

The model is any server that speaks OpenAI's /v1/chat/completions (Ollama, llama.cpp, vLLM do). What it may call is told by
session.describe(), what went wrong by error.for_model().
"""
import json
import re
import sys
import urllib.request

import airlock

STOCK = {"Assam": 12, "Darjeeling": 0, "Ceylon": 30}
MOST_TURNS = 5
TASK = """You solve tasks by writing Python. Answer with one block of code between ``` marks, and nothing else.
The value of its last expression is what you see next. When the task is solved, answer with DONE: and the result.

"""


def teas() -> list:
    """The names of the teas that we sell."""
    return sorted(STOCK)


def stock(tea: str) -> int:
    """How many boxes of a tea there are."""
    return STOCK[tea]


def ask(address, model, messages):
    """What the model answers."""
    body = json.dumps({"model": model, "messages": messages, "stream": False}).encode()
    request = urllib.request.Request(f"{address}/v1/chat/completions", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=300) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]


def code_in(answer):
    """What stands between the marks, or all of it."""
    found = re.search(r"```(?:python)?\n(.*?)```", answer, re.DOTALL)
    return found[1] if found else answer


def run_piece(session, code):
    """What the model is told of it."""
    try:
        out = session.run(code)
    except airlock.Error as error:
        return error.for_model()
    return f"It printed:\n{out.stdout}\nThe value is {out.shown}." if out.stdout else f"The value is {out.shown}."


def main(address, model, task):
    with airlock.Pool() as pool, pool.session(functions={"teas": teas, "stock": stock}) as session:
        messages = [{"role": "system", "content": TASK + session.describe()}, {"role": "user", "content": task}]
        for turn in range(1, MOST_TURNS + 1):
            answer = ask(address, model, messages)
            if answer.startswith("DONE:"):
                print(f"done after {turn - 1} pieces:{answer[len('DONE:'):]}")
                return 0
            told = run_piece(session, code_in(answer))
            print(f"--- piece {turn}\n{code_in(answer).strip()}\n--- what the model is told\n{told}")
            messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": told}]
    print(f"not done after {MOST_TURNS} pieces")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]) if len(sys.argv) == 4 else __doc__)
