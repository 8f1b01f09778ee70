#!/usr/bin/env python3
"""Whatever the scan accepts does nothing forbidden when it runs: it trips no wire.

    tests/scan/tripwire_test.py [--airlock build/airlock] [TEST…]      a tenth of the programs
    TRIPWIRE=all tests/scan/tripwire_test.py                           all of them, as scripts/soak does
    TRIPWIRE_SEED=7 tests/scan/tripwire_test.py                        other programs
    tests/scan/tripwire_test.py --show SEED NUMBER                     prints one program

Programs that launder something forbidden through every construct of the grammar are made from tables (tests/scan/tripwire), judged by
`airlock check`, and the accepted ones run in a cell of policy node in which wires stand where forbidden things would be. The programs
all trip when nobody judges them, which is shown too: a wire that cannot trip guards nothing.
"""
import ast
import os
import pathlib
import random
import sys
import unittest
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness
from tripwire import cells, honest, weave

AIRLOCK = harness.AIRLOCK
SEED = int(os.environ.get("TRIPWIRE_SEED", weave.SEED))
SHARE = 1 if os.environ.get("TRIPWIRE") == "all" else 10
WIRES = ("call:", "read:", "getattr:", "setattr:", "audit:", "class", "text", "state:", "import:")
# Kinds of nodes that only a mode of the parser other than that of programs gives.
ELSEWHERE = {"Interactive", "Expression", "FunctionType", "TypeIgnore"}


def kinds_of_nodes(kind=ast.AST):
    """The names of all kinds of nodes in the grammar: leaves of the tree of classes. What old Pythons had is left out."""
    children = [child for child in kind.__subclasses__() if "Deprecated" not in (child.__doc__ or "") and child.__module__ in ("ast", "_ast")]
    if not children or kind is ast.Constant:
        yield kind.__name__
        return
    for child in children:
        yield from kinds_of_nodes(child)


def programs():
    if not hasattr(programs, "made"):
        programs.made = weave.Programs(SEED)
    return programs.made


