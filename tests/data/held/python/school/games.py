"""Small games: boards, cards, scores."""
import random


def winner(board):
    for row in board:
        if row[0] != " " and row[0] == row[1] == row[2]:  # @here winner
            return row[0]
    return None


def card_value(card):
    rank = card[:-1]
    if rank in ("J", "Q", "K"):
        return 10
    if rank == "A":
        return 11
    return int(rank)  # @here card_value


def hand_total(hand):
    total = sum(card_value(c) for c in hand)  # @here hand_total
    return total if total <= 21 else 0


def deal(deck, players):
    each = len(deck) // players  # @here deal
    return [deck[i * each:(i + 1) * each] for i in range(players)]


def deal_ok(deck, players):
    assert players > 0
    each = len(deck) // players  # @here deal_ok
    return [deck[i * each:(i + 1) * each] for i in range(players)]


def move(position, step, size):
    x, y = position  # @here move
    return (x + step[0]) % size, (y + step[1]) % size  # @here move.mod


def guess_loop(secret, guesses):
    it = iter(guesses)
    tries = 0
    while True:
        tries += 1
        if next(it) == secret:  # @here guess_loop
            return tries


def guess_loop_ok(secret, guesses):
    it = iter(guesses)
    tries = 0
    while True:
        tries += 1
        g = next(it, None)  # @here guess_loop_ok
        if g is None or g == secret:
            return tries


def pick(names):
    return random.choice(names)  # @here pick


def high_score(lines):
    best = max(int(line.split(":")[1]) for line in lines)  # @here high_score
    return best


def level_up(player):
    player["xp"] -= player["level"] * 100  # @here level_up
    player["level"] += 1
    return player


def hangman(word, letters):
    shown = [c if c in letters else "_" for c in word]
    return shown.count("_") / len(shown)  # @here hangman


def chess_square(text):
    """Column and row of a square such as 'e4'."""
    return "abcdefgh".index(text[0]), int(text[1]) - 1  # @here chess_square


def dice(spec):
    count, sides = spec.lower().split("d")  # @here dice
    return [1 + i % int(sides) for i in range(int(count))]


class Stack:
    def __init__(self):
        self._items = []

    def push(self, x):
        self._items.append(x)

    def pop(self):
        return self._items.pop()  # @here pop

    def peek(self):
        return self._items[-1] if self._items else None  # @here peek


class Tower:
    """Three pegs of Hanoi."""

    def __init__(self, discs: int = 3):
        self.pegs = [list(range(discs, 0, -1)), [], []]

    def shift(self, a: int, b: int):
        disc = self.pegs[a].pop()  # @here shift
        self.pegs[b].append(disc)

    def shift_ok(self, a: int, b: int):
        if a not in (0, 1, 2) or b not in (0, 1, 2) or not self.pegs[a]:
            return False
        self.pegs[b].append(self.pegs[a].pop())  # @here shift_ok
        return True
