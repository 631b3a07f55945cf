"""One's own instances: a folder of instance folders in the form of MIPLIB-NL, as ordojo exports."""

from pathlib import Path

from ordojo.core.errors import DataError, UsageError
from ordojo.datasets.nl2opt.instances import INSTANCE, read_instance
from ordojo.datasets.nl2opt.items import Item
from ordojo.datasets.nl2opt.sources import folders_in

PREFIX = "folder:"


def own_folder(dataset: str) -> Path | None:
    """The folder that `folder:PATH` names, None for another kind of dataset."""
    if not dataset.startswith(PREFIX):
        return None
    path = dataset.removeprefix(PREFIX)
    if not path:
        raise UsageError(f"'{PREFIX}' names no folder; write {PREFIX}PATH")
    return Path(path).expanduser().absolute()


def read_folder(dataset: str, path: Path) -> list[Item]:
    """One item for each folder with an instance.json in `path`, or the one that `path` is.

    Raises DataError where there is none, and for a record that is damaged. Folders whose names
    begin with a dot are drafts and are passed over.
    """
    if not path.is_dir():
        raise DataError(f"{path} is no folder; name a folder of instance folders")
    folders = [path] if (path / INSTANCE).is_file() else folders_in(path)
    folders = [folder for folder in folders if not folder.name.startswith(".")]
    if not any((folder / INSTANCE).is_file() for folder in folders):
        raise DataError(f"no folder in {path} has an {INSTANCE}; name a folder of instances")
    try:
        return [read_instance(dataset, folder, published=False) for folder in folders]
    except DataError as error:
        # The readers of published data advise to fetch them again.
        text = str(error).replace("get the dataset again", "write the instance again")
        raise DataError(text) from None
