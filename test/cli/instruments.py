"""The output of instruments on the command line, their switches, and all kinds of wrong usage.

instruments.py TUTTI DATA_DIR
"""

import json
import os
import re
import signal
import subprocess
import time
import unittest

from driver import BIASED, DATA, DONE, Driver, ILL_TYPED, main, PASS_FAILED, RELU, STOPPED, TUTTI, WRONG_INPUT, WRONG_USAGE


class Instruments(Driver):
    def test_instruments_are_made_from_text(self):
        both = ["--passes=InferType,CanonicalizeOps", "--opt-level=3"]
        said = self.run_tutti("opt", *both, "--instrument=print_ir{after=[CanonicalizeOps]}", stdin=BIASED)[1]
        self.assertEqual(said, self.run_tutti("opt", *both, "--print-ir-after=CanonicalizeOps", stdin=BIASED)[1])
        said = self.run_tutti("opt", *both, "--instrument=op_diff,print_changed{form=quiet}", "--instrument=timing{form=csv}", stdin=BIASED)[1]
        self.assertRegex(said, r"\A// after InferType\n(// .*\n)+sequential: \+1 add, -1 nn.bias_add\n\t.*\ndepth,pass,")
        for text, column, what in (("op_dif", 1, "op_dif: no such instrument; did you mean op_diff?"),
                                   ("timing{form=xml}", 13, "timing: option form: `xml` is not of its type; expected tree or list or csv or json"),
                                   ("timing{frm=csv}", 8, "timing: option frm: no such option; did you mean form?"),
                                   ("print_ir{after=[InferTyp]}", 17, "InferTyp: no such pass; did you mean InferType?"),
                                   ("print_ir", 1, "print_ir: option after: is missing; expected print_ir{after=...}"),
                                   ("timing,", 8, "found the end; expected an instrument")):
            said = self.refused("opt", *both, "--instrument=" + text, stdin=BIASED, code=WRONG_USAGE)
            self.assertTrue(said.startswith(f"instrument:1:{column}: error: {what}\n{text}\n"), msg=said)

    def test_blame(self):
        passes = ["--passes=InferType,CanonicalizeOps", "--opt-level=3"]
        said = self.run_tutti("opt", *passes, "--blame", stdin=BIASED)[1]
        self.assertRegex(said, r"\Apass +run source\n\(source\) +1 \| #\[version")
        self.assertRegex(said, r"\nCanonicalizeOps +\d+ +3 \|   add\(%x, %b\)")
        network = self.file(self.run_tutti("model", "mlp")[0])
        fused = ["opt", network, "--passes=FuseOps", "-o", os.devnull]
        line = self.run_tutti(*fused, "--blame=%3")[1]
        self.assertRegex(line, r"\A// %3, line \d+\npass +run +line\n(.*\n)*FuseOps .* nn.dense\(.*\n(.*\n)*\(source\) ")
        found, = json.loads(self.run_tutti(*fused, "--instrument=blame{value=%3,form=json}")[1])["lines"]
        self.assertEqual((found["complete"], found["versions"][-1]["pass"]), (True, None))
        self.assertIn("error: blame: no line of the program after the passes defines %99; expected a value such as %3",
                      self.refused(*fused[:3], "--blame=%99", code=PASS_FAILED))

    def test_passes_that_undo_each_other_are_named(self):
        passes = "ConvertLayout{nn.conv2d=[NHWC,HWIO]},ConvertLayout{nn.conv2d=[NCHW,OIHW]}"
        network = self.file(self.run_tutti("model", "resnet18")[0])
        endless = "--passes=fixpoint{limit=3%s}(" + passes + ")"
        note = "tutti: note: fixpoint: InferType and ConvertLayout changed the unit in the last of 3 rounds\n"
        self.assertEqual(self.run_tutti("opt", network, "--opt-level=3", endless % "", "-o", os.devnull)[1], note)
        self.assertEqual(self.run_tutti("opt", network, "--opt-level=3", endless % ",on_limit=silent", "-o", os.devnull)[1], "")
        said = self.refused("opt", network, "--opt-level=3", endless % ",on_limit=fail", code=PASS_FAILED)
        self.assertEqual(said, note + network + ": error: pass fixpoint: the limit was reached before a round changed nothing\n")

    def test_a_time_limit_keeps_what_was_reached(self):
        passes = "--passes=InferType,SimplifyExpr"
        done = subprocess.run([TUTTI, "opt", passes, "--time-limit=0"], input=BIASED, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (STOPPED, self.run_tutti("opt", stdin=BIASED)[0]))
        self.assertEqual(done.stderr, "tutti: note: --time-limit: stopped at InferType; the program is as the passes have left it until then\n")
        self.assertEqual(self.run_tutti("opt", passes, "--time-limit=1000000000", stdin=BIASED), self.run_tutti("opt", passes, stdin=BIASED))
        for wrong in ("-1", "1000000001", "1s", ""):
            self.refused("opt", passes, f"--time-limit={wrong}", stdin=BIASED, code=WRONG_USAGE)
        self.refused("opt", "--time-limit=1", stdin=BIASED, code=WRONG_USAGE)

    def test_a_switch_of_an_instrument_says_what_it_takes(self):
        passes = "--passes=InferType"
        for switch, what in (("--timing=xml", "--timing: `xml` is not of its type; expected tree or list or csv or json"),
                             ("--print-changed=names", "--print-changed: `names` is not of its type; expected diff or text or quiet"),
                             ("--bisect-limit=few", "--bisect-limit: `few` is not of its type; expected an integer from 0 to"),
                             ("--bisect-limit=-1", "--bisect-limit: `-1` is not of its type; expected an integer from 0 to"),
                             ("--remarks=InferTyp", "--remarks: InferTyp: no such pass; did you mean InferType?"),
                             ("--remarks=InferType:mised", "--remarks: `[mised]` is not of its type; expected a list [a,b] of each applied or missed or note"),
                             ("--time-trace=", "--time-trace: has no value; expected --time-trace=FILE"),
                             ("--time-trace", "--time-trace: has no value; expected --time-trace=FILE"),
                             ("--report", "--report: has no value; expected --report=FILE"),
                             ("--graph=x.png", "--graph: `x.png` has no known format; expected FILE.svg or FILE.dot"),
                             ("--print-dir=", "--print-dir: has no value; expected --print-dir=DIR")):
            said = self.refused("opt", passes, switch, stdin=RELU, code=WRONG_USAGE)
            self.assertTrue(said.startswith("tutti opt: error: " + what), msg=said)

    def test_what_cannot_be_written_is_refused_before_any_pass_runs(self):
        for switch in ("--time-trace", "--crash-reproducer", "--print-dir", "--report"):
            said = self.refused("opt", "--passes=PrintIR", f"{switch}=/dev/null/x", stdin=RELU, code=WRONG_INPUT)
            self.assertTrue(said.startswith("tutti opt: error: /dev/null/x"), msg=said)
            self.assertNotIn("PrintIR", said)

    def test_a_report_and_a_graph(self):
        page, graph = self.folder / "r.html", self.folder / "g.dot"
        self.run_tutti("opt", "--passes=InferType", f"--report={page}", f"--graph={graph}", stdin=RELU)
        text = page.read_text(encoding="utf-8")
        self.assertTrue(text.startswith("<!doctype html>"))
        self.assertIn("<h1>&lt;stdin&gt;</h1>", text)
        self.assertIn("<code>InferType</code>", text)
        self.assertIn('"InferType"', text)
        self.assertIn('n1 [label="nn.relu\\nTensor[(2, 3), float32]", tooltip="nn.relu(%x) /* ty=Tensor[(2, 3), float32] */"];\n',
                      graph.read_text(encoding="utf-8"))
        self.refused("opt", "--passes=PrintIR,InferType", f"--report={page}", stdin=ILL_TYPED, code=PASS_FAILED)
        self.assertIn("nn.dense", page.read_text(encoding="utf-8"))
        said = self.refused("opt", "--passes=PrintIR", "--graph=/dev/null/x.svg", stdin=RELU, code=WRONG_INPUT)
        self.assertTrue(said.startswith("tutti opt: error: /dev/null/x.svg"), msg=said)
        self.assertNotIn("PrintIR", said)

    TWO = """#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32]) {
  nn.relu(%x)
}

def @other(%y: Tensor[(2), float32]) {
  exp(%y)
}
"""
    TWO_FUNCTIONS = ["--passes=FoldConstant,InferType", "--opt-level=3"]

    def test_what_is_printed_can_be_one_function(self):
        both = [*self.TWO_FUNCTIONS, "--print-only=other"]
        said = self.run_tutti("opt", *both, "--print-changed", stdin=self.TWO)[1]
        self.assertRegex(said, r"\A// after InferType:\n@@ -1,3 \+1,3 @@\n-def @other")
        self.assertNotIn("@main", said)
        said = self.run_tutti("opt", *both, "--print-ir-after=InferType", stdin=self.TWO)[1]
        self.assertTrue(said.startswith("// after InferType\ndef @other(") and "@main" not in said, msg=said)
        said = self.run_tutti("opt", *both, "--print-ir-after=InferType", "--print-dir", str(self.folder / "ir"), stdin=self.TWO)[1]
        for path in (self.folder / "ir").iterdir():
            self.assertIn("def @other", path.read_text(encoding="utf-8"))
            self.assertNotIn("@main", path.read_text(encoding="utf-8"))
        for more in ([], ["--timing"]):
            said = self.refused("opt", *both, *more, stdin=self.TWO, code=WRONG_USAGE)
            self.assertEqual(said, "tutti opt: error: --print-only: no requested instrument prints single functions; expected one of "
                                   "--print-ir-before, --print-ir-after, --print-changed, --print-on-failure, --print-dir\n")

    def test_print_changed_is_coloured_on_a_terminal_only(self):
        def said(**environment):
            ours, theirs = self.pseudo_terminal()
            command = [TUTTI, "opt", "--passes=InferType", "--print-changed", self.file(RELU), "-o", str(self.folder / "out")]
            with subprocess.Popen(command, stderr=theirs, env={**os.environ, **environment}) as process:
                os.close(theirs)
                text = self.shown_on(ours)
                self.assertEqual(process.wait(), DONE)
            return text
        environment = {"NO_COLOR": ""}
        self.assertIn("\x1b[31m-def @main", said(**environment))
        self.assertNotIn("\x1b", said(NO_COLOR="1"))
        self.assertNotIn("\x1b", self.run_tutti("opt", "--passes=InferType", "--print-changed", stdin=RELU)[1])

    def test_print_dir_writes_numbered_files_with_the_pipeline_so_far(self):
        folder = self.folder / "ir"
        passes = "InferType,fixpoint{limit=3}(FoldConstant),FuseOps{fuse_opt_level=1}"
        self.run_tutti("opt", "--passes=" + passes, "--print-dir", str(folder), stdin=RELU)
        names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.relay"))
        self.assertEqual(names[:2], ["0000-input.relay", "0001-InferType.relay"])
        self.assertTrue(any(name.startswith("0002-fixpoint/0002-FoldConstant") for name in names), msg=names)
        fused = next(name for name in names if name.endswith("-FuseOps.relay"))
        text = (folder / fused).read_text(encoding="utf-8")
        self.assertIn("// pipeline: " + passes + "\n", text)
        self.assertEqual(self.run_tutti("opt", str(folder / "0000-input.relay"))[0], RELU)

    def test_what_measures_says_so(self):
        passes = "--passes=InferType,SimplifyExpr,FuseOps"
        said = lambda *switches: self.run_tutti("opt", passes, *switches, stdin=RELU)[1]
        self.assertRegex(said("--timing"), r"\Asequential: \d+us")
        self.assertRegex(said("--timing=list"), r"\A +calls +total +self +share +pass\n")
        self.assertTrue(said("--timing=csv").startswith("depth,pass,inclusive_ns,self_ns\n0,sequential,"))
        self.assertEqual(json.loads(said("--timing=json"))["passes"][0]["pass"], "sequential")
        self.assertRegex(said("--memory"), r"\Asequential: [1-9]\d* bytes in \d+ allocations, ")
        self.assertRegex(said("--perf-counters"), r"\Asequential: \d+ ")
        self.assertEqual(said("--verify-each"), "")
        self.assertRegex(said("--measure-instruments", "--verify-each"), r"\Averify: \d+ calls, \d+\.\d+us\n\tenter_pass_ctx: 1 calls")
        self.assertRegex(said("--bisect-limit=1"), r"\ABISECT: running pass \(1\) InferType\nBISECT: NOT running pass \(2\) ")
        trace = self.folder / "trace.json"
        said(f"--time-trace={trace}")
        events = [e for e in json.loads(trace.read_text(encoding="utf-8"))["traceEvents"] if e["ph"] == "X" and e["cat"] == "pass"]
        whole = events[0]
        self.assertEqual(whole["name"], "sequential")
        self.assertIn("FuseOps", [e["name"] for e in events])
        for e in events:
            self.assertGreaterEqual(e["ts"], whole["ts"])
            self.assertLessEqual(e["ts"] + e["dur"], whole["ts"] + whole["dur"] + 0.001)

    def test_a_run_without_a_failure_is_repeated_to_the_byte(self):
        kept, first, again = (str(self.folder / name) for name in ("kept.relay", "first.relay", "again.relay"))
        options = ("--opt-level=3", "--disabled-pass=FuseOps")
        passes = "--passes=InferType,seq[some](SimplifyExpr,fixpoint{limit=3}(FoldConstant)),FuseOps"
        program = ("def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(3), float32]) {\n  %0 = add(%x, 0.1f);\n  %1 = add(%w, %w);\n"
                   "  (multiply(%0, 0.33333334f), nn.bias_add(%x, %1))\n}\n")
        out = self.run_tutti("opt", passes, *options, f"--reproducer={kept}", stdin=program)[0]
        self.assertEqual(self.run_tutti("opt", kept)[0], out)
        self.run_tutti("opt", passes, *options, f"--reproducer={kept}", "-o", first, stdin=program)
        self.run_tutti("opt", kept, "-o", again)
        with open(first, "rb") as a, open(again, "rb") as b, open(kept, encoding="utf-8") as text:
            self.assertEqual(a.read(), b.read())
            head = text.read()
        self.assertTrue(head.startswith("// reproducer: InferType\n// passes: InferType,seq[some](SimplifyExpr,fixpoint{limit=3}(FoldConstant)),FuseOps\n"
                                        "// options: --opt-level=3 --disabled-pass=FuseOps\n// version: 0."), msg=head)
        with open(kept, "w", encoding="utf-8") as text:
            text.write(head.replace("// version: 0.", "// version: 9."))
        self.assertIn("is a reproducer of version 9.", self.run_tutti("opt", kept)[1])
        self.assertIn("--reproducer requires --passes", self.refused("opt", f"--reproducer={kept}", stdin=RELU, code=WRONG_USAGE))

    def test_a_reproducer_is_run_as_it_is(self):
        kept = self.folder / "kept.relay"
        options = ["--opt-level=3", "--disabled-pass=FuseOps", "--config=relay.FuseOps.max_depth=4"]
        said = self.refused("opt", "--passes=FoldConstant,InferType,FuseOps", *options, f"--crash-reproducer={kept}", stdin=ILL_TYPED, code=PASS_FAILED)
        self.assertIn(f"tutti: note: `tutti opt {kept}` does the same again\n", said)
        text = kept.read_text(encoding="utf-8")
        self.assertTrue(text.startswith("// reproducer: FoldConstant\n// passes: FoldConstant,InferType,FuseOps\n// options: " + " ".join(options) + "\n// failed: "), msg=text)
        again = self.refused("opt", str(kept), code=PASS_FAILED)
        self.assertEqual(again.splitlines()[1:], said.splitlines()[2:])
        self.assertIn("error: pass InferType: @main: nn.dense", again)
        # options given in addition
        self.assertIn(f"tutti opt: note: --opt-level overrides that of the reproducer {kept}\n",
                      self.refused("opt", str(kept), "--opt-level=1", code=PASS_FAILED))
        self.assertEqual(self.refused("opt", str(kept), "--opt-level=3", code=PASS_FAILED), again)
        self.assertIn("// before InferType, which failed", self.refused("opt", str(kept), "--print-on-failure", code=PASS_FAILED))
        out, said = self.run_tutti("opt", str(kept), "--passes=", stdin="")
        self.assertEqual((out, said), (ILL_TYPED, f"tutti opt: note: {kept} is a reproducer; --passes replaces its passes and options\n"))
        # faults in the file
        kept.write_text(text.replace("--opt-level", "--opt-leve"), encoding="utf-8")
        self.assertIn("options: `--opt-leve=3` is unknown; expected --opt-level=N", self.refused("opt", str(kept), code=WRONG_INPUT))
        kept.write_text(text.replace("FoldConstant,", "FoldConst,"), encoding="utf-8")
        self.assertIn("FoldConst: no such pass; did you mean FoldConstant?", self.refused("opt", str(kept), code=WRONG_USAGE))
        # none remains if nothing fails
        self.run_tutti("opt", "--passes=InferType", f"--crash-reproducer={self.folder / 'none'}", stdin=RELU)
        self.assertFalse((self.folder / "none").exists())
        quoted = ["--passes=InferType", "--config=relay.FuseOps.max_depth=4", '--disabled-pass=a "b" \\c']
        self.assertIn("no such pass", self.refused("opt", *quoted, stdin=RELU, code=WRONG_USAGE))

    @unittest.skipUnless(hasattr(signal, "SIGKILL"), "there are no signals")
    def test_a_reproducer_is_there_when_the_process_dies(self):
        for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL):
            kept = self.folder / f"kept.{number}"
            command = [TUTTI, "opt", "--passes=InferType,repeat{times=100000000}(CanonicalizeOps)", "--opt-level=3",
                       "--max-passes=1000000000", f"--crash-reproducer={kept}", self.file(BIASED)]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
                for _ in range(3000):
                    if kept.exists() and "reproducer: repeat" in kept.read_text(encoding="utf-8"):
                        break
                    time.sleep(0.01)
                process.send_signal(number)
                out, said = process.communicate()
                self.assertEqual(process.returncode, -number, msg=said)
            self.assertEqual(out, "")
            if number != signal.SIGKILL:
                self.assertRegex(said, rf"\Atutti: error: pass \w+: (a segmentation fault|an abort); `tutti opt {kept}` does the same again\n\Z")
            text = kept.read_text(encoding="utf-8")
            self.assertIn("\n// passes: repeat{times=100000000}(CanonicalizeOps)\n", text)
            self.assertIn("error: pass", self.refused("opt", str(kept), "--max-passes=20", code=PASS_FAILED))

    def test_the_documents_show_what_commands_say(self):
        root = DATA.resolve().parent.parent
        pages = [path.relative_to(root).as_posix() for path in (root / "README.md", *sorted((root / "docs").rglob("*.md")))
                 if "```console" in path.read_text(encoding="utf-8")]
        self.assertGreater(len(pages), 2)
        for page in pages:
            with self.subTest(page):
                self.check_commands(page)

    def check_commands(self, document):
        """Runs the blocks of commands of a document, in order, in one folder: `$ COMMAND` is followed by its output; `$
        cat FILE` creates a file, or shows it."""
        text = (DATA.resolve().parent.parent / document).read_text(encoding="utf-8")
        blocks = re.findall(r"(?ms)^```console\n(.*?)^```", text)
        self.assertGreater(len(blocks), 0)
        folder = self.folder / document.replace("/", "_")
        programs = folder / "bin"
        programs.mkdir(parents=True)
        (programs / "tutti").symlink_to(TUTTI)
        environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"}
        for step in re.split(r"(?m)^\$ ", "".join(blocks))[1:]:
            command, _, expected = step.partition("\n")
            if command.startswith("cat ") and not (path := folder / command.removeprefix("cat ")).exists():
                path.write_text(expected, encoding="utf-8")
            said = subprocess.run(command, shell=True, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  stdin=subprocess.DEVNULL, text=True, check=False).stdout
            self.assertEqual(said, expected, msg=command)


main()
