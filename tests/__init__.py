import gc
import os
from importlib.util import find_spec

import pytest

# Threads that wait for each other beside other workers take four times as long as one alone;
# libraries read this when they are loaded, so that it stands before the first of them.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# As the command sets it: at the usual 700 things, looking for garbage is a seventh of all tests.
gc.set_threshold(50_000, 20, 20)


def needs(module: str, extra: str) -> pytest.MarkDecorator:
    """Skip without a library, which is not imported: each worker of xdist collects every file."""
    reason = f"needs {module}: pip install 'ordojo[{extra}]'"
    return pytest.mark.skipif(find_spec(module) is None, reason=reason)
