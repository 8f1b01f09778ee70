#!/usr/bin/env python3
"""`airlock.dask.extract` on a local cluster of processes: nothing is lost and nothing is there twice, whatever happens to a worker, its engine
or a cell; a refused extractor fails at once, in the driver. AIRLOCK_DASK_PATHS is the number of paths of the long run (100,000).

    tests/python/dask_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import contextlib
import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, libraries, processes

libraries.need("pandas", "dask", "distributed", packages="python3-distributed and python3-pandas")
from support import package

import airlock
import airlock.dask
import dask.bag
import dask.dataframe
import distributed
import pandas

PATHS = int(os.environ.get("AIRLOCK_DASK_PATHS", "100000"))
NUMBER = "def extract(path: str) -> dict:\n    return {'n': int(path.rpartition('/')[2])}\n"
CRASHES = """def extract(path: str) -> dict:
    if path == '/a/77':
        f = lambda x: f(x)
        f(1)
    return {'n': int(path.rpartition('/')[2])}
"""


def paths_of(count):
    return [f"/a/{number}" for number in range(count)]


def engines_of(worker):
    """The children of a worker that are `airlock serve`."""
    found = []
    for child, _ in processes.descendants(worker):
        with contextlib.suppress(OSError):
            if processes.parent(child) == worker and b"serve" in pathlib.Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0"):
                found.append(child)
    return found


class Case(package.Case):
    def cluster(self, workers=2):
        self.set_environment(PYTHONPATH=str(package.PACKAGE))
        dask.config.set({"distributed.comm.timeouts.connect": "60s", "distributed.worker.profile.enabled": False})
        cluster = distributed.LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1",
                                           local_directory=str(self.folder), silence_logs=50)
        self.addCleanup(cluster.close)
        client = distributed.Client(cluster)
        self.addCleanup(client.close)
        return client

    def series(self, count, partitions):
        return dask.dataframe.from_pandas(pandas.Series(paths_of(count)), npartitions=partitions)


class Cluster(Case):
    def test_many_paths_with_a_worker_killed_in_the_middle(self):
        """Each path has its row, in order, once; the engine of the killed worker has gone with it."""
        client = self.cluster()
        frame = airlock.dask.extract(self.series(PATHS, 40), NUMBER, pool=self.pool())
        self.assertEqual({name: str(dtype) for name, dtype in frame.dtypes.items()}, {"path": "string", "ok": "bool", "error": "string", "n": "Int64"})
        start = time.monotonic()
        future = client.compute(frame)
        first = list(client.run(os.getpid).values())[0]
        # When partitions are done, and others are not.
        harness.wait_for(lambda: future.done() or sum(map(len, client.has_what().values())) > 2, "the first partitions")
        engines = engines_of(first)
        os.kill(first, signal.SIGKILL)
        rows = future.result(timeout=600)
        print(f"  {PATHS} paths in {time.monotonic() - start:.1f} s, one worker of two killed", file=sys.stderr)
        self.assertEqual(len(rows), PATHS)
        self.assertTrue(rows.ok.all())
        self.assertEqual(list(rows.n), list(range(PATHS)))
        self.assertEqual(list(rows.path), paths_of(PATHS))
        harness.wait_for(lambda: not any(not processes.is_gone(one) for one in engines), "the end of the engine")

    def test_a_bag_gives_a_bag_of_rows(self):
        self.cluster()
        bag = dask.bag.from_sequence(paths_of(1000), npartitions=7)
        rows = airlock.dask.extract(bag, NUMBER, pool=self.pool()).compute()
        self.assertEqual(rows, list(self.pool().extract(NUMBER, paths_of(1000))))

    def test_a_cell_that_crashes_costs_its_path(self):
        self.cluster()
        rows = airlock.dask.extract(self.series(1000, 5), CRASHES, pool=self.pool()).compute()
        self.assertEqual(list(rows.path[~rows.ok]), ["/a/77"])
        self.assertIn("RecursionError", rows.error[77])
        self.assertEqual(list(rows.n.dropna()), [number for number in range(1000) if number != 77])

    def test_an_engine_that_is_killed_is_replaced(self):
        client = self.cluster(workers=1)
        worker = list(client.run(os.getpid).values())[0]
        frame = airlock.dask.extract(self.series(PATHS // 2, 20), NUMBER, pool=self.pool())
        future = client.compute(frame)
        # When partitions are done, and others are not.
        harness.wait_for(lambda: sum(map(len, client.has_what().values())) > 2, "the first partitions")
        [engine] = engines_of(worker)
        os.kill(engine, signal.SIGKILL)
        rows = future.result(timeout=600)
        self.assertEqual(list(rows.n), list(range(PATHS // 2)))

    def test_a_refused_extractor_fails_in_the_driver(self):
        """At the call: no task has run."""
        client = self.cluster(workers=1)
        bad = "import os\ndef extract(path):\n    return {}\n"
        pool = self.pool()
        for paths in (dask.bag.from_sequence(paths_of(100), npartitions=10), self.series(100, 10)):
            with self.assertRaises(airlock.Refused) as caught:
                airlock.dask.extract(paths, bad, pool=pool)
            self.assertEqual(caught.exception.findings[0]["item"], "os")
        with self.assertRaises(airlock.Refused):
            airlock.dask.extract(self.series(100, 10), bad, columns={"n": "integer"}, pool=pool)
        self.assertEqual(engines_of(list(client.run(os.getpid).values())[0]), [])

    def test_one_engine_for_each_worker(self):
        client = self.cluster()
        airlock.dask.extract(self.series(5000, 20), NUMBER, pool=self.pool()).compute()
        for worker in client.run(os.getpid).values():
            self.assertLessEqual(len(engines_of(worker)), 1)


class WithoutCluster(Case):
    """The same on threads of this process."""

    def compute(self, frame):
        self.addCleanup(self.close_worker_pool)
        return frame.compute(scheduler="synchronous")

    def close_worker_pool(self):
        if airlock.dask._pool is not None:
            airlock.dask._pool.close()
            airlock.dask._pool = None

    def test_a_row_that_does_not_fit_says_so(self):
        source = "def extract(path: str) -> dict:\n    n = int(path[3:])\n    return {'n': n if n < 2000 else 'many'} if n < 2500 else {'m': 1}\n"
        rows = self.compute(airlock.dask.extract(self.series(3000, 3), source, pool=self.pool()))
        self.assertEqual(list(rows.ok), [True] * 2000 + [False] * 1000)
        self.assertIn("the field 'n' is \"many\", and its column is of type integer", rows.error[2000])
        self.assertIn("the field 'm' has no column", rows.error[2999])

    def test_a_frame_and_its_index(self):
        frame = pandas.DataFrame({"file": paths_of(100), "x": 1}, index=range(1000, 1100))
        rows = self.compute(airlock.dask.extract(dask.dataframe.from_pandas(frame, npartitions=4), NUMBER, column="file", pool=self.pool()))
        self.assertEqual(list(rows.index), list(range(1000, 1100)))
        self.assertEqual(rows.n[1042], 42)

    def test_what_travels_is_what_was_vetted(self):
        members = airlock.dask.extractor_members(NUMBER)
        carried = airlock.dask.Carried(members, airlock.dask.digest(members))
        self.assertEqual(carried.checked(), members)
        members["extractor"] += "# other\n"
        with self.assertRaises(airlock.Refused):
            carried.checked()

    def test_wrong_arguments(self):
        pool = self.pool()
        self.assert_usage(lambda: airlock.dask.extract(paths_of(3), NUMBER, pool=pool), "paths is a list", "a bag, a series or a frame")
        for wrong in (5, airlock.AsyncPool()):
            self.assert_usage(lambda: airlock.dask.extract(self.series(3, 1), NUMBER, pool=wrong), "pool", "an airlock.Pool")
        bag = dask.bag.from_sequence(paths_of(3), npartitions=1)
        for options, words in (({"column": "path"}, "column is for a frame"), ({"columns": {"n": "integer"}}, "columns is for a frame")):
            self.assert_usage(lambda: airlock.dask.extract(bag, NUMBER, pool=pool, **options), words)
        self.assert_usage(lambda: airlock.dask.extract(self.series(3, 1), NUMBER, column="path", pool=pool), "column is for a frame")
        for name in ("--help", "--version", "-x"):
            self.assert_usage(lambda: airlock.dask.extract(bag, name, pool=pool), f"there is no approved extractor '{name}'")
        empty = dask.dataframe.from_pandas(pandas.Series([], dtype=object), npartitions=1)
        self.assert_usage(lambda: airlock.dask.extract(empty, NUMBER, pool=pool), "no paths to learn the columns from")
        told = airlock.dask.extract(empty, NUMBER, columns={"n": "integer"}, pool=pool)
        self.assertEqual(len(self.compute(told)), 0)


class Names(Case):
    """Without a cluster: partitions are made in this process, by an engine of their own."""
    def approved(self):
        self.airlock("approve", self.write("number.py", NUMBER), "--name", "numbers", "--samples", self.write("samples", "/a/1\n"), code=0)

    def test_a_name_travels_as_a_bundle(self):
        self.approved()
        rows = airlock.dask.extract(dask.bag.from_sequence(paths_of(6), npartitions=2), "numbers", pool=self.pool()).compute(scheduler="synchronous")
        self.assertEqual([row["ok"] for row in rows], [True] * 6)
        frame = airlock.dask.extract(self.series(6, 2), "numbers@1", pool=self.pool()).compute(scheduler="synchronous")
        self.assertEqual(frame["path"].tolist(), paths_of(6))

    def test_a_name_that_nobody_approved(self):
        with self.assertRaisesRegex(airlock.Error, "nobodys"):
            airlock.dask.extract(self.series(6, 2), "nobodys", pool=self.pool())


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
