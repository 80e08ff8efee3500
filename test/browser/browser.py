"""Headless Chromium for the tests of pages.

Importing this ends the program with exit code 77, which skips the test, if Chromium, its driver or Selenium is missing (Debian:
chromium, chromium-driver, python3-selenium); `start` does if Chromium does not start.
"""

import shutil
import sys

import selenium_python

SKIPPED = 77

selenium_python.use()
try:
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.chrome.service import Service
except ImportError:
    print("SKIPPED: there is no python3-selenium: no page was opened in a browser")
    sys.exit(SKIPPED)

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
if not BROWSER or not DRIVER:
    print("SKIPPED: there is no chromium or no chromium-driver: no page was opened in a browser")
    sys.exit(SKIPPED)


def start(folder):
    """Returns a browser whose profile is in a folder."""
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1280,900",
                     f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    try:
        return webdriver.Chrome(service=Service(DRIVER), options=options)
    except WebDriverException as error:
        print(f"SKIPPED: {BROWSER} does not start: {error.msg.splitlines()[0]}: no page was opened in a browser")
        sys.exit(SKIPPED)


def show(page, file, width=1280, dark=False):
    """Opens a file in a window of this width, light or dark."""
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
    page.get("about:blank")
    page.get(f"file://{file}")
