"""report.py TUTTI THREE_LEVELS [--screenshots DIR]: opens pages of --report in headless Chromium, as users do.

Skipped (exit code 77), with a message, without a browser: see browser.py.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import browser
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

TUTTI, THREE_LEVELS = (os.path.abspath(argument) for argument in sys.argv[1:3])
SCREENSHOTS = sys.argv[sys.argv.index("--screenshots") + 1] if "--screenshots" in sys.argv else None
LEVEL_3 = "InferType,SimplifyInference,EliminateCommonSubexpr,FoldConstant,FoldScaleAxis,SimplifyExpr,CanonicalizeOps,FuseOps"
HOSTILE = """#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32]) {
  %0 = fn (%y: Tensor[(2, 3), float32], Composite="</script><script>document.title = 1</script><!--\\" & <b>") {
    nn.relu(%y)
  };
  %0(%x)
}
"""
ILL_TYPED = """#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 5), float32]) {
  %0 = nn.relu(%x);
  nn.dense(%0, %w, units=None)
}
"""


def colours(css):
    """Returns the red, green and blue of a colour."""
    return [float(part) for part in re.findall(r"[\d.]+", css)[:3]]


class Report(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.page = browser.start(cls.folder)
        program = subprocess.run([TUTTI, "model", "resnet18"], capture_output=True, text=True, check=True).stdout
        cls.resnet = cls.write("resnet", program, f"--passes={LEVEL_3}", "--opt-level=3")
        cls.three_levels = cls.folder / "three.html"
        subprocess.run([THREE_LEVELS, cls.three_levels], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.page.quit()
        cls.temporary.cleanup()

    @classmethod
    def write(cls, name, program, *switches, code=0):
        """Writes the page of a program and passes."""
        source, page = cls.folder / f"{name}.relay", cls.folder / f"{name}.html"
        source.write_text(program, encoding="utf-8")
        done = subprocess.run([TUTTI, "opt", source, *switches, f"--report={page}", "-o", cls.folder / "out"], capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        return page

    def open(self, page, width=1280, dark=False):
        browser.show(self.page, page, width, dark)

    def tearDown(self):
        for entry in self.page.get_log("browser"):
            self.fail(f"the browser says: {entry}")

    def all(self, css):
        return self.page.find_elements(By.CSS_SELECTOR, css)

    def one(self, css):
        return self.page.find_element(By.CSS_SELECTOR, css)

    def press(self, *keys):
        for key in keys:
            self.page.switch_to.active_element.send_keys(key)

    def script(self, text, *arguments):
        return self.page.execute_script(text, *arguments)

    def pass_name(self):
        return self.one("#pass-name").text

    def select(self, name, nth=0):
        item = [item for item in self.all("#passes li") if item.find_element(By.CLASS_NAME, "name").text == name][nth]
        self.script("arguments[0].click()", item)
        self.assertEqual(self.pass_name(), name)

    def shoot(self, name):
        if SCREENSHOTS:
            Path(SCREENSHOTS).mkdir(parents=True, exist_ok=True)
            self.page.save_screenshot(f"{SCREENSHOTS}/{name}.png")

    def test_it_is_small_loads_fast_and_loads_nothing_else(self):
        size = self.resnet.stat().st_size
        times = []
        for _ in range(5):
            self.open(self.resnet)
            self.assertTrue(self.all("#passes li"))
            times.append(self.script("return performance.getEntriesByType('navigation')[0].loadEventEnd"))
        self.assertEqual(self.script("return performance.getEntriesByType('resource').length"), 0)
        print(f"ResNet-18, level 3: {size} bytes, loads in {min(times):.0f} ms (the slowest of five: {max(times):.0f} ms)")
        self.assertLessEqual(size, 1_000_000)
        self.assertLessEqual(min(times), 1000)

    def test_head_times_and_timeline(self):
        self.open(self.resnet)
        facts = self.one("#facts").text
        found = re.fullmatch(r"(\d+) passes in ([\d.]+ (?:µs|ms|s)), (\d+) changed something", facts)
        self.assertTrue(found, facts)
        items = self.all("#passes li")
        self.assertEqual(int(found[1]), len([item for item in items if "outer" not in item.get_attribute("class").split()]))
        for item in items:
            self.assertRegex(item.find_element(By.CLASS_NAME, "time").text, r"^[\d.]+ (ns|µs|ms|s)$")
        names = [item.find_element(By.CLASS_NAME, "name").text for item in items]
        for name in LEVEL_3.split(","):
            self.assertIn(name, names)
        # passes run by a pass lie within it, one after another
        boxes = self.script("return [...document.querySelectorAll('#bars i')].map(bar => { const b = bar.getBoundingClientRect();"
                            " return [parseFloat(bar.style.top), b.left, b.right]; })")
        self.assertEqual(len(boxes), len(items))
        for i, (top, left, right) in enumerate(boxes[1:], 1):
            outer = next(box for box in reversed(boxes[:i]) if box[0] < top)
            self.assertGreaterEqual(left, outer[1] - 3)
            self.assertLessEqual(right, outer[2] + 3)
        self.assertIn("InferType,SimplifyInference", self.one("#pipeline code").get_attribute("textContent"))

    def test_keys_step_through_the_passes(self):
        self.open(self.resnet)
        self.script("location.hash = ''")
        self.select("sequential")
        self.script("document.getElementById('passes').focus()")
        self.press(Keys.ARROW_DOWN)
        self.assertEqual(self.pass_name(), "InferType")
        self.press("j", "j")
        self.assertEqual(self.pass_name(), "SimplifyInference")
        self.assertEqual(self.one("#passes").get_attribute("aria-activedescendant"), self.one("#passes li[aria-selected=true]").get_attribute("id"))
        self.press("k")
        self.assertEqual(self.pass_name(), "InferType")
        self.press("n")
        self.assertEqual(self.pass_name(), "SimplifyInference")
        self.press("n", "n")
        self.assertEqual(self.one("#detail .tag").text, "changed")
        self.press("p", "p")
        self.assertEqual(self.pass_name(), "SimplifyInference")
        self.press(Keys.ARROW_UP)
        self.assertEqual(self.pass_name(), "InferType")
        self.press(Keys.END)
        self.assertEqual(self.one("#passes li.on").get_attribute("id"), self.all("#passes li")[-1].get_attribute("id"))
        self.one("#only").click()
        shown = [item for item in self.all("#passes li") if item.is_displayed()]
        self.assertTrue(all("changed" in item.get_attribute("class") for item in shown))
        self.assertLess(len(shown), len(self.all("#passes li")))

    def test_a_coloured_diff_side_by_side_and_unified(self):
        self.open(self.resnet)
        self.select("SimplifyInference")
        self.assertEqual(self.one("#ops .minus").text, "−19 nn.batch_norm")
        self.assertIn("+19 sqrt", [chip.text for chip in self.all("#ops .plus")])
        gone, new = self.all("table.two td.del.findable"), self.all("table.two td.add.findable")
        self.assertIn("nn.batch_norm", gone[0].text)
        self.assertTrue(any("sqrt" in cell.text for cell in new))
        red, green = colours(gone[0].value_of_css_property("background-color")), colours(new[0].value_of_css_property("background-color"))
        self.assertGreater(red[0], red[1])
        self.assertGreater(green[1], green[0])
        self.assertTrue(self.all("td.add em"))
        wide = len(self.all("table.two tr"))
        self.shoot("text")
        [tool] = [tool for tool in self.all(".tools button") if tool.text == "Unified"]
        tool.click()
        self.assertGreater(len(self.all("table.one tr")), wide)
        self.assertEqual([tool.text for tool in self.all(".tools button[aria-pressed=true]")], ["Unified"])
        # nothing is lost but line numbers: both texts are in the rows
        self.script("[...document.querySelectorAll('.tools button')].find(each => each.textContent === 'Whole text').click()")
        lines = self.script("return [...document.querySelectorAll('table.one td.findable')].map(cell => cell.textContent)")
        self.assertEqual(lines[0], '#[version = "0.0.5"]')
        self.assertTrue(lines[1].startswith("def @main(%data: Tensor[(1, 3, 224, 224), float32]"))
        self.assertEqual(len([line for line in lines if "nn.batch_norm(" in line]), 19)
        self.select("FuseOps")
        lines = self.script("return [...document.querySelectorAll('table.one td.add.findable')].map(cell => cell.textContent)")
        self.assertTrue(any("Primitive=1" in line for line in lines))

    def test_a_click_on_a_number_shows_the_passes_that_made_the_line(self):
        def history(text):
            row = next(row for row in self.all("table.diff tr") if text in row.find_elements(By.TAG_NAME, "td")[-1].text and
                       row.find_elements(By.CSS_SELECTOR, "button.history"))
            self.script("arguments[0].click()", row.find_elements(By.CSS_SELECTOR, "button.history")[-1])
            return [item.text for item in self.all("tr.history li")]

        self.open(self.write("mlp", subprocess.run([TUTTI, "model", "mlp"], capture_output=True, text=True, check=True).stdout, "--passes=InferType,FuseOps"))
        self.select("FuseOps")
        shown = history("nn.softmax(")
        self.assertRegex(shown[0], r"^InferType, line \d+: nn.softmax\(%p0\) /\* ty=")
        self.assertRegex(shown[1], r"^FuseOps, line \d+: nn.softmax\(%p0\)$")
        self.assertRegex(shown[-1], r"^the source, line \d+: nn.softmax\(%8\)$")
        self.shoot("history")
        self.assertEqual(history("nn.softmax("), [])
        self.assertRegex(history("Primitive=1")[-1], "^FuseOps, line .*, new: %")
        self.script("arguments[0].click()", self.one("tr.history li button"))
        self.assertIn(self.pass_name(), ("InferType", "FuseOps"))
        self.select("InferType")
        self.assertRegex(history('#[version')[0], "^the source, line 1: ")

    def test_the_text_is_what_the_command_line_writes(self):
        text = subprocess.run([TUTTI, "opt", self.folder / "resnet.relay", f"--passes={LEVEL_3}", "--opt-level=3"], capture_output=True, text=True, check=True).stdout
        self.open(self.resnet)
        self.select("sequential")
        self.script("[...document.querySelectorAll('.tools button')].find(each => each.textContent === 'Whole text').click()")
        shown = self.script("return [...document.querySelectorAll('table.two tr')].map(row => row.cells[3]).filter(cell => !cell.classList.contains('void'))"
                            ".map(cell => cell.textContent)")
        self.assertEqual("\n".join(shown), text.rstrip("\n"))

    def test_search(self):
        self.open(self.resnet)
        self.select("SimplifyInference")
        self.press("/")
        self.assertEqual(self.page.switch_to.active_element.get_attribute("id"), "search")
        self.press("nn.batch_norm")
        self.assertRegex(self.one("#found").text, r"^\d+ passes, 19 here$")
        self.assertEqual({mark.text for mark in self.all("mark")}, {"nn.batch_norm"})
        first = self.one("mark.now").location
        self.press(Keys.ENTER)
        self.assertNotEqual(self.one("mark.now").location, first)
        dim = [item.find_element(By.CLASS_NAME, "name").text for item in self.all("#passes li.dim")]
        self.assertIn("FuseOps", dim)
        self.assertNotIn("SimplifyInference", dim)
        self.shoot("search")
        self.press(Keys.ESCAPE)
        self.assertEqual(self.all("mark"), [])
        self.assertEqual(self.all("#passes li.dim"), [])
        self.press("g", "/", "conv0")
        self.assertEqual([node.get_attribute("aria-label").split()[0] for node in self.all("g.found")][0], "%conv0_weight")
        self.assertEqual(self.one("#node-name").text, "%conv0_weight")
        self.press(Keys.ESCAPE)

    def test_the_graph_is_drawn_and_nodes_say_what_they_are(self):
        self.open(self.resnet)
        self.select("SimplifyInference")
        self.press("g")
        self.assertEqual(self.one("[role=tab][aria-selected=true]").text, "Graph")
        nodes = self.all("g.n[data-node]")
        self.assertGreater(len(nodes), 300)
        self.assertTrue(self.all("g.fresh"))
        self.assertTrue(all(node.rect["width"] > 10 for node in nodes[:5]))
        convolution = next(node for node in nodes if node.get_attribute("aria-label").startswith("nn.conv2d"))
        self.script("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", convolution)
        self.assertEqual(self.one("#node-name").text, "nn.conv2d")
        self.assertEqual(self.one("#node-type").text, "Tensor[(1, 64, 112, 112), float32]")
        self.assertRegex(self.one("#node-text").text, r"^%\d+ = nn\.conv2d\(%\d+, %conv0_weight, ")
        before = self.one("#picture-scene").get_attribute("transform")
        self.script("arguments[0].focus()", convolution)
        self.press("+")
        self.assertNotEqual(self.one("#picture-scene").get_attribute("transform"), before)
        self.press(Keys.ARROW_DOWN)
        self.assertNotEqual(self.one("#node-name").text, "nn.conv2d")
        self.press(Keys.ARROW_UP)
        self.assertEqual(self.one("#node-name").text, "nn.conv2d")
        self.shoot("graph")
        self.script("[...document.querySelectorAll('#node button')].find(each => each.textContent === 'Show in the text').click()")
        self.assertIn("nn.conv2d(", self.one("tr.shown").text)
        self.press("g")
        [tool] = [tool for tool in self.all(".tools button") if tool.text == "Before"]
        tool.click()
        self.assertTrue(self.all("g.gone"))
        # a real mouse click on a node
        [top] = [node for node in self.all("g.n[data-node='0']")]
        self.script("[...document.querySelectorAll('.tools button')].find(each => each.textContent === 'Fit').click()")
        top.click()
        self.assertEqual(self.one("#node-name").text, "%data")
        # nodes do not overlap
        boxes = self.script("return [...document.querySelectorAll('g.n[data-node] rect')].map(r => ['x', 'y', 'width', 'height'].map(name => +r.getAttribute(name)))")
        for i, (x, y, wide, high) in enumerate(boxes):
            for ox, oy, owide, ohigh in boxes[:i]:
                self.assertFalse(x < ox + owide and ox < x + wide and y < oy + ohigh and oy < y + high)

    def test_light_and_dark_wide_and_narrow(self):
        for width in (1280, 400):
            for dark in (False, True):
                self.open(self.resnet, width, dark)
                self.select("SimplifyInference")
                for tab in "tgr":
                    self.press(tab)
                    self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width)
                    if width == 400:
                        self.script("document.getElementById('detail').scrollIntoView()")
                    self.shoot(f"{tab}-{width}-{'dark' if dark else 'light'}")
                back = colours(self.script("return getComputedStyle(document.documentElement).backgroundColor"))
                text = colours(self.script("return getComputedStyle(document.documentElement).color"))
                self.assertEqual(sum(back) < sum(text), dark)

    def test_a_profile(self):
        source, page = self.folder / "profiled.relay", self.folder / "profiled.html"
        source.write_text('#[version = "0.0.5"]\ndef @main(%x: Tensor[(64, 64), float32]) { exp(nn.softmax(exp(%x))) }\n', encoding="utf-8")
        subprocess.run([TUTTI, "bench", source, "--runs=4", f"--report={page}", "-o", self.folder / "out"], check=True)
        for width, dark in ((1280, False), (400, True)):
            self.open(page, width, dark)
            self.assertIn("a run, each operator alone", self.one("#profile summary").text)
            rows = [[cell.text for cell in row.find_elements(By.TAG_NAME, "td")] for row in self.all("#profile > details > table tbody tr")]
            self.assertEqual({(row[0], row[1]) for row in rows}, {("exp", "2"), ("nn.softmax", "1")})
            shares = [float(row[3].removesuffix(" %")) for row in rows]
            self.assertEqual(shares, sorted(shares, reverse=True))
            self.assertAlmostEqual(sum(shares), 100, delta=0.2)
            self.one("#profile details details summary").click()
            self.assertEqual(len(self.all("#profile details details tbody tr")), 3)
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width)
            self.shoot(f"profile-{width}")
        self.open(self.resnet)
        self.assertFalse(self.one("#profile").is_displayed())

    def test_controls_have_names_and_rows_of_the_list_say_all(self):
        self.open(self.resnet)
        self.select("SimplifyInference")
        for tab in "tg":
            self.press(tab)
            for control in self.all("button, input, [role=button], [role=option], [tabindex='0']"):
                self.assertTrue(control.accessible_name, control.get_attribute("outerHTML")[:200])
        self.assertEqual(self.script("return [...document.querySelectorAll('[onclick], [onkeydown], [onload]')].length"), 0)

    def test_on_paper(self):
        self.open(self.resnet)
        self.select("SimplifyInference")
        self.page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        for hidden in ("#search", "footer", "[role=tablist]"):
            self.assertFalse(self.one(hidden).is_displayed())
        self.assertTrue(self.one("#passes").is_displayed())
        self.assertTrue(self.one("table.diff").is_displayed())
        paper = self.page.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"]
        self.assertGreater(len(paper), 20_000)
        if SCREENSHOTS:
            import base64
            Path(SCREENSHOTS, "paper.pdf").write_bytes(base64.b64decode(paper))

    def test_a_unit_that_is_not_relays(self):
        self.open(self.three_levels)
        self.assertIn("CheckHot failed:", self.one(".banner").text)
        self.assertIn("2 functions are hot", self.one(".banner").text)
        self.assertEqual(self.pass_name(), "CheckHot")
        names = [item.find_element(By.CLASS_NAME, "name").text for item in self.all("#passes li")]
        self.assertIn("Peel (loop)", names)
        self.assertIn("FuseLoops (function)", names)
        self.script("arguments[0].click()", self.all("#passes li")[names.index("Peel (loop)")])
        self.assertIn("ahead", self.one("td.add").find_element(By.XPATH, "../td[4]").text)
        self.press("g")
        self.assertEqual(self.one("#panel").text, "Units of this kind have no graph.")
        self.shoot("three_levels")

    def test_remarks_and_values(self):
        self.open(self.three_levels)
        names = [item.find_element(By.CLASS_NAME, "name").text for item in self.all("#passes li")]
        remarked = next(i for i, item in enumerate(self.all("#passes li")) if item.find_elements(By.CLASS_NAME, "tag"))
        self.assertEqual(names[remarked], "FuseLoops (function)")
        self.script("arguments[0].click()", self.all("#passes li")[remarked])
        self.press("r")
        self.assertEqual([cell.text for cell in self.all("#panel td")], ["applied", "blur.0", "has taken in blur.1"])
        traced = self.folder / "traced.html"
        traced.write_text(self.resnet.read_text(encoding="utf-8") + '<script type="application/json" class="data">[["t","%14","mean 0.5, no NaN"]]</script>',
                          encoding="utf-8")
        self.open(traced)
        self.select("SimplifyInference")
        self.script("arguments[0].click()", self.one("#tab-values"))
        self.assertEqual([cell.text for cell in self.all("#panel td")], ["%14", "mean 0.5, no NaN"])
        self.press("g")
        convolution = next(node for node in self.all("g.n[data-node]") if node.get_attribute("aria-label").startswith("nn.conv2d"))
        self.script("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", convolution)
        self.assertIn("mean 0.5, no NaN", self.one("#node").text)

    def test_a_pass_that_fails(self):
        page = self.write("failing", ILL_TYPED, "--passes=PrintIR,InferType", code=3)
        self.open(page)
        self.assertIn("InferType failed:", self.one(".banner").text)
        self.assertEqual(self.pass_name(), "InferType")
        self.assertIn("nn.dense", self.one("#panel").text)
        self.shoot("failed")

    def test_a_process_that_ended_in_a_pass(self):
        whole = self.resnet.read_text(encoding="utf-8")
        chunks = [match.start() for match in re.finditer('<script type="application/json"', whole)]
        cut = self.folder / "cut.html"
        cut.write_text(whole[:chunks[12]], encoding="utf-8")
        self.open(cut)
        self.assertIn("did not end:", self.one(".banner").text)
        self.assertEqual(self.one("#detail .tag.bad").text, "did not end")
        cut.write_text(whole[:chunks[12] - 40], encoding="utf-8")
        self.open(cut)
        self.assertTrue(self.all(".banner"))

    def test_text_is_never_markup(self):
        page = self.write("hostile", HOSTILE, "--passes=InferType", "--instrument=report{file=" + str(self.folder / "titled.html").join('""') + ',title="</title><script>x</script>&"}')
        for each in (page, self.folder / "titled.html"):
            self.open(each)
            self.assertNotEqual(self.page.title, "1")
            self.assertIn('Composite="</script><script>document.title = 1</script><!--\\" & <b>"', self.one("table.diff").text)
            self.press("g")
            self.assertIn("</script>", self.one("svg [role=button][aria-label^='</script>']").get_attribute("aria-label"))
        self.assertEqual(self.one("h1").text, "</title><script>x</script>&")

    def test_a_graph_alone(self):
        for name in ("g.svg", "g.dot"):
            subprocess.run([TUTTI, "opt", self.folder / "resnet.relay", f"--passes={LEVEL_3}", "--opt-level=3", f"--graph={self.folder / name}", "-o", self.folder / "out"], check=True)
        self.assertTrue((self.folder / "g.dot").read_text(encoding="utf-8").startswith('digraph "graph" {'))
        self.open(self.folder / "g.svg")
        texts = self.script("return [...document.querySelectorAll('g text')].map(each => each.textContent)")
        self.assertIn("%data", texts)
        self.assertTrue(any(text.startswith("nn.conv2d + ") for text in texts))
        self.shoot("svg")


unittest.main(argv=sys.argv[:1], verbosity=1)
