"""`ordojo serve`, an environment for trainers elsewhere, and `mcp`, the front door as tools."""

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


mcp = made(
    trainers.mcp,
    doing="",
    example="mcp --allow models",
    flags={"allow": ["--allow"]},
    show=lambda found: None,
    prints_json=False,
)
