"""The panels of NL2Opt's page, one function each."""

from collections.abc import Mapping, Sequence

from ordojo.benchmarks.nl2opt import published
from ordojo.benchmarks.nl2opt.judging import COMPARISONS_SHOWN, LEAKING
from ordojo.benchmarks.nl2opt.metrics import (
    APART,
    SCALES,
    accuracy,
    judged,
    labelled,
    with_repair,
)
from ordojo.benchmarks.nl2opt.metrics import exceptions as exception_counts
from ordojo.benchmarks.nl2opt.metrics import published as counted
from ordojo.benchmarks.nl2opt.outcomes import ErrorClass, Outcome
from ordojo.benchmarks.nl2opt.published import AVERAGE, COLUMNS, PAPER, TABLES
from ordojo.core.panels import Bars, Cell, Heatmap, Panel, Plot, Series, Table
from ordojo.core.records import RunView
from ordojo.core.statistics import NOTHING, Estimate
from ordojo.datasets.nl2opt.known import EVALUATED

Figures = Mapping[str, Estimate]
