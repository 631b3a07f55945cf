"""Links and paths of the pages lead somewhere; every page is in the navigation."""

import re

import pytest
import yaml

from .pages import DOCS, PAGES, ROOT, anchors, links, name, prose


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_resolve(page):
    for link in links(page):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name(page)} links to {link}, which does not exist"
        assert target.is_relative_to(ROOT)
        if anchor:
            assert anchor in anchors(target), f"{name(page)} links to {link}: no such heading"


def test_pages_of_the_site_link_only_within_it():
    for page in PAGES:
        if page.is_relative_to(DOCS):
            for link in links(page):
                inside = (page.parent / link.partition("#")[0]).resolve().is_relative_to(DOCS)
                assert re.match(r"[a-z]+:", link) or inside, f"{name(page)}: {link}"


def test_every_page_is_in_the_navigation():
    config = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))

    def files(entry):
        if isinstance(entry, str):
            return [entry]
        values = entry.values() if isinstance(entry, dict) else entry
        return [file for value in values for file in files(value)]

    listed = files(config["nav"])
    assert sorted(listed) == sorted(p.relative_to(DOCS).as_posix() for p in DOCS.rglob("*.md"))


def test_the_site_asks_nothing_of_others():
    config = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))
    assert config["theme"]["font"] is False
    for asset in (*config.get("extra_css", ()), *config.get("extra_javascript", ())):
        assert (DOCS / asset).is_file(), asset


def test_decisions_have_their_parts():
    for number, page in enumerate(sorted((DOCS / "decisions").glob("*.md")), 1):
        text = prose(page)
        assert page.name.startswith(f"{number:04d}-") and text.startswith(f"# {number}. ")
        headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
        assert headings == ["Context", "Decision", "Consequences"], name(page)


def test_no_path_of_a_machine_is_named():
    for page in [*PAGES, ROOT / "mkdocs.yml"]:
        found = re.search(r"(?<![\w.$])/(?:home|root|work|tmp|Users|mnt)/", page.read_text("utf-8"))
        assert found is None, f"{page.name}: {found and found[0]}"
