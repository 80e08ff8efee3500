"""ONNX models on the command line, in place of any program.

models.py TUTTI DATA_DIR
"""

import struct
import subprocess
import zipfile

from driver import DONE, main, npy, npz, RELU, TUTTI, WRONG_INPUT, WRONG_USAGE
from onnx_model import field, FLOAT, INT64, model, ModelDriver, node, tensor, value

#: relu(x + w), for any batch size; its names are not valid in Relay text.
MODEL = model([node("Add", ["in:0", "w"], ["s"], "sum"), node("Relu", ["s"], ["out:0"], "relu")],
              [value("in:0", ["batch", 2])], [value("out:0", ["batch", 2])], [tensor("w", [2], [1, -3])])
MODEL_TEXT = """#[version = "0.0.5"]
def @main(%in_0: Tensor[(3, 2), float32] /* ty=Tensor[(3, 2), float32] */) -> Tensor[(3, 2), float32] {
  %0 = add(%in_0, meta[relay.Constant][0] /* ty=Tensor[(2), float32] */) /* ty=Tensor[(3, 2), float32] */;
  nn.relu(%0) /* ty=Tensor[(3, 2), float32] */
}

/* For debugging purposes the metadata section has been omitted.
 * If you would like to see the full metadata section you can set the 
 * option to `True` when invoking `astext`. 
 */
"""


