"""Natural-language optimization problems of eleven published datasets, in one form.

`items` has the form, `formats` a reader for each shape of file, `load` finds a dataset's items by
its id or a path; `audit` says what is doubtful in them, `statistics` how many and how large.
"""

from ordojo.datasets.nl2opt.items import ProblemItem
from ordojo.datasets.nl2opt.load import PREFIX, is_own, load_items, nl2opt_ids, own_folder

__all__ = ["PREFIX", "ProblemItem", "is_own", "load_items", "nl2opt_ids", "own_folder"]
