import pytest


def test_adds():
    assert 1 + 1 == 2


@pytest.mark.parametrize("n", [1, 2])
def test_is_positive(n, tmp_path):
    (tmp_path / "file").write_text("x")
    assert n > 0


@pytest.mark.skip(reason="later")
def test_skipped():
    raise AssertionError
