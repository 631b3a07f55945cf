"""The contracts that every package shares; it knows no solver, no benchmark and no model.

A `Benchmark` (`benchmark.py`, found by name through `registry.py`) loads an `Instance`
(`instance.py`: problem and certificate), makes an `Environment` (`environment.py`: text in, text
out) and has named judges (`judge.py`: an `Episode` in, a `Verdict` out). A `Policy` (`policy.py`)
answers. What happened becomes a `SampleRecord` (`records.py`), from which statistics
(`statistics.py`), the choice of what may be compared (`selection.py`) and what a page shows
(`panels.py`) are computed; for training it becomes a `Trajectory` (`trajectory.py`), paid by what a
benchmark teaches (`teaching.py`). `single_turn.py` makes all of this of a question, a truth and a
reader; `conformance.py` checks any benchmark, `hardness.py` how far one gets without reading.
`episode.py` plays one in a plain loop, `doors.py` tells whether a reply is worth the same wherever
it is asked. `readers/` reads free answers, `programs.py` finds the program in one.

Beneath: seeds (`seeds.py`), canonical JSON (`canonical.py`), files as they are read (`files.py`,
`rows.py`) and written, whole or not at all (`outputs.py`, `journal.py`), checked arguments
(`ranges.py`, `signatures.py`, `options.py`, a builder's in `building.py`), what is no argument to
keep (`secrets.py`), work spread over processes (`spread.py`; `capacity.py` simulates it), what is
said meanwhile (`progress.py`, `words.py`), the one way in which a command ends (`ending.py`,
`errors.py`), libraries that are not there (`extras.py`), and modules that moved (`former.py`).
"""
