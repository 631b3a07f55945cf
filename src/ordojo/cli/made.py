"""Commands made from functions of the front door.

The function's signature gives arguments and options, its annotations their kinds and ranges, its
docstring the help; a command adds an example, what it prints, and its exit code.
"""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, is_dataclass, replace
from pathlib import Path
from typing import Any

import click

from ordojo.cli.parameters import REST, SETTINGS, is_callback, parameter, parse_settings
from ordojo.cli.progress import Spoken, as_options
from ordojo.core.errors import UsageError
from ordojo.core.signatures import arguments, summary


class Made(Spoken):
    """A command that is made from `function`; its help describes the arguments, too."""

    function: Callable[..., Any]
    says: Mapping[str, str]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take what a minus begins and is no option, `-x + y <= 3`, as an argument, if one fits."""
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        names = {name for one in options for name in one.opts}
        valued = {name for one in options if not one.is_flag for name in one.opts}
        taken: list[str] = []
        left: list[str] = []
        for before, arg in zip(["", *args], args, strict=False):
            is_option = arg.startswith("--") or arg in names or arg[:2] in valued
            (taken if is_option or before in valued else left).append(arg)
        room = [one.nargs for one in self.params if isinstance(one, click.Argument)]
        fits = -1 in room or len(left) <= sum(room)
        if fits and "--" not in args and not valued.intersection(args[-1:]):
            args = [*taken, "--", *left]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the arguments are before the options."""
        shown = [
            (one.make_metavar(ctx), as_options(self.says[one.name], self.params))
            for one in self.params
            if isinstance(one, click.Argument) and one.name in self.says
        ]
        if shown:
            with formatter.section("Arguments"):
                formatter.write_dl(shown)
        super().format_options(ctx, formatter)


def made(
    function: Callable[..., Any],
    name: str | None = None,
    *,
    doing: str,
    example: str,
    show: Callable[[Any], str | None] = str,
    code: Callable[[Any], int] = lambda found: 0,
    about: str = "",
    prints_json: bool = True,
    plain: Callable[[Any], Any] | None = None,
    flags: Mapping[str, Sequence[str]] | None = None,
    metavars: Mapping[str, str] | None = None,
    types: "Mapping[str, click.ParamType[Any]] | None" = None,
    helps: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
    given: Mapping[str, Any] | None = None,
    without: Sequence[str] = (),
    use: Callable[..., Any] | None = None,
    options: Sequence[click.Parameter] = (),
    also: str = "",
) -> Made:
    """The command of a function.

    Args:
        function: A function of the front door.
        name: What the command is called: as the function, if not given.
        doing: What it says first on stderr, with {PARAMETER} for what was given.
        example: One call, for the help.
        show: The text that is printed of what came back; None prints nothing.
        code: The exit code, by what came back.
        about: What it does, where the function's own words say more than that.
        prints_json: Whether there is a `--json`, and then by `plain` or else the result's own
            `to_json` or fields.
        plain: See there.
        flags: By parameter the names of its option, where they are not its own. What would be an
            argument becomes an option so.
        metavars: By parameter what the help shows in the place of a value; an argument in brackets
            may be left out.
        types: By parameter how a text is read, where its annotation does not say it.
        helps: By parameter what the help says, where the function's words are for Python.
        environment: By parameter the variable that is its default.
        given: By parameter what the command itself passes. A parameter that hears of lines
            (`Said`) is passed what prints them on stderr.
        without: Parameters that the command leaves at their defaults.
        use: What is called in the place of the function, with its arguments, `options` and
            `as_json`: it prints by itself. A benchmark's options are one mapping to it.
        options: Parameters of the command alone.
        also: Sentences of the help that are the command's own.
    """
    known = {
        key: replace(one, says=(helps or {}).get(key, one.says))
        for key, one in arguments(function).items()
    }
    kept = {key: one for key, one in known.items() if key not in without}
    passed = {key: said_aside for key, one in kept.items() if is_callback(one)}
    passed |= given or {}
    own = {key: one for key, one in kept.items() if key not in passed}
    params: list[click.Parameter] = [
        parameter(one, (flags or {}).get(key), (metavars or {}).get(key), (types or {}).get(key))
        for key, one in own.items()
    ]
    params += [*options, *([_json()] if prints_json else [])]
    for one in params:
        if isinstance(one, click.Option):
            one.help = as_options(one.help or "", params) or None
            if variable := (environment or {}).get(one.name or ""):
                one.envvar, one.show_default = variable, f"${variable}"

    def call(as_json: bool = False, **values: Any) -> None:
        settings = [key for key, one in own.items() if one.parameter.kind is SETTINGS]
        values |= {key: parse_settings(values[key], "-T") for key in settings}
        for key in (name for one in settings for name in values[one]):
            if key in own and own[key].parameter.kind is not inspect.Parameter.POSITIONAL_ONLY:
                raise UsageError(f"-T sets a benchmark's option; `{key}` is the command's own")
        if use is not None:
            found = use(**values, **passed, as_json=as_json)
        else:
            spread = [key for key, one in own.items() if one.parameter.kind is REST]
            rest = [value for key in spread for value in values.pop(key)]
            more = {name: value for key in settings for name, value in values.pop(key).items()}
            found = function(*rest, **values, **more, **passed)
            printed(found, as_json, show, plain)
        if exit_code := code(found):
            raise click.exceptions.Exit(exit_code)

    # Arguments stand first in the help, as they do in a call.
    command = Made(
        name or function.__name__.replace("_", "-"),
        callback=call,
        params=sorted(params, key=lambda one: not isinstance(one, click.Argument)),
        help=as_options(f"{about or summary(function)}\n\n{also}".strip(), params),
        epilog=f"Example: ordojo {example}",
        doing=doing,
    )
    command.function, command.says = function, {key: one.says for key, one in known.items()}
    return command


def options_of(
    function: Callable[..., Any], *names: str, flags: Mapping[str, Sequence[str]] | None = None
) -> list[click.Parameter]:
    """The options of some arguments of another function, for a command that calls it too."""
    known = arguments(function)
    return [parameter(known[name], (flags or {}).get(name)) for name in names]


def printed(
    found: Any,
    as_json: bool,
    show: Callable[[Any], str | None] = str,
    plain: Callable[[Any], Any] | None = None,
) -> None:
    """Print what came back, as JSON or as `show` tells it."""
    if as_json:
        click.echo(json.dumps((plain or as_plain)(found), indent=2, ensure_ascii=False))
    elif (text := show(found)) is not None:
        click.echo(text)


def as_plain(found: Any) -> Any:
    """What came back, as JSON has it."""
    if hasattr(found, "to_json"):
        return found.to_json()
    if is_dataclass(found) and not isinstance(found, type):
        return as_plain(asdict(found))
    if isinstance(found, Mapping):
        return {key: as_plain(value) for key, value in found.items()}
    if isinstance(found, list | tuple):
        return [as_plain(one) for one in found]
    return str(found) if isinstance(found, Path) else found


def said_aside(line: str) -> None:
    """Say a line on stderr."""
    click.echo(line, err=True)


def _json() -> click.Option:
    return click.Option(["--json", "as_json"], is_flag=True, help="Print JSON.")
