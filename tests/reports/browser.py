"""Headless Chromium for tests: opens pages, and says what it asked for and what went wrong."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

CHROMIUM = Path("/usr/bin/chromium")
CHROMEDRIVER = Path("/usr/bin/chromedriver")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


def absence() -> str:
    """Why there is no browser here, empty if there is one."""
    missing = [str(path) for path in (CHROMIUM, CHROMEDRIVER) if not path.exists()]
    return f"no browser: {', '.join(missing)} not installed" if missing else ""


@dataclass
class Visit:
    """What a page asked for and complained of."""

    requests: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)

    def external(self, base: str) -> list[str]:
        """Requests that leave `base` (a URL's beginning); data and blob URLs stay."""
        # The browser's own start page asks itself for its icons.
        # A new tab of the browser itself is looked up late at times.
        inside = (base, "data:", "blob:", "about:", "chrome://", "chrome-untrusted://")
        return [url for url in self.requests if not url.startswith(inside)]

    def complaints(self, base: str) -> list[str]:
        """Everything that must not be: external and failed requests, console errors."""
        return [*self.external(base), *self.failed, *self.console]


@contextmanager
def chromium(
    width: int = 1280, height: int = 900, dark: bool = False, scale: float = 1.0
) -> Iterator[webdriver.Chrome]:
    """A fresh browser with a profile of its own, gone afterwards."""
    profile = tempfile.mkdtemp(prefix="ordojo-chromium-")
    options = Options()
    options.binary_location = str(CHROMIUM)
    for flag in (*FLAGS, f"--user-data-dir={profile}", f"--window-size={width},{height}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(str(CHROMEDRIVER)))
    try:
        show(driver, width, height, dark, scale)
        yield driver
    finally:
        driver.quit()
        shutil.rmtree(profile, ignore_errors=True)


def show(
    driver: webdriver.Chrome,
    width: int = 1280,
    height: int = 900,
    dark: bool = False,
    scale: float = 1.0,
) -> None:
    """Give the browser another screen: its size in CSS pixels, and its colours."""
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 500},
    )
    scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})


def visit(driver: webdriver.Chrome, url: str) -> Visit:
    """Open `url` and collect what happened since the last look."""
    gather(driver)
    driver.get(url)
    return gather(driver)


def gather(driver: webdriver.Chrome) -> Visit:
    """Everything logged since the last look."""
    found = Visit()
    for entry in driver.get_log("performance"):
        event = json.loads(entry["message"])["message"]
        params = event["params"]
        if event["method"] == "Network.requestWillBeSent":
            found.requests.append(params["request"]["url"])
        elif event["method"] == "Network.loadingFailed":
            found.failed.append(f"{params.get('type')}: {params.get('errorText')}")
        elif event["method"] == "Network.responseReceived":
            response = params["response"]
            if response["status"] >= 400:
                found.failed.append(f"{response['status']} {response['url']}")
    for entry in driver.get_log("browser"):
        if entry["level"] in ("SEVERE", "WARNING"):
            found.console.append(entry["message"])
    return found
