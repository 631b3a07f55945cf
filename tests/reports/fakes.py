"""A benchmark of two rules and made-up runs of it, for tests of the report."""

import base64
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ordojo.core.benchmark import Benchmark
from ordojo.core.environment import Message
from ordojo.core.episode import Episode, Turn
from ordojo.core.judge import Verdict
from ordojo.core.options import Options
from ordojo.core.panels import Bars, Heatmap, Panel, Plot, Published, Series, Table
from ordojo.core.records import RunHeader, RunView, SampleRecord, Usage
from ordojo.core.statistics import Estimate, mean_interval


class Fake(Benchmark[Any, Options]):
    """Judged by "strict" and "lenient"; a page with one panel of each kind."""

    name: ClassVar[str] = "fake-qa"
    version: ClassVar[str] = "1"
    title: ClassVar[str] = "Fake <QA>"
    summary: ClassVar[str] = "Questions & answers that nobody asked"
    options = Options
    rules: ClassVar[Mapping[str, Any]] = {}
    chance = 0.25
    quoted: tuple[Published, ...] = (
        Published("Paper-7B", "0-shot", 0.61, "Somebody 2025, table 2", {"f1": 0.5}, "fake@1"),
    )

    def load(self, options: Any, seed: int) -> Any:
        raise NotImplementedError

    def environment(self, options: Any, seed: int) -> Any:
        raise NotImplementedError

    def default_rule(self, options: Any) -> str:
        return "strict"

    def dataset(self, options: Any) -> Mapping[str, str]:
        return {"id": "fake@1", "sha256": "ab" * 32}

    def policies(self, instances: Any) -> Any:
        raise NotImplementedError

    def gold(self, instance: Any) -> Any:
        raise NotImplementedError

    def verify(self, instance: Any) -> None:
        raise NotImplementedError

    def metrics(self, records: Sequence[SampleRecord], rule: str) -> Mapping[str, Estimate]:
        judged = [(r, v) for r in records if (v := r.verdict(rule)) and v.score is not None]
        scores = [v.score for _, v in judged if v.score is not None]
        wrong = [float(v.outcome == "wrong") for _, v in judged]
        return {
            "accuracy": mean_interval(scores, [r.cluster for r, _ in judged]),
            "wrong": mean_interval(wrong),
        }

    def panels(self, runs: Sequence[RunView]) -> Sequence[Panel]:
        names = [f"{run.header.model} {run.name}" for run in runs]
        scores = [self.metrics(run.records, run.header.rule)["accuracy"] for run in runs]
        shares = [Series(name, [s, s.value, None]) for name, s in zip(names, scores, strict=True)]
        return [
            Table(
                "A table",
                ["run", "score", "n"],
                [
                    ["<i>quoted</i>", 0.5, None],
                    *([n, s, s.n] for n, s in zip(names, scores, strict=True)),
                ],
                published=frozenset({0}),
            ),
            Heatmap("A heatmap", names, ["one", "two"], [[s.value, None] for s in scores]),
            Heatmap("Differences", ["a"], ["x", "y"], [[-0.5, 0.25]], low=-1.0, high=1.0),
            Bars(
                "Many bars",
                ["x", "y", "z"],
                shares,
                "share",
                reference=0.25,
                reference_label="chance",
            ),
            Bars("Few bars", ["x", "y", "z"], shares[:2]),
            Bars("One series", ["x", "y", "z"], shares[:1], high=1.0),
            Plot(
                "Points",
                "cost",
                "score",
                [(n, [(i, s.value)]) for i, (n, s) in enumerate(zip(names, scores, strict=True))],
            ),
            Plot(
                "Lines",
                "turn",
                "score",
                [(n, [(0, 0.1), (5, 0.6)]) for n in names],
                kind="lines",
                note="a note",
            ),
            Plot("Calibration", "said", "was", [("m", [(0.1, 0.2), (0.8, 0.7)])], diagonal=True),
            Plot("Nothing", "x", "y", []),
        ]

    def published(self) -> Sequence[Published]:
        return self.quoted


