"""Faulty passes are found by bisecting and by instruments, and failing programs are reduced.

failing.py TUTTI DATA_DIR: a command line that also has the passes of planted.cpp.
"""

import os
import signal
import subprocess
import time

from driver import DONE, main, PASS_FAILED, RELU, TUTTI, WRONG_INPUT, WRONG_USAGE
from onnx_model import model, ModelDriver, node, tensor, value

#: Every planted pass fails on some part of this program. SimplifyInference makes constants of batch_norm.
NETWORK = """#[version = "0.0.5"]
def @main(%x: Tensor[(1, 3, 16, 16), float32], %w_weight: Tensor[(8, 3, 3, 3), float32], %v_weight: Tensor[(8, 8, 3, 3), float32], %gamma: Tensor[(8), float32], %mean: Tensor[(8), float32], %bn_var: Tensor[(8), float32], %d_weight: Tensor[(10, 128), float32], %b: Tensor[(10), float32]) {
  %0 = nn.conv2d(%x, %w_weight, padding=[1, 1, 1, 1], channels=8, kernel_size=[3, 3]);
  %1 = nn.batch_norm(%0, %gamma, %mean, %mean, %bn_var);
  %2 = nn.relu(%1.0);
  %3 = nn.max_pool2d(%2, pool_size=[2, 2], strides=[2, 2]);
  %4 = nn.conv2d(%3, %v_weight, padding=[1, 1, 1, 1], channels=8, kernel_size=[3, 3]);
  %5 = add(%3, %4);
  %6 = nn.relu(%5);
  %7 = nn.conv2d(%6, %v_weight, strides=[2, 2], padding=[1, 1, 1, 1], channels=8, kernel_size=[3, 3]);
  %8 = nn.batch_flatten(%7);
  %9 = nn.dense(%8, %d_weight, units=10);
  %10 = nn.bias_add(%9, %b);
  nn.softmax(%10)
}
"""
#: By planted pass: the check that finds it, a part of the message, and the greatest number of remaining operators.
PLANTED = {
    "AddToConstant": ("numerics", "computes different results: result 0: element", 1),
    "DropArgument": ("verify", "add: called with 1 argument; expected 2", 1),
    "LoopForEver": ("crash", "did not end in time", 1),
    "SaysUnchanged": ("verify", "pass SaysUnchanged reported no change, but changed the unit", 1),
    "NullPointer": ("crash", "the process was ended by ", 2),
    "StackOverflow": ("crash", "the process was ended by ", 2),
    "Abort": ("crash", "the process was ended by ", 1),
    "Throw": ("crash", "pass Throw failed: Throw: it cannot add before relu", 2),
}
#: Timeout of a try in seconds: more than a try that ends takes, even unoptimised on a busy machine.
SECONDS = "2"


