"""Rows of many paths: as they come, in their order and in bounded memory.

    find / -xdev -name '*.csv' | python3 examples/python/many_paths.py -
    python3 examples/python/many_paths.py                                   a million paths that are made up
"""
import collections
import sys

import airlock

# What somebody, or a model, wrote. It is judged before it runs, and runs behind walls.
EXTRACTOR = '''
def extract(path: str) -> dict:
    parts = path.strip("/").split("/")
    return {"client": parts[1], "year": int(parts[2]), "name": parts[-1]}
'''


def made_up(count):
    """The paths may come from anywhere; they are taken as they are needed."""
    for number in range(count):
        yield f"/data/client-{number % 7}/{2020 + number % 5 if number % 1000 else 'unknown'}/report_{number}.csv"


def main(words):
    paths = (line.rstrip("\n") for line in sys.stdin) if words == ["-"] else made_up(int(words[0]) if words else 1_000_000)
    years, failed = collections.Counter(), []
    with airlock.Pool() as pool:
        report = pool.validate(EXTRACTOR, ["/data/client-1/2024/a.csv"])
        if not report.valid:
            sys.exit(report.retry_context)  # the text for a model that is to try again
        for row in pool.extract(EXTRACTOR, paths):
            if row["ok"]:
                years[row["data"]["year"]] += 1
            else:
                failed.append(row)
    print(dict(sorted(years.items())))
    print(len(failed), "failed", f"- the first: {failed[0]['path']}: {failed[0]['error']['message']}" if failed else "")


if __name__ == "__main__":
    main(sys.argv[1:])
