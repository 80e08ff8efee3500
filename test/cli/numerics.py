"""Numbers computed by programs on the command line: --verify-numerics, --trace-values, --stop-at-nan, compare.

numerics.py TUTTI DATA_DIR
"""

import json
import os
import struct
import subprocess
import sys
import unittest
import zipfile

from driver import DONE, Driver, main, npy, npz, PASS_FAILED, TUTTI, WRONG_INPUT, WRONG_USAGE

ROOTS = """#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32]) {
  %0 = broadcast_to(0.333333343f, shape=[2, 3]);
  let %y = add(%x, %0);
  sqrt(%y)
}
"""
CURVE = """#[version = "0.0.5"]
def @main(%x: Tensor[(64), float32]) {
  tanh(divide(%x, 3f))
}
"""
ANY = """#[version = "0.0.5"]
def @main(%x: Tensor[(?, 3), float32]) {
  add(%x, multiply(2f, 3f))
}
"""
STEEP = """#[version = "0.0.5"]
def @main(%x: Tensor[(64, 64), float32]) {
  nn.softmax(multiply(nn.dense(%x, %x, units=None), 1000000f))
}
"""
# Roots of negative numbers, through operators whose kernels in other libraries drop NaN.
NANS = """#[version = "0.0.5"]
def @main(%x: Tensor[(1, 4, 8), float32]) {
  %0 = sqrt(%x);
  %1 = nn.relu(%0);
  %2 = nn.softmax(%1);
  %3 = maximum(%2, 0f);
  %4 = minimum(1f, %3);
  %5 = clip(%4, a_min=0f, a_max=6f);
  %6 = nn.max_pool1d(%5, pool_size=[2], strides=[1]);
  %7 = nn.l2_normalize(%6, eps=0.001f, axis=[1]);
  sign(%7)
}
"""
# 16 MiB at a time.
LARGE = """#[version = "0.0.5"]
def @main(%x: float32) {
  broadcast_to(%x, shape=[2048, 2048])
}
"""
# A product, then enough work to count threads.
LONG = """#[version = "0.0.5"]
def @main(%x: Tensor[(256, 256), float32]) {
  %0 = nn.softmax(nn.dense(%x, %x, units=None));
  %1 = nn.dense(power(%0, %x), %x, units=None);
  sum(power(power(%1, %x), %x))
}
"""
PASSES = ("--passes=InferType,DivToMul",)


def array_of(archive, name):
    """Returns the type, the shape's text and the float32 values of an array in an archive."""
    data = archive.read(name)
    size = struct.unpack("<H", data[8:10])[0]
    return data[10:10 + size].decode().strip(), struct.unpack(f"<{(len(data) - 10 - size) // 4}f", data[10 + size:])


