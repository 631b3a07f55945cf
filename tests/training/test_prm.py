"""The process reward model: labelled steps and figures; `test_learning` trains one."""

from pathlib import Path

import numpy as np
import pytest

from ordojo.core.errors import DataError, UsageError
from ordojo.training.prm import LabelledStep, PrmConfig, agreement, auc, divided, load_scorer, run
from tests import needs

pytestmark = needs("trl", "train")


def test_auc_counts_pairs() -> None:
    rng = np.random.default_rng(0)
    scores, good = rng.integers(0, 5, 60).astype(float), rng.random(60) < 0.4
    pairs = [1.0 if a > b else 0.5 if a == b else 0.0 for a in scores[good] for b in scores[~good]]
    assert auc(scores.tolist(), good.tolist()) == pytest.approx(float(np.mean(pairs)))
    assert np.isnan(auc([1.0, 2.0], [True, True]))


def test_perfect_scores_agree_perfectly() -> None:
    labels = [0.0, 0.2, 0.5, 1.0]
    found = agreement(labels, labels, 0.5)
    assert (found["auc"], found["pearson"], found["spearman"]) == pytest.approx((1, 1, 1))
    assert (found["mean_productive"], found["mean_other"]) == pytest.approx((0.75, 0.1))
    wider = agreement(labels, labels, 0.2)  # the label from which a step is productive
    assert (wider["mean_productive"], wider["mean_other"]) == pytest.approx((1.7 / 3, 0.0))
    assert np.isnan(agreement([0.3] * 4, labels, 0.5)["pearson"])


def test_no_instance_is_on_both_sides() -> None:
    steps = [LabelledStep("x", 0.5, f"i{k % 40}") for k in range(200)]
    kept, held = divided(steps, 0.3, 0)
    assert {one.instance for one in kept}.isdisjoint(one.instance for one in held)
    assert len(kept) + len(held) == 200
    with pytest.raises(DataError, match="too few"):
        divided(steps[:1], 0.2, 0)


def test_bad_settings_and_folders_are_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holdout"):
        PrmConfig(holdout=1.0)
    with pytest.raises(UsageError, match="names no files"):
        run(PrmConfig(), tmp_path)
    with pytest.raises(DataError, match="no process reward model"):
        load_scorer(tmp_path)
