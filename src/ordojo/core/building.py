"""What a benchmark declares of its builder: settings, each an option of `ordojo build`, no more."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field

from ordojo.core.options import Options
from ordojo.core.policy import Generate
from ordojo.core.ranges import COUNT, SEED
from ordojo.core.spread import Place

PlaceField = Annotated[Place, BeforeValidator(Place.parse)]
"""Where work is done, as `--on` takes it."""


def setting(default: Any = ..., says: str = "", *flags: str, **more: Any) -> Any:
    """A field of `BuildSettings`: its default, its help, and its options where not `--its-name`.

    `metavar="NAME"` names the value in the help; `option=False` keeps it from the command line.
    """
    extra: dict[str, Any] = {
        "flags": flags,
        **{k: more.pop(k) for k in ("metavar", "option") if k in more},
    }
    return Field(default, description=says or None, json_schema_extra=extra, **more)


def place(default: str, *flags: str) -> Any:
    """The field `on` of a builder that spreads its work."""
    says = "local, processes[:N], N, or ray[:ADDRESS]; the results are the same."
    return setting(default, says, "--on", *flags, metavar="PLACE", validate_default=True)


class BuildSettings(Options):
    """What every builder takes. A subclass's docstring and fields are its command.

    `example` and `doing` are what its help ends with and what it says first, `out_is` what is
    named with `-o`, a `folder` where it writes one for a season.
    """

    example: ClassVar[str] = ""
    doing: ClassVar[str] = "building"
    out_is: ClassVar[str] = "A file FILE.jsonl."
    folder: ClassVar[bool] = False
    parameters = True

    n: int | None = COUNT.field(None)
    seed: int = SEED.field(0)


class Overwriting(BuildSettings):
    """The settings of a builder that writes over what is there, with `force` alone."""

    force: bool = setting(False, "Write over what OUT holds.")


@dataclass(frozen=True)
class BuildTools:
    """What a builder is given from above: who hears how far it is, and language models by name.

    `cost` says in words what a model asks for prompts of so many characters and so many new tokens.
    """

    hear: Callable[[str], None]
    model: Callable[[str], Generate]
    cost: Callable[[str, int, int], str]