class Models(ModelDriver):
    def test_a_model_is_a_program(self):
        path = self.model(MODEL)
        text, said = self.run_tutti("opt", path, "--dim=batch=3")
        self.assertEqual(text, MODEL_TEXT)
        self.assertIn("constant", said)  # a note about omitted constants
        self.assertIn("Tensor[(?, 2), float32]", self.run_tutti("opt", path)[0])
        out = self.folder / "y.npz"
        inputs = self.folder / "x.npz"
        inputs.write_bytes(npz({"in:0": npy((1, 2), (1, 4))}))
        self.run_tutti("run", path, "--dim=batch=1", f"--inputs={inputs}", "-o", str(out))
        with zipfile.ZipFile(out) as archive:
            self.assertEqual(archive.namelist(), ["out:0.npy"])
            self.assertTrue(archive.read("out:0.npy").endswith(struct.pack("<2f", 2, 1)))
        # The written text: the inputs keep their names.
        written = str(self.folder / "m.relay")
        self.run_tutti("opt", path, "--dim=batch=1", "-o", written)
        self.assertIn("\n2\n1\n", self.run_tutti("run", written, f"--inputs={inputs}", "--print=text")[0])
        for both in ([path, written], [written, path]):
            self.assertEqual(self.run_tutti("compare", *both, "--dim=batch=1"), ("the same: 1 result; on the way 0 of 2 values differ\n", ""))
        self.assertIn("%in_0", self.run_tutti("opt", path, "--passes=InferType,FoldConstant", f"--params-out={self.folder / 'w.npz'}")[0])

    def test_names_of_nodes_are_shown(self):
        path = self.model(MODEL)
        shown = self.run_tutti("opt", path, "--dim=batch=3", "--passes=InferType,FuseOps", "--show-source-names")[0]
        self.assertIn("ty=Tensor[(3, 2), float32] */ /* sum */;", shown)
        self.assertIn("/* relu */", shown)
        drawn = self.folder / "m.svg"
        self.run_tutti("opt", path, "--passes=InferType", f"--graph={drawn}")
        self.assertIn("/* sum */", drawn.read_text())

    def test_a_part_of_a_model(self):
        path, part = self.model(MODEL), str(self.folder / "part.onnx")
        # the part before, whose results are the inputs of the part after
        inputs, between = self.folder / "x.npz", self.folder / "s.npz"
        inputs.write_bytes(npz({"in:0": npy((2, 2), (1, 4, -9, 5))}))
        self.run_tutti("run", path, "--to=s", f"--inputs={inputs}", "-o", str(between))
        self.assertIn("def @main(%s: Tensor[(3, 2), float32]", self.run_tutti("opt", path, "--from=s", "--dim=batch=3")[0])
        self.run_tutti("opt", path, "--from=s", "-o", part)
        whole, after = (self.run_tutti("run", program, f"--inputs={values}", "--print=text")[0]
                        for program, values in ((path, inputs), (part, between)))
        self.assertEqual(whole, after)
        self.assertIn("\n  s: (?, 2) float\noutputs:\n  out:0: ", self.run_tutti("check", part)[0])
        self.run_tutti("opt", path, "--to=s", "-o", part)
        self.assertIn("\n  in:0 (%in_0): (batch, 2) float\noutputs:\n  s: ", self.run_tutti("check", part)[0])
        self.assertIn("value `out:1`: the model has no such value; did you mean `out:0`?", self.refused("run", path, "--to=s,out:1", code=WRONG_INPUT))
        self.assertIn("--from and --to are for models", self.refused("run", "--from=s", stdin=RELU, code=WRONG_USAGE))

    def test_a_model_from_standard_input(self):
        done = subprocess.run([TUTTI, "opt", "--dim=batch=3"], input=MODEL, capture_output=True, check=False)
        self.assertEqual(done.returncode, DONE)
        self.assertEqual(done.stdout.decode(), MODEL_TEXT)

    def test_check_lists_what_a_model_has(self):
        self.assertEqual(self.run_tutti("check", self.model(MODEL))[0],
                         "opset 13, written by models.py\ninputs:\n  in:0 (%in_0): (batch, 2) float\noutputs:\n  out:0: (batch, 2) float\n"
                         "operators:\n     1 Add\n     1 Relu\n")

    def test_what_cannot_be_imported_is_listed(self):
        path = self.model(model([node("Relu", ["x"], ["a"]), node("Nonsense", ["a"], ["b"], "n1"), node("Nonsense", ["b"], ["y"], "n2")],
                                [value("x", [2])], [value("y", [2])]))
        done = subprocess.run([TUTTI, "check", path], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, WRONG_INPUT)
        self.assertTrue(done.stdout.endswith("     2 Nonsense: cannot be imported, as in `n1`\n     1 Relu\n"))
        self.assertIn(f"{path}: error: operators that cannot be imported: Nonsense (2 nodes: `n1`, `n2`)", done.stderr)
        self.assertEqual(self.refused("opt", path, code=WRONG_INPUT), done.stderr)

    def test_wrong_dimensions(self):
        path = self.model(MODEL)
        for option in ("--dim=batch", "--dim==3", "--dim=batch=x", "--dim=batch=-1"):
            self.assertIn("expected NAME=N, as in batch=1", self.refused("opt", path, option, code=WRONG_USAGE))
        self.assertIn("btch", self.refused("opt", path, "--dim=btch=1", code=WRONG_INPUT))
        self.assertEqual(self.run_tutti("opt", "--dim=batch=1", stdin=RELU)[1], "<stdin>: note: is not a model, so --dim has no effect\n")

    def test_errors_name_the_dimensions_that_are_open(self):
        path = self.model(MODEL)
        said = f"{path}: error: parameter %in_0: is of type Tensor[(?, 2), float32]; expected a tensor of known shape, as with --dim=batch=SIZE"
        for command in ("run", path), ("compare", path, path):
            self.assertEqual(self.refused(*command, code=WRONG_INPUT), said + ", or --inputs=FILE\n")
        for command in ("bisect", "reduce"):
            self.assertIn(said.split("error: ")[1], self.refused(command, path, "--passes=InferType", "--check=numerics", code=WRONG_INPUT))
        # no switch without a name
        nameless = self.model(MODEL.replace(b"\x12\x05batch", b"\x1a\x05other"), "nameless.onnx")
        self.assertIn("expected a tensor of known shape, or --inputs=FILE\n", self.refused("run", nameless, code=WRONG_INPUT))
        half = model([node("Resize", ["x", "", "s"], ["y"], "half")], [value("x", [1, 2, "height", "width"])], [value("y", [])], [tensor("s", [4], [1, 1, 0.5, 1])])
        path = self.model(half)
        for command in ("run", "opt"):
            self.assertEqual(self.refused(command, path, "--dim=width=4", code=WRONG_INPUT),
                             f"{path}: error: node `half` (Resize): the size of axis 2 is not known; expected a size for dimension `height` by --dim=NAME=SIZE\n")
        self.assertIn("expected `height`, `width`", self.refused("run", path, "--dim=heigth=4", code=WRONG_INPUT))
        self.run_tutti("run", path, "--dim=width=4", "--dim=height=6")

    def test_sizes_that_are_not_known_give_the_same(self):
        def ints(name, values):
            return field(5, field(1, name) + field(20, 7) + b"".join(field(8, v) for v in values))

        def flag(name):
            return field(5, field(1, name) + field(20, 2) + field(3, 1))

        def floats(shape):
            count = 1
            for each in shape:
                count *= each
            return npy(shape, [(7 * i) % 11 - 4 for i in range(count)])

        pads = ints("kernel_shape", (1, 3)) + ints("strides", (3, 2)) + ints("pads", (1, 1, 0, 2)) + flag("ceil_mode")
        scales = tensor("s", [4], [1, 1, 2, 3])
        for made, shapes, initial in (
                (node("MaxPool", ["a"], ["y"]) + pads, [(1, 2, 4, 5)], ()),
                (node("AveragePool", ["a"], ["y"]) + pads, [(1, 2, 4, 5)], ()),
                (node("AveragePool", ["a"], ["y"]) + pads + flag("count_include_pad"), [(1, 2, 5, 6)], ()),
                (node("Resize", ["a", "", "s"], ["y"]), [(1, 2, 2, 3)], (scales,)),
                (node("MatMul", ["a", "b"], ["y"]), [(2, 1, 3, 4), (5, 4, 2)], ()),
                (node("MatMul", ["a", "b"], ["y"]), [(3, 4), (2, 1, 4, 2)], ())):
            names = "ab"[:len(shapes)]
            inputs = self.folder / "x.npz"
            inputs.write_bytes(npz({name: floats(shape) for name, shape in zip(names, shapes)}))
            found = []
            for known in (True, False):
                given = [value(name, shape if known else [f"{name}{i}" for i in range(len(shape))]) for name, shape in zip(names, shapes)]
                path = self.model(model([made], given, [value("y", [])], initial))
                found.append(self.run_tutti("run", path, f"--inputs={inputs}", "--print=text")[0])
            # From standard input, which is read too late to determine the sizes.
            open_sizes = subprocess.run([TUTTI, "run", path, "--inputs=-", "--print=text"], input=inputs.read_bytes(), capture_output=True,
                                        check=True)
            self.assertEqual(found, [open_sizes.stdout.decode()] * 2)

    def test_a_squeeze_that_asks_for_the_size_runs_with_any(self):
        # In the form that exporters write: If(shape[1] == 1, Squeeze, Identity).
        def branch(nodes, output):
            return b"".join(field(1, n) for n in nodes) + field(2, output) + field(12, field(1, output) + field(2, field(1, field(1, FLOAT))))

        def graph(name, data):
            return field(5, field(1, name) + field(20, 5) + field(6, data))

        def number(name, values, shape):
            dims = b"".join(field(1, d) for d in shape)
            return dims + field(2, INT64) + field(8, name) + field(9, struct.pack(f"<{len(values)}q", *values))

        then = branch([node("Squeeze", ["x", "axes"], ["then"])], "then")
        otherwise = branch([node("Identity", ["x"], ["else"])], "else")
        path = self.model(model(
            [node("Shape", ["x"], ["shape"]), node("Gather", ["shape", "one"], ["size"]), node("Equal", ["size", "one"], ["is_one"]),
             node("If", ["is_one"], ["z"]) + graph("then_branch", then) + graph("else_branch", otherwise), node("Relu", ["z"], ["y"])],
            [value("x", ["n", "m", 2])], [value("y", [])], [number("one", [1], []), number("axes", [1], [1])]))
        inputs = self.folder / "x.npz"
        for size, shape in ((1, "3,2"), (2, "3,2,2")):
            inputs.write_bytes(npz({"x": npy((3, size, 2), range(6 * size))}))
            for more in ((), (f"--dim=m={size}",)):
                lines = self.run_tutti("run", path, f"--inputs={inputs}", "--print=text", *more)[0].splitlines()
                self.assertEqual(lines, [f"# {shape} float32"] + [str(i) for i in range(6 * size)])
            self.assertEqual(self.run_tutti("compare", path, path, f"--inputs={inputs}")[0].partition(":")[0], "the same")

    def test_import_takes_no_more_than_its_limits(self):
        # A state of zeros for each of many rows.
        size = field(5, field(1, "hidden_size") + field(20, 2) + field(3, 1))
        large = model([node("RNN", ["x", "w", "w"], ["y"]) + size], [value("x", [1, 1000, 1])], [value("y", [1, 1, 1000, 1])],
                      [tensor("w", [1, 1, 1], [1])])
        nodes = [node("Celu", [f"{i}"], [f"{i + 1}"]) for i in range(40)]
        long = model(nodes, [value("0", [1])], [value("40", [1])])
        for data, option, what in ((large, "--max-import-bytes", "more than 1,"), (long, "--max-import-work", "more than 1,000 steps of import")):
            path = self.model(data)
            for command in ("check", "opt", "run"):
                self.run_tutti(command, path, option + "=10000000")
                said = subprocess.run([TUTTI, command, path, option + "=1000"], capture_output=True, text=True, check=False)
                self.assertEqual(said.returncode, WRONG_INPUT)
                self.assertIn(what, said.stderr)
                self.assertTrue(said.stderr.endswith(f"; expected no more, or a larger {option}\n"), msg=said.stderr)
        self.assertIn("--max-import-work", self.refused("opt", path, "--max-import-work=-1", code=WRONG_USAGE))

    def test_wrong_models(self):
        two = [value("x", [2])], [value("y", [2])]
        outside = tensor("w", [2], None, field(13, field(1, "location") + field(2, "../w.bin")) + field(14, 1))
        absent = outside.replace(b"../w.bin", b"sub_w.bin"[:8])
        for data, what in (
                (b"def @main() { 1 }", "is not an ONNX model"),
                (MODEL[:100], "byte "),
                (b"\x08", "byte "),
                (b"\x08\x07", "has no graph"),
                (model([node("Relu", ["x"], ["y"])], *two, opset=-1), "version -1"),
                (model([node("Relu", ["z"], ["y"])], *two), "`z`"),
                (model([node("Relu", ["y"], ["y"])], *two), "`y`"),
                (model([node("Relu", ["x"], ["y"]), node("Abs", ["x"], ["y"])], *two), "`y`"),
                (model([node("Add", ["x", "w"], ["y"])], *two, [tensor("w", [2], [1, 2, 3])]), "12 bytes of raw data; expected 8"),
                (model([node("Add", ["x", "w"], ["y"])], *two, [tensor("w", [3], [1, 2, 3])]), "Add"),
                (model([node("Add", ["x", "w"], ["y"])], *two, [outside]), "../w.bin"),
                (model([node("Add", ["x", "w"], ["y"])], *two, [absent]), "sub_w.bi")):
            path = self.model(data)
            said = self.refused("opt", path, "-o", str(self.folder / "out.relay"), code=WRONG_INPUT)
            self.assertTrue(said.startswith(f"{path}: error: "), msg=said)
            self.assertIn(what, said)
            self.assertFalse((self.folder / "out.relay").exists())

    def test_external_data_lies_in_the_models_folder(self):
        beside = tensor("w", [2], None, b"".join(field(13, field(1, key) + field(2, text)) for key, text in (
            ("location", "w.bin"), ("offset", "4"), ("length", "8"))) + field(14, 1))
        path = self.model(model([node("Add", ["x", "w"], ["y"])], [value("x", [2])], [value("y", [2])], [beside]))
        (self.folder / "w.bin").write_bytes(struct.pack("<3f", 9, 10, 20))
        inputs = self.folder / "x.npz"
        inputs.write_bytes(npz({"x": npy((2,), (1, 2))}))
        self.assertIn("\n11\n22\n", self.run_tutti("run", path, f"--inputs={inputs}", "--print=text")[0])
        (self.folder / "w.bin").write_bytes(struct.pack("<2f", 9, 10))
        self.assertIn("w.bin", self.refused("run", path, code=WRONG_INPUT))

    def test_a_model_is_bisected_and_reduced(self):
        path = self.model(MODEL)
        out = self.run_tutti("bisect", path, "--dim=batch=2", "--passes=InferType,FuseOps", "--check=! grep -q Primitive {}")[0]
        self.assertTrue(out.startswith("pass 3 of 4: FuseOps\n"), msg=out)
        out = self.run_tutti("reduce", path, "--dim=batch=2", "--passes=InferType,FuseOps", "--check=! grep -q Primitive {}")[0]
        self.assertIn("def @main", out)


main()
