"""LP files in a dialect that HiGHS reads: odd names give way to placeholders.

HiGHS takes every bracket for quadratic terms, `2x` for a product and `free` for a keyword. Gurobi
separates words by blanks, and so writes names such as `x[0,1]`, `2x` or `x^2` as they are.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from ordojo.milp.scan_gurobi import GurobiText, placeholder

Refuse = Callable[[str, str], Exception]

_GUROBI = "\\ LP format - for model browsing"
"""How Gurobi's second line begins."""
_INSIDE = r"[^\s:\\^\[\]]"
_REST = r"[^\s+\-*^<>=:/\\\[\]]*"
_WORD = re.compile(
    rf"(?P<number>(?<![^\s+\-*^<>=:/\\\[\]])[\d.]+(?:[eE][+-]?\d+)?)?"
    rf"(?P<name>[^\s\d.+\-*^<>=:/\\\[\]]{_REST}"
    rf"(?:\[(?:{_INSIDE}|\[{_INSIDE}*\])*\]{_REST})*)"
)
"""A name with an index that follows without a blank; a bracket of quadratic terms stands apart."""
_OURS = ("HiGHS_", placeholder(""))
"""HiGHS prints a line about each name like its own."""
_SOS = re.compile(r"\s*sos[12]?\s*$|.*\bs[12]\s*::", re.IGNORECASE)
_ARROW = re.compile(r"-\s*>")
_END = re.compile(r"(?:.*\s)?end\s*$", re.IGNORECASE)
_GENERAL = re.compile(r"\s*(?:general constraints?|gencons?|pwlobj)\s*$", re.IGNORECASE)
_NAN = re.compile(r"(?<![^\s+\-<>=*:])nan(?![^\s+\-<>=*])", re.IGNORECASE)


def plain_lines(
    lines: Iterable[str], names: dict[str, str], refuse: Refuse, linear: str
) -> Iterator[str]:
    """The lines for HiGHS; `names` gets the placeholder of each odd name.

    `refuse` makes the error of a sentence's middle part and an advice; `linear` is the advice to
    whom a linear model is needed.
    """
    reader, started = None, False
    for count, line in enumerate(lines, 1):
        if not started and line.startswith(_GUROBI):
            reader = GurobiText(names, refuse, linear)
        started = started or bool(line.strip() and not line.startswith("\\"))
        if reader:
            yield reader.line(line, count)
        elif "[" in line or any(own in line for own in _OURS):
            yield _indexed(line, names, refuse)
        else:
            yield line


def _indexed(line: str, names: dict[str, str], refuse: Refuse) -> str:
    def exchange(found: re.Match[str]) -> str:
        name = found["name"]
        if "[" not in name and not any(own in name for own in _OURS):
            return found[0]
        number = found["number"] or ""
        if number and "[" in name:
            problem = f"has '{found[0][:40]}', a name or a number before a name"
            raise refuse(problem, "put a blank between the number and the name")
        return f"{number} " * bool(number) + names.setdefault(name, placeholder(len(names)))

    text, mark, comment = line.partition("\\")
    return _WORD.sub(exchange, text) + mark + comment


def checked(lines: Iterable[str], refuse: Refuse, linear: str) -> Iterator[str]:
    """The lines, up to the first that HiGHS would drop or misread: that is an error."""
    ended, before = False, ""
    for line in lines:
        text = line.partition("\\")[0]
        if ">" in text and _ARROW.search(before + text):
            raise refuse("has indicator constraints", linear)
        if "s" in text.lower() and _SOS.match(text):
            raise refuse("has special ordered sets", linear)
        if _GENERAL.match(text):
            raise refuse(f"has a section '{text.strip()}', which is not linear", linear)
        if _NAN.search(text):
            raise refuse("has NaN", "correct the number")
        ended = ended or bool(_END.match(text))
        before = text.rstrip()[-1:] or before
        yield line
    if not ended:
        raise refuse("is no LP file, or truncated: it has no End", "fetch it again")
