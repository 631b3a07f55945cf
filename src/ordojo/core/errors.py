"""Every error that ordojo raises on purpose, by the boundary at which it arises.

    OrdojoError
    ├── UsageError        a command, option or argument is not understood
    ├── DataError         a dataset, instance or review file is missing, damaged or false
    ├── RunError          a run directory cannot be read, continued or written
    ├── ProviderError     a language model cannot be reached, loaded or asked in the required way
    ├── SandboxError      a program cannot be contained, so it is not run
    ├── SolverError       a solver is missing or gave an answer that fails its residual check
    ├── BenchmarkError    an environment or judge was used outside its contract
    └── GeneratorError    a builder cannot make what was asked for

A message is one sentence that says what is wrong, where, and what to do. The command prints it
and exits with 2. A model's own fault is never an exception: it is a verdict with score 0.
"""

from collections.abc import Sequence


class OrdojoError(Exception):
    """Base of every deliberate error; its text is one sentence for the user."""


class UsageError(OrdojoError):
    """A command, option or argument is not understood."""


class DataError(OrdojoError):
    """A dataset, instance or review file is missing, damaged or not what it claims to be."""


class RunError(OrdojoError):
    """A run directory cannot be read, continued or written."""


class ProviderError(OrdojoError):
    """A language model cannot be reached, loaded or asked in the required way."""


class SandboxError(OrdojoError):
    """A program cannot be contained, so it is not run."""


class SolverError(OrdojoError):
    """A solver is missing or gave an answer that fails its residual check."""


class BenchmarkError(OrdojoError):
    """An environment or judge was used outside its contract."""


class GeneratorError(OrdojoError):
    """A builder cannot make what was asked for."""


def meant(name: str, names: Sequence[str], most: int = 1, cutoff: float = 0.6) -> str:
    """Advice for an unknown `name`: "did you mean 'cap' or 'cup'?", up to `most` near `names`.

    It is "" where none is as alike as `cutoff`, of 0 to 1.
    """
    import difflib  # only after a slip

    near = difflib.get_close_matches(name[:100], names, most, cutoff)
    told = " or ".join(f"'{one}'" for one in near)
    return f"did you mean {told}?" if near else ""