def chosen(share):
    """One program in `share`, chosen by the seed: number → text."""
    numbers = random.Random(SEED).sample(range(len(programs())), len(programs()) // share)
    return {number: programs().text(number) for number in sorted(numbers)}


def is_python(text):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<program>", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


class TheTablesAreWhole(unittest.TestCase):
    def test_there_are_twenty_thousand_programs(self):
        self.assertGreaterEqual(len(set(programs().chains)), 20000)

    def test_the_same_seed_gives_the_same_programs(self):
        again = weave.Programs(SEED)
        self.assertEqual([again.text(number) for number in range(0, len(again), 997)], [programs().text(number) for number in range(0, len(again), 997)])

    def test_every_construct_of_the_grammar_carries_something(self):
        texts = [weave.weave(weave.Chain(entry, (), sink, "body")) for entry in programs().sources for sink in programs().fitting[entry.kind][:1]]
        source, sink = programs().sources[0], programs().fitting[programs().sources[0].kind][0]
        texts += [weave.weave(weave.Chain(source, ((0, carrier),), sink, "body")) for carrier in programs().carriers]
        seen = {type(node).__name__ for text in texts if is_python(text) for node in ast.walk(ast.parse(text))}
        concrete = set(kinds_of_nodes())
        self.assertLess(90, len(concrete))
        self.assertEqual(set(), concrete - seen - ELSEWHERE)

    def test_a_link_uses_what_it_was_given_once(self):
        for entry in [*programs().carriers, *programs().sinks]:
            [link] = entry.links
            self.assertEqual(1, (link.body + "\n" + link.expression).count("VALUE"), entry.name)
            self.assertNotIn("VALUE", link.top, entry.name)

    def test_names_of_entries_are_told_apart(self):
        for entries in (programs().carriers, programs().sources, programs().sinks):
            names = [entry.name for entry in entries]
            self.assertEqual(sorted(set(names)), sorted(names))


class TheWiresWork(unittest.TestCase):
    """Without the scan: what is laundered trips, what is honest does not."""

    def test_programs_trip_when_nobody_judges_them(self):
        texts = {number: text for number, text in chosen(40).items() if is_python(text)}
        outcomes = cells.run_wired(AIRLOCK, texts)
        quiet = [f"{number}: {programs().chains[number].describe()}: {outcomes[number]['ended']}" for number in texts if not outcomes[number]["tripped"]]
        self.assertLess(len(quiet), len(texts) / 40, "\n".join(quiet))
        tripped = {wire for outcome in outcomes.values() for wire in outcome["tripped"]}
        for kind in WIRES:
            self.assertTrue([wire for wire in tripped if wire.startswith(kind)] or kind == "import:", f"no program trips a wire of kind {kind}")

    def test_every_source_and_every_carrier_trips_when_nobody_judges_it(self):
        source = next(entry for entry in programs().sources if entry.name == "builtin-eval")
        sink = next(entry for entry in programs().sinks if entry.name == "call")
        chains = [weave.Chain(source, ((0, carrier),), sink, "body") for carrier in programs().carriers]
        chains += [weave.Chain(entry, (), programs().fitting[entry.kind][0], "body") for entry in programs().sources]
        outcomes = cells.run_wired(AIRLOCK, {number: weave.weave(chain) for number, chain in enumerate(chains)})
        self.assertEqual([], [f"{chains[number].describe()}: {outcome['ended']}" for number, outcome in outcomes.items() if not outcome["tripped"]])

    def test_every_wire_trips_for_its_own_crime(self):
        crimes = dict(enumerate(honest.CRIMES.values()))
        outcomes = cells.run_wired(AIRLOCK, crimes)
        for number, wire in enumerate(honest.CRIMES):
            self.assertIn(wire, outcomes[number]["tripped"], outcomes[number])

    def test_honest_programs_trip_nothing(self):
        texts = dict(enumerate(honest.programs()))
        self.assertGreater(len(texts), 200)
        outcomes = cells.run_wired(AIRLOCK, texts)
        self.assertEqual([], [f"{outcome}\n{texts[number]}" for number, outcome in outcomes.items() if outcome["tripped"]])

    def test_a_program_that_ends_its_cell_costs_only_itself(self):
        honest_text = 'def extract(path: str) -> dict:\n    return {"a": 1}\n'
        outcomes = cells.run_wired(AIRLOCK, {1: honest_text, 2: 'def f():\n    f()\ndef extract(path: str) -> dict:\n    while True:\n        pass\n', 3: honest_text})
        self.assertEqual(["returned", "returned"], [outcomes[1]["ended"], outcomes[3]["ended"]])
        self.assertIn("TimeoutError", outcomes[2]["ended"])

    def test_what_one_program_changes_the_next_does_not_see(self):
        poison = "import json\ndef extract(path: str) -> dict:\n    json.JSONEncoder.default = lambda self, found: 1\n    return {}\n"
        reader = "import json\ndef extract(path: str) -> dict:\n    return {'a': json.dumps(object())}\n"
        outcomes = cells.run_wired(AIRLOCK, {1: poison, 2: reader})
        self.assertEqual([["state:json.JSONEncoder.default"], []], [outcomes[1]["tripped"], outcomes[2]["tripped"]])
        self.assertIn("TypeError", outcomes[2]["ended"])


class WhatIsAcceptedTripsNothing(unittest.TestCase):
    def test_laundered_programs(self):
        texts = chosen(SHARE)
        accepted, unreadable = cells.accepted(AIRLOCK, texts)
        self.assertLess(unreadable, len(texts) / 200)
        outcomes = cells.run_wired(AIRLOCK, {number: texts[number] for number in accepted})
        tripped = [number for number in accepted if outcomes[number]["tripped"]]
        print(f"{len(texts)} programs made (seed {SEED}, {len(programs())} in all), {len(accepted)} accepted, {len(tripped)} tripped", flush=True)
        shown = [f"{outcomes[number]['tripped']} by {programs().chains[number].describe()}\n"
                 f"again: tests/scan/tripwire_test.py --show {SEED} {number}\n{texts[number]}" for number in tripped[:20]]
        self.assertEqual(0, len(tripped), "\n" + "\n".join(shown))

    def test_honest_twins_of_carriers(self):
        """The carriers themselves are Python that people write: most pass when what they carry is harmless, and trip nothing."""
        chains = [weave.Chain(honest.SOURCE, ((0, carrier),), honest.SINK, "body") for carrier in programs().carriers]
        texts = {number: weave.weave(chain) for number, chain in enumerate(chains)}
        accepted, _ = cells.accepted(AIRLOCK, texts)
        outcomes = cells.run_wired(AIRLOCK, texts)
        self.assertEqual([], [f"{outcomes[number]}\n{texts[number]}" for number in accepted if outcomes[number]["tripped"] or outcomes[number]["ended"] != "returned"])
        refused = sorted(chains[number].carriers[0][1].name for number in texts.keys() - set(accepted))
        print(f"{len(accepted)} of {len(chains)} carriers pass with something harmless; refused: {', '.join(refused)}", flush=True)
        self.assertGreater(len(accepted), len(chains) * 0.8, refused)


def show(seed, number):
    made = weave.Programs(int(seed))
    print(f"# {made.chains[int(number)].describe()}\n{made.text(int(number))}", end="")


if __name__ == "__main__":
    sys.exit(harness.main(__doc__, show=show))
