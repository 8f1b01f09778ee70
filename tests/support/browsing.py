"""A real browser (Debian's chromium with its driver and python3-selenium), for the tests of the review page."""
import pathlib
import unittest

from support import reviewing

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
except ImportError:
    webdriver = By = None

CHROMIUM, DRIVER = pathlib.Path("/usr/bin/chromium"), pathlib.Path("/usr/bin/chromedriver")
MISSING = ("" if webdriver and CHROMIUM.exists() and DRIVER.exists() else
           "there is no chromium with chromium-driver and python3-selenium (scripts/setup --checks installs them)")


def open_browser(width=1280, height=900, scripts=True):
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage", "--no-proxy-server",
                 "--force-device-scale-factor=1", f"--window-size={width},{height}"):
        options.add_argument(word)
    if not scripts:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(service=Service(str(DRIVER)), options=options)
    browser.set_page_load_timeout(60)
    resize(browser, width, height)
    return browser


def resize(browser, width, height):
    """The page's own size: a window has a smallest one."""
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


def set_scheme(browser, scheme):
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})


@unittest.skipIf(MISSING, MISSING)
class Case(reviewing.Case):
    def browse(self, **options):
        """A browser that is signed in."""
        browser = open_browser(**options)
        self.addCleanup(browser.quit)
        browser.get(self.place + self.link)
        _, self.link = self.next_link()
        self.wait_for(lambda: browser.current_url == self.place + "/", "the way to the start")
        return browser

    def find(self, browser, selector):
        return browser.find_element(By.CSS_SELECTOR, selector)

    def texts(self, browser, selector):
        return [one.text for one in browser.find_elements(By.CSS_SELECTOR, selector)]

    def assert_quiet(self, browser):
        """Nothing was refused by the page's own policy, and nothing failed."""
        said = [line for line in browser.get_log("browser") if "status of 4" not in line["message"]]
        self.assertEqual(said, [])
