"""How well scores tell productive steps from the others (the figures of D.4)."""

from collections.abc import Sequence

import numpy as np
from scipy.stats import pearsonr, rankdata, spearmanr

NAN = float("nan")


def auc(scores: Sequence[float], positive: Sequence[bool]) -> float:
    """The area under the ROC curve: how often a positive stands above a negative, ties half.

    NaN where all are of one kind.
    """
    chosen = np.asarray(positive, bool)
    count, others = int(chosen.sum()), int((~chosen).sum())
    if not count or not others:
        return NAN
    ranks = rankdata(np.asarray(scores, float))
    return float((ranks[chosen].sum() - count * (count + 1) / 2) / (count * others))


def agreement(
    scores: Sequence[float], labels: Sequence[float], productive: float
) -> dict[str, float]:
    """AUC-ROC, Pearson, Spearman, and the mean scores of productive and of other steps."""
    found, true = np.asarray(scores, float), np.asarray(labels, float)
    good = true >= productive
    varied = len(found) > 1 and bool(np.ptp(found)) and bool(np.ptp(true))
    return {
        "auc": auc(scores, good.tolist()),
        "pearson": float(pearsonr(found, true).statistic) if varied else NAN,
        "spearman": float(spearmanr(found, true).statistic) if varied else NAN,
        "mean_productive": float(found[good].mean()) if good.any() else NAN,
        "mean_other": float(found[~good].mean()) if (~good).any() else NAN,
        "steps": float(len(found)),
    }
