"""Marks of a class: reading, ranking, letters."""


def read_marks(lines):
    book = {}
    for line in lines:
        parts = line.strip().split(",")
        book[parts[0]] = [float(p) for p in parts[1:]]  # @here read_marks
    return book


def mean_of(book, name):
    marks = book[name]  # @here mean_of.key
    return sum(marks) / len(marks)  # @here mean_of


def mean_or_zero(book, name):
    marks = book.get(name)
    if not marks:
        return 0.0
    return sum(marks) / len(marks)  # @here mean_or_zero


def top_student(book):
    best, best_mark = None, -1
    for name, marks in book.items():
        highest = max(marks)  # @here top_student
        if highest > best_mark:
            best, best_mark = name, highest
    return best


def rank(book, name):
    order = sorted(book, key=lambda n: sum(book[n]), reverse=True)
    return order.index(name) + 1  # @here rank


def letter(mark):
    """The letter of a mark between 0 and 100."""
    return "FEDCBA"[int(mark) // 15]  # @here letter


def letter_wide(mark):
    """The letter of a mark between 0 and 100."""
    return "FEDCBA"[int(mark) // 20]  # @here letter_wide


def median(values):
    values = sorted(values)
    half = len(values) // 2
    if len(values) % 2 == 0:
        return (values[half - 1] + values[half]) / 2  # @here median
    return values[half]


def spread(values):
    m = sum(values) / max(len(values), 1)
    total = sum((v - m) ** 2 for v in values)
    return total / (len(values) - 1)  # @here spread


def spread_checked(values):
    if len(values) < 2:
        return 0.0
    m = sum(values) / len(values)
    return sum((v - m) ** 2 for v in values) / (len(values) - 1)  # @here spread_checked


def curve(marks, weights):
    total = sum(m * w for m, w in zip(marks, weights))
    return total / sum(weights)  # @here curve


def best_of(scores, n=3):
    ranked = sorted(scores, reverse=True)
    out = []
    for i in range(n):
        out.append(ranked[i])  # @here best_of
    return out


def best_of_short(scores, n=3):
    ranked = sorted(scores, reverse=True)
    out = []
    for i in range(min(n, len(ranked))):
        out.append(ranked[i])  # @here best_of_short
    return out


def normalise(row):
    low, high = min(row.values()), max(row.values())
    return {k: (v - low) / (high - low) for k, v in row.items()}  # @here normalise


def report(students):
    out = []
    for s in students:
        if s["passed"]:
            grade = "ok"
        elif s["mark"] > 40:
            grade = "again"
        out.append("%s: %s" % (s["name"], grade))  # @here report
    return out
