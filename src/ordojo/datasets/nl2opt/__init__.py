"""Natural-language optimization problems of eleven published datasets, in one form."""

from ordojo.datasets.golds import GoldAnswer, agree, read_key
from ordojo.datasets.nl2opt.items import SCORED, STATUSES, ProblemItem, Status
from ordojo.datasets.nl2opt.load import PREFIX, is_own, load_items, nl2opt_ids, own_folder

__all__ = [
    "PREFIX",
    "SCORED",
    "STATUSES",
    "GoldAnswer",
    "ProblemItem",
    "Status",
    "agree",
    "is_own",
    "load_items",
    "nl2opt_ids",
    "own_folder",
    "read_key",
]
