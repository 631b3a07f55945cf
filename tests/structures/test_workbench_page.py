"""The workbench's page, in headless Chromium."""

from pathlib import Path
from typing import Any

from ordojo.structures.artifact import read_artifact
from ordojo.structures.workbench.server import overview

from ..review.test_page import browser, press, pytestmark, wait
from .test_retell import LOTS_RETOLD
from .test_workbench import PACKED, packed
from .workbench_toys import lots, serving, session, sizes, texts

__all__ = ["browser", "pytestmark"]


def test_an_expert_edits_and_exports_with_the_keyboard(browser: Any, tmp_path: Path) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    def names() -> str:
        return "[...document.querySelectorAll('.row b')].map(one => one.textContent).join(' ')"

    def status(text: str) -> None:
        wait(browser, f"document.querySelector('#status').textContent.includes('{text}')")

    green = "document.querySelector('#exact').matches('.good') && exact.textContent == 'exact'"
    with serving(tmp_path) as server:
        browser.get(server.url)
        wait(browser, f"{names()} == 'x[t] s[t] y[t] bal[t] cap[t]'")
        wait(browser, green)
        press(browser, "r")
        wait(browser, "document.activeElement.id == 'name'")
        press(browser, "make" + Keys.ENTER)
        wait(browser, f"{names()} == 'make[t] s[t] y[t] bal[t] cap[t]'")
        press(browser, "jxkm")  # mark s, and merge it into make
        status("Merged s into make")
        wait(browser, "document.querySelectorAll('.row').length == 4 && " + green)
        press(browser, "u")
        status("Undone")
        wait(browser, f"{names()} == 'make[t] s[t] y[t] bal[t] cap[t]' && {green}")
        press(browser, "jjj")
        wait(browser, "document.querySelector('#item h2').textContent == 'bal'")
        assert browser.find_elements(By.CSS_SELECTOR, "#spy .band")
        press(browser, "s1")
        status("Split by rhs")
        wait(browser, "document.querySelectorAll('.row').length == 6 && " + green)
        press(browser, "u")
        wait(browser, "document.querySelectorAll('.row').length == 5")
        press(browser, "U")
        wait(browser, "document.querySelectorAll('.row').length == 6")
        press(browser, "u")
        wait(browser, "document.querySelectorAll('.row').length == 5")
        press(browser, "kt")  # the text of y
        wait(browser, "document.activeElement.ariaLabel == 'Text of y'")
        area = browser.switch_to.active_element
        area.clear()
        area.send_keys("for each `t` in `T`, say yes or no to `y[t]`")
        browser.refresh()  # what is typed survives
        wait(browser, "document.querySelector('textarea[aria-label=\"Text of y\"]')?.value"
                      " == 'for each `t` in `T`, say yes or no to `y[t]`'")  # fmt: skip
        press(browser, "jjt" + Keys.ESCAPE)
        status("Stored the text of y")
        wait(browser, "document.querySelector('#said').textContent.includes('say yes or no')")
        press(browser, "e")
        status("exact from disk")
        browser.find_element(By.ID, "help").click()
        wait(browser, "document.querySelector('#dialog').open")
        unnamed = browser.execute_script(
            "return [...document.querySelectorAll('button, input, textarea, select')].filter("
            "one => !(one.ariaLabel || one.textContent.trim() || one.labels?.length)).length"
        )
        assert unnamed == 0
        asked = browser.execute_script(
            "return performance.getEntriesByType('resource').map(entry => entry.name)"
        )
        assert all(url.startswith(server.url) or url.startswith("data:") for url in asked)
        assert [e for e in browser.get_log("browser") if e["level"] == "SEVERE"] == []
    told = read_artifact(tmp_path / "bench" / "instance").record.abstract_problem
    assert "for each `t` in `T`, say yes or no to `y[t]`" in told and "`make`" in told
    with session(tmp_path, lots(tmp_path)) as opened:
        seen = overview(opened)
        assert sizes(seen, "groups") == {"make": 3, "s": 3, "y": 3}
        assert texts(seen)["y"] == "for each `t` in `T`, say yes or no to `y[t]`"


def test_indices_suggestions_and_a_retelling_under_its_check(browser: Any, tmp_path: Path) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    def status(text: str) -> None:
        wait(browser, f"document.querySelector('#status').textContent.includes('{text}')")

    def click(label: str) -> None:
        browser.find_element(By.CSS_SELECTOR, f"button[aria-label='{label}']").click()

    names = "[...document.querySelectorAll('.row b')].map(one => one.textContent).join(' ')"
    flat = packed(tmp_path, PACKED, apart=True)
    with serving(tmp_path, flat) as server:
        browser.get(server.url)
        wait(browser, f"{names} == 'x[i] d[i] late[i]'")
        click("Split the index i")
        wait(browser, "document.activeElement.id == 'digits'")
        browser.execute_script("document.activeElement.value = 1")
        press(browser, Keys.ENTER)
        status("Split the index i")
        wait(browser, f"{names}.startsWith('x[') && {names}.includes(',')")
        click("Join the index i and the next")
        status("Joined the index i")
        browser.find_element(By.CSS_SELECTOR, "#suggested summary").click()
        (merge,) = browser.find_elements(By.CSS_SELECTOR, "#suggestions button")
        assert "late" in merge.text
        merge.click()
        status("Done: Merge d, late")
        wait(browser, "document.querySelectorAll('.row').length == 2")
        assert browser.find_element(By.ID, "exact").text == "exact"
    with serving(tmp_path / "inexact", packed(tmp_path, [str(k) for k in range(1, 13)])) as server:
        browser.get(server.url)
        wait(browser, "document.querySelector(\"button[aria-label='Split the index i']\")")
        before = browser.execute_script(f"return {names}")
        click("Split the index i")
        wait(browser, "document.activeElement.id == 'digits'")
        press(browser, Keys.ENTER)
        status("undone: with this edit the model does not come back")
        assert browser.execute_script(f"return {names}") == before
        assert browser.find_element(By.ID, "exact").text == "exact"
    with serving(tmp_path / "lots") as server:
        browser.get(server.url)
        wait(browser, f"{names} == 'x[t] s[t] y[t] bal[t] cap[t]'")
        browser.find_element(By.CSS_SELECTOR, "#retold summary").click()
        area = browser.find_element(By.CSS_SELECTOR, "#retelling textarea")
        lacking = "document.querySelector('#lacking').textContent"
        area.send_keys("A plant plans its production.")
        wait(browser, f"{lacking}.includes('the upper bound of `x` is missing')")
        area.clear()
        area.send_keys(LOTS_RETOLD.replace("\n", " "))
        wait(browser, f"{lacking} == 'Nothing is missing'")
        press(browser, Keys.ESCAPE)
        status("Stored the text of In other words")
        assert [e for e in browser.get_log("browser") if e["level"] == "SEVERE"] == []
