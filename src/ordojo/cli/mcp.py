"""`ordojo mcp`: the front door as tools of a language model's assistant."""

from ordojo.api import trainers
from ordojo.cli.made import made

mcp = made(
    trainers.mcp,
    doing="",
    example="mcp --allow models",
    flags={"allow": ["--allow"]},
    show=lambda found: None,
    prints_json=False,
)
