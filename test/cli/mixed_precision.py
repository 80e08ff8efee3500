"""tutti precision, and how `compare` treats programs in mixed precision."""

import subprocess

from driver import main, npy, npz, PASS_FAILED, TUTTI, WRONG_INPUT, WRONG_USAGE
from onnx_model import model, ModelDriver, node, tensor, value

#: float16 cannot hold the sum.
CANCELLING = """#[version = "0.0.5"]
def @main(%x: Tensor[(1, 2), float32], %w: Tensor[(2, 2), float32]) {
  %0 = nn.dense(%x, %w, units=2);
  %1 = subtract(add(%0, 20000f), 20000f);
  abs(%1)
}
"""
NETWORK = model([node("Gemm", ["x", "w"], ["p"], "product"), node("Mul", ["p", "big"], ["q"], "large"), node("Mul", ["q", "small"], ["y"], "back")],
                [value("x", ["n", 2])], [value("y", ["n", 2])],
                [tensor("w", [2, 2], [1, 2, 3, 4]), tensor("big", [1], [1e6]), tensor("small", [1], [1e-6])])


class Precision(ModelDriver):
    def sample(self, values, name="in.npz"):
        path = self.folder / name
        path.write_bytes(npz({"x": npy((len(values) // 2, 2), values)}))
        return str(path)

    def test_keeps_what_the_tolerance_needs(self):
        out, told = self.run_tutti("precision", stdin=CANCELLING)
        self.assertIn('nn.dense(%0, %1, units=2, out_dtype="float16")', out)
        self.assertRegex(told, r"^tutti precision: note: 1 of 4 calls must stay in float32, found by \d+ evaluations of the samples\n"
                               r"  add 4:17\nresult 0: .*\n$")

    def test_everything_in_float16(self):
        out, told = self.run_tutti("precision", "--tolerance=1e9", stdin=CANCELLING)
        self.assertIn("add(%2, 20000f16 /* ty=float16 */)", out)
        self.assertIn("0 of 4 calls must stay in float32, found by 1 evaluation of the samples\n", told)
        self.assertIn("as passes: InferType,ToMixedPrecision\n", told)

    def test_a_model_with_named_nodes(self):
        inputs = self.sample([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
        made = str(self.folder / "out.onnx")
        path = self.model(NETWORK)
        out, told = self.run_tutti("precision", path, "--inputs=" + inputs, "-o", made)
        self.assertEqual(out, "")
        self.assertIn("\n  large (multiply)\n", told)
        passes = told.rsplit("as passes: ", 1)[1].strip()
        self.assertEqual(passes, "InferType,ToMixedPrecision{keep=[large]}")
        self.assertIn("the same: 1 result", self.run_tutti("compare", path, made, "--inputs=" + inputs, "--tolerance=0.01")[0])
        # The same pass, in place of the search.
        said = self.run_tutti("compare", path, "--passes=" + passes, "--inputs=" + inputs, "--tolerance=0.01")[0]
        self.assertIn("the same: 1 result", said)

    def test_several_samples(self):
        files = [self.sample([1.0, 2.0], "a.npz"), self.sample([100.0, 200.0], "b.npz")]
        told = self.run_tutti("precision", self.model(NETWORK), "--inputs=" + ",".join(files), "--type=bfloat16")[1]
        self.assertIn("calls must stay in float32", told)
        told = self.run_tutti("precision", "--samples=3", "--seed=7", stdin=CANCELLING)[1]
        self.assertIn("1 of 4 calls", told)

    def test_calls_to_keep(self):
        out, told = self.run_tutti("precision", "--keep=nn.dense", stdin=CANCELLING)
        self.assertNotIn('out_dtype="float16"', out)
        self.assertIn(" of 3 calls", told)

    def test_integers_stay(self):
        told = self.run_tutti("precision", stdin="def @main(%x: Tensor[(2), int32]) { add(%x, %x) }")[1]
        self.assertIn("0 of 1 call must stay", told)

    def test_wrong_use(self):
        for said, arguments in {
            "--tolerance: `-1` is not valid; expected a nonnegative number": ["--tolerance=-1"],
            "--type: int8 not in {float16,bfloat16}": ["--type=int8"],
            "--opset and --external-data are for models; expected -o FILE.onnx": ["--opset=20"],
            "only one of the program and the inputs can be standard input": ["--inputs=-"],
        }.items():
            self.assertIn(said, self.refused("precision", *arguments, stdin=CANCELLING, code=WRONG_USAGE))
        self.refused("precision", "--inputs=" + self.file("", "e.npz"), stdin=CANCELLING, code=WRONG_INPUT)


class Compare(ModelDriver):
    def test_results_keep_their_types(self):
        small = CANCELLING.replace("20000f", "2f")
        said = self.run_tutti("compare", "-", "--passes=InferType,ToMixedPrecision", "--tolerance=0.1", stdin=small)[0]
        self.assertIn("the same: 1 result", said)
        done = subprocess.run([TUTTI, "compare", "-", "--passes=InferType,ToMixedPrecision", "--config=relay.ToMixedPrecision.keep_orig_output_dtype=False"],
                              input=small, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, PASS_FAILED)
        self.assertIn("float16", done.stdout)


if __name__ == "__main__":
    main()
