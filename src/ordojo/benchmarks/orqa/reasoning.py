"""Chains of thought under review, step by step, and the statistics of the paper's table 4."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from ordojo.benchmarks.orqa.schema import LETTERS, QUESTION_TYPES
from ordojo.core.errors import DataError
from ordojo.core.panels import Cell, Table
from ordojo.core.policy import Generate
from ordojo.core.records import RunView, SampleRecord
from ordojo.review import MODEL_PREFIX, ReviewDecision, ReviewItem, ReviewQueue
from ordojo.review.kinds import QueueKind
from ordojo.review.model import ModelLabels
from ordojo.review.model import label_with_model as _label_with_model

LABELS: Mapping[str, str] = {
    "correct": "right, and it helps or does no harm",
    "incorrect-logic": "a conclusion that does not follow, or a contradiction",
    "insufficient-knowledge": "a term or fact of operations research is missing or wrong",
    "incorrect-reading": "the context, question or options are misread",
}
"""The paper's four categories; the descriptions are ours."""
CORRECT = "correct"
REASONS = ("not a reasoning", "cannot be judged", "other")

PAPER: Mapping[str, Sequence[float]] = {
    "0-shot": (35.6, 15.6, 20.0, 0.0, 7.93, 0.682),
    "1-shot": (33.3, 31.1, 6.7, 4.4, 4.53, 0.611),
}
SOURCE = "ORQA paper, table 4 (Llama2-13b-chat, validation set, 45 instances a setting)"
METRICS = (
    "Instances with correct answer (%)",
    "Instances where all reasoning steps are correct (%)",
    "Incorrect reasoning, correct answer (%)",
    "Incorrect answer, correct reasoning (%)",
    "Average number of steps per instance",
    "Average accuracy of steps per instance",
)

_OPTIONS = "".join(rf"\n{letter}\. (?P<{letter}>.*?)" for letter in LETTERS)
_ASKED = re.compile(
    rf"(?P<Context>.*?)\nQuestion: (?P<Question>.*?){_OPTIONS}\nReasoning: .*", re.DOTALL
)

PROMPT = """\
You check the reasoning of a language model on a multiple-choice question about operations \
research. Label every step, then the reasoning as a whole, with one of these labels:
{labels}

Context: {Context}
Question: {Question}
{Options}
Correct answer: {Correct answer}

Steps of the reasoning:
{steps}

Answer with one JSON object and nothing else: {{"parts": [one label for each of the {count} \
steps, in order], "whole": "label"}}
"""


_KINDS = (
    re.compile(r"[#\s]*step\s+\d+\b\s*[:.)–—-]?\s*", re.IGNORECASE),
    re.compile(r"\(?\d{1,2}[.):]\)?\s+"),
    re.compile(r"[-*•–]\s+"),
)
"""Markers of steps, the plainest first: "Step 2:", "2.", "-"."""

_INLINE_STEP = re.compile(r"(?<=[.!?;])[ \t]+(?=step\s+\d+\s*[:.)–—-])", re.IGNORECASE)
_END = re.compile(r"[.!?][\"')\]*_]*\s+(?=[\"'(\[*_]*[A-Z0-9])")
_NO_END = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|eq|fig|no|nr|dr|mr|mrs|ms|st|approx)|(?:^|[\s(])\d+|^\W*[A-Z])\.$",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_FEW_WORDS = 2


def split_steps(text: str) -> Sequence[str]:
    """The steps of a reasoning, none if it is empty; no word is lost except the markers.

    Lines marked "Step 2:", "2." or "-" are steps, with what follows up to the next; a conclusion
    set apart after the last is its own. Unmarked text is cut into sentences. An announcement
    ("We consider:") goes with what it announces, and a fragment of one or two words with its
    neighbour.
    """
    plain = text.replace("**", "").strip()
    lines = _INLINE_STEP.sub("\n", plain).split("\n")
    for marker in _KINDS:
        if sum(bool(marker.match(line.strip())) for line in lines) > 1:
            return _announced(_marked(lines, marker))
    return _announced(_sentences(lines))


def _marked(lines: Sequence[str], marker: re.Pattern[str]) -> list[str]:
    starts = [i for i, line in enumerate(lines) if marker.match(line.strip())]
    blocks = [list(lines[a:b]) for a, b in zip(starts, [*starts[1:], len(lines)], strict=True)]
    rest: list[str] = []
    # Paragraphs below every heading belong to it; one below the last alone concludes.
    if not any(_apart(block) for block in blocks[:-1]):
        cut = _apart(blocks[-1]) or len(blocks[-1])
        blocks[-1], rest = blocks[-1][:cut], blocks[-1][cut:]
    steps = [" ".join([marker.sub("", b[0].strip(), count=1), *b[1:]]) for b in blocks]
    return [*_sentences(lines[: starts[0]]), *steps, *_sentences(rest)]


