"""Stock of several stores.

>>> stock = {"north": {"pear": {"count": 3, "price": 2.5}}}
>>> value(stock, "north")
7.5
"""


def value(stock, store):
    return sum(i["count"] * i["price"] for i in stock[store].values())  # @here value


def reorder(stock, item, limits):
    short = [s for s, items in stock.items() if items[item]["count"] < limits[item]]  # @here reorder
    return sorted(short)


def reorder_ok(stock, item, limits):
    return [s for s, items in stock.items()
            if items.get(item, {}).get("count", 0) < limits.get(item, 0)]  # @here reorder_ok


def ship(order, stock):
    for line in order["lines"]:
        have = stock.get(line["sku"])
        left = have["count"] - line["quantity"]  # @here ship
        if left < 0:
            raise ValueError("out of stock")
        have["count"] = left
    return order["id"]


def average_price(items):
    total = count = 0
    for entry in items:
        total += entry["price"] * entry["count"]
        count += entry["count"]
    return total / count  # @here average_price


def turnover(sold, opening, closing):
    """Sold pieces by mean stock.

    opening, closing: stock at both ends, positive numbers
    """
    return sold / ((opening + closing) / 2)  # @here turnover


def turnover_any(sold, opening, closing):
    return sold / ((opening + closing) / 2)  # @here turnover_any


def merge(first, second):
    out = dict(first)
    for key, more in second.items():
        out[key] += more  # @here merge
    return out


def merge_ok(first, second):
    out = dict(first)
    for key, more in second.items():
        out[key] = out.get(key, 0) + more  # @here merge_ok
    return out


def cheapest(offers):
    return min(offers, key=lambda o: o["price"])["vendor"]  # @here cheapest


def rows_to_stock(rows):
    out = {}
    for row in rows:
        sku, count, price = row.split(";")
        out[sku] = {"count": int(count), "price": float(price)}  # @here rows_to_stock
    return out


def pallets(pieces, per_pallet):
    full, rest = divmod(pieces, per_pallet)  # @here pallets
    return full + (1 if rest else 0)


def by_shelf(items):
    shelves = {}
    for sku, where in items:
        row, _, place = where.partition("-")
        shelves.setdefault(row, {})[int(place)] = sku  # @here by_shelf  # @here by_shelf
    return shelves
