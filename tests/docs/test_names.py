"""No two public classes of one name, so that a name says which thing is meant."""

import ast
from collections import defaultdict
from pathlib import Path

import ordojo

SOURCE = Path(ordojo.__file__).parent
MIRRORED = (Path("compat/gurobipy"), Path("compat/coptpy"))
"""Their names are those of the libraries that they stand in for: `Model`, `Var`, `LinExpr`."""


def test_no_two_public_classes_have_one_name() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        home = path.relative_to(SOURCE)
        if not any(home.is_relative_to(folder) for folder in MIRRORED):
            for node in ast.parse(path.read_text("utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    homes[node.name].append(str(home))
    assert len(homes) > 500
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}
