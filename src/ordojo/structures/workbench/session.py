"""What follows from a state of edits, and the session that edits it.

`base` makes abstraction, check and labels of a state's groups and families, `work_out` formulation,
blueprint and picture. A `WorkbenchSession` is the one writer of a workbench folder: it answers the
page, takes edits back and again, and saves.
"""

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from ordojo.core.errors import DataError, OrdojoError, UsageError
from ordojo.core.journal import Journal
from ordojo.structures.abstraction import Abstraction, abstract, check
from ordojo.structures.abstraction.folder import model, mps_bytes
from ordojo.structures.blueprint import (
    Blueprint,
    Facts,
    Item,
    changed,
    draft,
    export,
    facts,
    missing,
)
from ordojo.structures.blueprint.export import TABLES
from ordojo.structures.flat import Flat, differences, digest
from ordojo.structures.formulation import Formulation, formulate, spy_svg
from ordojo.structures.formulation.formulate import named_units
from ordojo.structures.labels import Labels, label
from ordojo.structures.workbench.state import (
    Rename,
    WorkbenchState,
    apply,
    read_edit,
    replayed,
    said,
    start,
)

Say = Callable[[str], None]
_HEADER = 128
"""Bytes of a table's head in its file, as numpy writes one."""


@dataclass(frozen=True, eq=False)
class Base:
    """What groups and families alone decide; names do not matter here.

    `differing` are the parts of the model that do not come back bit for bit: none if exact.
    `found` are the names that groups and families get, by id.
    """

    abstraction: Abstraction
    differing: tuple[str, ...]
    compression: float
    labels: Labels
    found: Mapping[str, str]

    @property
    def exact(self) -> bool:
        """Whether the regenerated model has the digest of the file's."""
        return not self.differing


@dataclass(frozen=True, eq=False)
class Result:
    """Everything that the page shows of a state.

    `names` renames as `formulate` takes it; `keys` is what set and parameter names are to be
    renamed by. `faults` are what the blueprint may not say; `notes` name edits that have no place;
    `retold` is a text in the place of the blueprint's.
    """

    state: WorkbenchState
    base: Base
    formulation: Formulation
    blueprint: Blueprint
    spy: str
    names: Mapping[str, str]
    keys: Mapping[str, str]
    faults: tuple[str, ...]
    notes: tuple[str, ...]
    retold: str = ""

    @cached_property
    def facts(self) -> Facts:
        """What a text in other words has to say."""
        return facts(self.formulation, self.blueprint)


def base(flat: Flat, whole: str, state: WorkbenchState, say: Say) -> Base:
    """Abstract with the state's partition, compare digests (`whole` is the file's), label."""
    say("abstraction")
    groups_cut, families_cut = state.cut()
    found = abstract(flat, state.partition(), (groups_cut, families_cut))
    say("exactness")
    back = model(found)
    same = digest(back) == whole
    differing = () if same else tuple(differences(flat, back)) or ("digest",)
    say("labels")
    labels = label(flat, found)
    groups, families, _ = named_units(found, {})
    names = [unit.name for unit in (*groups, *families)]
    ids = (*state.groups.ids, *state.families.ids)
    size = sum(array.nbytes + _HEADER for array in found.tables.arrays.values())
    size += len(json.dumps(found.structure, indent=1))
    return Base(
        found, differing, mps_bytes(flat) / size, labels, dict(zip(ids, names, strict=True))
    )


def work_out(flat: Flat, state: WorkbenchState, made: Base, say: Say) -> Result:
    """Formulation, blueprint and picture; raises DataError for names that cannot be."""
    say("formulation")
    units = {made.found[one]: name for one, name in state.names.items() if one in made.found}
    first = formulate(flat, made.abstraction, units)
    things = [f"set:{one.name}" for one in first.spec.sets]
    things += [f"parameter:{one.name}" for one in first.spec.parameters]
    more = {key: name for key, name in state.names.items() if key in things}
    names = units | {key.partition(":")[2]: name for key, name in more.items()}
    whole = formulate(flat, made.abstraction, names) if more else first
    called = [one.name for one in whole.spec.sets] + [one.name for one in whole.spec.parameters]
    say("blueprint")
    drafted = draft(whole, state.scenario or None)
    blueprint, unused = _edited(drafted, state, whole)
    unused += [key for key in state.names if key not in things and key not in made.found]
    say("spy plot")
    result = Result(
        state=state,
        base=made,
        formulation=whole,
        blueprint=blueprint,
        spy=spy_svg(flat, made.abstraction, units),
        names=names,
        keys=dict(zip(called, things, strict=True)),
        faults=tuple(changed(whole, drafted, blueprint)) if blueprint != drafted else (),
        notes=tuple(f"an edit of {one} waits: it is not there now" for one in unused),
        retold=state.texts.get(("whole", ""), ""),
    )
    if not result.retold or result.faults:
        return result
    say("retelling")
    lacking = tuple(f"the retelling: {one}" for one in missing(result.facts, result.retold))
    return replace(result, faults=lacking)


