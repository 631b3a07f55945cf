"""Interactive observation: slices, symmetries and statements, each checked at once."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ordojo.cli.structure import observe as command
from ordojo.evaluation import generation
from ordojo.structures import observe as observing
from ordojo.structures.observe import HELP, Observer, lcs, observe
from tests.structures.test_blueprint import LOCATION
from tests.structures.toys import LOTS, flat_of

BITS = 5
CLOSE = [(i, j) for i in range(2**BITS) for j in range(i + 1, 2**BITS)
         if lcs(format(i, "05b"), format(j, "05b")) >= 4]  # fmt: skip
CODES = (
    "Maximize\n obj: "
    + " + ".join(f"x_{i}" for i in range(2**BITS))
    + "\nSubject To\n"
    + "".join(f" c{k}: x_{i} + x_{j} <= 1\n" for k, (i, j) in enumerate(CLOSE))
    + f"Binary\n {' '.join(f'x_{i}' for i in range(2**BITS))}\nEnd\n"
)
"""As sorrell3, smaller: two words exclude each other where they share a subsequence of four."""
PAIRS = "state c: x[i] + x[j] <= 1 for i in range(32) for j in range(i + 1, 32) if "


class Scripted:
    """The way of figure 15: look, guess by distance, try symmetries, then the subsequence."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.lines = [
            "rows c 1 12",
            f"{PAIRS}hamming(i, j) <= 2",
            "symmetry c x: i -> 31 - i",
            "symmetry c x: i -> int(reverse(bits(i, 5)), 2)",
            "symmetry c x: i -> (i + 1) % 32",
        ]

    def __call__(self, said: str) -> str:
        self.seen.append(said)
        if self.lines:
            return self.lines.pop(0)
        if not any("exact: the statement" in one for one in self.seen):
            # Both symmetries held, the shift did not: a measure of the words, not of the numbers.
            assert self.seen[3].startswith("yes") and self.seen[4].startswith("yes")
            assert self.seen[5].startswith("no")
            return f"I guess:\n{PAIRS}lcs(bits(i, 5), bits(j, 5)) >= 4".partition("\n")[2]
        return "done"


def test_figure_15_with_a_scripted_policy(tmp_path: Path) -> None:
    observer, policy = Observer(flat_of(tmp_path, CODES)), Scripted()
    kept = observe(observer, policy, 20)
    assert HELP in policy.seen[0] and "family c" in policy.seen[0]
    assert kept[1][1].startswith("not exact:") and "not said:" in kept[1][1]
    assert kept[-1][1].startswith(f"exact: the statement says the {len(CLOSE)} rows of c")
    assert list(observer.stated) == ["c"] and "; stated: " in observer.ask("look")


@pytest.mark.parametrize(
    "line, says",
    [
        ("state serve: sum(x[j, i] for i in range(1, 3)) == 1 for j in range(1, 4)", "exact:"),
        ("state serve: 2 * sum(x[j, i] for i in range(1, 3)) == 2 for j in range(1, 4)", "not"),
        ("state serve: -sum(x[j, i] for i in (1, 2)) == -1 for j in (1, 2, 3)", "exact:"),
        ("state open: sum(_ * x[j, i] for j in range(1, 4)) <= _ * y[i] for i in y", "exact: the"),
        ("state open: sum(_ * x[j, i] for j in range(1, 3)) <= _ * y[i] for i in y", "not exact"),
        ("state open: sum(x[j, i] for j in range(1, 4)) <= 41 * y[i] for i in y", "not exact"),
        ("state least: y[1] + y[2] >= 1", "exact:"),
        ("state least: y[1] + y[2] <= 1", "said, but not there"),
        ("state least: sum(y[i] for i in y) >= _", "leaves open"),
        ("symmetry serve x: j, i -> j, 3 - i", "yes"),
        ("symmetry open x: j, i -> j, 3 - i", "no: 0 of 2"),
        ("rows open 2 2", "(2 to 2 of 2)"),
        ("columns y", "y[2] binary in [0, 1], objective 150"),
    ],
)
def test_what_is_asked_is_answered(tmp_path: Path, line: str, says: str) -> None:
    assert says in Observer(flat_of(tmp_path, LOCATION)).ask(line)


@pytest.mark.parametrize(
    "line, says",
    [
        ("hello", "Send one line a turn"),
        ("rows", "write 'rows NAME'"),
        ("rows none", "there is no family none"),
        ("rows open 9 12", "open has rows 1 to 2"),
        ("state open", "a colon is missing"),
        ("state open: x[1, 1]", "says no row"),
        ("state open: x[9, 9] <= 1", "there is no x[9, 9]"),
        ("state open: x[1, 1] < 1", "by <=, >= or =="),
        ("state open: x[1, 1] * y[1] <= 1", "cannot be worked out"),
        ("state open: __import__('os').system('true') <= 1", "not understood"),
        ("state open: open('a') <= 1", "not understood"),
        ("state open: y[1] <= len('a' * 999999999)", "only numbers and variables"),
        ("state open: y[1] <= sum(1 for i in range(10 ** 9))", "not understood"),
        ("state open: y[1] <= sum(1 for i in range(999999999))", "steps"),
        ("state open: y[1] <= 1 for i in 5", "nothing to loop over"),
        ("state open: y[1] <= 1 / 0", "cannot be worked out"),
        ("state open: (((", "cannot be read"),
        ("symmetry open x: j -> j", "has 2 indices"),
        ("symmetry open x: j, i -> j, 9", "no index of x"),
        ("symmetry open x: j, i -> j, 1", "two indices"),
    ],
)
def test_what_cannot_be_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, says: str
) -> None:
    monkeypatch.setattr(observing, "STEPS", 20_000)
    assert says in Observer(flat_of(tmp_path, LOCATION)).ask(line)


def test_a_person_or_a_model_observes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flat_of(tmp_path, LOTS)
    model, log = str(tmp_path / "toy.mps"), tmp_path / "log.jsonl"
    lines = ["state cap: x[t] <= 100 * y[t] for t in range(1, 4)", "done"]
    done = CliRunner().invoke(command, [model, "-o", str(log)], input="\n".join(lines) + "\n")
    assert done.exit_code == 0 and "exact: the statement says the 3 rows of cap" in done.output
    assert json.loads(log.read_text().splitlines()[0])["line"] == lines[0]
    prompts = []

    def answer(prompt: str, **_: object) -> str:
        prompts.append(prompt)
        return lines[len(prompts) - 1]

    monkeypatch.setattr(generation, "generator", lambda name: answer)
    done = CliRunner().invoke(command, [model, "--model", "a/model", "--turns", "5"])
    assert done.exit_code == 0 and "1 of 2 families stated exactly" in done.output
    # The second prompt has the first line and its answer in it.
    assert lines[0] in prompts[1] and "exact: the statement" in prompts[1]
