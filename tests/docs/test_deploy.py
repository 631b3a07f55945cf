"""The manifests of `deploy/`, by the linter of Kubernetes' own schemas."""

from pathlib import Path

import kubernetes_validate
import pytest
import yaml

from ordojo.cli import cli

FOLDER = Path(__file__).parents[2] / "deploy"


def test_serve_is_valid_and_its_command_is_ordojos() -> None:
    documents = list(yaml.safe_load_all((FOLDER / "serve.yaml").read_text()))
    for document in documents:
        kubernetes_validate.validate(document, "1.34", strict=True)
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate({**documents[0], "speck": {}}, "1.34", strict=True)
    (container,) = documents[0]["spec"]["template"]["spec"]["containers"]
    name, *arguments = container["args"]
    command = cli.get_command(None, name)  # type: ignore[arg-type]
    assert command is not None
    command.make_context(name, arguments)


@pytest.mark.parametrize("group", ["headGroupSpec", "workerGroupSpecs"])
def test_the_clusters_pods_are_valid(group: str) -> None:
    cluster = yaml.safe_load((FOLDER / "ray.yaml").read_text())["spec"]
    found = cluster[group] if isinstance(cluster[group], list) else [cluster[group]]
    for one in found:
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, **one["template"]}
        kubernetes_validate.validate(pod, "1.34", strict=True)