def _apart(block: Sequence[str]) -> int:
    """Where text begins after a blank line, 0 if nowhere."""
    return next(
        (i for i in range(1, len(block)) if block[i].strip() and not block[i - 1].strip()), 0
    )


def _sentences(lines: Sequence[str]) -> list[str]:
    found: list[str] = []
    for text in _joined(lines):
        start = 0
        for end in [*_END.finditer(text), None]:
            stop = end.end() if end else len(text)
            if end and _NO_END.search(text[start : end.start() + 1]):
                continue
            if found and (_short(text[start:stop]) or _short(found[-1])):
                found[-1] = f"{found[-1]} {text[start:stop]}"
            else:
                found.append(text[start:stop])
            start = stop
    return found


def _short(text: str) -> bool:
    return len(_WORD.findall(text)) <= _FEW_WORDS


def _joined(lines: Sequence[str]) -> list[str]:
    """Lines, each with those that go on with it: they begin in lower case."""
    found: list[str] = []
    before = ""
    for line in (line.strip() for line in lines):
        if before and line[:1].islower():
            found[-1] += " " + line
        elif line:
            found.append(line)
        before = line
    return found


def _announced(steps: Sequence[str]) -> Sequence[str]:
    """Put what ends in a colon together with the step after it."""
    found: list[str] = []
    for step in filter(None, (" ".join(step.split()) for step in steps)):
        if found and found[-1].endswith(":"):
            found[-1] += " " + step
        else:
            found.append(step)
    return found


def reasoning_items(
    records: Sequence[SampleRecord], setting: str, rule: str | None = None
) -> list[ReviewItem]:
    """One item a chain of thought, its parts the steps; samples that failed are left out.

    `setting` names the table's column ("0-shot"); `rule` is the rule by which the final answer
    counts, the first of the record if not given. Raises DataError for a run that is not of
    chain-of-thought prompts.
    """
    return [_item(record, setting, rule) for record in records if not record.error]


def reasoning_of(runs: Sequence[RunView], say: Callable[[str], None]) -> list[ReviewItem]:
    """The chains of thought of all runs that have any; `say` hears of those that have none.

    Where they are of several models, a setting names its model. Raises DataError without any, and
    for two runs of one model and number of examples, which the table could not tell apart.
    """
    chains = [run for run in runs if run.header.options.get("prompt") == "cot"]
    for run in runs:
        if run not in chains:
            say(f"left out: {run.name} is no run of orqa with prompt=cot")
    if not chains:
        raise DataError("no run has chains of thought; ask orqa with `prompt=cot`")
    several = len({run.header.model for run in chains}) > 1
    found: list[ReviewItem] = []
    settings: dict[str, str] = {}
    for run in chains:
        model = f"{run.header.model}, " if several else ""
        setting = f"{model}{run.header.options.get('shots', '?')}-shot"
        if setting in settings:
            raise DataError(f"{settings[setting]} and {run.name} are both {setting}; name one")
        settings[setting] = run.name
        found += reasoning_items(run.records, setting, run.header.rule)
    return found


def _item(record: SampleRecord, setting: str, rule: str | None) -> ReviewItem:
    turns = record.episode.turns
    verdict = record.verdict(rule) if rule else next(iter(record.verdicts.values()), None)
    if len(turns) != 2 or verdict is None:
        raise DataError(
            f"sample '{record.id}' has no chain of thought judged by '{rule or 'any rule'}': "
            "take a run of orqa with `prompt=cot`"
        )
    prompt = turns[0].messages[-1].content
    asked = _ASKED.fullmatch(f"\n{prompt}".rpartition("\nContext: ")[2])
    if asked is None:
        raise DataError(f"the prompt of sample '{record.id}' does not have the form of ORQA's")
    return ReviewItem(
        id=f"{setting}/{record.id}/{record.epoch}",
        title=f"{record.id}, {setting}",
        fields={
            "Context": asked["Context"],
            "Question": asked["Question"].strip(),
            "Options": "\n".join(f"{letter}. {asked[letter]}" for letter in LETTERS),
            "Correct answer": str(record.gold),
            "Model's answer": str(verdict.answer or "none"),
            "Reasoning": turns[0].reply,
        },
        parts=tuple(split_steps(turns[0].reply)),
        labels=tuple(LABELS),
        data={
            "setting": setting,
            "type": record.labels["type"],
            "correct": verdict.outcome == "correct",
        },
    )


