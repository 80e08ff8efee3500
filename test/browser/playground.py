"""playground.py CLANG FOLDER TUTTI [--screenshots DIR]: builds the playground and uses it in headless Chromium.

Compares its results with those of the command line. Skipped (exit code 77), with a message, without a browser or without
the compiler and libraries for WebAssembly.
"""

import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import browser
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

CLANG, FOLDER, TUTTI = sys.argv[1], Path(sys.argv[2]).resolve(), os.path.abspath(sys.argv[3])
SCREENSHOTS = sys.argv[sys.argv.index("--screenshots") + 1] if "--screenshots" in sys.argv else None
ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = """#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32]) {
  add(%x, multiply(2f, 3f))
}
"""


class Playground(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.page = browser.start(Path(cls.temporary.name))
        cls.page.set_window_size(1280, 900)

    @classmethod
    def tearDownClass(cls):
        cls.page.quit()
        cls.temporary.cleanup()

    def setUp(self):
        self.page.get((FOLDER / "playground.html").as_uri())
        self.wait("ready")

    def find(self, name):
        return self.page.find_element(By.ID, name)

    def wait(self, *expected):
        """Waits until the status is none of those of work; returns it."""
        until = time.monotonic() + 120
        while (said := self.find("status").text) in ("loading…", "running…", "stopped"):
            self.assertLess(time.monotonic(), until, "the page does not end")
            time.sleep(0.05)
        for text in expected:
            self.assertEqual(said, text, self.find("error").text)
        return said

    def fill(self, name, text):
        self.page.execute_script("arguments[0].value = arguments[1]", self.find(name), text)

    def run_passes(self, passes, program=None):
        if program is not None:
            self.fill("program", program)
        self.fill("passes", passes)
        self.find("run").click()
        return self.wait()

    def picture(self, name):
        if SCREENSHOTS:
            self.page.save_screenshot(str(Path(SCREENSHOTS) / f"playground_{name}.png"))

    def optimised(self, program, passes):
        return subprocess.run([TUTTI, "opt", "-", f"--passes={passes}"], input=program, capture_output=True, text=True, check=True).stdout

    def test_examples_give_the_text_of_the_command_line(self):
        examples = Select(self.find("example"))
        names = [option.text for option in examples.options]
        self.assertGreaterEqual(len(names), 4)
        for name in names[:3]:
            examples.select_by_visible_text(name)
            program, passes = self.find("program").get_attribute("value"), self.find("passes").get_attribute("value")
            self.find("run").click()
            self.assertRegex(self.wait(), r"^\d+ ms$")
            self.assertEqual(self.find("text").text.strip(), self.optimised(program, passes).strip(), name)
        self.picture("text")

    def test_report_has_passes_diffs_and_graphs(self):
        self.run_passes("FoldConstant,FuseOps", PROGRAM)
        self.find("tab-page").click()
        self.assertFalse(self.find("text").is_displayed())
        self.page.switch_to.frame(self.find("page"))
        try:
            passes = self.page.find_element(By.ID, "passes").text
            self.assertIn("FoldConstant", passes)
            self.assertIn("FuseOps", passes)
            self.assertIn("multiply", self.page.find_element(By.ID, "detail").text)
        finally:
            self.page.switch_to.default_content()
        self.picture("report")

    def test_errors_show_their_place(self):
        self.run_passes("", "#[version = \"0.0.5\"]\ndef @main(%x: float32) { ad(%x, 1f) }\n")
        self.assertEqual(self.wait(), "failed")
        error = self.find("error").text
        self.assertIn("ad", error)
        self.assertIn("2:", error)
        selected = self.page.execute_script("const p = arguments[0]; return p.value.slice(p.selectionStart, p.selectionStart + 2)", self.find("program"))
        self.assertEqual(selected, "ad")
        self.run_passes("FoldConstan", PROGRAM)
        self.assertIn("FoldConstant?", self.find("error").text)
        self.picture("error")
        self.run_passes("FoldConstant")
        self.assertEqual(self.find("error").text, "")
        self.assertIn("6f", self.find("text").text)

    def test_a_pass_that_fails(self):
        Select(self.find("example")).select_by_visible_text("A function with a type error")
        self.find("run").click()
        self.assertEqual(self.wait(), "failed")
        self.assertIn("nn.dense", self.find("error").text)
        self.find("tab-page").click()
        self.page.switch_to.frame(self.find("page"))
        try:
            self.assertIn("InferType", self.page.find_element(By.ID, "passes").text)
        finally:
            self.page.switch_to.default_content()

    def test_the_list_of_passes_adds_to_the_pipeline(self):
        self.fill("passes", "InferType")
        adds = Select(self.find("add"))
        self.assertGreater(len(adds.options), 30)
        adds.select_by_value("FuseOps")
        self.assertEqual(self.find("passes").get_attribute("value"), "InferType,FuseOps")

    def test_stopping_leaves_a_page_that_runs(self):
        self.fill("passes", "repeat{times=100000000}(FoldConstant)")
        self.fill("program", PROGRAM)
        self.find("run").click()
        time.sleep(0.3)
        self.find("stop").click()
        self.wait("ready")
        self.assertRegex(self.run_passes("FoldConstant"), r"^\d+ ms$")

    def test_deep_programs_do_not_break_the_page(self):
        deep = '#[version = "0.0.5"]\ndef @main(%x: float32) { ' + "negative(" * 100000 + "%x" + ")" * 100000 + " }\n"
        self.run_passes("InferType", deep)
        self.assertRegex(self.run_passes("FoldConstant", PROGRAM), r"^\d+ ms$")

    def test_opens_an_onnx_model(self):
        model = Path(self.temporary.name) / "net.onnx"
        program = subprocess.run([TUTTI, "model", "mlp"], capture_output=True, text=True, check=True).stdout
        subprocess.run([TUTTI, "opt", "-", "-o", model], input=program, text=True, check=True)
        self.find("file").send_keys(str(model))
        while "MB" not in self.find("size").text:
            time.sleep(0.05)
        self.assertRegex(self.run_passes("InferType,FoldConstant"), r"^\d+ ms$", self.find("error").text)
        self.assertIn("nn.relu", self.find("text").text)
        self.assertIn("net.onnx", self.page.execute_script("return arguments[0].srcdoc", self.find("page")))
        broken = Path(self.temporary.name) / "broken.onnx"
        broken.write_bytes(model.read_bytes()[:100])
        self.find("file").send_keys(str(broken))
        while self.find("name").text != "broken.onnx":
            time.sleep(0.05)
        self.assertEqual(self.run_passes("InferType"), "failed")
        self.assertIn("broken.onnx", self.find("error").text)

    def test_loads_nothing(self):
        self.run_passes("FoldConstant", PROGRAM)
        loaded = self.page.execute_script("return performance.getEntriesByType('resource').map(r => r.name).filter(n => !n.startsWith('blob:') && !n.startsWith('data:'))")
        self.assertEqual(loaded, [])

    def test_names_the_version(self):
        version = subprocess.run([TUTTI, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertIn(self.find("version").text.removeprefix("Version "), version)

    def test_fits_a_phone(self):
        self.page.set_window_size(400, 800)
        width = self.page.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
        self.assertLessEqual(*width)
        self.picture("phone")
        self.page.set_window_size(1280, 900)


def main():
    tried = subprocess.run([CLANG, "--target=wasm32-wasi", "-std=c++20", "-fsyntax-only", "-x", "c++", "-"], input="#include <string>\n",
                           capture_output=True, text=True, check=False)
    if tried.returncode:
        print(f"SKIPPED: {CLANG} cannot compile for WebAssembly; it needs wasi-libc and libc++ for wasm32")
        return 77
    subprocess.run([sys.executable, "-B", ROOT / "tools/playground/build.py", FOLDER, CLANG], check=True)
    sys.argv[1:] = []
    return unittest.main()


if __name__ == "__main__":
    sys.exit(main())