class Numerics(Driver):
    def found(self, *arguments, code, stdin=""):
        """Returns the output of compare, and its exit code."""
        done = subprocess.run([TUTTI, "compare", *arguments], input=stdin, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (code, ""))
        return done.stdout

    # --verify-numerics

    def test_passes_that_change_nothing_are_not_told_of(self):
        for option in ("--verify-numerics", "--verify-numerics=auto", "--verify-numerics=1e-3", "--instrument=verify_numerics"):
            self.assertEqual(self.run_tutti("opt", *PASSES, option, "--show-meta-data", stdin=CURVE)[1], "")

    def test_the_pass_that_leaves_the_tolerance_is_named(self):
        said = self.refused("opt", *PASSES, "--verify-numerics=0", stdin=CURVE, code=PASS_FAILED)
        self.assertRegex(said, r"\A<stdin>: error: (pass DivToMul: )?after DivToMul: result 0: element \[\d+\] is \S+ and was \S+: "
                               r"\S+ apart; \d+ of 64 elements are out of bounds; expected \S+\n\Z")
        other = self.refused("opt", *PASSES, "--verify-numerics=0", "--seed=7", stdin=CURVE, code=PASS_FAILED)
        self.assertNotEqual(said, other)
        self.assertEqual(self.refused("opt", *PASSES, "--instrument=verify_numerics{tolerance=0,seed=7}", stdin=CURVE,
                                      code=PASS_FAILED), other)

    def test_inputs_are_drawn_again_or_given(self):
        passes = "--passes=InferType,FoldConstant"
        said = self.run_tutti("opt", passes, "--verify-numerics", "--show-meta-data", stdin=ROOTS)[1]
        self.assertEqual(said, "verify_numerics: with the inputs of seed 0, result 0: element [0, 0] is nan; trying others\n")
        file = self.folder / "x.npz"
        file.write_bytes(npz({"x": npy([2, 3], [1, 2, 3, 4, 5, -6])}))
        said = self.run_tutti("opt", passes, "--verify-numerics", f"--inputs={file}", "--show-meta-data", stdin=ROOTS)[1]
        self.assertEqual(said, "verify_numerics: with the given inputs, result 0: element [1, 2] is nan\n")
        file.write_bytes(npz({"y": npy([2, 3], [1, 2, 3, 4, 5, -6])}))
        self.assertIn("there is no array for the parameter %x",
                      self.refused("opt", passes, "--verify-numerics", f"--inputs={file}", stdin=ROOTS, code=WRONG_INPUT))

    def test_what_cannot_be_evaluated_is_said_once(self):
        said = self.run_tutti("opt", "--passes=InferType,FoldConstant,ToANormalForm", "--verify-numerics", stdin=ANY)[1]
        self.assertEqual(said, "verify_numerics: the program cannot be evaluated, so nothing is compared: parameter %x: is of type "
                               "Tensor[(?, 3), float32]; expected a tensor of known shape\n")

    def test_a_pass_that_is_meant_to_compute_something_else_is_told_of(self):
        said = self.run_tutti("opt", "--passes=InferType,ToMixedPrecision", "--verify-numerics", "--show-meta-data", stdin=CURVE)[1]
        self.assertIn("verify_numerics: after ToMixedPrecision, which is meant to change results: ", said)

    def test_no_pass_makes_nan_of_numbers(self):
        said = "after ToMixedPrecision: result 0: element [0, 0] is nan and was "
        for option in ("--verify-numerics", "--verify-numerics=1", "--instrument=verify_numerics"):
            for passes in ("ToMixedPrecision", "InferType,ToMixedPrecision,FoldConstant"):
                self.assertIn(said, self.refused("opt", f"--passes={passes}", option, stdin=STEEP, code=PASS_FAILED))

    def test_wrong_values(self):
        for arguments, part in (
                (["--verify-numerics=small"], "--verify-numerics: `small` is not of its type; expected a nonnegative number, or auto"),
                (["--verify-numerics=-1"], "expected a nonnegative number, or auto"),
                (["--verify-numerics", "--seed=x"], "expected a whole number from 0"),
                (["--seed=3"], "--seed requires --verify-numerics"),
                (["--inputs=x.npz"], "--inputs requires --verify-numerics"),
                (["--verify-numerics", "--inputs=-"], "cannot both be standard input")):
            self.assertIn(part, self.refused("opt", *PASSES, *arguments, stdin=CURVE, code=WRONG_USAGE))
        self.assertIn("--verify-numerics requires --passes", self.refused("opt", "--verify-numerics", stdin=CURVE, code=WRONG_USAGE))
        self.assertIn("nope.npz: error: cannot be opened",
                      self.refused("opt", *PASSES, "--verify-numerics", "--inputs=nope.npz", stdin=CURVE, code=WRONG_INPUT))

    # -j

    @unittest.skipUnless(os.path.isdir("/proc/self/task"), "there is no /proc that has threads")
    def test_an_evaluation_takes_as_many_threads_as_are_asked_for(self):
        sets = self.kernel_sets()
        program = self.file(LONG)
        for command in (["run", program], ["compare", program, program]):
            for kernels in sets if command[0] == "run" else sets[:1]:
                given = command + [f"--kernels={kernels}"] * (command[0] == "run")
                self.assertEqual(self.most_threads(*given), 1, given)
                self.assertEqual(self.most_threads(*given, "-j1"), 1, given)
                # A busy machine may not show all threads in one run. oneDNN's two further threads are not in the pool.
                most = 0
                for _ in range(5):
                    most = max(most, self.most_threads(*given, "-j3"))
                    if most >= 3:
                        break
                self.assertIn(most, (3, 4, 5) if kernels == "onednn" else (3,), given)

    def most_threads(self, *arguments):
        """Returns the largest number of threads of the command line at any time."""
        most = 0
        with subprocess.Popen([TUTTI, *arguments], stdout=subprocess.DEVNULL) as started:
            while started.poll() is None:
                try:
                    most = max(most, len(os.listdir(f"/proc/{started.pid}/task")))
                except FileNotFoundError: # the process has ended
                    pass
        self.assertEqual(started.returncode, DONE)
        return most

    # run --trace-values, --stop-at-nan

    def test_values_are_traced(self):
        out, said = self.run_tutti("run", "--trace-values", stdin=ROOTS)
        self.assertEqual(out, self.run_tutti("run", stdin=ROOTS)[0])
        self.assertEqual(said, self.run_tutti("run", "--trace-values=summary", stdin=ROOTS)[1])
        lines = said.splitlines()
        self.assertEqual(lines[0].split(), ["value", "type", "least", "greatest", "mean", "nan", "inf"])
        self.assertEqual([line.split() for line in lines[1:]], [
            "@main 3:8 broadcast_to (2, 3) float32 0.333333343 0.333333343 0.333333343 0 0".split(),
            "@main 4:12 %y, add (2, 3) float32 -0.264250189 1.21494305 0.370302121 0 0".split(),
            "@main 5:3 sqrt (2, 3) float32 0.596045971 1.1022445 0.803202346 2 0".split()])

    def test_values_are_put_into_a_file(self):
        file = self.folder / "values.npz"
        self.assertEqual(self.run_tutti("run", f"--trace-values=npz:{file}", stdin=ROOTS)[1], "")
        with zipfile.ZipFile(file) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual(archive.namelist(),
                             ["000001-main-3_8-broadcast_to.npy", "000002-main-4_12-y-add.npy", "000003-main-5_3-sqrt.npy"])
            header, values = array_of(archive, "000001-main-3_8-broadcast_to.npy")
            self.assertEqual(header, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, ), }")
            self.assertEqual(values, (struct.unpack("<f", struct.pack("<f", 1 / 3))[0],) * 6)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["values.npz"])

    def test_a_page_shows_what_is_traced(self):
        page = self.folder / "values.html"
        arguments = ("run", "--passes=InferType", f"--report={page}")
        self.run_tutti(*arguments, stdin=ROOTS)
        self.assertNotIn("broadcast_to\",\"(2, 3) float32", page.read_text())
        self.run_tutti(*arguments, "--trace-values", stdin=ROOTS)
        text = page.read_text()
        self.assertIn("@main 3:8 broadcast_to\",\"(2, 3) float32, from 0.333333343 to 0.333333343, mean 0.333333343", text)
        self.assertIn("%y, add", text)

    def test_what_is_traced_is_read_back(self):
        file = self.folder / "x.npz"
        self.run_tutti("run", f"--trace-values=npz:{file}", stdin=ROOTS)
        with zipfile.ZipFile(file) as archive:
            again = npz({"x": archive.read("000002-main-4_12-y-add.npy")})
        file.write_bytes(again)
        identity = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 3), float32]) { negative(%x) }\n"
        self.assertIn("-1.21494305", self.run_tutti("run", f"--inputs={file}", "--print=text", stdin=identity)[0])

    def test_the_first_nan_is_found(self):
        said = self.refused("run", "--stop-at-nan", stdin=ROOTS, code=PASS_FAILED)
        self.assertEqual(said, "<stdin>:5:3: error: @main: sqrt: element [0, 0] is nan, and no input has a NaN (2 of 6 elements are "
                               "NaN, 0 infinite; inputs from -0.264250189 to 1.21494305)\n  sqrt(%y)\n  ^\n")
        self.assertEqual(self.run_tutti("run", "--stop-at-nan", stdin=CURVE), self.run_tutti("run", stdin=CURVE))
        file = self.folder / "values.npz"
        self.refused("run", "--stop-at-nan", f"--trace-values=npz:{file}", stdin=ROOTS, code=PASS_FAILED)
        with zipfile.ZipFile(file) as archive:
            self.assertEqual(len(archive.namelist()), 3)

    def test_no_kernel_hides_nan_from_the_tools(self):
        counts = set()
        for kernels in self.kernel_sets():
            said = self.run_tutti("run", f"--kernels={kernels}", "--trace-values", stdin=NANS)[1].splitlines()[1:]
            counts.add(tuple(int(line.split()[-2]) for line in said))
            self.assertIn(": sqrt: ", self.refused("run", f"--kernels={kernels}", "--stop-at-nan", stdin=NANS, code=PASS_FAILED))
        (of_values,) = counts
        self.assertEqual(len(of_values), 9)
        self.assertTrue(all(of_values), of_values)
        program = self.file(NANS)
        # FastMath computes softmax with other operators.
        fast = ("--passes=InferType,FastMath", "--opt-level=4")
        self.assertIn("the same: 1 result", self.found(program, *fast, "--tolerance=0.01", code=DONE))
        said = self.run_tutti("opt", program, *fast, "--verify-numerics=0.01")[1]
        self.assertEqual(said.count("is nan"), 4)
        dropped = self.file(NANS.replace("sqrt(%x)", "sqrt(nn.relu(%x))"), "dropped.relay")
        self.assertIn(" in the first program nan", self.found(program, dropped, code=PASS_FAILED))

    def kernel_sets(self):
        found = [line.split()[0] for line in self.run_tutti("list", "kernels")[0].splitlines() if not line.startswith(" ")]
        self.assertIn("blocked", found)
        self.assertIn("reference", found)
        return found

    def test_a_file_that_cannot_be_written_ends_it_before_any_pass(self):
        said = self.refused("run", "--trace-values=npz:/nope/x.npz", "--passes=PrintIR", stdin=CURVE, code=WRONG_INPUT)
        self.assertEqual(said, "/nope/x.npz: error: cannot be opened: No such file or directory\n")
        self.assertIn("expected one of summary, npz:FILE", self.refused("run", "--trace-values=all", stdin=CURVE, code=WRONG_USAGE))
        file = self.folder / "values.npz"
        file.write_text("old")
        self.refused("run", f"--trace-values=npz:{file}", stdin="}", code=WRONG_INPUT)
        self.assertEqual(file.read_text(), "old")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["values.npz"])

    # compare

    def test_programs_that_compute_the_same(self):
        a = self.file(CURVE)
        self.assertEqual(self.found(a, a, code=DONE), "the same: 1 result; on the way 0 of 2 values differ\n")
        self.assertEqual(self.found(a, "-", stdin=CURVE, code=DONE), "the same: 1 result; on the way 0 of 2 values differ\n")
        self.assertRegex(self.found(a, *PASSES, code=DONE), r"^(result 0: .*\n)?the same: 1 result; on the way 0 of 1 value differs\n$")

    def test_programs_that_do_not(self):
        a, b = self.file(CURVE), self.file(CURVE.replace("3f", "3.01f"), "b.relay")
        text = self.found(a, b, code=PASS_FAILED).splitlines()
        self.assertRegex(text[0], r"^result 0: element \[\d+\] is \S+ and in the first program \S+: \S+ apart; \d+ of 64 elements")
        self.assertRegex(text[1], r"^result 0: largest difference \S+, mean \S+, cosine \S+, signal to noise \S+ dB$")
        self.assertEqual(text[2], "values on the way, as they are computed:")
        self.assertTrue(text[3].startswith("@main 3:8 divide: element "))
        self.assertTrue(text[4].startswith("@main 3:3 tanh: element "))
        self.assertEqual(text[5], "not the same: 1 of 1 result; on the way 2 of 2 values differ")
        self.assertEqual(len(self.found(a, b, "--show=0", code=PASS_FAILED).splitlines()), 3)
        self.assertEqual(self.found(a, b, "--tolerance=0.1", code=DONE).splitlines()[0], text[1]) # agreement has numbers, too
        said = self.found(a, *PASSES, "--tolerance=0", code=PASS_FAILED)
        self.assertRegex(said, r"\Aresult 0: element \[\d+\] is \S+ and was ")

    def test_results_have_tolerances_of_their_own(self):
        two = "#[version = \"0.0.5\"]\ndef @main(%x: float32, output_tensor_names=[\"a\", \"b\"]) {{ (multiply(%x, {}f), multiply(%x, {}f)) }}\n"
        first, second = self.file(two.format("1", "1")), self.file(two.format("1.1", "1.3"), "b.relay")
        self.assertIn("not the same: 2 of 2 results", self.found(first, second, code=PASS_FAILED))
        said = self.found(first, second, "--tolerance=a=0.2", code=PASS_FAILED)
        self.assertIn("not the same: 1 of 2 results", said)
        self.assertRegex(said, r"\Aresult 1, b: element \[\] ")
        self.assertIn("the same: 2 results", self.found(first, second, "--tolerance=0.2", "--tolerance=1=0.4", code=DONE))
        self.assertIn("tolerance of c: there is no such result; expected result 0, a; result 1, b",
                      self.refused("compare", first, second, "--tolerance=c=1", code=WRONG_INPUT))

    def test_a_comparison_as_json(self):
        a, b = self.file(CURVE), self.file(CURVE.replace("3f", "3.01f"), "b.relay")
        found = json.loads(self.found(a, b, "--json", code=PASS_FAILED))
        self.assertFalse(found["same"])
        self.assertGreater(found["results"][0]["largest_difference"], 0)
        self.assertEqual([each["place"] for each in found["values"]], ["@main 3:8 divide", "@main 3:3 tanh"])
        self.assertEqual((found["compared_results"], found["compared_values"], found["unmatched_values"]), (1, 2, 0))
        found = json.loads(self.found(a, a, "--json", code=DONE))
        self.assertTrue(found["same"])
        self.assertEqual((found["results"][0]["largest_difference"], found["results"][0]["signal_to_noise_db"]), (0, None))

    def test_inputs_go_by_name(self):
        both = """#[version = "0.0.5"]\ndef @main(%x: float32, %y: float32) {{ subtract({}) }}\n"""
        a = self.file(both.format("%x, %y"))
        b = self.file(both.format("%x, %y").replace("(%x: float32, %y: float32)", "(%y: float32, %x: float32)"), "b.relay")
        c = self.file(both.format("%x, %y").replace("%x", "%a").replace("%y", "%b"), "c.relay")
        self.found(a, b, code=DONE)
        self.found(a, c, code=DONE)

    def test_what_is_evaluated_to_compare_has_limits(self):
        said = self.refused("compare", self.file(CURVE), self.file(CURVE, "b.relay"), "--max-work=100", code=WRONG_INPUT)
        self.assertIn("more than 100 steps; expected no more, or a larger --max-work", said)
        for limit in ("max_work=100", "max_bytes=64"):
            said = self.run_tutti("opt", *PASSES, "--instrument=verify_numerics{" + limit + "}", stdin=CURVE)[1]
            self.assertRegex(said, r"\Averify_numerics: the program cannot be evaluated, so nothing is compared: .* more than (100|64) ")

    def test_the_limit_of_bytes_is_of_all_that_is_compared(self):
        least = self.peak("compare", self.file(CURVE), self.file(CURVE, "b.relay"))
        program = self.file(LARGE, "large.relay")
        limit = 1 << 26
        self.assertLess(self.peak("compare", program, program, f"--max-bytes={limit}"), least + limit)
        # each fits, but not both
        limit = 3 << 23
        self.run_tutti("run", program, f"--max-bytes={limit}")
        self.assertIn("tensors at the same time; expected no more, or a larger --max-bytes",
                      self.refused("compare", program, program, f"--max-bytes={limit}", code=WRONG_INPUT))

    def peak(self, *arguments):
        """Returns the peak memory of the command line, in bytes."""
        with subprocess.Popen([TUTTI, *arguments], stdout=subprocess.DEVNULL) as started:
            _, status, used = os.wait4(started.pid, 0)
            started.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(started.returncode, DONE)
        return used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)

    def test_wrong_use_of_compare(self):
        a = self.file(CURVE)
        one = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(64), float32], %y: float32) { %x }\n"
        two = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(64), float32]) { (%x, %x) }\n"
        for arguments, code, part in (
                ([a], WRONG_USAGE, "expected a second program, or --passes"),
                ([a, a, "--passes=InferType"], WRONG_USAGE, "expected one of them"),
                (["-", "-"], WRONG_USAGE, "only one of the programs and the inputs can be standard input"),
                ([a, a, "--tolerance=x"], WRONG_USAGE, "`x` is not valid; expected a nonnegative number, auto, or NAME=TOL for one result"),
                ([a, a, "--show=x"], WRONG_USAGE, "expected a whole number"),
                ([a, "nope.relay"], WRONG_INPUT, "nope.relay: error: cannot be opened"),
                ([a, self.file(one, "one.relay")], WRONG_INPUT, "one.relay: error: @main: is given 1 inputs; expected 2"),
                ([a, self.file(two, "two.relay")], WRONG_INPUT, "has 2 results; expected 1"),
                ([a, self.file(ANY, "any.relay")], WRONG_INPUT, "any.relay: error: ")):
            self.assertIn(part, self.refused("compare", *arguments, code=code))


main()
