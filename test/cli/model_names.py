"""The names of values, weights and results in an ONNX model appear wherever the command line shows or writes them.

model_names.py TUTTI DATA_DIR
"""

import subprocess

import arrays
from driver import main, npy, npz, PASS_FAILED, TUTTI
from onnx_model import model, ModelDriver, node, tensor, value

#: relu(sqrt(x + w)) and sqrt(x + w); x = (0, 0) and the second weight give a NaN.
ROOTS = model([node("Add", ["in:0", "conv/w:0"], ["s"], "sum"), node("Sqrt", ["s"], ["roots:0"], "layer/root"), node("Relu", ["roots:0"], ["y"], "act")],
              [value("in:0", [2])], [value("roots:0", [2]), value("y", [2])], [tensor("conv/w:0", [2], [4, -9])])


class ModelNames(ModelDriver):
    def inputs(self, *numbers):
        path = self.folder / "in.npz"
        path.write_bytes(npz({"in:0": npy([len(numbers)], numbers)}))
        return f"--inputs={path}"

    def test_the_first_nan_of_a_model_is_found(self):
        path = self.model(ROOTS)
        values = self.folder / "values.npz"
        said = self.refused("run", path, self.inputs(0, 0), "--stop-at-nan", f"--trace-values=npz:{values}", code=PASS_FAILED)
        self.assertEqual(said, f"{path}: error: @main: sqrt of layer/root: element [1] is nan, and no input has a NaN (1 of 2 elements are NaN, "
                               "0 infinite; inputs from -9 to 4)\n")
        self.assertEqual(list(arrays.read(values)), ["000001-main-sum-add", "000002-main-layer_root-sqrt"])
        self.run_tutti("run", path, self.inputs(0, 10), "--stop-at-nan")
        for kernels in ("reference", "blocked"):
            self.assertEqual(self.run_tutti("run", path, self.inputs(0, 0), "--print=text", f"--kernels={kernels}")[0], "# 2 float32\n2\nnan\n" * 2)

    def test_traced_values_have_the_names_of_nodes(self):
        path, values, page = self.model(ROOTS), self.folder / "values.npz", self.folder / "page.html"
        said = self.run_tutti("run", path, self.inputs(0, 10), "--trace-values", "--passes=InferType", f"--report={page}")[1]
        self.assertEqual([line.split("  ")[0] for line in said.splitlines()[1:]], ["@main sum, add", "@main layer/root, sqrt", "@main act, nn.relu"])
        self.assertIn('@main layer/root, sqrt","(2,) float32, from 1 to 2, mean 1.5', page.read_text(encoding="utf-8"))
        self.run_tutti("run", path, self.inputs(0, 10), f"--trace-values=npz:{values}")
        self.assertEqual(arrays.read(values), {"000001-main-sum-add": ((2,), (4, 1)), "000002-main-layer_root-sqrt": ((2,), (2, 1)),
                                               "000003-main-act-nn.relu": ((2,), (2, 1))})

    def test_weights_keep_their_names(self):
        # Two names with the same text; an unnamed weight is a constant of a folded node.
        path = self.model(model([node("Add", ["x", "a:0"], ["s"]), node("Mul", ["s", "a_0"], ["t"]), node("Exp", ["x"], ["u"]), node("Add", ["t", "u"], ["y"])],
                                [value("x", [2])], [value("y", [2])], [tensor("a:0", [2], [1, 2]), tensor("a_0", [2], [3, 4])]))
        written, weights = self.folder / "m.relay", self.folder / "w.npz"
        self.run_tutti("opt", path, "-o", str(written), f"--params-out={weights}")
        self.assertEqual(arrays.read(weights), {"a:0": ((2,), (1, 2)), "a_0_1": ((2,), (3, 4))})
        self.assertIn("(%x: Tensor[(2), float32] /* ty=Tensor[(2), float32] */, %a_0: ", written.read_text(encoding="utf-8"))
        results = [self.run_tutti("run", *program, "--print=text")[0] for program in ([path], [str(written), f"--params={weights}"])]
        self.assertEqual(results[0], results[1])
        # Constants that passes make from weights have the node's name; other constants have numbers.
        path = self.model(model([node("Add", ["w", "w"], ["s"], "twice"), node("Mul", ["s", "x"], ["y"])],
                                [value("x", [2])], [value("y", [2])], [tensor("w", [2], [1, 2])]))
        self.run_tutti("opt", path, "--passes=FoldConstant", "-o", str(written), f"--params-out={weights}")
        self.assertEqual(arrays.read(weights), {"twice": ((2,), (2, 4))})
        self.run_tutti("opt", path, "--passes=FoldConstant", "-o", str(written))
        self.run_tutti("opt", str(written), "-o", "/dev/null", f"--params-out={weights}")
        self.assertEqual(arrays.read(weights), {"p0": ((2,), (2, 4))})

    def results(self, *arguments):
        out = self.folder / "out.npz"
        self.run_tutti("run", *arguments, "-o", str(out))
        return arrays.read(out)

    def test_text_made_of_a_model_keeps_the_names_of_its_results(self):
        path, inputs, written = self.model(ROOTS), self.inputs(0, 10), str(self.folder / "m.relay")
        expected = {"roots:0": ((2,), (2, 1)), "y": ((2,), (2, 1))}
        self.assertEqual(self.results(path, inputs), expected)
        attribute = ', output_tensor_names=["roots:0", "y"]) -> '
        self.assertNotIn(attribute, self.run_tutti("opt", path)[0])  # the text shows constants as the reference does
        self.assertIn(attribute, self.run_tutti("opt", path, "--show-meta-data")[0])
        for passes in ([], ["--passes=InferType,FoldConstant,FuseOps"], ["--passes=ToANormalForm,ToGraphNormalForm,SimplifyExpr,Inline"],
                       ["--passes=DeadCodeElimination,EliminateCommonSubexpr,CombineParallelDense,ConvertLayout,ToBasicBlockNormalForm"]):
            self.run_tutti("opt", path, *passes, "--opt-level=4" if passes else "--show-meta-data", "-o", written)
            with open(written, encoding="utf-8") as file:
                self.assertIn(attribute, file.read())
            self.assertEqual(self.results(written, inputs), expected)
            # So do texts made from that text, also by passes.
            self.run_tutti("opt", written, *passes, "-o", written)
            self.assertEqual(self.results(written, inputs, "--passes=InferType,FuseOps"), expected)
            self.assertEqual(self.run_tutti("compare", path, written, inputs)[0].split(";")[0], "the same: 2 results")
        self.run_tutti("opt", path, "--params-out=" + str(self.folder / "w.npz"), "-o", written)
        self.assertEqual(self.results(written, inputs, "--params=" + str(self.folder / "w.npz")), expected)

    def test_the_reproducer_of_a_bisection_keeps_the_names_of_results(self):
        path, made = self.model(ROOTS), self.folder / "made.relay"
        attribute = ', output_tensor_names=["roots:0", "y"]) -> '
        self.run_tutti("bisect", path, "--passes=InferType,FuseOps", "--check=! grep -q Primitive {}", "-o", str(made))
        self.assertIn(attribute, made.read_text(encoding="utf-8"))

    def test_results_without_names_of_their_own_get_numbers(self):
        path = self.model(model([node("Relu", ["x"], ["y"])], [value("x", [1])], [value("y", [1]), value("y", [1])]))
        inputs = self.folder / "in.npz"
        inputs.write_bytes(npz({"x": npy([1], [3])}))
        numbered = {"out_0": ((1,), (3,)), "out_1": ((1,), (3,))}
        self.assertEqual(self.results(path, f"--inputs={inputs}"), numbered)
        for names in ('["a"]', '["a", "a"]', '["a", ""]', '["a", 1]', '"a"'):
            text = f'#[version = "0.0.5"]\ndef @main(%x: Tensor[(1), float32], output_tensor_names={names}) {{ (%x, %x) }}\n'
            self.assertEqual(self.results(self.file(text), f"--inputs={inputs}"), numbered)

    def test_compare_names_results_and_values_as_the_models_do(self):
        a, inputs = self.model(ROOTS), self.inputs(5, 10)
        b = self.model(ROOTS.replace(b"roots:0", b"other:0").replace(b"Sqrt", b"Tanh"), "b.onnx")
        done = subprocess.run([TUTTI, "compare", a, b, inputs], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (PASS_FAILED, ""))
        said = done.stdout
        self.assertRegex(said, r"(?m)^result 0, roots:0 \(result 0, other:0\): element \[0\] is ")
        self.assertRegex(said, r"(?m)^result 1, y: element \[0\] is ")
        self.assertRegex(said, r"(?m)^@main act, nn.relu: element \[0\] is ")


main()
