"""Paths in a frame, rows in a frame with typed columns. Needs pandas; with Dask the same, lazily and on many machines.

    python3 examples/python/frames.py
"""
import pandas

import airlock.pandas

EXTRACTOR = '''
def extract(path: str) -> dict:
    parts = path.strip("/").split("/")
    return {"client": parts[1], "year": int(parts[2]), "share": int(parts[2]) / 2000}
'''

paths = pandas.DataFrame({"path": [f"/data/client-{number % 3}/{2020 + number % 4}/{number}.csv" for number in range(1000)] + ["/data/client-1/unknown/x.csv"]})
frame = airlock.pandas.extract(paths, EXTRACTOR)
print(frame.dtypes.astype(str).to_dict())
print(frame[frame.ok].groupby("year").client.count().to_dict())
print(frame[~frame.ok][["path", "error"]].to_dict("records"))

try:
    import dask.dataframe
except ImportError:
    print("Dask is not installed here")
else:
    import airlock.dask

    # The extractor is judged here, once, and the types of the columns are told; rows are made where the partitions are.
    lazily = airlock.dask.extract(dask.dataframe.from_pandas(paths, npartitions=4), EXTRACTOR, columns={"client": "text", "year": "integer", "share": "number"})
    print(lazily.compute(scheduler="synchronous").equals(frame))
