"""Records keep everything through JSON; instances and digests know equal content."""

import json
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.core.canonical import canonical, digest
from ordojo.core.environment import Message
from ordojo.core.episode import Episode, Turn
from ordojo.core.instance import Certificate, Instance
from ordojo.core.judge import Verdict
from ordojo.core.records import RunHeader, RunView, SampleRecord, Usage, judged, pass_at
from tests.core.helpers import record

# JSON joins a high and a low surrogate that stand side by side into the character they encode.
texts = st.text(st.characters(exclude_categories=())).filter(
    lambda text: json.loads(json.dumps(text)) == text
)
numbers = st.floats(allow_nan=False, allow_infinity=False)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
turns = st.builds(
    Turn,
    messages=st.lists(
        st.builds(Message, st.sampled_from(["system", "user", "assistant"]), texts), max_size=3
    ).map(tuple),
    style=st.sampled_from(["chat", "completion"]),
    reply=texts,
    reward=numbers,
    info=st.dictionaries(texts, plain, max_size=2),
)
details = {
    "answer": plain,
    "reason": texts,
    "metrics": st.dictionaries(texts, numbers, max_size=2),
}
scored = st.builds(
    Verdict,
    rule=st.just(""),
    outcome=st.sampled_from(["correct", "partial", "wrong", "unparsed"]),
    score=st.floats(0, 1),
    **details,
)
unscored = st.builds(
    Verdict, rule=st.just(""), outcome=st.just("unscored"), score=st.none(), **details
)
records = st.builds(
    SampleRecord,
    id=texts,
    epoch=st.integers(1),
    content_hash=texts,
    cluster=texts,
    labels=st.dictionaries(texts, texts, max_size=2),
    gold=plain,
    episode=st.builds(
        Episode, turns=st.lists(turns, max_size=2).map(tuple), truncated=st.booleans()
    ),
    verdicts=st.dictionaries(texts, scored | unscored, max_size=2).map(
        lambda verdicts: {name: replace(v, rule=name) for name, v in verdicts.items()}
    ),
    usage=st.builds(Usage, *[st.integers(0)] * 3, numbers),
    seconds=st.integers(0, 10**9).map(lambda micro: round(micro / 1e6, 6)),
    error=texts,
)


@given(records)
def test_a_record_survives_json(record: SampleRecord) -> None:
    assert SampleRecord.from_json(json.loads(json.dumps(record.to_json()))) == record


def a_record(**more: object) -> SampleRecord:
    blank = SampleRecord("q1", 1, "0", "c", {}, "A", Episode(()), {})
    return replace(blank, **more)


@given(st.sampled_from(sorted(a_record().to_json())))
def test_a_record_without_one_of_its_fields_is_refused(field: str) -> None:
    row = a_record().to_json()
    del row[field]
    with pytest.raises(ValueError, match=field):
        SampleRecord.from_json(row)


def test_time_is_kept_to_the_microsecond() -> None:
    assert a_record(seconds=1.23456789).to_json()["seconds"] == 1.234568


def test_a_failed_sample_has_no_verdict() -> None:
    assert a_record(error="no connection").verdict("letter") is None
    verdict = Verdict("letter", "correct", 1.0, "A")
    assert a_record(verdicts={"letter": verdict}).verdict("letter") is verdict


def test_usage_adds_up() -> None:
    assert Usage(1, 2, 3, 0.5) + Usage(10, 20, 30, 0.25) == Usage(11, 22, 33, 0.75)


def test_a_run_is_complete_when_every_item_has_a_record() -> None:
    header = RunHeader("b", "1", "m", {}, {}, "letter", 0, 1, None, items=2)
    one = a_record()
    assert not RunView("r", header, [one], errors=[one]).complete
    assert RunView("r", header, [one, one]).complete


@dataclass(frozen=True)
class Riddle:
    text: str
    options: tuple[str, ...]


def riddle(**more: object) -> Instance[Riddle]:
    certificate = Certificate("answer-key", {"answer": "\ud800", "n": 1})
    return replace(Instance("r-1", "riddles", "1", Riddle("?", ("a", "b")), certificate), **more)


def test_the_content_hash_knows_content_and_nothing_else() -> None:
    one = riddle().content_hash
    assert len(one) == 64
    assert riddle(id="r-2", version="2", cluster="c", labels={"x": "y"}).content_hash == one
    assert riddle(certificate=Certificate("answer-key", {"n": 1, "answer": "\ud800"})).content_hash
    others = [
        riddle(benchmark="others"),
        riddle(problem=Riddle("?", ("b", "a"))),
        riddle(problem=Riddle("!", ("a", "b"))),
        riddle(certificate=Certificate("answer-key", {"answer": "\ud801", "n": 1})),
        riddle(certificate=Certificate("other", {"answer": "\ud800", "n": 1})),
    ]
    assert len({one, *(other.content_hash for other in others)}) == 6


@given(st.dictionaries(texts, plain, max_size=4))
def test_equal_values_have_one_spelling(value: dict[str, object]) -> None:
    backwards = dict(reversed(value.items()))
    assert canonical(backwards) == canonical(value)
    assert digest(backwards) == digest(json.loads(canonical(value)))


def test_the_interval_of_pass_at_k_covers_the_truth_where_clusters_decide() -> None:
    """Of 40 clusters of four items, each asked three times, as easy as the cluster is."""
    rng = np.random.default_rng(5)
    a, b, times = 0.6, 1.4, 200
    truth = 1 - b * (b + 1) / ((a + b) * (a + b + 1))  # the mean of 1 - (1 - p) ** 2
    samples = {}
    for kind, cluster in (("clusters", "c{}"), ("items", "")):
        groups = [cluster.format(item // 4) for item in range(160)]
        samples[kind] = [
            judged([record(f"{item}", "A", said, cluster=group) for said in "BA"], "published")
            for item, group in enumerate(groups)
        ]
    covered = dict.fromkeys(samples, 0)
    for _ in range(times):
        right = rng.random((3, 160)) < np.repeat(rng.beta(a, b, 40), 4)
        for kind, of in samples.items():
            told = [of[at][int(one)] for epoch in right for at, one in enumerate(epoch)]
            found = pass_at(told, "p")["p@2"]
            covered[kind] += found.low <= truth <= found.high
            assert (found.n, found.clusters) == (160, {"clusters": 40, "items": 160}[kind])
    assert covered["clusters"] > 0.91 * times
    assert covered["items"] < 0.85 * times
