"""`ordojo verify`: every certificate of a file of instances again, from scratch."""

import click

from ordojo.api import benchmarks
from ordojo.cli.made import made

verify = made(
    benchmarks.verify,
    doing="verifying {path}",
    example="verify items.jsonl",
    flags={"on": ["--on"]},
    metavars={"path": "FILE"},
    show=benchmarks.Verification.text,
    plain=lambda found: {
        "file": str(click.get_current_context().params["path"]),
        **found.to_json(),
    },
    code=lambda found: int(not found.holds),
    also="Exit code 1: one does not hold.",
)
