"""One static site, tables and summaries, computed from run records alone."""

from ordojo.report.site import ReportPaths, write_report

__all__ = ["ReportPaths", "write_report"]
