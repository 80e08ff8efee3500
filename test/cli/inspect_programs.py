"""tutti inspect: what programs hold and cost."""

import json

from driver import main, npy, npz, RELU, WRONG_INPUT, WRONG_USAGE
from onnx_model import field, model, ModelDriver, node, tensor, value

DENSE = """#[version = "0.0.5"]
def @main(%x: Tensor[(3, 5), float32]) {
  %0 = nn.dense(%x, ones(shape=[7, 5], dtype="float32"), units=7);
  nn.relu(%0)
}
"""
ADD = model([node("Add", ["x", "w"], ["s"], "sum"), node("Relu", ["s"], ["y"], "act")], [value("x", ["n", 2])], [value("y", ["n", 2])],
            [tensor("w", [2], [1, -3])])


class Inspect(ModelDriver):
    def test_counts_by_operator(self):
        self.assertEqual(self.run_tutti("inspect", stdin=DENSE), ("""<stdin>
  input x: Tensor[(3, 5), float32]
  result: Tensor[(3, 7), float32]

operator  calls  parameters  bytes  multiply-accumulates  result bytes
nn.dense      1          35    140                   105            84
nn.relu       1           0      0                     0            84
all           2          35    140                   105           168
values alive at once: at most 224 bytes
""", ""))

    def test_layers_have_places_or_names(self):
        said = self.run_tutti("inspect", "--layers", stdin=DENSE)[0]
        self.assertRegex(said, r"main 3:8 +nn.dense +Tensor\[\(3, 7\), float32\] +35 +140 +105 +84\n")
        said = self.run_tutti("inspect", "--layers", "--dim=n=4", self.model(ADD))[0]
        self.assertRegex(said, r"sum +add +Tensor\[\(4, 2\), float32\] +2 +8 +0 +32\nact +nn.relu ")

    def test_open_sizes(self):
        said = self.run_tutti("inspect", self.model(ADD))[0]
        self.assertRegex(said, r"add +1 +2 +8 +\? +\?\n")
        self.assertTrue(said.endswith("without 2 calls of unknown size\nvalues alive at once: unknown\n"))

    def test_no_operators_need_no_memory(self):
        lines = self.run_tutti("inspect", stdin="def @main(%x: Tensor[(2), float32]) { %x }")[0].splitlines()
        self.assertEqual(lines[-1], "values alive at once: at most 0 bytes")

    def test_a_model_tells_what_it_is(self):
        more = field(3, "2.1") + field(5, 7) + field(6, "A sum.") + field(14, field(1, "author") + field(2, "me"))
        said = self.run_tutti("inspect", self.model(ADD + more))[0]
        for part in ("opset ai.onnx: 13", "producer: models.py", "producer_version: 2.1", "model_version: 7", "documentation: A sum.",
                     "metadata author: me", "graph: g", "input x: Tensor[(?, 2), float32]", "result y: Tensor[(?, 2), float32]"):
            self.assertIn(f"\n  {part}\n", said)

    def test_several_files_as_json(self):
        found = json.loads(self.run_tutti("inspect", "--json", self.model(ADD), self.file(DENSE))[0])
        self.assertEqual(len(found), 2)
        self.assertEqual(found[0]["model"]["opsets"], {"ai.onnx": 13})
        self.assertEqual(found[0]["total"]["calls_of_unknown_size"], 2)
        self.assertIsNone(found[0]["peak_bytes"])
        self.assertEqual(found[1]["total"],
                         {"calls": 2, "parameters": 35, "parameter_bytes": 140, "multiply_accumulates": 105, "result_bytes": 168})
        self.assertEqual([layer["operator"] for layer in found[1]["layers"]], ["nn.dense", "nn.relu"])

    def test_parameters_from_a_file(self):
        text = DENSE.replace('ones(shape=[7, 5], dtype="float32")', "%w").replace("float32]) {", "float32], %w: Tensor[(7, 5), float32]) {")
        weights = self.folder / "w.npz"
        weights.write_bytes(npz({"w": npy((7, 5), [0.5] * 35)}))
        self.assertRegex(self.run_tutti("inspect", stdin=text)[0], r"nn.dense +1 +0 +0 +105 ")
        self.assertRegex(self.run_tutti("inspect", f"--params={weights}", stdin=text)[0], r"nn.dense +1 +35 +140 +105 ")

    def test_many_inputs_are_cut_short(self):
        text = "def @main(" + ", ".join(f"%x{i}: Tensor[(1), float32]" for i in range(20)) + ") { nn.relu(%x0) }"
        self.assertIn("input x11: Tensor[(1), float32]\n  and 8 more inputs\n", self.run_tutti("inspect", stdin=text)[0])

    def test_wrong_programs(self):
        self.assertIn("<stdin>: error: ", self.refused("inspect", stdin="def @f() { 1 }", code=WRONG_INPUT))
        self.assertIn("no-such-file", self.refused("inspect", "no-such-file", code=WRONG_INPUT))
        self.assertIn("more than once", self.refused("inspect", "-", "-", stdin=RELU, code=WRONG_USAGE))


if __name__ == "__main__":
    main()
