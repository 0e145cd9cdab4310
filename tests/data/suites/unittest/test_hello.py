import unittest


class Hello(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(1 + 1, 2)

    def test_is_positive(self):
        self.assertGreater(1, 0)

    @unittest.skip("later")
    def test_skipped(self):
        self.fail("is not run")


if __name__ == "__main__":
    unittest.main()
