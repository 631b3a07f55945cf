"""Charts drawn as SVG and HTML by the server; positions are percentages, so that they scale.

`plot.py` has curves and scatters, `bars.py` rows that lie down (bars, intervals, heatmaps),
`glyph.py` the small marks in them; `colour.py` gives each series its colour, the same on every
page. `figure.py` makes of these drawings a file for a paper.
"""
