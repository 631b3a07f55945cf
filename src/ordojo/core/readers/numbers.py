"""The words of English numbers with their values, for all that read or write them."""

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