class Failing(ModelDriver):
    def passes(self, name):
        return f"--passes=InferType,SimplifyInference,seq[more](FoldConstant,repeat{{times=2}}({name})),FoldConstant,FuseOps"

    def network(self):
        return self.file(NETWORK)

    def test_points_are_filled_by_registered_passes(self):
        passes = "--passes=InferType,point(before-fusion),FuseOps,point(after-fusion)"
        self.assertIn("pass Throw: Throw: it cannot add before relu", self.refused("opt", self.network(), passes, code=PASS_FAILED))
        self.run_tutti("opt", passes, stdin="def @main(%x: Tensor[(2), float32]) { nn.relu(%x) }")
        header = self.run_tutti("opt", passes, "--freeze=-")[0]
        self.assertIn('"InferType,Throw,FuseOps"', header)

    # bisect

    def test_bisect_finds_each_planted_pass(self):
        path = self.network()
        for name, (check, said, _) in PLANTED.items():
            with self.subTest(name):
                made = str(self.folder / (name + ".relay"))
                out, told = self.run_tutti("bisect", path, self.passes(name), "--check=" + check, "--timeout=" + SECONDS, "-o", made)
                self.assertRegex(out, rf"\Apass \d+ of \d+: {name} in repeat in more\n", msg=told)
                self.assertIn(said if name != "DropArgument" else "add", out)
                self.assertTrue(out.endswith(f"runs it again: seq[more](repeat{{times=2}}({name}))\n") or
                                out.endswith(f"runs it again: seq[more](repeat({name}))\n"), msg=out[-300:])
                with open(made, encoding="utf-8") as file:
                    self.assertIn(f"({name})", file.read().split("#[version")[0])
                # The reproducer names the passes.
                again = self.run_tutti("bisect", made, "--check=" + check, "--timeout=" + SECONDS)[0]
                self.assertRegex(again, rf"\Apass \d+ of \d+: {name} in repeat in more\n")

    def test_bisect_shows_what_the_pass_changed(self):
        out = self.run_tutti("bisect", "--passes=InferType,DropArgument", "--check=verify",
                             stdin="def @main(%x: Tensor[(2), float32]) { add(%x, %x) }")[0]
        self.assertIn("-  add(%x, %x)\n+  add(%x)\n", out)

    def test_bisect_by_a_command(self):
        path = self.network()
        passes = "--passes=InferType,SimplifyInference,FuseOps"
        for command in ("! grep -q sqrt", "! grep -q sqrt {}", "test $(grep -c sqrt {}) -le $(grep -c sqrt {before})"):
            out = self.run_tutti("bisect", path, passes, "--check=" + command)[0]
            self.assertRegex(out, r"\Apass 3 of \d+: SimplifyInference\nthe command failed with exit code 1\n@@ ")
        self.assertIn("error: cannot be judged: `exit 125 #`", self.refused("bisect", path, passes, "--check=exit 125 #", code=WRONG_INPUT))

    def test_bisect_names_the_rewrite(self):
        path = self.network()
        passes = "--passes=InferType,WrongRelu,SimplifyInference,FuseOps"
        for how in ("--rewrites", "--by=rewrite"):
            out = self.run_tutti("bisect", path, passes, "--check=numerics", how)[0]
            self.assertRegex(out, r"\Apass 2 of \d+: WrongRelu\nrewrite 2 of 2: WrongRelu, relu at main:9:8\n"
                                  r"the program computes different results: [^\n]*\n@@ ")
            self.assertRegex(out, r"-  %\d+ = nn\.relu\(%\d+\);\n\+  %\d+ = negative\(%\d+\);\n")
        out = self.run_tutti("bisect", path, self.passes("AddToConstant"), "--check=numerics", "--rewrites")[0]
        self.assertRegex(out, r"\Apass \d+ of \d+: AddToConstant in repeat in more\nnone of its 0 rewrites: it is wrong without them\n")

    def test_bisect_finds_the_function(self):
        functions = "".join(f"def @f{i}(%x: Tensor[(4), float32]) -> Tensor[(4), float32] {{ nn.relu({'add(%x, %x)' if i == 5 else '%x'}) }}\n"
                            for i in range(9))
        text = functions + "def @main(%x: Tensor[(4), float32]) { (@f1(%x), @f5(%x), @f8(%x)) }\n"
        out = self.run_tutti("bisect", "--passes=InferType,WrongRelu", "--check=numerics", "--by=function", stdin=text)[0]
        self.assertRegex(out, r"\A1 function of 9 is needed:\n  @f5\nthe program computes different results: ")

    def test_bisect_finds_the_passes_that_are_wrong_together(self):
        out = self.run_tutti("bisect", self.network(), "--passes=InferType,SimplifyInference,CanonicalizeOps,FuseOps,DefuseOps,AddToConstant",
                             "--check=numerics", "--by=set", "--rewrites")[0]
        self.assertRegex(out, r"\A3 passes of \d+ are needed together:\n  pass \d+: InferType\n  pass \d+: SimplifyInference\n  pass \d+: AddToConstant\n"
                              r"1 rewrite of 1 is needed:\n  SimplifyInference, nn.batch_norm at main:4:8\n")

    def test_bisect_repeats_a_check_that_varies(self):
        count = self.folder / "count"
        varies = (f"n=$(cat {count} 2>/dev/null || echo 0); echo $((n + 1)) > {count}; ! grep -q sqrt {{}} || test $((n % 3)) -ne 0")
        out = self.run_tutti("bisect", self.network(), "--passes=InferType,CanonicalizeOps,SimplifyInference,FuseOps", "--check=" + varies, "--repeat=6")[0]
        self.assertRegex(out, r"\Apass \d+ of \d+: SimplifyInference\n")
        self.assertIn("with it: 2 of 6 runs fail (33 %)\nwithout it: 0 of 6 runs fail (0 %)\n", out)
        self.assertIn("the check contradicts itself: the first of all passes; right up to 0: 2 of 6 runs fail (33 %)\n", out)

    def test_bisect_refuses_options_that_do_not_fit(self):
        for wrong in (["--by=set", "-o", "x.relay"], ["--by=function", "--rewrites"], ["--by=line"], ["--repeat=0"]):
            self.refused("bisect", "--passes=InferType", *wrong, stdin=RELU, code=WRONG_USAGE)

    def test_bisect_says_when_there_is_nothing_to_find(self):
        self.assertIn("error: the check does not fail after 1 pass; ",
                      self.refused("bisect", "--passes=InferType", "--check=numerics", stdin=RELU, code=WRONG_INPUT))
        self.assertIn("<stdin>: error: the check fails before any pass has run: the command failed with exit code 1",
                      self.refused("bisect", "--passes=InferType", "--check=false #", stdin=RELU, code=WRONG_INPUT))
        self.assertIn("there are no passes", self.refused("bisect", stdin=RELU, code=WRONG_USAGE))

    # reduce

    def test_reduce_leaves_what_each_planted_pass_is_wrong_about(self):
        path = self.network()
        for name, (check, said, operators) in PLANTED.items():
            with self.subTest(name):
                begin = time.monotonic()
                out, told = self.run_tutti("reduce", path, self.passes(name), "--check=" + check, "--timeout=" + SECONDS)
                self.assertIn(said, told)
                found = told.splitlines()[-1]
                self.assertRegex(found, r"\Atutti reduce: note: from 12 operators, \d+ passes to \d operators?, \d pass(es)? in \d+ tries: ")
                self.assertLessEqual(int(found.split(" to ")[1].split(" ")[0]), operators, msg=out)
                self.assertLess(time.monotonic() - begin, 60)
                self.assertTrue(out.startswith("// reproducer: "), msg=out)
                passes = out.split("// passes: ")[1].split("\n")[0].split(",")
                self.assertIn(name, passes)
                self.assertLessEqual(len(passes), 2)
                # The result is a program that fails in the same way.
                self.run_tutti("check", stdin=out)
                again = self.run_tutti("reduce", "--check=" + check, "--timeout=" + SECONDS, stdin=out)
                self.assertEqual(again[0], out)

    def test_reduce_without_passes_and_by_a_command(self):
        out, said = self.run_tutti("reduce", "--check=! grep -q max_pool", stdin=NETWORK)
        self.assertRegex(out, r'\A#\[version = "0.0.5"\]\ndef @main\(%\w+: Tensor\[\(1, 1, 1, 1\), float32\]\) \{\n  nn.max_pool2d\(%\w+, pool_size=\[1, 1\]\)\n\}\n\Z')
        self.assertIn("1 operator, 0 passes", said)
        same = self.run_tutti("reduce", "--check=! grep -q max_pool {}", stdin=NETWORK)[0]
        self.assertEqual(same, out)

    def test_reduce_takes_the_failure_whose_message_is_asked_for(self):
        passes = "--passes=InferType,Throw"
        self.assertIn("the check does not fail", self.refused("reduce", passes, "--message=it can fly", stdin=NETWORK, code=WRONG_INPUT))
        out = self.run_tutti("reduce", passes, "--message=before relu", stdin=NETWORK)[0]
        self.assertIn("nn.relu", out)

    def test_reduce_ends_where_it_is_told_to(self):
        out, said = self.run_tutti("reduce", "--passes=InferType,Throw", "--max-tries=5", stdin=NETWORK)
        self.assertIn("ended by --max-tries", said)
        self.assertIn("in 5 tries", said)
        self.run_tutti("check", stdin=out)

    def test_reduce_writes_what_it_has_when_a_signal_ends_it(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            made = self.folder / "made.relay"
            made.unlink(missing_ok=True)
            with subprocess.Popen([TUTTI, "reduce", self.network(), "--passes=InferType,Throw", "--check=sleep 0.3; ! grep -q relu {}", "-o", str(made)],
                                  stderr=subprocess.PIPE, text=True) as running:
                time.sleep(2.5)
                running.send_signal(number)
                said = running.communicate(timeout=60)[1]
            self.assertEqual(running.returncode, DONE, msg=said)
            self.assertIn("interrupted", said)
            self.run_tutti("check", str(made))

    def test_reduce_says_when_there_is_nothing_to_find(self):
        self.assertEqual(self.refused("reduce", "--passes=InferType", stdin=RELU, code=WRONG_INPUT),
                         "<stdin>: error: the check does not fail; expected a program and passes for which --check fails\n")
        self.assertIn("error: ", self.refused("reduce", stdin="def @main(%x: Tensor[(2), float32]) { nn.dense(%x) }", code=WRONG_INPUT))

    # both

    def test_what_is_wrong_with_their_options(self):
        for command in ("bisect", "reduce"):
            self.assertIn("cannot be opened", self.refused(command, "/no/such/file", "--passes=InferType", code=WRONG_INPUT))
            self.assertIn("FuseOp: no such pass", self.refused(command, "/no/such/file", "--passes=FuseOp", code=WRONG_USAGE))
            self.assertIn("the shell cannot run it (exit code 127); expected crash, verify, numerics, or a command",
                          self.refused(command, "--passes=InferType", "--check=numeric", stdin=RELU, code=WRONG_USAGE))
            for option in ("--timeout=0", "--timeout=x", "--tolerance=-1"):
                self.refused(command, "--passes=InferType", option, stdin=RELU, code=WRONG_USAGE)
            said = self.refused(command, "--passes=InferType", "-o", "/no/such/folder/x", "--check=false", stdin=RELU, code=WRONG_INPUT)
            self.assertIn("/no/such/folder/x: cannot be written", said)
            told = self.run_tutti(command, "--help")[0]
            for word in ("crash", "verify", "numerics", "125", "{before}", "--timeout", "Exit codes: 0"):
                self.assertIn(word, told)
        self.refused("reduce", "--max-tries=0", stdin=RELU, code=WRONG_USAGE)

    # Instruments that find faulty passes while they run.

    def test_verify_each_and_print_changed_find_those_that_are_theirs(self):
        said = self.refused("opt", "--passes=InferType,DropArgument,FoldConstant", "--verify-each", stdin=NETWORK, code=3)
        self.assertIn("DropArgument", said)
        self.assertIn("called with 1 argument", said)
        said = self.run_tutti("opt", "--passes=InferType,SaysUnchanged", "--print-changed=quiet", stdin=NETWORK)[1]
        self.assertIn("// after SaysUnchanged: it reported no change, but changed the unit\n", said)

    def test_verify_numerics_finds_the_pass_that_computes_something_else(self):
        said = self.refused("opt", "--passes=InferType,SimplifyInference,AddToConstant,FoldConstant", "--verify-numerics",
                            stdin=NETWORK, code=3)
        self.assertRegex(said, r"error: after AddToConstant: result 0: element \[0, \d\] is \S+ and was \S+: \S+ apart")

    def test_the_crash_reproducer_is_there_when_the_process_is_not(self):
        for name in ("NullPointer", "StackOverflow", "Abort", "LoopForEver", "Throw"):
            with self.subTest(name):
                kept = self.folder / (name + ".relay")
                command = [TUTTI, "opt", self.network(), f"--passes=InferType,{name},FoldConstant", f"--crash-reproducer={kept}"]
                try:
                    done = subprocess.run(command, capture_output=True, check=False, timeout=3 if name == "LoopForEver" else 60)
                    self.assertNotEqual(done.returncode, DONE)
                    self.assertNotEqual(name, "LoopForEver")
                except subprocess.TimeoutExpired:
                    self.assertEqual(name, "LoopForEver")
                self.assertIn(f"// reproducer: {name}\n// passes: {name},FoldConstant\n", kept.read_text(encoding="utf-8"))
                out = self.run_tutti("reduce", str(kept), "--check=crash", "--timeout=" + SECONDS)[0]
                self.assertIn(f"// passes: {name}\n", out)

    def test_a_reproducer_keeps_the_limit_on_passes(self):
        kept = self.folder / "limited.relay"
        self.run_tutti("bisect", self.network(), "--passes=InferType,Throw", "--max-passes=77", "--check=crash", f"--reproducer={kept}")
        self.assertIn("\n// options: --max-passes=77\n", kept.read_text(encoding="utf-8"))

    def test_the_crash_reproducer_keeps_the_names_of_a_models_results(self):
        path, kept = self.model(model([node("Add", ["x", "w"], ["sum:0"])], [value("x", [2])], [value("sum:0", [2])], [tensor("w", [2], [1, 2])])), self.folder / "kept.relay"
        attribute = 'output_tensor_names=["sum:0"]'
        self.refused("opt", path, "--passes=InferType,DropArgument,InferType", f"--crash-reproducer={kept}", code=PASS_FAILED)
        self.assertIn(attribute, kept.read_text(encoding="utf-8"))
        # It does not show in what a successful run prints.
        plain = self.run_tutti("opt", path, "--passes=InferType")[0]
        self.assertEqual(self.run_tutti("opt", path, "--passes=InferType", f"--crash-reproducer={self.folder / 'none'}")[0], plain)
        self.assertNotIn(attribute, plain)


main()
