"""The eleven datasets of natural-language optimization problems, every version of each.

They stand in `catalogue.csv`. Those of kind "github" have a known address and can be pulled. The
others are folders, archives, or files whose address at their source is not known: they are put
under $ORDOJO_DATA by hand. `members` are patterns of file names in a folder (`FileSpec`).
"""

import csv
import difflib
from importlib import resources

from ordojo.core.errors import UsageError
from ordojo.datasets.or_debug_authors import AUTHORS_SETS, READER, SCHEMA
from ordojo.datasets.schemas import ECONLOGICQA, NL2OPT, ORQA
from ordojo.datasets.specs import DatasetSource, DatasetSpec, Disputed, FileSpec


def _sets() -> tuple[DatasetSpec, ...]:
    table = resources.files("ordojo.datasets").joinpath("catalogue.csv")
    return tuple(_spec(row) for row in csv.DictReader(table.read_text("utf-8").splitlines()))


def _spec(row: dict[str, str]) -> DatasetSpec:
    file = FileSpec(
        split="test",
        path=row["address"] or row["name"],
        rows=int(row["items"]),
        sha256=row["sha256"],
        size=int(row["size"]),
        members=tuple(row["members"].split()),
        local=row["name"],
    )
    return DatasetSpec(
        id=row["id"],
        folder=row["folder"],
        schema=NL2OPT,
        source=DatasetSource(
            "github" if row["kind"] == "github" else "local", row["repository"], row["revision"]
        ),
        licence=row["licence"],
        files=(file,),
        reader=row["reader"],
    )


NL2OPT_SETS: tuple[DatasetSpec, ...] = _sets()


def dataset_ids() -> tuple[str, ...]:
    """Every dataset's id, in alphabetical order."""
    return tuple(sorted(DATASETS))


def get_dataset(dataset_id: str) -> DatasetSpec:
    """The dataset called `dataset_id`; raises UsageError, with near ids, if there is none."""
    if dataset_id not in DATASETS:
        home = f"{dataset_id.partition('@')[0]}@"
        family = [one for one in dataset_ids() if one.startswith(home)]
        near = difflib.get_close_matches(dataset_id, family, 3, 0)
        near = near or difflib.get_close_matches(dataset_id, dataset_ids(), 1)
        meant = " or ".join(f"'{one}'" for one in near)
        hint = f"did you mean {meant}?" if near else "`ordojo data list` names them"
        raise UsageError(f"there is no dataset '{dataset_id}'; {hint}")
    return DATASETS[dataset_id]


def versions(dataset_id: str) -> tuple[DatasetSpec, ...]:
    """All versions of the dataset that `dataset_id` is one of, itself among them."""
    name = get_dataset(dataset_id).name
    return tuple(DATASETS[key] for key in dataset_ids() if DATASETS[key].name == name)


def _ambiguous(row: int, twins: str, gold: str) -> Disputed:
    role = f"{gold}, the answer key, is one of them" if gold in twins else f"the key is {gold}"
    note = f"options {twins[0]} and {twins[1]} are identical; {role}"
    return Disputed("test", row, "ambiguous", note)


_OURS = DatasetSource("shipped")
_NON_COMMERCIAL = "CC BY-NC-SA 4.0"

DATASETS: dict[str, DatasetSpec] = {
    spec.id: spec
    for spec in (
        *NL2OPT_SETS,
        *AUTHORS_SETS,
        DatasetSpec(
            id="or-debug@wild",
            folder="or-debug-wild",
            schema=SCHEMA,
            source=DatasetSource(
                "built",
                "ordojo build or-debug --from $ORDOJO_DATA/mps --from $ORDOJO_DATA/mps/edge "
                "--from $ORDOJO_DATA/mnl-mps --break",
            ),
            licence="each model's own: Netlib, MIPLIB, test sets of open solvers",
            files=(FileSpec("test", "wild.jsonl", 83),),
            reader=READER,
        ),
        DatasetSpec(
            id="orqa@793beee",
            folder="orqa",
            schema=ORQA,
            source=DatasetSource(
                "github", "nl4opt/ORQA", "793beee5d9bd8083a1c5eb6fc567ed088801e5fe"
            ),
            licence="not stated",
            files=(
                FileSpec(
                    "test",
                    "dataset/ORQA_test.jsonl",
                    1468,
                    "1568ae5165e3cc0ae81efba844500b19cc156e0782d171f4e07fb422a3381703",
                    2431466,
                ),
                FileSpec(
                    "validation",
                    "dataset/ORQA_validation.jsonl",
                    45,
                    "9d2456bcc239a5527f8d7beb3da82249b82043df80405d73bc4485df1bf65ae2",
                    100230,
                ),
            ),
            disputed=(
                _ambiguous(298, "AC", "D"),
                _ambiguous(583, "AB", "A"),
                _ambiguous(994, "BC", "A"),
                _ambiguous(999, "AD", "B"),
                _ambiguous(1055, "CD", "C"),
                _ambiguous(1078, "BD", "B"),
                _ambiguous(1403, "CD", "A"),
            ),
        ),
        DatasetSpec(
            id="orqa@ordojo",
            folder="orqa",
            schema=ORQA,
            source=_OURS,
            licence="Apache-2.0",
            files=(
                FileSpec("test", "shipped/orqa/test.jsonl", 44),
                FileSpec("validation", "shipped/orqa/validation.jsonl", 33),
            ),
        ),
        DatasetSpec(
            id="econlogicqa@hf",
            folder="econlogicqa",
            schema=ECONLOGICQA,
            source=DatasetSource("huggingface", "yinzhu-quan/econ_logic_qa", "cf0de3d"),
            licence=_NON_COMMERCIAL,
            files=(
                FileSpec("train", "data/train.csv", 390),
                FileSpec("val", "data/val.csv", 130),
                FileSpec("test", "data/test.csv", 130),
            ),
        ),
        DatasetSpec(
            id="econlogicqa@hf-sample6",
            folder="econlogicqa",
            schema=ECONLOGICQA,
            source=DatasetSource("local"),
            licence=_NON_COMMERCIAL,
            files=(
                FileSpec(
                    "test",
                    "sample_6_of_test.csv",
                    6,
                    "6e90d48d048bc03b56eded2d312ccab9ab9c6b6bdeb1297f3df83803882e9046",
                    4051,
                ),
            ),
        ),
        DatasetSpec(
            id="econlogicqa@ordojo",
            folder="econlogicqa",
            schema=ECONLOGICQA,
            source=_OURS,
            licence="Apache-2.0",
            files=(
                FileSpec("test", "shipped/econlogicqa/test.csv", 36),
                FileSpec("train", "shipped/econlogicqa/train.csv", 12),
            ),
        ),
        DatasetSpec(
            id="nl2opt@ordojo",
            folder="nl2opt",
            schema=NL2OPT,
            source=_OURS,
            licence="Apache-2.0",
            files=(
                FileSpec(
                    "test",
                    "shipped/nl2opt",
                    27,
                    members=("test.jsonl", "*.lp", "*.txt", "*.csv", "*.json"),
                ),
            ),
            reader="own",
        ),
    )
}
