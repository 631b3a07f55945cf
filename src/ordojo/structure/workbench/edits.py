"""What an expert may do to a model's structure."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ordojo.core.errors import UsageError

Text = Annotated[str, Field(max_length=20_000)]
Short = Annotated[str, Field(max_length=200)]


class _Edit(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Rename(_Edit):
    """A new name; `of` is a group or family by its id, or `set:I`, `parameter:cost_x`.

    `name` "" gives back the found name. `before` is what it was called, for texts that say it.
    """

    kind: Literal["rename"]
    of: Short
    name: Short
    before: Short = ""


class Merge(_Edit):
    """Groups, or families, into the first of them."""

    kind: Literal["merge"]
    of: list[Short]


class Split(_Edit):
    """One group or family apart, by one of its `ways`; or members `first` to `last`, from 1."""

    kind: Literal["split"]
    of: Short
    by: Short
    first: int = 0
    last: int = 0


class Setting(_Edit):
    """Another scenario of the library; "" is the one that fits."""

    kind: Literal["scenario"]
    name: Short


class Clause(_Edit):
    """A sentence of the blueprint; none gives back the drafted one.

    `part` is "story", "objective", "group" or "family" (`of` an id), "set" or "parameter" (a name).
    """

    kind: Literal["clause"]
    part: Literal["story", "objective", "set", "parameter", "group", "family"]
    of: Short = ""
    text: Text | None = None


Edit = Annotated[Rename | Merge | Split | Setting | Clause, Field(discriminator="kind")]
_ADAPTER: TypeAdapter[Rename | Merge | Split | Setting | Clause] = TypeAdapter(Edit)
Change = Rename | Merge | Split | Setting | Clause


def read_edit(asked: Any) -> Change:
    """An edit from JSON; raises UsageError that names the field at fault."""
    try:
        return _ADAPTER.validate_python(asked)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "it"
        raise UsageError(f"this is no edit: {where}: {first['msg']}") from None


def said(edit: Change) -> str:
    """An edit in a few words, for the page's undo."""
    if isinstance(edit, Rename):
        return f"rename {edit.before or edit.of} to {edit.name or 'its found name'}"
    if isinstance(edit, Merge):
        return f"merge {len(edit.of)} {'groups' if edit.of[0].startswith('g') else 'families'}"
    if isinstance(edit, Split):
        return f"split by {edit.by}"
    if isinstance(edit, Setting):
        return f"scenario {edit.name or 'that fits'}"
    return f"text of {edit.part} {edit.of}".rstrip()
