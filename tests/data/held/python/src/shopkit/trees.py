"""Linked lists, trees, heaps."""


class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


def last(node):
    while node.next is not None:  # @here last
        node = node.next
    return node.value


def nth(node, n):
    for _ in range(n):
        node = node.next
    return node.value  # @here nth


def nth_ok(node, n):
    for _ in range(n):
        if node is None:
            return None
        node = node.next
    return node.value if node else None  # @here nth_ok


def length(node):
    count = 0
    while node:
        count += 1
        node = node.next
    return count  # @here length


def middle(head):
    slow = fast = head
    while fast:
        slow = slow.next
        fast = fast.next.next  # @here middle
    return slow


class Tree:
    def __init__(self, key, left=None, right=None):
        self.key, self.left, self.right = key, left, right

    def smallest(self):
        here = self
        while here.left is not None:
            here = here.left
        return here.key  # @here smallest

    def rightmost_of_left(self):
        here = self.left
        while here.right is not None:  # @here rightmost_of_left
            here = here.right
        return here.key

    def height(self):
        left = self.left.height() if self.left else 0
        right = self.right.height() if self.right else 0
        return 1 + max(left, right)  # @here height

    def balance(self):
        return self.left.height() - self.right.height()  # @here balance


def sum_tree(node):
    return node.key + sum_tree(node.left) + sum_tree(node.right)  # @here sum_tree


def sum_tree_ok(node):
    if node is None:
        return 0
    return node.key + sum_tree_ok(node.left) + sum_tree_ok(node.right)  # @here sum_tree_ok


def path_to(tree, key):
    out = []
    while tree.key != key:  # @here path_to
        out.append(tree.key)
        tree = tree.left if key < tree.key else tree.right
    return out


def heap_pop(heap):
    top = heap[0]  # @here heap_pop
    tail = heap.pop()
    if heap:
        heap[0] = tail
    return top


def to_heap(items):
    heap = list(items)
    for i in range(len(heap) // 2 - 1, -1, -1):
        child = 2 * i + 1
        if child + 1 < len(heap) and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] < heap[i]:  # @here to_heap
            heap[i], heap[child] = heap[child], heap[i]
    return heap


def menu_depth(item):
    return 1 + max(menu_depth(child) for child in item["children"])  # @here menu_depth


def menu_titles(item):
    out = [item["title"]]  # @here menu_titles
    for child in item.get("children", []):
        out += menu_titles(child)
    return out
