"""Files: what you name can be read under /data, and what is written to /out comes back as bytes. With numpy, when it is installed.

    python3 examples/python/files_and_plots.py [FOLDER for what comes out]
"""
import pathlib
import sys
import tempfile

import airlock

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
orders = folder / "orders.csv"
orders.write_text("customer,amount\nann,12.50\nbob,3.25\nann,4.25\n")

with airlock.Pool() as pool:
    with pool.session(files={"orders.csv": orders}) as session:
        out = session.run("""
import csv
totals = {}
with open("/data/orders.csv") as file:
    for row in csv.DictReader(file):
        totals[row["customer"]] = totals.get(row["customer"], 0) + float(row["amount"])
totals
""")
        print(out.value)

        # A plot is a file like any other. This one is drawn by hand; matplotlib works the same (matplotlib.use("Agg"), then savefig("/out/plot.png")).
        out = session.run("""
bars = "".join(f'<rect x="0" y="{30 * row}" width="{10 * amount}" height="20"/>' for row, amount in enumerate(totals.values()))
with open("/out/plot.svg", "w") as file:
    file.write(f'<svg xmlns="http://www.w3.org/2000/svg">{bars}</svg>')
""")
        for name, content in out.artifacts.items():
            (folder / name).write_bytes(content)
            print(name, len(content), "bytes")
