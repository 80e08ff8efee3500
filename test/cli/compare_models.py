"""`tutti compare` of two ONNX models matches intermediate values by the models' names, then by structure.

compare_models.py TUTTI DATA_DIR
"""

import random
import subprocess

from driver import DONE, main, PASS_FAILED, TUTTI
from onnx_model import model, ModelDriver, node, tensor, value

LAYERS = 5


def weights(layer, count):
    return [((7 * i + 5 * layer) % 11 - 4) / 4 for i in range(count)]


def network(prefix, extra=None, named=True, backwards=False):
    """Five layers of product, sum and function. All names begin with the prefix. `extra` is the operator of a further
    node after the second layer. `backwards` reverses the order of nodes."""
    nodes, tensors, x = [], [], prefix + "x"
    for i in range(LAYERS):
        name = lambda what: f"{prefix}{what}{i}"
        label = (lambda what: f"{prefix}layer{i}/{what}") if named else lambda what: ""
        tensors += [tensor(name("w"), [3], weights(i + 2, 3)), tensor(name("b"), [3], weights(i, 3))]
        nodes += [node("Mul", [x, name("w")], [name("m")], label("product")), node("Add", [name("m"), name("b")], [name("s")], label("sum")),
                  node("Tanh", [name("s")], [name("t")], label("tanh"))]
        x = name("t")
        if extra and i == 1:
            nodes.append(node(extra, [x], [prefix + "more"], prefix + "more" if named else ""))
            x = prefix + "more"
    if backwards:
        nodes.reverse()
        tensors.reverse()
    return model(nodes, [value(prefix + "x", [2, 3])], [value(x, [2, 3])], tensors)


class CompareModels(ModelDriver):
    def last_line(self, a, b, code):
        done = subprocess.run([TUTTI, "compare", self.model(a, "a.onnx"), self.model(b, "b.onnx")], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (code, ""), msg=done.stdout)
        return done.stdout.splitlines()[-1]

    def test_one_network_exported_twice(self):
        for a, b in ((network("a/"), network("b.")), (network(""), network("", named=False)), (network("a/"), network("b.", backwards=True)),
                     (network("a/", extra="Tanh"), network("b.", extra="Tanh", named=False))):
            values = 15 + (b.count(b"more") != 0)
            self.assertEqual(self.last_line(a, b, DONE), f"the same: 1 result; on the way 0 of {values} values differ")

    def test_a_node_more_in_the_middle(self):
        # Everything after it differs, nothing before it. Tries another operator, and the operator of its neighbour.
        for extra in ("Neg", "Tanh"):
            for prefix, named in (("", True), ("b.", True), ("b.", False)):
                small, large = network(""), network(prefix, extra, named)
                with self.subTest(extra=extra, prefix=prefix, named=named):
                    self.assertEqual(self.last_line(small, large, PASS_FAILED),
                                     "not the same: 1 of 1 result; on the way 9 of 15 values differ; 1 value of the second program not found in the first")
                    self.assertEqual(self.last_line(large, small, PASS_FAILED), "not the same: 1 of 1 result; on the way 9 of 15 values differ")

    def test_a_wrong_weight_is_found_where_it_is(self):
        good = deep()
        for layer in range(DEEP):
            bad = deep(wrong=layer)
            done = subprocess.run([TUTTI, "compare", self.model(good, "a.onnx"), self.model(bad, "b.onnx"), "--tolerance=0", "--show=1"],
                                  capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (PASS_FAILED, ""), msg=done.stdout)
            lines = done.stdout.splitlines()
            first = lines[lines.index("values on the way, as they are computed:") + 1]
            self.assertTrue(first.startswith(f"@main layer{layer}, "), msg=f"{layer}: {first}")


DEEP, WIDTH = 20, 8


def deep(wrong=None):
    """Twenty dense layers; a weight of one may be wrong by a fifth."""
    nodes, tensors, x = [], [], "x"
    drawn = random.Random(1)
    for i in range(DEEP):
        values = [drawn.uniform(-0.5, 0.5) for _ in range(WIDTH * WIDTH)]
        if i == wrong:
            values[5 * i % len(values)] *= 1.2
        tensors.append(tensor(f"w{i}", [WIDTH, WIDTH], values))
        nodes += [node("MatMul", [x, f"w{i}"], [f"m{i}"], f"layer{i}"), node("Tanh", [f"m{i}"], [f"t{i}"], f"tanh{i}")]
        x = f"t{i}"
    return model(nodes, [value("x", [3, WIDTH])], [value(x, [3, WIDTH])], tensors)


main()
