from importlib.util import find_spec

import pytest


def needs(module: str, extra: str) -> pytest.MarkDecorator:
    """Skip without a library, which is not imported: each worker of xdist collects every file."""
    reason = f"needs {module}: pip install 'ordojo[{extra}]'"
    return pytest.mark.skipif(find_spec(module) is None, reason=reason)
