"""Make the data of lots again from structure/, and compare every file.

structure/ holds the abstraction of the MPS file. Usage: python generator.py [DIR]
writes data/, model.md and solve.py into DIR, by default this folder. Needs the package
ordojo. Exit code 1: a file is not the one that was made first.
"""

import hashlib
import sys
from pathlib import Path

from ordojo.structure.abstraction.folder import model, read
from ordojo.structure.formulation import data_files, formulate, model_md, solve_py

HERE = Path(__file__).resolve().parent
DIGESTS = {
    "data/T.csv": "e72c7f5821b1c88971f1142e134af276d0d5e3a8953c4eeae3fa654d01259eec",
    "data/parameters.csv": "dd90bcd3353136721b6e35d6d687a1291885a9c9fc3d84b06bc4859fe28bfdcb",
    "data/sets.csv": "3af6ae3bb5c2a5e94ec8862b337238b7edbde67511cc2ce4794e3f6591f60e42",
    "model.md": "97e4602044859db69a597c79f6ac3665498734dbe980230c9f9624e928030adf",
    "solve.py": "8c85b1f252e3af4ef7cdf01c9154e9d47b9a2b98b77c18c9e192c382c16f033b",
}
NAMES = {}


def make():
    """Every file that follows from the abstraction, by path."""
    found = read(HERE / "structure")
    formulation = formulate(model(found), found, NAMES)
    files = data_files(formulation)
    files["model.md"] = model_md(formulation)
    files["solve.py"] = solve_py(formulation)
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
        print(f"{path} differs")
    print(f"{len(files)} files made, {len(set(differing))} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE))
