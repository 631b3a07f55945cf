"""A recipe's text: the YAML file, or one that comes with ordojo, with changes made to it."""

from importlib.resources import files
from pathlib import Path
from typing import Any

from ordojo.core.errors import DataError, UsageError
from ordojo.core.files import read_text


def shipped() -> list[str]:
    """The names of the recipes that come with ordojo."""
    folder = files("ordojo.training.recipes").joinpath("shipped")
    return sorted(f.name.removesuffix(".yaml") for f in folder.iterdir() if f.name[-5:] == ".yaml")


def read_rows(name: str, above: tuple[str, ...] = ()) -> dict[str, Any]:
    """The keys and values of a YAML file, or of a shipped recipe; raises DataError.

    Those of the recipe that it is `like` stand for the keys that it has not itself; of `model` and
    `after`, which both say where to begin, its own goes before the other's.
    """
    rows = _parsed(name)
    other = rows.pop("like", None)
    if other is None:
        return rows
    if not isinstance(other, str) or other in (*above, name):
        raise UsageError(f"{name}: like={other!r} must name another recipe, in no circle")
    found = read_rows(other, (*above, name))
    for mine, theirs in (("model", "after"), ("after", "model")):
        if mine in rows:
            found.pop(theirs, None)
    return {**found, **rows}


def _parsed(name: str) -> dict[str, Any]:
    try:
        import yaml
    except ImportError:
        raise UsageError("recipes need pyyaml; install 'ordojo[train]'") from None
    path = Path(name).expanduser()
    if not path.is_file() and name in shipped():
        text = files("ordojo.training.recipes").joinpath("shipped", f"{name}.yaml").read_text()
    else:
        try:
            text = read_text(path)
        except (OSError, UnicodeDecodeError):
            raise DataError(
                f"there is no recipe {name} that can be read; name a YAML file, or one of "
                f"{', '.join(shipped())}"
            ) from None
    try:
        found = yaml.safe_load(text)
    except RecursionError:
        raise DataError(f"{name} is nested too deep for a recipe") from None
    except yaml.YAMLError as error:
        where = getattr(error, "problem_mark", None)
        line = f":{where.line + 1}" if where else ""
        what = getattr(error, "problem", None) or "it cannot be parsed"
        raise DataError(f"{name}{line} is no YAML: {what}") from None
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise DataError(f"{name} must hold keys and values, as `stage: sft`")
    return found


def change(rows: dict[str, Any], key: str, text: str, name: str) -> None:
    """Set a key, or with dots one within it, as generate.0.count."""
    import yaml

    try:
        value = yaml.safe_load(text)
        place: Any = rows
        *way, last = key.split(".")
        for part in way:
            at = _key(place, part)
            place = place[at] if isinstance(place, list) else place.setdefault(at, {})
        place[_key(place, last)] = value
    except (yaml.YAMLError, RecursionError, ValueError, IndexError, TypeError, AttributeError):
        raise UsageError(f"{name}: --set {key}={text} fits nowhere in the recipe") from None


def _key(place: Any, part: str) -> Any:
    """A number in a list; in a mapping the key as it is spelt there, hyphens or not."""
    if isinstance(place, list):
        return int(part)
    alike = (key for key in place if str(key).replace("-", "_") == part.replace("-", "_"))
    return next(alike, part)
