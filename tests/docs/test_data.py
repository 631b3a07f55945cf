"""The table of datasets in docs/data.md is the registry."""

from ordojo.datasets import dataset_ids, get_dataset

from .pages import DOCS, sections, table_rows

ROWS = {cells[0].strip("`"): cells for cells in table_rows(sections(DOCS / "data.md")["Datasets"])}


def test_every_dataset_has_its_row():
    assert set(ROWS) == set(dataset_ids())


def test_items_and_licences():
    for dataset_id, (_, items, _, licence) in ROWS.items():
        spec = get_dataset(dataset_id)
        assert sorted(items.split(", ")) == sorted(f"{f.split} {f.rows:,}" for f in spec.files)
        assert licence == spec.licence


def test_disputed_items_are_told():
    text = sections(DOCS / "data.md")["Audit"]
    for dataset_id in dataset_ids():
        for item in get_dataset(dataset_id).disputed:
            assert str(item.row) in text
