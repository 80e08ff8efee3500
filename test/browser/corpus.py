"""corpus.py TUTTI [--screenshots DIR]: opens the pages of `tutti corpus` in headless Chromium, one of them with 100,000 rows.

TUTTI also has the passes of test/cli/planted.cpp. Skipped (exit code 77), with a message, without a browser: see browser.py.
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import browser
from selenium.webdriver.common.by import By

TUTTI = os.path.abspath(sys.argv[1])
SCREENSHOTS = sys.argv[sys.argv.index("--screenshots") + 1] if "--screenshots" in sys.argv else None
MANY = 100_000


class Corpus(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.page = browser.start(cls.folder)
        cls.run_corpus("before.db", "--passes=InferType,SimplifyExpr")
        cls.run_corpus("after.db", "--passes=InferType,SimplifyExpr,Abort", "--reduce", "--max-tries=60")

    @classmethod
    def tearDownClass(cls):
        cls.page.quit()
        cls.temporary.cleanup()

    def tearDown(self):
        for entry in self.page.get_log("browser"):
            self.fail(f"the browser says: {entry}")

    @classmethod
    def run_corpus(cls, name, *arguments):
        subprocess.run([TUTTI, "corpus", "run", "--random=1:60", *arguments, "-o", cls.folder / name], stderr=subprocess.DEVNULL, check=False)

    def open(self, command, *databases, dark=False, width=1280):
        """Writes a page and opens it. Returns the seconds until the page is ready."""
        page = self.folder / "page.html"
        subprocess.run([TUTTI, "corpus", command, *databases, f"--html={page}"], check=command == "show")
        begin = time.monotonic()
        browser.show(self.page, page, width, dark)
        while not self.page.execute_script("return document.body && document.body.dataset.ready"):
            self.assertLess(time.monotonic() - begin, 60, "the page never gets ready")
            time.sleep(0.01)
        return time.monotonic() - begin

    def rows(self):
        return [[cell.get_attribute("title") for cell in row.find_elements(By.TAG_NAME, "span")]
                for row in self.page.find_elements(By.CSS_SELECTOR, ".row")]

    def search(self, text):
        self.page.execute_script("const s = document.getElementById('search'); s.value = arguments[0]; s.oninput()", text)
        time.sleep(0.4)

    def sort_by(self, name):
        for head in self.page.find_elements(By.CSS_SELECTOR, "#head button"):
            if head.text.split()[0] == name:
                head.click()

    def screenshot(self, name):
        if SCREENSHOTS:
            self.page.save_screenshot(str(Path(SCREENSHOTS) / f"{name}.png"))

    def test_failures_come_first_and_show_their_reduced_programs(self):
        self.open("show", self.folder / "after.db")
        rows = self.rows()
        self.assertEqual(rows[0][1:3], ["crashed", "Abort"])
        self.page.find_element(By.CSS_SELECTOR, ".row").click()
        detail = self.page.find_element(By.ID, "detail").text
        self.assertIn("SIGABRT", detail)
        self.assertIn("// passes: Abort", detail)
        self.assertIn("nn.dense", detail)
        self.screenshot("corpus")
        self.open("show", self.folder / "after.db", dark=True, width=420)
        self.assertLessEqual(self.page.execute_script("return document.documentElement.scrollWidth"), 420)
        self.screenshot("corpus_dark")

    def test_diff(self):
        self.open("diff", self.folder / "before.db", self.folder / "after.db")
        self.assertTrue(all(row[1:3] == ["ok", "crashed"] for row in self.rows()))
        self.assertIn("ok -> crashed in Abort: SIGABRT", self.rows()[0][5])
        self.assertIn("SimplifyExpr", self.page.find_element(By.ID, "tables").text)
        self.assertIn("Wilcoxon", self.page.find_element(By.ID, "facts").text)
        self.screenshot("corpus_diff")

    def test_many_rows(self):
        with sqlite3.connect(self.folder / "after.db") as db, sqlite3.connect(self.folder / "many.db") as many:
            db.backup(many)
            many.execute("CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT i FROM n", (MANY + 39,))
            many.execute("INSERT INTO module (name, bytes, outcome, operators_before, operators_after, seconds, version) "
                         "SELECT 'nets/model' || i || '.relay', i, 'ok', i % 97, i % 89, (i * 7919 % 100003) * 1e-6, '0.1.0' FROM n")
        seconds = self.open("show", self.folder / "many.db")
        print(f"{MANY} rows are ready after {seconds:.2f} s")
        self.assertLessEqual(seconds, 2 if not os.environ.get("CI") else 20)
        self.assertLess(len(self.rows()), 60)
        self.search("model77777.relay")
        self.assertEqual([row[0] for row in self.rows()], ["nets/model77777.relay"])
        self.assertIn(f"1 of {MANY}", self.page.find_element(By.ID, "found").text)
        self.search("")
        self.sort_by("time")
        times = self.page.execute_script("return [...document.querySelectorAll('.row')].slice(0, 5).map(r => r.children[3].title)")
        self.assertEqual(times, sorted(times, key=lambda t: float(t.split()[0]), reverse=True))
        self.page.execute_script("document.getElementById('scroll').scrollTop = 1e9")
        time.sleep(0.3)
        self.assertTrue(self.rows()[-1][3].endswith(" us"))
        self.sort_by("module")
        self.assertEqual(self.rows()[0][0], "nets/model100.relay")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
