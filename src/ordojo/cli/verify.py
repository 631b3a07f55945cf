"""`ordojo verify`: every certificate of a file of instances again, from scratch."""

import json
from pathlib import Path

import click

Found = tuple[dict[str, int], list[dict[str, str]]]
"""How many instances each benchmark has, and those that do not hold."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def verify(context: click.Context, file: Path, as_json: bool) -> None:
    """Check every certificate in FILE again, from scratch; exit with 1 if one does not hold.

    FILE may be a folder of instances, as `ordojo build nl2opt` writes it.
    """
    counts, failures = _folders(file) if file.is_dir() else _rows(file)
    total = sum(counts.values())
    if as_json:
        report = {
            "file": str(file),
            "instances": total,
            "verified": total - len(failures),
            "benchmarks": counts,
            "failures": failures,
        }
        click.echo(json.dumps(report, indent=2, ensure_ascii=False))
    else:
        for failure in failures:
            click.echo(f"{failure['where']}: {failure['problem']}")
        named = ", ".join(f"{count} of {name}" for name, count in counts.items())
        click.echo(f"{total - len(failures)} of {total} certificates hold ({named})")
    if failures:
        context.exit(1)


def _folders(folder: Path) -> Found:
    from ordojo.core.errors import DataError
    from ordojo.templates.checks import instance_folders
    from ordojo.templates.checks import verify as prove

    failures = []
    folders = instance_folders(folder)
    for one in folders:
        try:
            prove(one)
        except DataError as error:
            failures.append({"where": str(one), "id": one.name, "problem": str(error)})
    return {"nl2opt": len(folders)}, failures


def _rows(file: Path) -> Found:
    from ordojo.core.errors import DataError
    from ordojo.core.registry import get_benchmark
    from ordojo.datasets.rows import parse_file

    counts: dict[str, int] = {}
    failures: list[dict[str, str]] = []
    seen: dict[str, str] = {}
    for where, row in parse_file(file):
        name = row.get("benchmark")
        if not isinstance(name, str):
            raise DataError(f"{where}: lacks 'benchmark', the name of the instance's benchmark")
        benchmark = get_benchmark(name)
        try:
            instance = benchmark.read_instance(row)
        except DataError as error:
            raise DataError(f"{where}: {error}; correct the row or build the file again") from None
        counts[benchmark.name] = counts.get(benchmark.name, 0) + 1
        try:
            benchmark.verify(instance)
            if row.get("content_hash", instance.content_hash) != instance.content_hash:
                raise DataError(f"{instance.id}: content_hash is not that of the content")
            if instance.id in seen:
                raise DataError(f"{instance.id}: the id stands at {seen[instance.id]} already")
        except DataError as error:
            failures.append({"where": where, "id": instance.id, "problem": str(error)})
        seen[instance.id] = where
    return counts, failures
