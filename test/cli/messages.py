"""Messages of the command line: notes, colours, progress, empty input; lists as JSON.

messages.py TUTTI DATA_DIR
"""

import json
import os
import subprocess

from driver import Driver, main, RELU, TUTTI, WRONG_INPUT, WRONG_USAGE


class Messages(Driver):
    def test_lists_in_json(self):
        for what in ("passes", "ops", "instruments", "kernels", "models"):
            entries = json.loads(self.run_tutti("list", what, "--json")[0])
            text = self.run_tutti("list", what)[0]
            self.assertGreater(len(entries), 2)
            for entry in entries:
                self.assertIn(entry["name"], text)
            self.assertIn(entry, json.loads(self.run_tutti("list", what, entry["name"], "--json")[0]))
        fuse_ops, = json.loads(self.run_tutti("list", "passes", "FuseOps", "--json")[0])
        self.assertEqual((fuse_ops["unit"], fuse_ops["opt_level"], fuse_ops["requires"]), ("module", 0, ["InferType"]))
        conv, = json.loads(self.run_tutti("list", "ops", "nn.conv2d", "--json")[0])
        self.assertEqual(conv["arguments"], ["data", "weight"])
        self.assertIn({"name": "data_layout", "required": False, "default": '"NCHW"'}, conv["attributes"])
        undocumented = [each["name"] for each in json.loads(self.run_tutti("list", "passes", "--json")[0])
                        if each["kind"] == "pass" and not each["about"]]
        self.assertEqual(undocumented, [])

    def test_an_empty_program_is_an_error_unless_it_is_allowed(self):
        for text in ("", " \n\t\n"):
            for command in (("opt",), ("check",), ("run",), ("opt", "--passes=InferType")):
                self.assertEqual(self.refused(*command, stdin=text, code=WRONG_INPUT),
                                 "<stdin>: error: is empty; expected a program, or --allow-empty\n")
            self.assertEqual(self.run_tutti("opt", "--allow-empty", stdin=text)[0].strip(), '#[version = "0.0.5"]')
            self.assertEqual(self.run_tutti("check", "--allow-empty", stdin=text), ("", ""))

    def test_quiet_and_verbose(self):
        skipped = ("opt", "--passes=FastMath", "--opt-level=0")
        self.assertIn("note: FastMath was skipped", self.run_tutti(*skipped, stdin=RELU)[1])
        self.assertEqual(self.run_tutti(*skipped, "--quiet", stdin=RELU)[1], "")
        self.assertEqual(self.run_tutti(*skipped, "-q", stdin=RELU)[1], "")
        said = self.run_tutti("opt", "--passes=SimplifyInference", "--verbose", stdin=RELU)[1]
        self.assertEqual(said, "reading <stdin>\npass 1 of 1: InferType\npass 1 of 1: SimplifyInference\n"
                               "pass 1 of 1: SimplifyInference: InferType\n")
        self.assertIn("evaluating <stdin>\n", self.run_tutti("run", "-v", stdin=RELU)[1])
        self.refused("opt", "--quiet", "--verbose", stdin=RELU, code=WRONG_USAGE)

    def test_steps_are_counted(self):
        passes = "--passes=InferType,fixpoint(FoldConstant,SimplifyExpr),FuseOps"
        said = self.run_tutti("opt", passes, "--opt-level=3", "-v", stdin=RELU)[1].splitlines()
        self.assertEqual(said[:3], ["reading <stdin>", "pass 1 of 3: InferType", "pass 2 of 3: fixpoint: FoldConstant"])
        self.assertIn("pass 3 of 3: FuseOps", said)

    def test_a_bar_is_shown_for_slow_passes(self):
        slow = self.file(self.run_tutti("model", "resnet152")[0])
        ours, theirs = self.pseudo_terminal()
        with subprocess.Popen([TUTTI, "opt", slow, "--passes=InferType,repeat{times=2000}(InferType)", "-o", os.devnull], stderr=theirs) as running:
            os.close(theirs)
            shown = b""
            while b"of 2" not in shown and (part := os.read(ours, 1 << 16)):
                shown += part
            running.kill()
        os.close(ours)
        self.assertIn(b"\r[==========          ] pass 2 of 2: repeat: InferType", shown)

    def test_colours_are_asked_for(self):
        changed = ("opt", "--passes=InferType", "--print-changed")
        self.assertNotIn("\x1b[", self.run_tutti(*changed, stdin=RELU)[1])
        self.assertNotIn("\x1b[", self.run_tutti(*changed, "--color=never", stdin=RELU)[1])
        self.assertIn("\x1b[", self.run_tutti(*changed, "--color=always", stdin=RELU)[1])
        self.assertIn("`red` is not valid; expected auto, always or never", self.refused("opt", "--color=red", code=WRONG_USAGE))

    def test_progress_is_shown_on_a_terminal_after_two_seconds(self):
        slow = self.file(self.run_tutti("model", "resnet152")[0])
        ours, theirs = self.pseudo_terminal()
        with subprocess.Popen([TUTTI, "run", slow, "--kernels=reference", "--max-work=1000000000000"], stderr=theirs, stdout=subprocess.DEVNULL) as running:
            os.close(theirs)
            shown = b""
            while b"evaluating" not in shown and (part := os.read(ours, 1 << 16)):
                shown += part
            running.kill()
        os.close(ours)
        self.assertIn(f"\revaluating {slow}".encode()[:79], shown)

    def test_no_progress_where_it_is_not_wanted(self):
        quick = self.file(RELU)
        for switches in (("-q",), ("-v",), ()):
            ours, theirs = self.pseudo_terminal()
            subprocess.run([TUTTI, "run", quick, *switches], stderr=theirs, stdout=subprocess.DEVNULL, check=True)
            os.close(theirs)
            self.assertNotIn("\r\r", self.shown_on(ours).replace("\r\n", "\n"))


main()
