"""`ordojo verify`: every certificate of a file of instances again, from scratch."""

from ordojo.api import benchmarks
from ordojo.cli.made import made

verify = made(
    benchmarks.verify,
    doing="verifying {path}",
    example="verify items.jsonl",
    flags={"on": ["--on"]},
    metavars={"path": "FILE"},
    show=benchmarks.Verification.text,
    code=lambda found: int(not found.holds),
    also="Exit code 1: one does not hold.",
)
