"""A person's queue: label, accept, edit or reject; in the terminal or on a local web page.

In goes a list of `ReviewItem`s; `queue.py` keeps every decision as one line of a journal, so that
nothing is lost and two people may work in turn. `terminal.py` and `local.py` show the same queue;
`kinds.py` says what it is made of, and `model.py` lets a language model decide as one more
reviewer. Out come decisions, and how far reviewers agree (`statistics.py`: Cohen's kappa).
"""

from ordojo.review.queue import ReviewDecision, ReviewItem, ReviewQueue
from ordojo.review.statistics import MODEL_PREFIX, Agreement, Statistics, cohen_kappa, statistics

__all__ = [
    "MODEL_PREFIX",
    "Agreement",
    "ReviewDecision",
    "ReviewItem",
    "ReviewQueue",
    "Statistics",
    "cohen_kappa",
    "statistics",
]
