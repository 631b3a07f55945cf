"""What executes the tutorials finds a page that is wrong."""

import pytest

from .tutorials import DifferenceError, fresh, walk

PAGE = """
```text title="model.lp"
Minimize
 x
Subject To
 low: x >= 2
End
```

```console
$ cat model.lp | head -n 1
Minimize
$ ordojo explain model.lp
...%s...
```
<!-- run: exit %d -->

```console
$ pip install no-such-thing
```
<!-- not run: needs a network -->
"""


def go(tmp_path, text, code=0):
    page = tmp_path / "page.md"
    page.write_text(PAGE % (text, code), "utf-8")
    with fresh(tmp_path):
        return walk(page)


def test_a_right_page_passes(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.docs.tutorials.name", str)
    assert len(go(tmp_path, "feasible")) == 2


@pytest.mark.parametrize(("text", "code"), [("infeasible because", 0), ("feasible", 2)])
def test_a_wrong_output_and_a_wrong_exit_code_are_found(tmp_path, monkeypatch, text, code):
    monkeypatch.setattr("tests.docs.tutorials.name", str)
    with pytest.raises(DifferenceError, match=r"page\.md"):
        go(tmp_path, text, code)
