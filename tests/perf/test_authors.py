"""What the authors recorded happens here, too; `python -m perf.authors` plays all of it."""

import pytest
from perf.authors import environment, episodes, model_of, replayed, teaching


@pytest.mark.data
@pytest.mark.parametrize(("split", "every"), [("heuristic", 60), ("gpt-5.2-chat", 12)])
def test_teaching_records_give_the_stated_outcome(split: str, every: int) -> None:
    play = environment()
    found = [replayed(r, model_of(r.problem), play) for r in list(teaching(split))[::every]]
    assert {one.iis for one in found} == {"irreducible"}
    agreed = sum(one.repeats > 0 for one in found) / len(found)
    assert agreed == 1.0 if split == "heuristic" else agreed > 0.9


@pytest.mark.data
def test_episodes_of_one_step_have_their_rewards() -> None:
    said = "\n".join(episodes())
    assert "0.8004 as evaluate_local_model.py counts" in said
    assert "other reward" not in said and "not OPTIMAL" not in said
