"""Where an LP file breaks the format: line and column, and nothing about what is right."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ordojo.core.errors import DataError
from ordojo.milp.files import read_model
from ordojo.milp.lp_errors import misplaced

GOOD = """\\ a comment: * is allowed here
minimize
 obj: 2 x + - 3 y
 + 1.5e3 z[1,2] - w
subject to
 c1: x + y >= 2
 c2: x
   - 0.5 y <= -1e2
 3 <= x + z[1,2] <= 8
 c4: -3 x = - 7
bounds
 x <= 4
 -inf <= y <= +inf
 w free
 1 <= z[1,2]
binaries
 b c
generals
 x
end
"""


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("c1: x + y", "c1: x + * y", "'*' in line 6, column 10, where a number or a column"),
        ("y >= 2", "y 2", "'2' in line 6, column 12, where a sign or a relation"),
        ("y >= 2", "y >=", "'c2' in line 7, column 2, where a number, the side"),
        ("c2: x", "c2 c3: x", "'c3' in line 7, column 5"),
        ("-1e2", "-e2", "'e2' in line 8, column 16"),
        ("x <= 4", "x <= four", "'four' in line 12, column 7"),
        ("w free", "<= 3", "'<=' in line 14, column 2"),
        (" b c", " b + c", "'+' in line 17, column 4, where a column"),
        ("minimize", "minimal", "'minimal' in line 2, column 1, before the objective"),
        ("subject to", "such", "'such' in line 5, column 1"),
        (" c4: -3 x = - 7\n", " c4: -3 x\n", "ends its section before line 11"),
        ("end\n", "end\nmore\n", "'more' in line 21, column 1, after End"),
    ],
)
def test_the_first_wrong_word_is_named(old: str, new: str, says: str) -> None:
    assert misplaced(GOOD.splitlines()) == ""
    assert misplaced(GOOD.replace("minimize\n obj", "minimize obj").splitlines()) == ""
    assert says in misplaced(GOOD.replace(old, new, 1).splitlines())


def test_a_file_that_is_refused_says_where(tmp_path: Path) -> None:
    path = tmp_path / "bad.lp"
    path.write_text(GOOD.replace("3 <= x + z[1,2] <= 8", "c3: x + / y <= 8"))
    with pytest.raises(DataError, match=r"bad\.lp has '/' in line 9, column 10, where") as error:
        read_model(path)
    assert "\n" not in str(error.value)


@given(st.text(alphabet=" \n:<>=+-*[]12.xe\\", max_size=40), st.integers(0, len(GOOD)))
@settings(max_examples=150, deadline=None)
def test_any_text_has_an_answer(noise: str, at: int) -> None:
    found = misplaced((GOOD[:at] + noise + GOOD[at:]).splitlines())
    assert "\n" not in found