def lookup(name: str) -> Fake:
    fake = Fake()
    if name != fake.name:
        other = type("Other", (Fake,), {"name": name, "title": name.upper(), "quoted": ()})
        fake = other()
    return fake


def sample(
    index: int, score: float | None, lenient: float | None = None, **more: Any
) -> SampleRecord:
    """A record with the outcome that its score implies."""
    relaxed = score if lenient is None else lenient
    verdicts = {"strict": verdict("strict", score), "lenient": verdict("lenient", relaxed)}
    reply = str(more.pop("reply", f"I think {index}"))
    prompt = str(more.pop("prompt", f"Question {index}?\n\tTwo  blanks"))
    turn = Turn(
        (Message("system", "Be brief."), Message("user", prompt)), "chat", reply, score or 0.0
    )
    fields: dict[str, Any] = {
        "id": f"item-{index}",
        "epoch": 1,
        "content_hash": f"{index:064x}",
        "cluster": f"text-{index // 3}",
        "labels": {"type": "odd" if index % 2 else "even"},
        "gold": "B",
        "episode": Episode((turn,)),
        "verdicts": verdicts,
        "usage": Usage(100, 5),
        "seconds": 0.5,
    }
    return SampleRecord(**{**fields, **more})


def verdict(rule: str, score: float | None) -> Verdict:
    if score is None:
        return Verdict(rule, "unscored", None)
    return Verdict(
        rule, "correct" if score == 1 else "wrong" if score == 0 else "partial", score, "B"
    )


def failed(index: int) -> SampleRecord:
    return sample(index, 0.0, verdicts={}, error="ProviderError: timed out")


def run(
    model: str,
    share: float = 0.5,
    n: int = 30,
    name: str = "",
    seed: int = 0,
    records: Sequence[SampleRecord] | None = None,
    errors: Sequence[SampleRecord] = (),
    **header: Any,
) -> RunView:
    """A run of `n` samples, of which `share` are right under the strict rule."""
    rng = np.random.default_rng(seed)
    if records is None:
        right = [float(rng.random() < share) for _ in range(n)]
        records = [sample(i, s, max(s, float(rng.random() < 0.1))) for i, s in enumerate(right)]
    fields: dict[str, Any] = {
        "benchmark": "fake-qa",
        "benchmark_version": "1",
        "model": model,
        "options": {"shots": 0},
        "dataset": {"id": "fake@1", "sha256": "ab" * 32, "licence": "CC0"},
        "rule": "strict",
        "seed": 7,
        "epochs": 1,
        "limit": None,
        "items": len(records) + len(errors),
        "software": {"ordojo": "0.1.0"},
    }
    return RunView(
        name or model.replace("/", "-"), RunHeader(**{**fields, **header}), records, errors
    )


def some_runs() -> list[RunView]:
    """Models, baselines, two benchmarks, an unfinished run with errors."""
    return [
        run("lab/alpha", 0.8, seed=1),
        run("lab/beta", 0.6, seed=2, errors=[failed(40)], items=45),
        run("lab/alpha", 0.7, seed=3, name="alpha-shot", options={"shots": 1}),
        run("ordojo/gold", 1.0),
        run("ordojo/noop", 0.0),
        run("lab/alpha", 0.3, seed=4, name="alpha-other", benchmark="other"),
        run("ordojo/gold", 1.0, name="gold-other", benchmark="other"),
    ]


def unpacked(text: str) -> Any:
    """What a file of a run's samples holds, which is this line and no other sign."""
    found = re.fullmatch(r'\(self.*\)\["chunk/[0-9]+"\]="([A-Za-z0-9+/=]+)";\n', text)
    assert found is not None
    return json.loads(zlib.decompress(base64.b64decode(found[1])))
