"""Numbers as texts write them: the words of English with their values, and digits in groups."""

import re

# fmt: off
ONES = {word: value for value, word in enumerate((
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
))}
TENS = {word: 10 * value for value, word in enumerate((
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
), start=2)}
# fmt: on
SCALES = {"dozen": 12, "hundred": 100, "thousand": 1_000, "million": 1_000_000}


def pointed(digits: str) -> str:
    """Digits with a point before the decimals, and nothing between thousands: as `float` reads."""
    digits = re.sub(r"[ '_]", "", digits)
    comma, point = digits.rfind(","), digits.rfind(".")
    if digits.count(".") > 1 or -1 < point < comma:
        return digits.replace(".", "").replace(",", ".")
    grouped = re.search(r",\d{3}(?:\.|$)", digits) and not re.fullmatch(r"0,\d+", digits)
    if not grouped or (comma > 3 and digits.count(",") == 1):
        return digits.replace(",", ".")
    return digits.replace(",", "")
