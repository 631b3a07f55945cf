"""One static site, tables and summaries, computed from run records alone.

`study.py` reads run folders and makes comparable columns of them; `tables.py` and `compare.py`
compute figures and paired tests; `leaderboard.py`, `panels.py`, `samples.py` and `training.py` are
what pages show; `pages.py` renders them with the charts of `charts/`; `site.py` writes all or
nothing; `pages.py` prints the command behind each figure.
"""

from ordojo.reports.site import ReportPaths, write_report

__all__ = ["ReportPaths", "write_report"]
