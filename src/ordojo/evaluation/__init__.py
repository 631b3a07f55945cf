"""Running policies and language models over environments, and keeping what happened.

`evaluation.py` takes a request (benchmark, options, model, seed) and says what it will do and cost;
`session.py` holds its instances and judges. A scripted policy is played in a plain loop
(`scripted.py`); a language model is asked through Inspect (`engine/`), or is one that ordojo brings
(`providers/`). `compact.py` shortens what is said for small ones, and `generation.py` makes one a
plain function for builders. Each sample becomes a line of a run's folder (`runs.py`; elsewhere than
on this machine `remote.py`), so that a run can be resumed; `grade.py` judges answers that were made
elsewhere. `inspect_entry.py` is what `inspect eval ordojo/...` finds, `harness.py` writes tasks for
lm-evaluation-harness. Out come run folders, of which reports are made.
"""
