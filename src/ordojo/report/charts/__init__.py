"""Charts drawn as SVG and HTML by the server; positions are percentages, so that they scale."""