def _edited(
    drafted: Blueprint, state: WorkbenchState, f: Formulation
) -> tuple[Blueprint, list[str]]:
    """The draft with the edited sentences in place, and the edits without a place."""
    wanted = dict(state.texts)
    story = wanted.pop(("story", ""), drafted.story)
    objective = wanted.pop(("objective", ""), drafted.objective)
    wanted.pop(("whole", ""), None)

    def taken(part: str, of: str, item: Item) -> Item:
        return replace(item, text=wanted.pop((part, of), item.text))

    found = replace(
        drafted,
        story=story,
        objective=objective,
        groups=tuple(map(taken, ["group"] * len(f.spec.groups), state.groups.ids, drafted.groups)),
        families=tuple(
            map(taken, ["family"] * len(f.spec.families), state.families.ids, drafted.families)
        ),
        sets=tuple(taken("set", one.name, one) for one in drafted.sets),
        parameters=tuple(taken("parameter", one.name, one) for one in drafted.parameters),
    )
    return found, [f"the text of {part} {of}" for part, of in wanted]


JOURNAL, INSTANCE = "edits.jsonl", "instance"
KEPT = 3
"""How many partitions' results are kept for undo."""
SECONDS = 60.0
"""What an export may take for solving."""


class WorkbenchSession:
    """The one writer of a workbench folder.

    `folder` holds the journal and the partition that it starts from. Every edit is stored before
    it is worked out; one that cannot be worked out is dropped with a reason. Methods may be called
    from any thread; one change at a time.
    """

    def __init__(self, flat: Flat, folder: Path | str, name: str = "") -> None:
        """Begin, or go on with, the session in `folder`.

        Raises DataError where the folder is another model's, damaged, or in use.
        """
        self.flat, self.folder = flat, Path(folder)
        self.name = name or flat.name.decode("utf-8", "replace") or "model"
        self.digest = digest(flat)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(
                f"cannot write {self.folder}: {error.strerror}; choose another `folder`"
            ) from None
        self._journal = Journal(self.folder / JOURNAL)
        try:
            self._first = start(self._journal, flat, self.digest, self.name)
            self._edits, self._at = replayed(self._journal.rows[1:], self._journal.path)
            self._state = self._now()
        except BaseException:
            self._journal.close()
            raise
        self.result: Result | None = None
        self._bases: OrderedDict[bytes, Base] = OrderedDict()
        self._lock = threading.RLock()
        self._exported: dict[str, Any] | None = None
        self._closed = False
        self._phase, self._problem, self._version = "", "", 0
        self._begin(self._recompute)

    def edit(self, asked: Any) -> None:
        """Store an edit and begin to work it out; raises UsageError, with nothing stored."""
        edit = read_edit(asked)
        with self._lock:
            self._ready()
            if isinstance(edit, Rename):
                edit = edit.model_copy(update={"before": self._called(edit.of)})
            after = apply(self.flat, self._state, edit)
            self._journal.append({"edit": edit.model_dump(mode="json")})
            self._edits = [*self._edits[: self._at], edit]
            self._move(after, len(self._edits))

    def undo(self) -> None:
        """Take back the last edit."""
        self._step(-1, "undo")

    def redo(self) -> None:
        """Make again what was taken back."""
        self._step(1, "redo")

    def export(self) -> None:
        """Begin to solve the model and write the instance folder."""
        with self._lock:
            self._ready()
            if self.result is None:
                raise UsageError("there is nothing to export yet")
            if not self.result.base.exact:
                raise UsageError("this is not exact and is not exported; undo the last edit")
            if self.result.faults:
                raise UsageError(f"mend the text first: {'; '.join(self.result.faults[:3])}")
            self._begin(self._export)

    def lacking(self, told: str) -> list[str]:
        """What a text in other words still lacks; nothing is stored."""
        result = self.result
        if result is None:
            raise UsageError("nothing is worked out yet; wait")
        return missing(result.facts, told)

    def status(self) -> dict[str, Any]:
        """What the page asks for while it waits."""
        with self._lock:
            result = self.result
            return {
                "version": self._version,
                "busy": self._phase,
                "seconds": round(time.monotonic() - self._since, 1) if self._phase else 0,
                "problem": self._problem,
                "exact": result.base.exact if result else None,
                "undo": said(self._edits[self._at - 1]) if self._at else None,
                "redo": said(self._edits[self._at]) if self._at < len(self._edits) else None,
                "edits": self._at,
                "exported": self._exported,
            }

    def wait(self, seconds: float = 60.0) -> None:
        """Wait until nothing is being worked out."""
        self._thread.join(seconds)

    def close(self) -> None:
        """Give the folder back; what still runs is worked out again next time."""
        self.wait(2)
        with self._lock:
            self._closed = True
            self._journal.close()

    def __enter__(self) -> "WorkbenchSession":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _ready(self) -> None:
        if self._phase:
            raise UsageError(f"still working ({self._phase}); wait until that is done")

    def _called(self, one: str) -> str:
        """What a group, family, set or parameter is called now."""
        if self.result is None:
            return ""
        if ":" in one:
            return next((name for name, key in self.result.keys.items() if key == one), "")
        found = self.result.base.found.get(one, "")
        return self.result.names.get(found, found)

    def _now(self) -> WorkbenchState:
        """The state by replay; raises DataError where an edit no longer applies."""
        state = self._first
        for number, edit in enumerate(self._edits[: self._at], 1):
            try:
                state = apply(self.flat, state, edit)
            except UsageError as error:
                raise DataError(
                    f"{self._journal.path}: edit {number} cannot be made again ({error}); "
                    "restore the folder from a copy"
                ) from None
        return state

    def _step(self, way: int, word: str) -> None:
        with self._lock:
            self._ready()
            if not 0 <= self._at + way <= len(self._edits):
                raise UsageError(f"there is nothing to {word}")
            self._journal.append({word: True})
            self._at += way
            self._move(self._now(), self._at)

    def _move(self, state: WorkbenchState, at: int) -> None:
        self._state, self._at = state, at
        self._begin(self._recompute)

    def _begin(self, work: Callable[[], None]) -> None:
        """Start on something new in the background; nothing else may be under way."""
        self._phase, self._since, self._problem = "starting", time.monotonic(), ""
        self._thread = threading.Thread(target=self._run, args=(work,), daemon=True)
        self._thread.start()

    def _say(self, phase: str) -> None:
        self._phase = phase

    def _run(self, work: Callable[[], None]) -> None:
        try:
            again = True
            while again:
                try:
                    work()
                    again = False
                except OrdojoError as error:
                    again = self._failed(work, str(error))
                except Exception as error:  # the page must say it and go on, whatever went wrong
                    why = f"this could not be worked out ({type(error).__name__}: {error})"
                    again = self._failed(work, why)
        finally:
            with self._lock:
                self._phase = ""
                self._version += 1

    def _recompute(self) -> None:
        state = self._state
        key = sha256(state.groups.labels.tobytes() + state.families.labels.tobytes())
        key.update(repr((state.groups.ids, state.families.ids, state.cut())).encode())
        made = self._bases.get(key.digest())
        if made is None:
            made = base(self.flat, self.digest, state, self._say)
            if made.differing and self._at:
                what = ", ".join(made.differing[:3])
                raise DataError(
                    f"undone: with this edit the model does not come back ({what} would differ)"
                )
            self._bases[key.digest()] = made
            while len(self._bases) > KEPT:
                self._bases.popitem(last=False)
        result = work_out(self.flat, state, made, self._say)
        with self._lock:
            self.result = result

    def _failed(self, what: Any, why: str) -> bool:
        """Drop the last edit if that is what failed; whether what is left is to be worked out."""
        with self._lock:
            self._problem = why
            if self._closed or what != self._recompute or not self._at:
                return False
            self._journal.append({"drop": why})
            self._edits, self._at = self._edits[: self._at - 1], self._at - 1
            self._state = self._now()
            return self.result is None

    def _export(self) -> None:
        result = self.result
        assert result is not None
        self._say("solving and writing")
        self._exported = None
        folder = self.folder / INSTANCE
        done = export(
            self.flat,
            result.base.abstraction,
            folder,
            labels=result.base.labels,
            blueprint=result.blueprint,
            polished=result.retold or None,
            name=self.name,
            seconds=SECONDS,
            names=result.names,
        )
        self._say("checking what was written")
        report = check(folder / TABLES, self.flat)
        self._exported = {"folder": str(folder), "text": done.text(), "exact": report.exact}
