"""The page itself, in headless Chromium."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ordojo.review import ReviewQueue

from .test_web import serving

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver not found"),
]
FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync "
    "--window-size=1280,860"
)


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Any]:
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in [*FLAGS.split(), f"--user-data-dir={tmp_path / 'profile'}"]:
        options.add_argument(flag)
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    driver.implicitly_wait(5)
    yield driver
    driver.quit()


def wait(browser: Any, script: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 10).until(lambda b: b.execute_script("return " + script), script)


def press(browser: Any, keys: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(browser).send_keys(keys).perform()


def test_a_person_reviews_questions_with_the_keyboard(browser: Any, folder: Path) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    def decided(count: int) -> None:
        wait(browser, f"document.querySelector('#count')?.textContent.startsWith('{count} of 3')")

    with serving(folder) as server:
        browser.get(server.url)
        decided(0)
        press(browser, "a")
        decided(1)
        press(browser, "e")
        area = browser.find_element(By.NAME, "Question")
        wait(browser, "document.activeElement.name == 'Question'")
        area.clear()
        area.send_keys("<b>What & how?</b>")
        browser.refresh()  # the draft must survive
        wait(browser, "document.querySelector('textarea')?.value.startsWith('<b>')")
        browser.find_element(By.ID, "save").click()
        decided(2)
        press(browser, "r")
        browser.find_element(By.ID, "comment").send_keys("names people")
        press(browser, Keys.ESCAPE)  # Escape leaves the panel, and must not reject
        press(browser, "r2")
        decided(3)
        press(browser, "u")
        decided(2)
        press(browser, "r1")
        decided(3)
        browser.find_element(By.XPATH, "//option[.='Rejected']").click()
        assert len(browser.find_elements(By.CSS_SELECTOR, "#list button")) == 1
        asked = browser.execute_script(
            "return performance.getEntriesByType('resource').map(entry => entry.name)"
        )
        assert all(url.startswith(server.url) or url.startswith("data:") for url in asked)
        assert [e for e in browser.get_log("browser") if e["level"] == "SEVERE"] == []
    with ReviewQueue.open(folder) as queue:
        assert queue.fields("q2")["Question"] == "<b>What & how?</b>"
        assert [d.kind for d in queue.decisions] == ["accept", "edit", "reject", "reopen", "reject"]


def test_labels_stand_beside_an_edited_text_and_a_comment(browser: Any, texts: Path) -> None:
    from selenium.webdriver.common.by import By

    with serving(texts) as server:
        browser.get(server.url)
        wait(browser, "document.querySelectorAll('.unit').length == 3")
        press(browser, "2")
        wait(browser, "document.querySelectorAll('.unit')[1].matches('.here')")
        press(browser, "e")
        wait(browser, "document.activeElement.name == 'Text'")
        browser.find_element(By.NAME, "Text").clear()
        browser.find_element(By.NAME, "Text").send_keys("All of it.")
        browser.find_element(By.NAME, "Comment").send_keys("a rule was missing")
        browser.refresh()  # both drafts must survive
        wait(browser, "document.querySelectorAll('textarea').length == 2")
        browser.find_element(By.ID, "save").click()
        wait(browser, "document.querySelector('.said')?.textContent.includes('rule was missing')")
        for digit in "12":
            press(browser, digit)
            wait(browser, "document.querySelector('#status').textContent == 'Saved'")
            wait(browser, f"document.querySelectorAll('[aria-pressed=true]').length >= {digit}")
        wait(browser, "document.querySelector('#count').textContent.startsWith('1 of 1')")
        assert [e for e in browser.get_log("browser") if e["level"] == "SEVERE"] == []
    with ReviewQueue.open(texts) as queue:
        done = queue.current("t")
    assert done is not None and done.final and done.label == "incorrect-logic"
    assert (done.fields, done.comment) == ({"Text": "All of it."}, "a rule was missing")


def test_labels_and_a_server_that_dies(browser: Any, chains: Path) -> None:
    with serving(chains) as server:
        browser.get(server.url)
        wait(browser, "document.querySelectorAll('.unit').length == 3")
        for unit, digit in enumerate("122"):
            wait(browser, f"document.querySelectorAll('.unit')[{unit}].matches('.here')")
            press(browser, digit)
        wait(browser, "document.querySelector('#count').textContent.startsWith('1 of 2')")
        # The page now shows the second chain, and the server goes away.
    press(browser, "1")
    wait(browser, "document.querySelector('#status').textContent.startsWith('Not saved yet')")
    with serving(chains) as server:
        browser.get(server.url)
        wait(browser, "document.querySelectorAll('button.good[aria-pressed=true]').length == 1")
    with ReviewQueue.open(chains) as queue:
        first, second = queue.current("c1"), queue.current("c2")
    assert first is not None and first.label == "incorrect-logic" and first.final
    assert second is not None and second.parts == ("correct", "")
