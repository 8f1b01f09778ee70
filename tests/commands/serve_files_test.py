#!/usr/bin/env python3
"""Files of `airlock serve`: those that a session is given, by whom and from where, and those that come back.

    tests/commands/serve_files_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, serving


class Files(serving.Case):
    def assert_usage(self, answer):
        self.assertEqual(answer.get("error", {}).get("type"), "Usage", answer)

    @harness.needs_files
    def test_files_are_shown_and_artifacts_come_back(self):
        client = self.serve()
        path = self.write("orders.csv", "a,b\n1,2\n")
        session = client.open(files={"orders.csv": str(path)})
        got = client.run("text = open('/data/orders.csv').read()\nopen('/out/copy.csv', 'w').write(text)", session)
        self.assert_fine(got)
        self.assertEqual(got["artifacts"], {"copy.csv": "YSxiCjEsMgo="})
        self.assertEqual(client.run("1", session)["artifacts"], {}, "only what is new or changed")
        self.assertEqual(client.run("open('/out/copy.csv', 'a').write('!')", session)["artifacts"], {"copy.csv": "YSxiCjEsMgoh"})

    def test_files_that_are_not_there_or_no_files(self):
        client = self.serve()
        os.mkfifo(self.folder / "fifo")
        for name, path in (("a", "/nowhere"), ("a", str(self.folder)), ("a", str(self.folder / "fifo")), ("a/b", "/etc/hostname"),
                           ("..", "/etc/hostname"), ("", "/etc/hostname")):
            self.assert_usage(client.request("open", files={name: path}))
        for wrong in ([], "text", {"a": 1}):
            self.assert_usage(client.request("open", files=wrong))

    def roots(self):
        """Two folders that a server may show files of, and what stands beside them."""
        for name in ("beside", "below/deep", "other"):
            (self.folder / name).mkdir(parents=True)
        for name in ("beside/secret", "below/a", "below/deep/b", "other/c", "below-not"):
            self.write(name, name)
        (self.folder / "below/way-out").symlink_to(self.folder / "beside/secret")
        (self.folder / "beside/way-in").symlink_to(self.folder / "below/a")
        return self.folder / "below", self.folder / "other"

    @harness.needs_files
    def test_files_below_the_roots_of_a_server(self):
        below, other = self.roots()
        for client in (self.serve("--allow-root", below, "--allow-root", other), self.connect(self.serve_socket("--allow-root", below, "--allow-root", other)[1])):
            for path, holds in ((below / "a", "below/a"), ("a", "below/a"), ("deep/b", "below/deep/b"), ("c", "other/c"), (self.folder / "beside/way-in", "below/a")):
                with self.subTest(path):
                    session = client.open(files={"it": str(path)})
                    self.assert_fine(client.run("open('/data/it').read()", session), holds)

    def test_files_beside_the_roots_of_a_server(self):
        below, _ = self.roots()
        client = self.serve("--allow-root", below)
        for path in (self.folder / "beside/secret", "../beside/secret", "way-out", below, ".", self.folder / "below-not", self.folder / "nowhere", "a/", "a\0b", "/etc/hostname"):
            with self.subTest(path):
                answer = client.request("open", files={"it": str(path)})
                self.assert_usage(answer)
                self.assertEqual(answer["error"]["message"], f"'{path}' is no file that can be read below the folders of --allow-root")
        without = self.connect(self.serve_socket()[1])
        self.assertIn("--allow-root", without.request("open", files={"it": str(below / "a")})["error"]["message"])

    def test_roots_that_are_no_folders_are_refused(self):
        for root in (self.folder / "nowhere", self.write("file", "")):
            self.assert_refused(self.airlock("serve", "--stdio", "--allow-root", root), f"--allow-root {root}")


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
