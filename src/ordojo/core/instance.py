"""The instance: a frozen problem together with the evidence that its ground truth is true."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, TypeVar

from ordojo.core.canonical import Json, digest

P = TypeVar("P")


@dataclass(frozen=True)
class Certificate:
    """Evidence for an instance's ground truth.

    `kind` names what it is ("answer-key", "solver", "iis", "closed-form"); `data` holds it, as
    JSON. A benchmark's `verify` checks it again from scratch.
    """

    kind: str
    data: Mapping[str, Json]


@dataclass(frozen=True)
class Instance(Generic[P]):
    """One item of a benchmark.

    `problem` is a frozen dataclass of the benchmark's own. Instances with one `cluster` are not
    independent (questions on one text), and intervals respect that. `labels` are the categories
    by which reports break results down.
    """

    id: str
    benchmark: str
    version: str
    problem: P
    certificate: Certificate
    cluster: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over benchmark, problem and certificate: equal content, equal hash."""
        return digest([self.benchmark, self.problem, self.certificate])
