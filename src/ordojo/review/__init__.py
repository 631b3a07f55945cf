"""A person's queue: label, accept, edit or reject; in the terminal or on a local web page."""

from ordojo.review.items import Decision, Item
from ordojo.review.queue import Queue
from ordojo.review.statistics import MODEL_PREFIX, Agreement, Statistics, cohen_kappa, statistics

__all__ = [
    "MODEL_PREFIX",
    "Agreement",
    "Decision",
    "Item",
    "Queue",
    "Statistics",
    "cohen_kappa",
    "statistics",
]
