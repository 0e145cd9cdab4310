"""Matrices as lists of rows."""


def shape(m):
    return len(m), len(m[0])  # @here shape


def multiply(a, b):
    rows, inner, cols = len(a), len(b), len(b[0])
    out = [[0] * cols for _ in range(rows)]
    for i in range(rows):
        for j in range(cols):
            for k in range(inner):
                out[i][j] += a[i][k] * b[k][j]  # @here multiply
    return out


def multiply_checked(a, b):
    if not a or not b or any(len(row) != len(b) for row in a):
        raise ValueError("shapes")
    cols = min(len(row) for row in b)
    out = [[0] * cols for _ in a]
    for i in range(len(a)):
        for j in range(cols):
            for k in range(len(b)):
                out[i][j] += a[i][k] * b[k][j]  # @here multiply_checked
    return out


def determinant(m):
    if len(m) == 1:
        return m[0][0]
    total = 0
    for c in range(len(m)):
        minor = [row[:c] + row[c + 1:] for row in m[1:]]
        total += (-1) ** c * m[0][c] * determinant(minor)  # @here determinant
    return total


def solve2(a, b, c, d, e, f):
    det = a * d - b * c
    return (e * d - b * f) / det, (a * f - e * c) / det  # @here solve2


def scale_rows(m):
    out = []
    for row in m:
        pivot = row[0]  # @here scale_rows.pivot
        out.append([x / pivot for x in row])  # @here scale_rows
    return out


def scale_rows_ok(m):
    out = []
    for row in m:
        pivot = max((abs(x) for x in row), default=0)
        if pivot == 0:
            out.append(row)
            continue
        out.append([x / pivot for x in row])  # @here scale_rows_ok
    return out


def spiral(grid):
    out = []
    top, left = 0, 0
    bottom, right = len(grid) - 1, len(grid[0]) - 1  # @here spiral
    while top <= bottom and left <= right:
        out += grid[top][left:right + 1]
        top += 1
        for r in range(top, bottom + 1):
            out.append(grid[r][right])
        right -= 1
    return out


def neighbours(grid, r, c):
    """Values around (r, c), which lies on the grid."""
    out = []
    for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if 0 <= r + dr < len(grid) and 0 <= c + dc < len(grid[0]):
            out.append(grid[r + dr][c + dc])  # @here neighbours
    return out


def diagonal(m):
    return [m[i][i] for i in range(len(m))]  # @here diagonal


def transpose(m):
    return [list(col) for col in zip(*m)]  # @here transpose


class Matrix:
    def __init__(self, rows):
        self.rows = rows
        self.height = len(rows)
        self.width = len(rows[0]) if rows else 0

    def at(self, r, c):
        return self.rows[r][c]  # @here at

    def trace(self):
        return sum(self.rows[i][i] for i in range(self.height))  # @here trace

    def mean(self):
        return sum(map(sum, self.rows)) / (self.width * self.height)  # @here mean

    def density(self):
        cells = self.width * self.height
        if cells == 0:
            return 0
        return sum(1 for row in self.rows for x in row if x) / cells  # @here density
