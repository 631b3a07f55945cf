"""Numbers as text that reads back to the same bits."""


def shortest(value: float) -> str:
    """The shortest text that Python reads as the same number: `3`, `0.1`, `-0.0`, `1e+30`."""
    value = float(value)
    text = repr(value)
    return text[:-2] if text.endswith(".0") and text != "-0.0" else text
