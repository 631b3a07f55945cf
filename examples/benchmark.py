"""A benchmark in 25 lines, asked and scored.

ordojo/gold: 1.00
ordojo/noop: 0.00
"""

import math

import ordojo


class OrderQuantity(ordojo.SingleTurn):
    name, title = "order-quantity", "Economic order quantity"
    summary = "How much to order at a time, where ordering and keeping cost"

    def generate(self, rng, options):
        return {name: int(rng.integers(1, 50)) for name in ("demand", "fixed", "holding")}

    def prompt(self, problem):
        return (
            "A shop sells {demand} sacks a month. An order costs {fixed} euros, and keeping a sack "
            "for a month {holding} euros. How many sacks, rounded to the nearest number, does it "
            "order at a time? End with a line 'Answer: ' and the number."
        ).format(**problem)

    def truth(self, problem):
        return round(math.sqrt(2 * problem["demand"] * problem["fixed"] / problem["holding"]))


for model in ("ordojo/gold", "ordojo/noop"):
    scores = [r.verdict("answer").score for r in ordojo.evaluate(OrderQuantity(), model).records]
    print(f"{model}: {sum(scores) / len(scores):.2f}")
