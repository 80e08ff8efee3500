"""tutti opt -o FILE.onnx and --simplify: programs written as ONNX models."""

import os
from pathlib import Path

from driver import WRONG_INPUT, WRONG_USAGE, Driver, main, npy, npz

LAYER = """#[version = "0.0.5"]
def @main(%x: Tensor[(1, 2, 4, 4), float32], %w: Tensor[(3, 2, 3, 3), float32], %b: Tensor[(3), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1], channels=3, kernel_size=[3, 3]);
  %1 = nn.bias_add(%0, %b);
  nn.relu(%1)
}
"""
NORMALISED = """#[version = "0.0.5"]
def @main(%x: Tensor[(1, 2, 4, 4), float32]) {
  %0 = nn.conv2d(%x, ones(shape=[3, 2, 1, 1], dtype="float32"), padding=[0, 0, 0, 0], channels=3, kernel_size=[1, 1]);
  %1 = nn.batch_norm(%0, ones(shape=[3], dtype="float32"), ones(shape=[3], dtype="float32"), zeros(shape=[3], dtype="float32"),
                     ones(shape=[3], dtype="float32"));
  %2 = %1.0;
  (nn.relu(%2), nn.relu(%2))
}
"""


class WrittenModels(Driver):
    def path(self, name):
        return str(self.folder / name)

    def test_a_program_becomes_a_model_that_computes_the_same(self):
        model = self.path("layer.onnx")
        self.assertEqual(self.run_tutti("opt", "-o", model, stdin=LAYER), ("", ""))
        self.assertIn("the same", self.run_tutti("compare", "-", model, stdin=LAYER)[0])
        said = self.run_tutti("opt", model)[0]
        self.assertIn("def @main(%x: Tensor[(1, 2, 4, 4), float32]", said)
        self.assertIn("nn.bias_add", said)  # which is the convolution's third input
        # the names of inputs and results stay, also through a second writing
        named = LAYER.replace("%b: Tensor[(3), float32]) {", '%b: Tensor[(3), float32], output_tensor_names=["y"]) {')
        self.run_tutti("opt", "-o", model, stdin=named)
        again = self.path("again.onnx")
        self.run_tutti("opt", model, "-o", again)
        text = self.run_tutti("opt", again, "-o", "/dev/stdout")[0]
        self.assertIn('output_tensor_names=["y"]', text)

    def test_versions_and_constants_beside_the_model(self):
        model = self.path("layer.onnx")
        self.run_tutti("opt", "--opset=21", "-o", model, stdin=LAYER)
        self.assertIn("opset 21", self.run_tutti("check", model)[0])
        weights = self.folder / "w.npz"
        wide = LAYER.replace("(3, 2, 3, 3)", "(300, 2, 3, 3)").replace("(3)", "(300)").replace("channels=3", "channels=300")
        weights.write_bytes(npz({"w": npy((300, 2, 3, 3), [i % 7 for i in range(5400)]), "b": npy((300,), range(300))}))
        outside = self.path("outside.onnx")
        self.run_tutti("opt", f"--params={weights}", "--external-data", "-o", outside, stdin=wide)
        self.assertGreater(os.path.getsize(outside + ".data"), 5400 * 4)
        self.assertLess(os.path.getsize(outside), 2000)
        inside = self.path("inside.onnx")
        self.run_tutti("opt", f"--params={weights}", "-o", inside, stdin=wide)
        self.assertIn("the same", self.run_tutti("compare", inside, outside)[0])
        again = self.path("again.onnx")
        self.assertIn("note: checked: the model computes the same", self.run_tutti("opt", outside, "--simplify", "--external-data", "-o", again)[1])
        self.assertGreater(os.path.getsize(again + ".data"), 5400 * 4)

    def test_what_is_refused(self):
        model = self.path("m.onnx")
        self.assertEqual(self.refused("opt", "--opset=16", "-o", model, stdin=LAYER, code=WRONG_USAGE),
                         "tutti opt: error: --opset: `16` is not valid; expected a whole number from 17 to 28; `tutti opt --help` shows the usage\n")
        self.assertEqual(self.refused("opt", "--opset=18", stdin=LAYER, code=WRONG_USAGE),
                         "tutti opt: error: --opset and --external-data are for models; expected -o FILE.onnx\n")
        self.assertEqual(self.refused("opt", "--simplify", "--passes=InferType", "-o", model, stdin=LAYER, code=WRONG_USAGE),
                         "tutti opt: error: both --simplify and --passes are given; expected one of them\n")
        foreign = LAYER.replace("nn.relu(%1)", "vision.yolo_reorg(vision.yolo_reorg(%1, stride=2), stride=1)")
        said = self.refused("opt", "-o", model, stdin=foreign, code=WRONG_INPUT)
        self.assertEqual(said, "<stdin>: error: cannot be written as ONNX: vision.yolo_reorg (2 times): ONNX has no such operator\n")
        self.assertFalse(os.path.exists(model))
        self.run_tutti("opt", "-o", model, stdin=LAYER)
        before = Path(model).read_bytes()
        self.refused("opt", "-o", model, stdin=foreign, code=WRONG_INPUT)
        self.assertEqual(Path(model).read_bytes(), before)
        self.assertEqual(self.refused("opt", model, "-o", model, code=WRONG_USAGE),
                         f"tutti opt: error: --output: {model} is an input; expected another file\n")
        self.refused("opt", "-o", self.path("no/such/folder.onnx"), stdin=LAYER, code=WRONG_INPUT)

    def test_simplify_folds_and_checks(self):
        model, simple = self.path("m.onnx"), self.path("simple.onnx")
        self.run_tutti("opt", "-o", model, stdin=NORMALISED)
        said = self.run_tutti("opt", model, "--simplify", "-o", simple)[1]
        self.assertRegex(said, r"\nBatchNormalization +1 +0\n")
        self.assertRegex(said, r"\nRelu +2 +1\n")
        self.assertIn("tutti opt: note: checked: the model computes the same results for synthetic inputs\n", said)
        null = self.path("null.onnx")
        os.symlink("/dev/null", null)
        self.assertIn("note: checked: the model", self.run_tutti("opt", model, "--simplify", "-o", null)[1])
        self.assertEqual(self.run_tutti("opt", model, "--simplify", "--quiet", "-o", simple), ("", ""))
        self.assertNotIn("checked", self.run_tutti("opt", model, "--simplify", "--no-check", "-o", simple)[1])
        self.assertIn("the same", self.run_tutti("compare", model, simple)[0])

    def test_open_sizes_are_bound_by_an_input_s_shape(self):
        model, simple = self.path("m.onnx"), self.path("simple.onnx")
        self.run_tutti("opt", "-o", model, stdin=LAYER.replace("%x: Tensor[(1, 2, 4, 4)", "%x: Tensor[(?, 2, ?, ?)"))
        self.assertIn("not checked: parameter %x: is of type Tensor[(?, 2, ?, ?), float32]",
                      self.run_tutti("opt", model, "--simplify", "-o", simple)[1])
        self.assertIn("note: checked", self.run_tutti("opt", model, "--simplify", "--input-shape=x:1,2,5,5", "-o", simple)[1])
        self.assertIn("%x: Tensor[(1, 2, 5, 5), float32]", self.run_tutti("opt", simple)[0])
        for wrong in ("x", ":1,2", "x:1,,2", "x:1,-2", "x:1,2,"):
            self.assertEqual(self.refused("opt", model, f"--input-shape={wrong}", code=WRONG_USAGE),
                             f"tutti: error: --input-shape: `{wrong}` is not valid; expected NAME:N,N, as in x:1,3,224,224\n")


main()
