import time

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from ordojo.core.environment import Message
from ordojo.core.episode import Episode, Turn
from ordojo.core.judge import Verdict
from ordojo.reports import write_report

from .browser import absence, chromium, gather, show, visit
from .fakes import lookup, run, sample, some_runs

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(bool(absence()), reason=absence() or "-"),
    pytest.mark.filterwarnings("default::ResourceWarning"),  # selenium's own sockets
]
HOSTILE = "</script><img src=x onerror=document.title='owned'>\u202eright\x00 left\ud800 \u2028"
TOTAL = 260


def big_run():
    """A run over three chunks: hostile, long, two turns, raw completion, two epochs."""
    records = [sample(i, float(i % 3 == 0), 1.0 if i % 5 == 0 else None) for i in range(TOTAL - 6)]
    raw = Turn((Message("user", "Once upon"),), "completion", " a needle in hay", 0.0)
    told = Turn((Message("user", "Again?"),), "chat", "yes", 0.5, {"status": "infeasible"})
    return run(
        "lab/big",
        name="big",
        records=[
            *records,
            sample(900, 0.0, reply=HOSTILE, prompt=HOSTILE),
            sample(901, None, id="odd id/ü#&%\ud800"),
            sample(902, 1.0, reply="long " * 200_000),
            sample(903, 0.0, episode=Episode((raw,))),
            sample(904, 0.0, episode=Episode((raw, told), truncated=True), epoch=2),
            sample(905, 0.0, verdicts={"strict": Verdict("strict", "unsupported", 0.0)}),
        ],
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("site") / "a report"
    write_report([*some_runs(), big_run()], out, lookup=lookup)
    return out


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture
def driver(browser):
    """The browser with a screen of the usual size, however the test before has left it."""
    show(browser)
    return browser


def wait(driver, condition, seconds=10.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := driver.execute_script(f"return {condition}"):
            return found
        time.sleep(0.03)
    raise AssertionError(f"never true: {condition}")


def click(driver, selector):
    driver.execute_script(f"document.querySelector({selector!r}).click()")


def texts(driver, selector):
    return [element.text for element in driver.find_elements(By.CSS_SELECTOR, selector)]


@pytest.mark.parametrize(("width", "dark"), [(1440, False), (380, True)])
def test_every_page_is_silent_offline_and_fits(driver, folder, width, dark):
    show(driver, width, dark=dark)
    for page in sorted(folder.rglob("*.html")):
        found = visit(driver, page.as_uri())
        time.sleep(0.1)
        found.console += gather(driver).console
        assert found.requests, "the log of requests is empty"
        assert found.complaints(folder.as_uri()) == [], page.name
        wide, inner = driver.execute_script(
            "return [document.documentElement.scrollWidth, innerWidth]"
        )
        assert inner == width
        assert wide <= inner, f"{page.name} overflows at {width}"


def test_leaderboard_sorts_filters_and_switches(driver, folder):
    visit(driver, (folder / "index.html").as_uri())
    shown = "#board tbody tr:not([hidden])"
    assert "Paper-7B" not in " ".join(texts(driver, shown))
    click(driver, "#show-published")
    assert "Paper-7B" in " ".join(texts(driver, shown))
    click(driver, "#show-baseline")
    assert "ordojo/" not in " ".join(texts(driver, shown))
    click(driver, "#show-baseline")
    click(driver, 'input[name=solo][value="1"]')
    assert len(texts(driver, shown)) == 2
    click(driver, 'input[name=solo][value=""]')
    click(driver, "#board thead th:first-child button")
    names = [text.split("\n")[0].split(" ")[0] for text in texts(driver, f"{shown} th")]
    assert names == sorted(names, key=str.lower)
    click(driver, "#board thead th:nth-child(2) button")
    values = driver.execute_script(
        "return [...document.querySelectorAll('#board tbody tr')]"
        ".map(r => r.cells[1].dataset.v).filter(v => v !== undefined).map(Number)"
    )
    assert values == sorted(values, reverse=True)


def test_two_runs_are_compared_in_words(driver, folder):
    visit(driver, (folder / "index.html").as_uri())
    said = wait(driver, "document.querySelector('.verdict').textContent")
    assert "scores" in said
    driver.execute_script(
        "const a = document.getElementById('pair-a'), b = document.getElementById('pair-b');"
        "const at = (s, t) => [...s.options].findIndex(o => o.text.startsWith(t));"
        "a.value = at(a, 'ordojo/noop'); b.value = at(b, 'ordojo/gold');"
        "a.dispatchEvent(new Event('change'))"
    )
    assert (
        "ordojo/noop · shots=0 scores 1.000 lower than ordojo/gold" in texts(driver, ".verdict")[0]
    )
    assert "30 items in 10 clusters" in texts(driver, ".detail")[0]
    cell = driver.find_element(By.CSS_SELECTOR, "td[data-a]")
    driver.execute_script("arguments[0].click()", cell)
    assert "picked" in cell.get_attribute("class")


def test_theme_follows_the_system_and_can_be_chosen(driver, folder):
    visit(driver, (folder / "index.html").as_uri())
    paper = "return getComputedStyle(document.body).backgroundColor"
    light = driver.execute_script(paper)
    click(driver, "button.theme")
    dark = driver.execute_script(paper)
    assert light != dark
    visit(driver, (folder / "fake-qa.html").as_uri())
    assert driver.execute_script(paper) == dark
    click(driver, "button.theme")
    assert driver.execute_script(paper) == light


def test_tooltips_show_the_mark_under_the_pointer(driver, folder):
    visit(driver, (folder / "fake-qa.html").as_uri())
    driver.execute_script(
        "const m = document.querySelector('.track-svg circle');"
        "m.dispatchEvent(new PointerEvent('pointermove', {bubbles: true, clientX: 9}))"
    )
    assert "95% interval" in texts(driver, ".tip")[0]


def open_samples(driver, folder, hash_=""):
    visit(driver, "about:blank")
    driver.get((folder / "runs/big.html").as_uri() + hash_)
    wait(driver, "document.querySelector('#sample').dataset.place !== undefined")
    return gather(driver)


def test_samples_are_loaded_when_they_are_wanted(driver, folder):
    found = open_samples(driver, folder)
    loaded = [url.rpartition("/")[2] for url in found.requests if "/data/" in url]
    assert loaded == ["index.js", "0.js"]
    assert texts(driver, ".found") == [f"{TOTAL} of {TOTAL} samples"]
    assert driver.execute_script("return document.querySelectorAll('.item').length") < 40
    body = driver.find_element(By.TAG_NAME, "body")
    body.send_keys("j")
    wait(driver, "document.querySelector('#sample').dataset.place === '1'")
    assert driver.current_url.endswith("#id=item-1&epoch=1")
    # Both rules say the same: one row, with a sentence.
    assert texts(driver, ".verdicts .reason") == ["The right answer is B."]
    body.send_keys("k")
    wait(driver, "document.querySelector('#sample').dataset.place === '0'")
    assert "Question 0?" in texts(driver, ".said.user pre")[0]
    assert texts(driver, ".verdicts .rule") == ["strict", "lenient"]
    body.send_keys("w")
    wait(driver, "document.querySelectorAll('.ws').length")
    assert "Two··blanks" in texts(driver, ".said.user pre")[0]
    body.send_keys("w")


def test_samples_are_filtered_and_searched(driver, folder):
    open_samples(driver, folder)
    right = len([r for r in big_run().records if r.verdicts["strict"].outcome == "correct"])
    click(driver, ".outcomes input[value=correct]")
    assert texts(driver, ".found") == [f"{right} of {TOTAL} samples"]
    click(driver, ".outcomes input[value=correct]")
    click(driver, ".outcomes input[value=unsupported]")
    assert texts(driver, ".found") == [f"1 of {TOTAL} samples"]
    assert texts(driver, ".item i") == ["⊘"]
    click(driver, ".outcomes input[value=unsupported]")
    query = driver.find_element(By.ID, "query")
    query.send_keys("NEEDLE in")
    wait(driver, f"document.querySelector('.found').textContent === '2 of {TOTAL} samples'")
    driver.find_element(By.TAG_NAME, "body").send_keys(Keys.ESCAPE)
    query.send_keys(Keys.ESCAPE)
    driver.find_element(By.TAG_NAME, "body").send_keys("j")
    wait(driver, "document.querySelector('.sample-head h2').textContent === 'item-903'")
    assert texts(driver, ".said h3") == ["ground truth", "raw prompt", "reply"]
    driver.execute_script(
        "const s = [...document.querySelectorAll('.selects select')].at(-1);"
        "s.value = 'odd'; s.dispatchEvent(new Event('change'))"
    )
    assert texts(driver, ".found") == [f"1 of {TOTAL} samples"]
    assert gather(driver).complaints(folder.as_uri()) == []


def test_one_sample_has_an_address(driver, folder):
    open_samples(driver, folder, "#id=item-904&epoch=2")
    assert texts(driver, ".turn-head") == ["Turn 1\nreward 0", "Turn 2\nreward 0.500"] or texts(
        driver, ".turn-head"
    ) == ["Turn 1reward 0", "Turn 2reward 0.500"]
    assert "cut off by a limit" in texts(driver, ".flag")
    assert "infeasible" in driver.execute_script(
        "return document.querySelector('.info').textContent"
    )
    place = driver.execute_script(
        "return ORDOJO.index.rows.findIndex(row => row[0].startsWith('odd id'))"
    )
    open_samples(driver, folder, f"#at={place}")
    title = "document.querySelector('.sample-head h2').textContent"
    assert driver.execute_script(f"return {title}.startsWith('odd id/ü#&%')")
    driver.find_element(By.TAG_NAME, "body").send_keys("kj")
    wait(driver, f"location.hash === '#at={place}'")


def test_hostile_and_huge_replies_are_only_text(driver, folder):
    open_samples(driver, folder, "#id=item-900&epoch=1")
    assert driver.title != "owned"
    assert driver.execute_script("return document.querySelectorAll('#sample img').length") == 0
    codes = driver.execute_script(
        "const text = document.querySelector('.said.reply pre').textContent;"
        "return [...Array(text.length)].map((_, at) => text.charCodeAt(at))"
    )
    assert codes == [ord(character) for character in HOSTILE]
    assert "invisible characters" in texts(driver, ".said.reply .hint")[0]
    driver.find_element(By.TAG_NAME, "body").send_keys("w")
    wait(driver, "document.querySelectorAll('.said.reply .ws.code').length === 4")
    driver.find_element(By.TAG_NAME, "body").send_keys("w")
    open_samples(driver, folder, "#id=item-902&epoch=1")
    length = "document.querySelector('.said.reply pre').textContent.length"
    assert driver.execute_script(f"return {length}") == 20_000
    click(driver, ".said.reply button.all")
    assert driver.execute_script(f"return {length}") == 1_000_000
    assert gather(driver).complaints(folder.as_uri()) == []


def test_a_phone_shows_the_list_or_the_sample(driver, folder):
    show(driver, 390, 844)
    open_samples(driver, folder)
    assert not driver.find_element(By.ID, "sample").is_displayed()
    click(driver, ".item")
    assert driver.find_element(By.ID, "sample").is_displayed()
    assert not driver.find_element(By.CSS_SELECTOR, "aside").is_displayed()
    click(driver, ".sample-bar .back")
    assert driver.find_element(By.CSS_SELECTOR, "aside").is_displayed()
