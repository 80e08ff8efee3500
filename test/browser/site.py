"""site.py SOURCE_ROOT FOLDER TUTTI [--all] [--screenshots DIR]: builds the site of the documentation, and checks it: links, its width on
a phone, the search.

Links are checked without a browser, the rest in headless Chromium, as a user opens the pages: as files, without a server.
With --all, the width of every page is checked; otherwise that of a sample.
Skipped (exit code 77), with a message, without MkDocs and its theme (Debian: mkdocs, mkdocs-material, python3-pymdownx); what
needs a browser is skipped without one: see browser.py.
"""

import subprocess
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import selenium_python

ROOT, FOLDER, TUTTI = (Path(argument).resolve() for argument in sys.argv[1:4])
SITE = FOLDER / "html"
SKIPPED = 77
SCREENSHOTS = Path(sys.argv[sys.argv.index("--screenshots") + 1]) if "--screenshots" in sys.argv else None
#: What a newcomer asks, and a page that answers it, which must be among the first results.
QUESTIONS = {
    "run_before_pass": "reference/hooks",
    "opt_level": "tutorials/pass_infrastructure",
    "install cmake": "start/install",
    "bisect": "howto/find_the_pass",
    "thread pool": "howto/run_in_parallel",
    "onnx": "howto/import_onnx",
    "fixpoint": "headers/tutti/pass/adaptors",
    "compile time": "explanation/compile_time",
    "exceptions": "howto/without_exceptions",
    "own operator": "howto/add_an_operator",
    "FoldConstant": "reference/passes",
    "PreservedAnalyses": "explanation/coming_from",
}
FIRST = 8
#: One page of this number is opened, and one header's of ten times as many.
SAMPLED = 1 if "--all" in sys.argv else 4


class Page(HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors.add(given.get("id"))
        for name in ("href", "src"):
            if given.get(name):
                self.links.append(given[name])


class Links(unittest.TestCase):
    def test_every_link_leads_somewhere(self):
        pages = {path: Page(path.read_text(encoding="utf-8")) for path in SITE.rglob("*.html")}
        self.assertGreater(len(pages), 100)
        broken, outside = [], set()
        for path, page in pages.items():
            if path.name == "404.html":
                continue
            for link in page.links:
                target, anchor = urldefrag(link)
                if "://" in target or target.startswith(("mailto:", "data:", "javascript:")):
                    outside.add(target)
                    continue
                file = (path.parent / unquote(target)).resolve() if target else path
                if not file.exists():
                    broken.append(f"{path.relative_to(SITE)}: {link}")
                elif anchor and file in pages and unquote(anchor) not in pages[file].anchors:
                    broken.append(f"{path.relative_to(SITE)}: {link}: no such heading")
        self.assertEqual(broken, [])
        # Nothing is loaded from elsewhere; the pages only link to these sites.
        self.assertLessEqual({link.split("/")[2] for link in outside}, {"www.boost.org", "squidfunk.github.io", "keepachangelog.com", "semver.org"})


class InBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.page = browser.start(Path(cls.temporary.name))

    @classmethod
    def tearDownClass(cls):
        cls.page.quit()
        cls.temporary.cleanup()

    def tearDown(self):
        for entry in self.page.get_log("browser"):
            self.fail(f"the browser says: {entry}")

    def test_no_page_is_wider_than_a_phone(self):
        headers = sorted((SITE / "headers").rglob("*.html"))
        pages = sorted(path for path in SITE.rglob("*.html") if path not in headers and path.name != "404.html")
        pages = pages[::SAMPLED] + headers[::10 * SAMPLED]
        wide = []
        for path in pages:
            browser.show(self.page, path, width=400)
            width = self.page.execute_script("return document.scrollingElement.scrollWidth")
            if width > 400:
                wide.append(f"{path.relative_to(SITE)}: {width} pixels")
        self.assertEqual(wide, [])

    def test_the_search_answers_what_newcomers_ask(self):
        browser.show(self.page, SITE / "index.html")
        field = self.page.find_element(By.CSS_SELECTOR, ".md-search__input")
        self.page.execute_script("arguments[0].focus()", field)

        def ask(question):  # at once: while one types, there are results for the first letters
            self.page.execute_script("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('keyup'))", field, question)

        def results(page):
            return page.execute_script("return [...document.querySelectorAll('.md-search-result__item > .md-search-result__link')].map(a => a.href)")

        for question, answer in QUESTIONS.items():
            ask("")
            WebDriverWait(self.page, 30).until_not(results, question)
            ask(question)
            found = WebDriverWait(self.page, 30).until(results, question)
            self.assertIn(answer, "\n".join(found[:FIRST]), question)

    def test_light_and_dark_differ(self):
        colours = []
        for dark in (False, True):
            browser.show(self.page, SITE / "docs/reference/hooks.html")
            self.page.execute_script("localStorage.clear()") # the page keeps the choice of the first visit
            browser.show(self.page, SITE / "docs/reference/hooks.html", dark=dark)
            colours.append(self.page.execute_script("return getComputedStyle(document.body).backgroundColor"))
            if SCREENSHOTS:
                for name in ("index", "docs/reference/hooks", "docs/reference/passes", "docs/tutorials/own_ir", "headers/tutti/pass/pass_context"):
                    for width in (400, 1280):
                        browser.show(self.page, SITE / f"{name}.html", width=width, dark=dark)
                        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
                        self.page.save_screenshot(str(SCREENSHOTS / f"{name.replace('/', '_')}_{width}_{'dark' if dark else 'light'}.png"))
        self.assertNotEqual(*colours)


if __name__ == "__main__":
    selenium_python.use()
    if not Path("/usr/bin/mkdocs").exists() or not Path("/usr/share/mkdocs/themes/material").exists():
        print("SKIPPED: there is no mkdocs or no mkdocs-material: the site of the documentation was not built")
        sys.exit(SKIPPED)
    if subprocess.run([sys.executable, ROOT / "docs/site/build.py", ROOT, FOLDER, TUTTI], check=False).returncode:
        sys.exit("the site was not built")
    links = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(Links))
    if not links.wasSuccessful():
        sys.exit(1)
    import browser
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    rest = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(InBrowser))
    sys.exit(0 if rest.wasSuccessful() else 1)
