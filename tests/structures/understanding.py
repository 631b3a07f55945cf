"""A reader of blueprint texts that knows nothing of formulations: text and data back to rows.

It stands in for a careful person: what it builds is compared with the MPS file, so that the text is
shown to be enough. Plain and slow, for small models.
"""

import csv
import io
import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Env = dict[str, Any]
Linear = dict[Any, float]
"""Coefficients by variable (group, index); the constant under None."""
TOKEN = re.compile(r"`[^`]*`|\{\w+\}|[A-Za-z]+|[(),;]")
WORDS = {"zero": 0.0, "one": 1.0}
BEYOND = {"<=": ("least", "that", "minus"), ">=": ("most", "that", "plus")}
SENSES = {("at", "most"): "<=", ("at", "least"): ">=", ("without", "limit"): "free"}


def number(text: str) -> Any:
    """A whole number, a number, or the word itself."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


class Reader:
    """Reads one text with the files and numbers that it names."""

    def __init__(self, text: str, files: Mapping[str, str], numbers: Mapping[str, Any]) -> None:
        self.tables = {
            path: list(csv.DictReader(io.StringIO(content))) for path, content in files.items()
        }
        self.numbers = numbers
        sections = re.split(r"^(Sets|Data|Decisions|Objective|Rules):$", text, flags=re.MULTILINE)
        parts = dict(zip(sections[1::2], sections[2::2], strict=True))
        lines = {head: re.findall(r"^- (?:`([^`]+)`: )?(.*)\.$", part, re.MULTILINE)
                 for head, part in parts.items()}  # fmt: skip
        self.sets: dict[str, list[tuple[Any, ...]]] = {}
        self.members: dict[str, set[tuple[Any, ...]]] = {}
        self.parameters: dict[str, tuple[dict[tuple[Any, ...], Any], Any]] = {}
        for name, said in (*lines.get("Sets", []), *lines["Data"]):
            self._data(name, said)
        self.members = {name: set(rows) for name, rows in self.sets.items()}
        self.variables: dict[tuple[str, tuple[Any, ...]], tuple[str, float, float]] = {}
        self.groups = {name for name, _ in lines["Decisions"]}
        for _, said in lines["Decisions"]:
            self._decision(said)
        self.objective_text = lines["Objective"][0][1]
        self.rules = lines["Rules"]

    def _data(self, name: str, said: str) -> None:
        if match := re.search(r"numbered from (\S+) to (\S+)$", said):
            ends = [self._plain(word) for word in match.groups()]
            self.sets[name] = [(k,) for k in range(int(ends[0]), int(ends[1]) + 1)]
        elif match := re.search(r"listed in column `(\w+)` of (\S+)$", said):
            rows = self.tables[match[2]]
            self.sets[name] = list(dict.fromkeys((number(row[match[1]]),) for row in rows))
        elif match := re.match(r"the combinations `\(([^)]*)\)` of .* listed in (\S+)$", said):
            keys = match[1].split(", ")
            self.sets[name] = [tuple(number(row[k]) for k in keys) for row in self.tables[match[2]]]
        elif match := re.match(
            r"`\w+\[([^\]]*)\]`, the .*, in column `(\w+)` of (\S+?)(, (.*) where nothing .*)?$",
            said,
        ):
            keys = match[1].split(", ")
            found = {
                tuple(number(row[k]) for k in keys): number(row[match[2]])
                for row in self.tables[match[3]]
            }
            default = {"minus one": -1.0, "infinite": float("inf")} | WORDS
            self.parameters[name] = found, default[match[5]] if match[4] else None

    def _plain(self, word: str) -> float:
        return WORDS[word] if word in WORDS else float(self.numbers[word.strip("{}")])

    def _decision(self, said: str) -> None:
        tokens = Tokens(said)
        scope = self.scope(tokens)
        if tokens.next() == "decide":
            tokens.take()
        name = tokens.take()
        rest = " ".join(tokens.rest())
        bounds: dict[str, Callable[[Env], Linear]] = {}
        given = None
        if rest.startswith(", yes or no"):
            kind = "binary"
        else:
            kind = "integer" if "whole number" in rest else "continuous"
            given = re.search(r"of the kind that `([^`]*)` gives", rest)
            for side in ("least", "most"):
                if match := re.search(rf"at {side} (minus )?(`[^`]*`|\S+)", rest):
                    bounds[side] = self.signed(Tokens(f"{match[1] or ''}{match[2]}"))
            if match := re.search(r"is fixed.* must equal (minus )?(`[^`]*`|\S+)", rest):
                fixed = self.signed(Tokens(f"{match[1] or ''}{match[2]}"))
                bounds = {"least": fixed, "most": fixed}
        for env in scope({}):
            variable = self.variable(name, env)
            if kind == "binary":
                self.variables[variable] = "binary", 0.0, 1.0
                continue
            low = bounds["least"](env)[None] if "least" in bounds else -float("inf")
            high = bounds["most"](env)[None] if "most" in bounds else float("inf")
            self.variables[variable] = self.index(given[1], env) if given else kind, low, high

    def rows(self) -> Iterator[tuple[str, Linear, float, float]]:
        """Each rule's rows: its name, coefficients, lower and upper side."""
        for name, said in self.rules:
            said = re.sub(r"it holds whatever is decided, as (.*) is at", r"\1 must be at", said)
            tokens = Tokens(said.replace("whatever is decided, ", ""))
            scope = self.scope(tokens)
            span = constant(0.0)
            count = re.match(r"(exactly|at least|at most) one of ", " ".join(tokens.rest()))
            if count:
                for _ in count[0].split():
                    tokens.take()
                left = self.part(Tokens("the sum of " + tokens.text().split(" must be")[0]))
                sense = {"exactly": "=", "at least": ">=", "at most": "<="}[count[1]]
                right = self.part(Tokens("one"))
            else:
                left = self.side(tokens, signs=said.endswith("is not limited"))
                if tokens.text() == "is not limited":
                    tokens = Tokens("must be without limit zero")
                tokens.expect("must")
                if tokens.next() == "equal":
                    tokens.take()
                    sense = "="
                else:
                    tokens.expect("be")
                    sense = SENSES[tokens.take(), tokens.take()]
                right = self.side(tokens)
                if tokens.next() == ";":
                    for word in [";", "the", "other", "side", "is"]:
                        tokens.expect(word)
                    span = self.signed(tokens)
                    for word in ["away", ",", "by", "the", "rules", "of", "MPS", "ranges"]:
                        tokens.expect(word)
                elif tokens.next() == ",":
                    for word in [",", "and", "at", *BEYOND[sense]]:
                        tokens.expect(word)
                    span = self.signed(tokens)
                assert not tokens.rest(), tokens.rest()
            for env in scope({}):
                found = left(env)
                for variable, value in right(env).items():
                    found[variable] = found.get(variable, 0.0) - value
                b = -found.pop(None, 0.0)
                away = span(env)[None]
                low = high = b
                if sense in ("<=", "free") or (sense == "=" and away < 0):
                    low = b - abs(away) if away else -math.inf
                if sense in (">=", "free") or (sense == "=" and away > 0):
                    high = b + abs(away) if away else math.inf
                yield name, {key: value for key, value in found.items() if value}, low, high

    def objective(self) -> tuple[str, Linear]:
        """The direction and the coefficients."""
        said = self.objective_text.removesuffix(": how often the answer is yes")
        tokens = Tokens(said.replace("the constant ", ""))
        direction = tokens.take()
        return direction, self.side(tokens, signs=True)({})

    def scope(self, tokens: "Tokens") -> Callable[[Env], Iterator[Env]]:
        """`for each i in I and each (j, k) in JK,`, or nothing."""
        loops = []
        if tokens.next() == "for":
            tokens.expect("for")
            while True:
                tokens.expect("each")
                letters = pieces(tokens.take())
                tokens.expect("in")
                loops.append((letters, tokens.take().strip("`")))
                if tokens.take() == ",":
                    break
        return self._loops([(letters, set(letters), name) for letters, name in loops])

    def _loops(
        self, loops: list[tuple[list[str], set[str], str]]
    ) -> Callable[[Env], Iterator[Env]]:
        def run(env: Env, at: int = 0) -> Iterator[Env]:
            if at == len(loops):
                yield env
                return
            letters, loose, name = loops[at]
            for row in self.sets[name]:
                inner = dict(env)
                for letter, value in zip(letters, row, strict=True):
                    if letter in loose:
                        inner[letter] = value
                    elif self.index(letter, inner) != value:
                        break
                else:
                    yield from run(inner, at + 1)

        return run

    def side(self, tokens: "Tokens", signs: bool = False) -> Callable[[Env], Linear]:
        """Parts joined by plus (and minus, in the objective)."""
        parts: list[tuple[float, Callable[[Env], Linear]]] = []
        sign = 1.0
        if signs and tokens.next() == "minus":
            tokens.take()
            sign = -1.0
        parts.append((sign, self.part(tokens)))
        while tokens.next() in (("plus", "minus") if signs else ("plus",)):
            parts.append((1.0 if tokens.take() == "plus" else -1.0, self.part(tokens)))

        def total(env: Env) -> Linear:
            found: Linear = {}
            for factor, part in parts:
                for key, value in part(env).items():
                    found[key] = found.get(key, 0.0) + factor * value
            return found

        return total

    def part(self, tokens: "Tokens") -> Callable[[Env], Linear]:
        """A sum or a product, and what restricts it."""
        loops: list[tuple[list[str], set[str], str]] = []
        conditions: list[Callable[[Env], bool]] = []
        summed = tokens.next() == "the"
        if summed:
            for word in ("the", "sum", "of"):
                tokens.expect(word)
        body = self.product(tokens)
        if summed:
            tokens.expect("over")
            while True:
                tokens.expect("all")
                named = [tokens.take()]
                while tokens.next() == ",":
                    tokens.take()
                    named.append(tokens.take())
                letters = pieces(named[0])
                loose = {one for piece in named for one in pieces(piece)}
                if tokens.next() == "with":
                    tokens.take()
                    letters = pieces(tokens.take())
                tokens.expect("in")
                loops.append((letters, loose, tokens.take().strip("`")))
                if tokens.next() == "and" and tokens.next(1) == "all":
                    tokens.take()
                    continue
                break
            if tokens.next() in ("with", "and"):
                conditions += self.conditions(tokens)
        perhaps = False
        if tokens.next() == "(":
            tokens.take()
            if tokens.next() == "where":
                perhaps = True
                for word in ("where", "it", "exists"):
                    tokens.expect(word)
                if tokens.next() == ",":
                    tokens.take()
            if tokens.next() == "only":
                tokens.take()
                conditions += self.conditions(tokens)
            tokens.expect(")")
        run = self._loops(loops)

        def total(env: Env) -> Linear:
            found: Linear = {}
            for inner in run(env):
                if all(condition(inner) for condition in conditions):
                    for key, value in body(inner).items():
                        known = key is None or key in self.variables
                        assert known or perhaps, f"there is no {key}"
                        if known:
                            found[key] = found.get(key, 0.0) + value
            return found

        return total

    def conditions(self, tokens: "Tokens") -> list[Callable[[Env], bool]]:
        """`with` or `for`, then conditions joined by and."""
        found = []
        while tokens.next() in ("with", "and", "for"):
            tokens.take()
            found.append(self.condition(tokens))
        return found

    def condition(self, tokens: "Tokens") -> Callable[[Env], bool]:
        subject = pieces(tokens.take())
        word = tokens.take()
        if word == "in":
            name = tokens.take().strip("`")
            members = self.members[name]
            return lambda env: tuple(self.index(one, env) for one in subject) in members
        if word == "equal":
            tokens.expect("to")
            value = self.signed(tokens)
            mark = tokens.at
            shift = constant(0.0)
            if tokens.next() == "plus" and tokens.next(2) == "modulo":
                tokens.take()
                shift = self.factor(tokens)
            if tokens.next() != "modulo":
                tokens.at = mark
                return lambda env: self.index(subject[0], env) == value(env)[None]
            tokens.take()
            modulus = self.factor(tokens)
            return lambda env: (
                (self.index(subject[0], env) - value(env)[None] - shift(env)[None])
                % modulus(env)[None] == 0
            )  # fmt: skip
        low = high = None
        if word == "from":
            low = self.signed(tokens)
            word = tokens.take() if tokens.next() == "up" else ""
        if word == "up":
            tokens.expect("to")
            high = self.signed(tokens)

        def between(env: Env) -> bool:
            value = self.index(subject[0], env)
            if low is not None and value < low(env)[None]:
                return False
            return high is None or bool(value <= high(env)[None])

        return between

    def signed(self, tokens: "Tokens") -> Callable[[Env], Linear]:
        sign = 1.0
        if tokens.next() == "minus":
            tokens.take()
            sign = -1.0
        value = self.factor(tokens)
        if tokens.next() == "times" and tokens.next(1).startswith("`"):
            tokens.take()
            first, second = value, self.factor(tokens)
            return lambda env: {None: sign * first(env)[None] * second(env)[None]}
        return lambda env: {
            None: of if (of := value(env)[None]) is None or isinstance(of, str) else sign * of
        }

    def product(self, tokens: "Tokens") -> Callable[[Env], Linear]:
        factors = [self.factor(tokens)]
        while tokens.next() == "times":
            tokens.take()
            factors.append(self.factor(tokens))

        def total(env: Env) -> Linear:
            found: Linear = {None: 1.0}
            for factor in factors:
                value = factor(env)
                # A number that is not listed is one beside a variable that does not exist.
                found = {
                    a if b is None else b: u * (math.nan if v is None else v)
                    for (a, u), (b, v) in itertools.product(found.items(), value.items())
                }
            return found

        return total

    def factor(self, tokens: "Tokens") -> Callable[[Env], Linear]:
        token = tokens.take()
        if token == "(":
            inner = self.side(tokens, signs=True)
            tokens.expect(")")
            return inner
        if token in WORDS:
            return constant(WORDS[token])
        if token.startswith("{"):
            return constant(float(self.numbers[token[1:-1]]))
        assert token.startswith("`"), token
        name = token.strip("`").partition("[")[0]
        if name in self.groups:

            def variable(env: Env) -> Linear:
                return {self.variable(token, env): 1.0}

            return variable
        return lambda env: {None: self.index(token.strip("`"), env)}

    def variable(self, token: str, env: Env) -> tuple[str, tuple[Any, ...]]:
        name, bracket, rest = token.strip("`").partition("[")
        index = tuple(self.index(one, env) for one in split(rest[:-1])) if bracket else ()
        return name, index

    def index(self, text: str, env: Env) -> Any:
        """A letter, perhaps shifted, a lookup, a number or a word; None where nothing is listed."""
        text = text.strip()
        if text in env:
            return env[text]
        if match := re.fullmatch(r"(.+) ([+-]) (\d+|\{\w+\})", text):
            shift = match[3]
            amount = int(self.numbers[shift[1:-1]] if shift.startswith("{") else shift)
            base = self.index(match[1], env)
            return base + amount if match[2] == "+" else base - amount
        if text.startswith("{"):
            return int(self.numbers[text[1:-1]])
        name, bracket, rest = text.partition("[")
        if bracket:
            table, default = self.parameters[name]
            return table.get(tuple(self.index(one, env) for one in split(rest[:-1])), default)
        return number(text)


def constant(value: float) -> Callable[[Env], Linear]:
    return lambda env: {None: value}


class Tokens:
    """Names, braces, words and signs of a sentence."""

    def __init__(self, text: str) -> None:
        self.all = TOKEN.findall(text)
        self.at = 0

    def next(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return str(self.all[place]) if place < len(self.all) else ""

    def take(self) -> str:
        self.at += 1
        return str(self.all[self.at - 1])

    def expect(self, word: str) -> None:
        found = self.take()
        assert found == word, f"'{found}' where '{word}' was expected in {' '.join(self.all)}"

    def rest(self) -> list[str]:
        return self.all[self.at :]

    def text(self) -> str:
        return " ".join(self.rest())


def pieces(token: str) -> list[str]:
    """The index expressions of `i` or of `(i, j - 1)`."""
    inner = token.strip("`")
    return split(inner[1:-1]) if inner.startswith("(") else [inner]


def split(text: str) -> list[str]:
    """At the commas that are in no brackets."""
    found, depth, begin = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if letter == "," and not depth:
            found.append(text[begin:place].strip())
            begin = place + 1
    return [*found, text[begin:].strip()]