def label_with_model(queue: ReviewQueue, generate: Generate, model: str) -> ModelLabels:
    """Have a model label what nobody has labelled; a person who comes later has the last word."""
    return _label_with_model(queue, generate, model, judge_prompt)


def judge_prompt(item: ReviewItem) -> str:
    """What the model is asked about one chain of thought."""
    return PROMPT.format(
        **item.fields,
        labels="\n".join(f'- "{name}": {meaning}' for name, meaning in LABELS.items()),
        steps="\n".join(f"{i}. {step}" for i, step in enumerate(item.parts, 1)) or "(none)",
        count=len(item.parts),
    )


Judged = tuple[ReviewItem, ReviewDecision]


def _judged(queue: ReviewQueue) -> dict[str, list[Judged]]:
    """Fully labelled items by setting; settings without any are there, too."""
    found: dict[str, list[Judged]] = {}
    for item in queue.items:
        if "setting" not in item.data:
            raise DataError(f"{queue.path} is not a queue of ORQA reasoning: it has no table 4")
        group = found.setdefault(item.data["setting"], [])
        decision = queue.current(item.id)
        if decision is not None and decision.kind == "label" and decision.final:
            group.append((item, decision))
    return found


def _is_right(judged: Judged) -> bool:
    # By its steps, not by the label of the whole: only so do the paper's figures add up
    # (35.6 - 20.0 = 15.6 - 0.0, and 33.3 - 6.7 = 31.1 - 4.4 within rounding).
    parts = judged[1].parts
    return all(part == CORRECT for part in parts) if parts else judged[1].label == CORRECT


def _column(judged: Sequence[Judged]) -> list[Cell]:
    answers = [bool(item.data["correct"]) for item, _ in judged]
    reasonings = [_is_right(one) for one in judged]
    both = list(zip(answers, reasonings, strict=True))
    steps = [decision.parts for _, decision in judged]
    return [
        _mean([100.0 * a for a in answers]),
        _mean([100.0 * r for r in reasonings]),
        _mean([100.0 * (a and not r) for a, r in both]),
        _mean([100.0 * (r and not a) for a, r in both]),
        _mean([len(parts) for parts in steps]),
        _mean([parts.count(CORRECT) / len(parts) for parts in steps if parts]),
    ]


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def table4(queue: ReviewQueue) -> Table:
    """The paper's table 4 from a queue's decisions as they hold now, beside the published one."""
    judged = _judged(queue)
    columns = {setting: _column(found) for setting, found in judged.items()}
    shots = {setting.rpartition(", ")[2] for setting in judged}
    columns |= {f"{name}, paper": list(found) for name, found in PAPER.items() if name in shots}
    everything = [decision for found in judged.values() for _, decision in found]
    models = sum(decision.reviewer.startswith(MODEL_PREFIX) for decision in everything)
    return Table(
        "Reasoning steps and answers",
        ("Metric", *columns),
        [(name, *(cells[i] for cells in columns.values())) for i, name in enumerate(METRICS)],
        f"{len(everything)} of {len(queue.items)} instances are labelled, {models} of them by a "
        f"model. Reasoning is correct if every step is. Published: {SOURCE}.",
    )


def error_types(queue: ReviewQueue) -> Table:
    """How often each question type got each label: whole reasonings, then steps."""
    chains: Counter[tuple[str, str]] = Counter()
    steps: Counter[tuple[str, str]] = Counter()
    instances: Counter[str] = Counter()
    for item, decision in (one for found in _judged(queue).values() for one in found):
        kind = item.data["type"]
        instances[kind] += 1
        chains[kind, decision.label] += 1
        steps.update((kind, part) for part in decision.parts)
    both = chains, steps
    return Table(
        "Labels by question type",
        ("Type", "Asks for", "Instances", *LABELS, *(f"steps {label}" for label in LABELS)),
        [
            (kind, meaning, instances[kind], *(found[kind, x] for found in both for x in LABELS))
            for kind, meaning in QUESTION_TYPES.items()
            if instances[kind]
        ],
    )


QUEUE = QueueKind(
    "ORQA reasoning",
    "chains of thought",
    REASONS,
    lambda queue: all(item.labels == tuple(LABELS) for item in queue.items),
    lambda datasets, runs, say: reasoning_of(runs, say),
    lambda queue: (table4(queue), error_types(queue)),
    label=label_with_model,
)
