"""Ordinary unit tests: a little of what such tests do, some 300 ms of it."""
import io
import json
import os
import re
import sqlite3
import tempfile
import unittest


class Texts(unittest.TestCase):
    def test_json_round_trip(self):
        value = {"k%d" % i: [i, str(i), None, {"x": i / 3}] for i in range(4000)}
        self.assertEqual(json.loads(json.dumps(value)), value)

    def test_regular_expressions(self):
        text = "name = value %d\n" * 4000 % tuple(range(4000))
        found = re.findall(r"(\w+)\s*=\s*(\w+) (\d+)", text)
        self.assertEqual(len(found), 4000)

    def test_streams(self):
        out = io.StringIO()
        for i in range(30000):
            print(i, file=out)
        self.assertEqual(out.getvalue().count("\n"), 30000)


class Files(unittest.TestCase):
    def test_small_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for i in range(200):
                path = os.path.join(folder, str(i))
                with open(path, "w") as f:
                    f.write("x" * i)
                self.assertEqual(os.stat(path).st_size, i)
            self.assertEqual(len(os.listdir(folder)), 200)

    def test_walk(self):
        count = sum(len(files) for _, _, files in os.walk("/usr/include"))
        self.assertGreaterEqual(count, 0)


class Tables(unittest.TestCase):
    def test_database(self):
        db = sqlite3.connect(":memory:")
        db.execute("create table t (a integer primary key, b text)")
        db.executemany("insert into t values (?, ?)",
                       ((i, str(i)) for i in range(5000)))
        self.assertEqual(
            db.execute("select sum(a) from t where b like '%9'").fetchone(),
            (sum(i for i in range(5000) if i % 10 == 9),))


if __name__ == "__main__":
    unittest.main()
