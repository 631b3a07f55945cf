"""The flat model of a candidate: a model file, a program in any of three libraries, a folder."""

import base64
import binascii
import tempfile
from dataclasses import replace
from pathlib import Path

from ordojo.compat.capture import beside, lent_sandbox, model_of_program, source_of
from ordojo.core.errors import DataError
from ordojo.core.files import reading
from ordojo.structures import Flat, flat_model, read_flat, regenerate

_MARK = "ordojo-model:"
_OUTPUT = 1 << 28
"""Bytes that a program of highspy may print: its model goes that way, as text."""
_WRITE = f"""
import base64, sys
import highspy

def _written(self, *given, **named):
    self.setOptionValue("output_flag", False)
    self.writeModel("__model__.mps")
    with open("__model__.mps", "rb") as file:
        print("\\n{_MARK}" + base64.b64encode(file.read()).decode(), flush=True)
    sys.exit(0)

highspy.Highs.run = highspy.Highs.solve = _written
"""
"""Put before a program of highspy: its first solve writes the model and ends it."""


def candidate_model(path: Path, isolation: str = "auto", time_limit: float = 60.0) -> Flat:
    """The model that a file, a program or a folder states.

    A program (.py) is run contained, with the files of its folder and of `data` in it that it
    names; of gurobipy or coptpy its last model counts, of highspy its first. A folder is one that
    `ordojo structure` wrote, or an instance with a solve.py, which counts there. DataError where
    there is no model, SandboxError where the program cannot be contained.
    """
    if path.is_dir():
        if (path / "structure.json").is_file():
            return regenerate(path)
        if not (path / "solve.py").is_file():
            raise DataError(
                f"{path} has neither solve.py nor structure.json; name a model or a program"
            )
        path = path / "solve.py"
    if path.suffix != ".py":
        with reading(time_limit):
            return read_flat(path)
    source = source_of(path)
    if "highspy" not in source or "gurobipy" in source or "coptpy" in source:
        return flat_model(model_of_program(path, isolation, time_limit))
    return _of_highs(path, source, isolation, time_limit)


def _of_highs(path: Path, source: str, isolation: str, time_limit: float) -> Flat:
    space = "{'__name__': '__main__', '__file__': __file__}"
    whole = f"{_WRITE}\nexec(compile({source!r}, {path.name!r}, 'exec'), {space})"
    with lent_sandbox(isolation, time_limit) as sandbox:
        limits = replace(sandbox.limits, output=_OUTPUT)
        done = sandbox.run(whole, files=beside(path, source), limits=limits)
    said = next((s for s in done.stdout.splitlines() if s.startswith(_MARK)), None)
    if said is None:
        why = f"{done.exception}: {done.message}" if done.exception else done.detail
        reason = f" ({why})" if why else ""
        raise DataError(f"{path} solved no model with highspy{reason}; correct the program")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{path.stem}.mps"
        try:
            file.write_bytes(base64.b64decode(said.removeprefix(_MARK), validate=True))
        except binascii.Error:
            raise DataError(f"{path} printed a damaged model; do not print while solving") from None
        return read_flat(file)
