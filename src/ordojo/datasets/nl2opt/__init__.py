"""Natural-language optimization problems of eleven published datasets, in one form."""

from ordojo.datasets.nl2opt.items import ProblemItem
from ordojo.datasets.nl2opt.load import PREFIX, is_own, load_items, nl2opt_ids, own_folder

__all__ = ["PREFIX", "ProblemItem", "is_own", "load_items", "nl2opt_ids", "own_folder"]
