"""Indices in ONNX models: an index out of range is an error at run time, a negative one counts from the end.

indices.py TUTTI DATA_DIR
"""

import struct

from driver import main, npy, npz, WRONG_INPUT
from onnx_model import field, INT64, model, ModelDriver, node, tensor, value

#: Shapes of the data (0 to 5), of the indices, and of the updates. The last index is varied.
OPERATORS = {
    "Gather": ([6], [2], None),
    "GatherElements": ([6], [2], None),
    "GatherND": ([6], [2, 1], None),
    "Scatter": ([6], [2], [2]),
    "ScatterElements": ([6], [2], [2]),
    "ScatterND": ([6], [2, 1], [2]),
}


class Indices(ModelDriver):
    def command(self, op, last, constant):
        """Returns the command for an operator with the indices 1 and `last`, as constants or as inputs."""
        shape, of_indices, of_updates = OPERATORS[op]
        inputs, given, tensors = [value("x", shape)], {"x": npy(shape, range(6))}, []
        if constant:
            dims = b"".join(field(1, d) for d in of_indices)
            tensors.append(dims + field(2, INT64) + field(8, "i") + field(9, struct.pack("<2q", 1, last)))
        else:
            inputs.append(value("i", of_indices, INT64))
            given["i"] = npy(of_indices, (1, last), "<i8")
        if of_updates:
            inputs.append(value("u", of_updates))
            given["u"] = npy(of_updates, (70, 80))
        names = ["x", "i", "u"][:3 if of_updates else 2]
        archive = self.folder / "in.npz"
        archive.write_bytes(npz(given))
        data = model([node(op, names, ["y"], "chooser")], inputs, [value("y", of_updates or [2])], tensors, opset=10 if op == "Scatter" else 13)
        return ["run", self.model(data), f"--inputs={archive}", "--print=text"]

    def each(self):
        for op in OPERATORS:
            for constant in (False, True):
                for more in ([], ["--kernels=reference"], ["--passes=InferType,SimplifyExpr,FoldConstant,FuseOps", "--opt-level=4"]):
                    with self.subTest(op=op, constant=constant, more=more):
                        yield op, constant, more

    def test_out_of_range_is_an_error(self):
        for op, constant, more in self.each():
            for wrong in (6, -7, 1 << 40, -(1 << 62)):
                said = self.refused(*self.command(op, wrong, constant), *more, code=WRONG_INPUT)
                self.assertRegex(said, r"(?m)^\S+m\.onnx: error: .*(index|indices|place)")

    def test_synthetic_indices_out_of_range_are_said_to_be_synthetic(self):
        path = self.model(model([node("Gather", ["x", "i"], ["y"])], [value("x", [1]), value("i", [50], INT64)], [value("y", [50])]))
        note = "tutti: note: the inputs are synthetic, integers from 0 to 15; use --inputs=FILE for others\n"
        said = self.refused("run", path, code=WRONG_INPUT)
        self.assertIn("index ", said)
        self.assertTrue(said.endswith("\n" + note), msg=said)
        self.assertNotIn("synthetic", self.refused(*self.command("Gather", 6, False), code=WRONG_INPUT))

    def test_negative_indices_count_from_the_end(self):
        for op, constant, more in self.each():
            for last in (0, 5, -1, -6):
                at = last % 6
                changed = [70 if i == 1 else 80 if i == at else i for i in range(6)]
                expected = changed if OPERATORS[op][2] else [1, at]
                self.assertEqual([float(line) for line in self.run_tutti(*self.command(op, last, constant), *more)[0].splitlines()[1:]], expected)


main()
