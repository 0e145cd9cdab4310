"""Tests of shopkit; what callers pass is here and in no annotation."""
from datetime import datetime

from shopkit import events, inventory, settings, tokens, wire
from shopkit.inventory import average_price, merge, rows_to_stock, ship
from shopkit.trees import Node, Tree, menu_titles, nth

STOCK = {"p1": {"count": 4}}


def test_value():
    stock = {"north": {"pear": {"count": 3, "price": 2.5}}}
    assert inventory.value(stock, "north") == 7.5


def test_reorder():
    assert inventory.reorder({"north": {"pear": {"count": 1}}}, "pear", {"pear": 4}) == ["north"]


def test_ship():
    assert ship({"id": 7, "lines": [{"sku": "p1", "quantity": 2}]}, {"p1": {"count": 4}}) == 7


def test_merge():
    assert merge({"a": 1}, {"a": 2}) == {"a": 3}


def test_average():
    assert average_price([{"price": 2.0, "count": 3}]) == 2.0


def test_rows():
    assert rows_to_stock(["p1;3;2.50"])["p1"]["count"] == 3


def test_shelf():
    assert inventory.by_shelf([("p1", "A-3")]) == {"A": {3: "p1"}}


def test_settings():
    assert settings.port_of({"server": {"port": "80"}}) == 80
    assert settings.lookup({"a": {"b": 1}}, "a.b") == 1
    assert settings.expand("%who%, hello", {"who": "you"})
    assert settings.size("4k") == 4096
    assert settings.sections("[a]\nb = 1") == {"a": {"b": "1"}}
    assert settings.flag({"X": "yes"}, "X")


def test_tokens():
    assert tokens.calculate("2*(3+4)") == 14
    assert tokens.version("v1.2") == (1, 2)
    assert tokens.resolve({"x": 4}, ("div", ("name", "x"), ("num", 2))) == 2


def test_trees():
    assert nth(Node(1, Node(2)), 1) == 2
    assert Tree(2, Tree(1)).balance
    assert menu_titles({"title": "File", "children": [{"title": "Open"}]}) == ["File", "Open"]


def test_events():
    assert list(events.batches([1, 2, 3], 2)) == [[1, 2], [3]]
    assert events.dispatch({"a": len}, {"kind": "a"}) == 1
    assert events.throttle([1, 2, 9], 5) == 1


def test_wire():
    assert wire.query("http://x/?a=1") == {"a": "1"}
    assert wire.host_port("h:80") == ("h", 80)
    assert wire.cookie("a=1; b=2", "b") == "2"
    assert wire.stamp({"at": "2024-01-02T03:04:05"})
    assert wire.throughput([10], datetime(2024, 1, 1), datetime(2024, 1, 2))
    assert wire.tlv(b"\x01\x01x") == {1: b"x"}
