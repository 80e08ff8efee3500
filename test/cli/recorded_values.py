"""Inputs and expected results from files: --inputs and --expect."""

import math
import struct
import subprocess

from driver import DONE, main, npy, npz, PASS_FAILED, TUTTI, WRONG_INPUT, WRONG_USAGE
from onnx_model import field, FLOAT, model, ModelDriver, node, value

ADD = """#[version = "0.0.5"]
def @main(%x: Tensor[(2), float32], %y: Tensor[(2), float32]) {
  (add(%x, %y), subtract(%x, %y))
}
"""
ONE = "def @main(%x: Tensor[(3), float32]) { negative(%x) }"


def pb(values, shape=None):
    """An ONNX tensor as a file."""
    dims = b"".join(field(1, d) for d in (shape or [len(values)]))
    return dims + field(2, FLOAT) + field(9, struct.pack(f"<{len(values)}f", *values))


class RecordedValues(ModelDriver):
    def write(self, name, data):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        return str(path)

    def compared(self, *arguments, stdin, code=DONE):
        """Runs a program that may report differences, which are its output, not an error."""
        done = subprocess.run([TUTTI, "run", *arguments], input=stdin, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (code, ""))
        return done.stdout

    def test_inputs_are_one_array_or_one_value(self):
        for name, data in (("x.npy", npy((3,), (1, -2, 4))), ("x.pb", pb((1, -2, 4))), ("array", npy((3,), (1, -2, 4)))):
            path = self.write(name, data)
            self.assertEqual(self.run_tutti("run", "--print=text", f"--inputs={path}", stdin=ONE)[0], "# 3 float32\n-1\n2\n-4\n")

    def test_inputs_are_a_folder_in_the_order_of_the_parameters(self):
        self.write("set/input_0.pb", pb((1, 2)))
        self.write("set/input_1.npy", npy((2,), (10, 20)))
        folder = str(self.folder / "set")
        self.assertEqual(self.run_tutti("run", "--print=text", f"--inputs={folder}", stdin=ADD)[0],
                         "# 2 float32\n11\n22\n# 2 float32\n-9\n-18\n")
        self.assertIn(f"{folder}: error: has 2 arrays; expected 1 array, one for each parameter",
                      self.refused("run", f"--inputs={folder}", stdin=ONE, code=WRONG_INPUT))

    def test_inputs_give_a_model_its_open_sizes(self):
        path = self.model(model([node("Relu", ["x"], ["y"])], [value("x", ["n", 2])], [value("y", ["n", 2])]))
        self.write("set/input_0.pb", pb((1, -1, 2, -2), [2, 2]))
        self.write("set/output_0.pb", pb((1, 0, 2, 0), [2, 2]))
        folder = str(self.folder / "set")
        self.assertEqual(self.compared(path, f"--inputs={folder}", f"--expect={folder}", stdin=""), "result 0, y: 4 elements agree; equal\n")

    def test_an_input_that_nothing_uses_needs_no_array(self):
        inputs = self.write("in.npz", npz({"x": npy((3,), (1, 2, 3))}))
        more = ONE.replace("(%x:", "(%left: Tensor[(2), int64], %x:")
        self.assertEqual(self.run_tutti("run", "--print=text", f"--inputs={inputs}", stdin=more)[0], "# 3 float32\n-1\n-2\n-3\n")
        used = more.replace("negative(%x)", "(%left, negative(%x))")
        self.assertIn("there is no array for the parameter %left", self.refused("run", f"--inputs={inputs}", stdin=used, code=WRONG_INPUT))

    def test_a_sequence_is_one_value_of_several_arrays(self):
        of_tensors = field(4, field(1, field(1, field(1, FLOAT) + field(2, field(1, field(2, "n"))))))
        axis = field(5, field(1, "axis") + field(3, 0) + field(20, 2))
        path = self.model(model([node("ConcatFromSequence", ["s"], ["y"]) + axis], [field(1, "s") + field(2, of_tensors)], [value("y", ["m"])]))
        self.write("set/input_0.pb", field(3, pb((1, 2))) + field(3, pb((3,))))
        self.write("set/output_0.pb", pb((1, 2, 3)))
        folder = str(self.folder / "set")
        self.assertIn("3 elements agree", self.compared(path, f"--inputs={folder}", f"--expect={folder}", stdin=""))

    def test_results_that_agree_or_differ(self):
        inputs = self.write("in.npz", npz({"x": npy((2,), (1, 2)), "y": npy((2,), (10, 20))}))

        def said(sums, *more, code=DONE):
            wanted = self.write("out.npz", npz({"out_0": npy((len(sums),), sums), "out_1": npy((2,), (-9, -18))}))
            return self.compared(f"--inputs={inputs}", f"--expect={wanted}", *more, stdin=ADD, code=code)

        self.assertEqual(said((11, 22)), "result 0, out_0: 2 elements agree; equal\nresult 1, out_1: 2 elements agree; equal\n")
        self.assertEqual(said((11, 23), code=PASS_FAILED).splitlines()[0],
                         "result 0, out_0: 1 of 2 elements differs, most at [1]: 22, expected 23; "
                         "largest difference 1, mean 0.5, cosine 0.999846142, signal to noise 28.1 dB")
        self.assertIn("2 elements agree; largest difference 1,", said((11, 23), "--rtol=0.1"))
        self.assertIn("2 elements agree; largest difference 1,", said((11, 23), "--atol=1", "--rtol=0"))
        self.assertIn("1 of 2 elements differs, most at [0]: 11, expected nan; largest difference inf", said((math.nan, 22), code=PASS_FAILED))
        self.assertIn("result 0, out_0: is (2,) float32, expected (3,) float32", said((11, 22, 3), code=PASS_FAILED))

    def test_results_are_written_too(self):
        inputs = self.write("in.npy", npy((3,), (1, 2, 3)))
        wanted = self.write("out.npy", npy((3,), (-1, -2, -3)))
        out = self.folder / "y.txt"
        self.assertIn("agree", self.compared(f"--inputs={inputs}", f"--expect={wanted}", "--print=text", "-o", str(out), stdin=ONE))
        self.assertEqual(out.read_text(encoding="utf-8"), "# 3 float32\n-1\n-2\n-3\n")

    def test_files_that_do_not_fit(self):
        inputs = self.write("in.npy", npy((3,), (1, 2, 3)))
        good = npy((3,), (1, 2, 3))
        for name, data, part in (("out.npz", npz({"out": good}), "has no array out_0; expected one for each result"),
                                 ("out.npz", npz({"out_0": good, "z": good}), "has 2 arrays; expected 1 array, one for each result"),
                                 ("out.pb", pb((1, 2, 3), [4]), "12 bytes of raw data; expected 16"), ("out.pb", b"\x0a", ""),
                                 ("out.pb", b"", "an empty file; expected a tensor"),
                                 ("out.npy", npy((3,), (1, 2)), "8 bytes of elements; expected 12")):
            wanted = self.write(name, data)
            said = self.refused("run", f"--inputs={inputs}", f"--expect={wanted}", stdin=ONE, code=WRONG_INPUT)
            self.assertIn(f"{wanted}: error: ", said)
            self.assertIn(part, said)
        empty = self.folder / "empty"
        empty.mkdir()
        self.assertIn("has no output_0.pb", self.refused("run", f"--inputs={inputs}", f"--expect={empty}", stdin=ONE, code=WRONG_INPUT))
        self.assertIn("has no input_0.pb", self.refused("run", f"--inputs={empty}", stdin=ONE, code=WRONG_INPUT))
        self.assertIn("missing.npz", self.refused("run", f"--inputs={inputs}", "--expect=missing.npz", stdin=ONE, code=WRONG_INPUT))
        for option in ("--rtol=-1", "--rtol=x", "--atol=inf"):
            self.assertIn("expected a nonnegative number", self.refused("run", f"--expect={inputs}", option, stdin=ONE, code=WRONG_USAGE))
        self.assertIn("--expect", self.refused("run", "--rtol=1", stdin=ONE, code=WRONG_USAGE))
        self.assertIn("--print-plan does not run the program", self.refused("run", f"--expect={inputs}", "--print-plan", stdin=ONE, code=WRONG_USAGE))
        self.assertIn("--output", self.refused("run", f"--expect={wanted}", "-o", wanted, stdin=ONE, code=WRONG_USAGE))


if __name__ == "__main__":
    main()
