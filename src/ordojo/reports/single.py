"""Panels on one page that loads nothing."""

from collections.abc import Sequence
from importlib.resources import files

from markupsafe import Markup, escape

from ordojo.core.panels import Panel
from ordojo.reports.charts.colour import scale_css
from ordojo.reports.panels import draw

PAGE = Markup("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<main id="main">
<h1>{title}</h1>
<p>{said}</p>
{panels}
</main>
</body>
</html>
""")


def single_page(title: str, said: str, panels: Sequence[Panel]) -> str:
    """The page, self-contained; every name is escaped."""
    style = files("ordojo.reports").joinpath("static/report.css").read_text("utf-8")
    drawn = Markup("\n").join(draw(panel) for panel in panels)
    return PAGE.format(
        title=escape(title), said=escape(said), style=Markup(scale_css() + style), panels=drawn
    )
