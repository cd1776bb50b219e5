"""Does a program print what a page says it prints?

Every line of the page must come back, in order; other lines may stand between them, and `...` stands for any. What is not
a number must be the same but for the width of gaps. Numbers may differ a little, because a page is there to be read, not
to pin the last digit: by 5 %, by 2 where both are whole (but none stays none), by 0.03 otherwise. Times ("13 ms"), numbers of
iterations and numbers with an exponent (gaps: "7.5e-07") need only be numbers.
"""
import re

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?!\w|\.\d)")
FREE = re.compile(NUMBER.pattern + r" (?:ms|s|min|h|iterations?)\b")


def taken_apart(line):
    """What is said beside the numbers, and the numbers that count."""
    line = FREE.sub("<any>", line)
    numbers = NUMBER.findall(line)
    return NUMBER.sub("#", " ".join(line.split())), numbers


def close(said, real):
    if "e" in said or "e" in real:
        return True
    whole = "." not in said and "." not in real
    a, b = float(said), float(real)
    if whole and 0 in (a, b):
        return a == b
    return abs(a - b) <= max(0.05 * max(abs(a), abs(b)), 2 if whole else 0.03)


def same(said, real):
    (ours, our_numbers), (theirs, their_numbers) = taken_apart(said), taken_apart(real)
    return ours == theirs and all(map(close, our_numbers, their_numbers))


def missing(said, real):
    """The first line of the page that does not come back after those before it, or None."""
    rest = iter(real)
    for line in said:
        if line.strip() not in ("", "...") and not any(same(line, candidate) for candidate in rest):
            return line
    return None
