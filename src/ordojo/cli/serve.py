"""`ordojo serve`: a benchmark's environment for trainers in other processes."""

from ordojo.api import trainers
from ordojo.cli.made import made

serve = made(
    trainers.serve,
    doing="serving {benchmark}",
    example="serve or-debug --port 8000",
    metavars={"allow": "NAME"},
    helps={"benchmark": "A benchmark's name."},
    show=lambda found: None,
    prints_json=False,
)
