"""Text exercises."""


def initials(name):
    return "".join(part[0].upper() for part in name.split(" "))  # @here initials


def initials_split(name):
    return "".join(part[0].upper() for part in name.split())  # @here initials_split


def caesar(text, shift):
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    out = ""
    for ch in text:
        if ch in alphabet:
            out += alphabet[alphabet.index(ch) + shift]  # @here caesar
        else:
            out += ch
    return out


def caesar_mod(text, shift):
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    out = ""
    for ch in text:
        if ch in alphabet:
            out += alphabet[(alphabet.index(ch) + shift) % 26]  # @here caesar_mod
        else:
            out += ch
    return out


def longest(sentence):
    words = sentence.split()
    words.sort(key=len)
    return words[-1]  # @here longest


def key_value(line):
    key, value = line.split("=")  # @here key_value
    return key.strip(), value.strip()


def key_value_max(line):
    key, _, value = line.partition("=")  # @here key_value_max
    return key.strip(), value.strip()


def roman(text):
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
    total, last = 0, 0
    for ch in reversed(text.upper()):
        v = values[ch]  # @here roman
        total += v if v >= last else -v
        last = max(last, v)
    return total


def average_word(text):
    words = text.split()
    return sum(len(w) for w in words) / len(words)  # @here average_word


def parse_time(text):
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)  # @here parse_time


def rle_decode(packed):
    out = []
    i = 0
    while i < len(packed):
        out.append(packed[i + 1] * int(packed[i]))  # @here rle_decode
        i += 2
    return "".join(out)


def rle_encode(text):
    out, count = "", 1
    previous = text[0]  # @here rle_encode
    for ch in text[1:]:
        if ch == previous:
            count += 1
        else:
            out += previous + str(count)
            previous, count = ch, 1
    return out + previous + str(count)


def title(words):
    return " ".join(w[0].upper() + w[1:] for w in words if w)  # @here title


def ascii_only(text):
    return text.encode("ascii")  # @here ascii_only


def ascii_safe(text):
    return text.encode("ascii", "ignore")  # @here ascii_safe


def from_latin(raw: bytes) -> str:
    return raw.decode("latin-1")  # @here from_latin


def from_utf8(raw: bytes) -> str:
    return raw.decode("utf-8")  # @here from_utf8


def evaluate(expr):
    """Evaluate '3 4 +' (reverse Polish)."""
    stack = []
    for token in expr.split():
        if token in "+-*/":
            b = stack.pop()
            a = stack.pop()
            if token == "+":
                stack.append(a + b)
            elif token == "-":
                stack.append(a - b)
            elif token == "*":
                stack.append(a * b)
            else:
                stack.append(a / b)  # @here evaluate
        else:
            stack.append(float(token))
    return stack[0]


def char_index(text, ch):
    try:
        return text.index(ch)  # @here char_index
    except ValueError:
        return -1


def zip_code(address):
    return int(address.split(",")[-1].strip()[:5])  # @here zip_code


def count_vowels(text: str) -> float:
    vowels = sum(text.lower().count(v) for v in "aeiou")
    consonants = sum(ch.isalpha() for ch in text) - vowels
    return vowels / consonants  # @here count_vowels
