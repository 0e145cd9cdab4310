"""Graphs as dicts of lists, as in the second lab."""
from collections import deque


def bfs(graph, start):
    seen, order = {start}, []
    queue = deque([start])
    while queue:
        node = queue.popleft()
        order.append(node)
        for other in graph[node]:  # @here bfs
            if other not in seen:
                seen.add(other)
                queue.append(other)
    return order


def bfs_get(graph, start):
    seen, order = {start}, []
    queue = deque([start])
    while queue:
        node = queue.popleft()
        order.append(node)
        for other in graph.get(node, []):  # @here bfs_get
            if other not in seen:
                seen.add(other)
                queue.append(other)
    return order


def depth(tree, root):
    if not tree[root]:
        return 1
    return 1 + max(depth(tree, kid) for kid in tree[root])  # @here depth


def path_cost(edges, path):
    cost = 0
    for a, b in zip(path, path[1:]):
        cost += edges[(a, b)]  # @here path_cost
    return cost


def path_cost_both(edges, path):
    cost = 0
    for a, b in zip(path, path[1:]):
        if (a, b) in edges:
            cost += edges[(a, b)]  # @here path_cost_both
    return cost


def topological(deps):
    """Order of tasks; deps maps a task to those it needs."""
    done, out = set(), []

    def visit(task):
        if task in done:
            return
        for need in deps.get(task, ()):
            visit(need)
        done.add(task)
        out.append(task)

    for task in deps:
        visit(task)  # @here topological
    return out


def shortest(graph, start, goal):
    dist = {start: 0}
    todo = [start]
    while todo:
        here = min(todo, key=dist.get)
        todo.remove(here)
        for there, cost in graph.get(here, {}).items():
            if there not in dist or dist[here] + cost < dist[there]:
                dist[there] = dist[here] + cost
                todo.append(there)
    return dist[goal]  # @here shortest


def degree_mean(adj):
    return sum(len(v) for v in adj.values()) / len(adj)  # @here degree_mean


def edges_of(pairs):
    out = {}
    for a, b in pairs:  # @here edges_of
        out.setdefault(a, []).append(b)
    return out


def edges_typed(pairs: list[tuple[str, str]]) -> dict:
    out = {}
    for a, b in pairs:  # @here edges_typed
        out.setdefault(a, []).append(b)
    return out


class Network:
    def __init__(self):
        self.links = {}

    def add(self, a, b, weight=1):
        self.links.setdefault(a, {})[b] = weight
        self.links.setdefault(b, {})

    def weight(self, a, b):
        return self.links[a][b]  # @here weight

    def weight_or(self, a, b, other=0):
        return self.links.get(a, {}).get(b, other)  # @here weight_or

    def busiest(self):
        return max(self.links, key=lambda n: len(self.links[n]))  # @here busiest
