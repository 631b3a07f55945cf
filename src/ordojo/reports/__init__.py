"""One static site, tables and summaries, computed from run records alone.

`study.py` reads run folders and makes comparable columns of them; `tables.py` and `compare.py`
compute figures and paired tests; `overview.py`, `panels.py`, `samples.py`, `hardness.py` and
`training.py` are what pages show; `site.py` renders them with the charts of `charts/`, prints the
command behind each figure, and writes all or nothing. `paper.py` and `latex.py` write the same for
a paper, `papers.py` sets runs beside the four papers, `explanation.py` shows an explained model.
"""

from ordojo.reports.site import ReportPaths, write_report

__all__ = ["ReportPaths", "write_report"]
