"""generator.py of an instance made from an MPS file: its data again, from the tables beside it."""

import hashlib
import json
from collections.abc import Mapping

TABLES = "structure"
"""The folder of the abstraction within an instance."""

SCRIPT = '''"""Make the data of {name} again from {folder}/, and compare every file.

{folder}/ holds the abstraction of the MPS file. Usage: python generator.py [DIR]
writes data/, {model} and {program} into DIR, by default this folder. Needs the package
ordojo. Exit code 1: a file is not the one that was made first.
"""

import hashlib
import sys
from pathlib import Path

from ordojo.structure.abstraction.folder import model, read
from ordojo.structure.formulation import data_files, formulate, model_md, solve_py

HERE = Path(__file__).resolve().parent
DIGESTS = {digests}
NAMES = {names}


def make():
    """Every file that follows from the abstraction, by path."""
    found = read(HERE / "{folder}")
    formulation = formulate(model(found), found, NAMES)
    files = data_files(formulation)
    files["{model}"] = model_md(formulation)
    files["{program}"] = solve_py(formulation)
    return files


def main(target):
    """Write the files, and name those that differ."""
    files = make()
    differing = sorted(set(files) ^ set(DIGESTS))
    for path, text in files.items():
        if hashlib.sha256(text.encode()).hexdigest() != DIGESTS.get(path):
            differing.append(path)
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(text.encode())
    for path in sorted(set(differing)):
        print(f"{{path}} differs")
    print(f"{{len(files)}} files made, {{len(set(differing))}} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE))
'''


def generator_py(
    name: str,
    files: Mapping[str, str],
    model: str,
    program: str,
    names: Mapping[str, str] | None = None,
) -> str:
    """The script, with the digests of the files that it has to make; `names` as in `formulate`."""
    digests = {path: hashlib.sha256(files[path].encode()).hexdigest() for path in sorted(files)}
    safe = name.replace("\\", "/").replace('"', "'").replace("{", "(").replace("}", ")")
    return SCRIPT.format(
        name=safe,
        folder=TABLES,
        model=model,
        program=program,
        digests=json.dumps(digests, indent=4).replace('"\n}', '",\n}'),
        names=json.dumps(dict(names or {}), indent=4).replace('"\n}', '",\n}'),
    )
