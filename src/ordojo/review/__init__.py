"""A person's queue: label, accept, edit or reject; in the terminal or on a local web page."""

from ordojo.review.queue import Queue, ReviewDecision, ReviewItem
from ordojo.review.statistics import MODEL_PREFIX, Agreement, Statistics, cohen_kappa, statistics

__all__ = [
    "MODEL_PREFIX",
    "Agreement",
    "Queue",
    "ReviewDecision",
    "ReviewItem",
    "Statistics",
    "cohen_kappa",
    "statistics",
]
