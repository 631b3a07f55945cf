"""`ordojo whatif`, `whynot`, `worth`, `suspects` and `check`: what is asked of a model next."""

from ordojo.api import asked
from ordojo.cli.made import made

MODEL = {"model": "A path (.mps, .lp, these packed; .py, a program that solves it)."}


whatif = made(
    asked.whatif,
    doing="asking what if of {model}",
    helps=MODEL,
    example="whatif plan.lp --set 'cap<=50' --set 'obj.x=4'",
    flags={"edits": ["--set"]},
    metavars={"edits": "[CHANGE]"},
)
whynot = made(
    asked.whynot,
    doing="asking why not of {model}",
    helps=MODEL,
    example="whynot plan.lp 'open[W2]>=1'",
)
worth = made(
    asked.worth,
    doing="asking what {row} is worth in {model}",
    helps=MODEL,
    example="worth plan.lp cap --by 10",
)
suspects = made(
    asked.suspects,
    doing="looking for suspects in {model}",
    helps=MODEL,
    example="suspects plan.lp --family 'cap*'",
    metavars={"family": "NAME"},
)
check = made(
    asked.check,
    doing="checking {solution} in {model}",
    helps=MODEL,
    example="check plan.lp plan.sol",
    code=lambda found: int(not found.feasible or found.conflict is not None),
    also="Exit code 1: something is broken, or the rest cannot be completed.",
)
