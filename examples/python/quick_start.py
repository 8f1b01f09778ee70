"""The first minute: one piece of code, a session, and an error that says what to do.

    python3 examples/python/quick_start.py
"""
import airlock

# One piece of code, in a cell of its own.
print(airlock.run("sum(x * x for x in range(n))", inputs={"n": 10}).value)

with airlock.Pool() as pool:
    # In a session names stay from one piece to the next.
    with pool.session(timeout=2.0, memory_mb=128) as session:
        session.run("words = 'the quick brown fox'.split()")
        out = session.run("print('counting')\n{word: len(word) for word in words}", on_print=lambda line: print("it says:", line))
        print(out.value)

        # What fails is raised; what it had printed is not lost, and a model can read what to do.
        try:
            session.run("print('so far')\nlen(wrods)")
        except airlock.GuestError as error:
            print(error.type, "in line", error.line, "after", repr(error.out.stdout))
            print(error.for_model())

        # What is not allowed is denied by the kernel, not by a list of words.
        try:
            session.run("import socket\nsocket.create_connection(('example.com', 80))")
        except airlock.Violation as error:
            print("denied:", error.denials[0]["call"])

    # Code can be judged without running it.
    check = pool.check("import os\n\ndef extract(path):\n    return {'cwd': os.getcwd()}\n")
    print(check.accepted, "-", check.findings[0]["message"])
