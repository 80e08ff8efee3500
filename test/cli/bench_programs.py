"""tutti bench: the form of what it writes. What it measures depends on the machine."""

import json
import re

from driver import main, npy, npz, RELU, WRONG_INPUT, WRONG_USAGE
from onnx_model import model, ModelDriver, node, value

TWO = """#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32]) {
  tanh(exp(%x))
}
"""


class Bench(ModelDriver):
    def found(self, *arguments, stdin=RELU):
        return json.loads(self.run_tutti("bench", "--json", *arguments, stdin=stdin)[0])

    def test_a_table_of_times(self):
        said = self.run_tutti("bench", "-", "--runs=20", stdin=RELU)[0].splitlines()
        self.assertEqual(said[0].split(), ["program", "runs", "first", "least", "median", "p90", "p99", "mean", "a", "second"])
        self.assertRegex(said[1], r"^<stdin> +20( +[0-9.e+]+ (us|ms|s)){6} +[0-9.e+]+$")
        self.assertEqual(len(said), 2)

    def test_percentiles_are_in_order(self):
        (one,) = self.found("-", "--runs=200", "--warm-up=0")["programs"]
        times = one["seconds"]
        self.assertEqual(one["runs"], 200)
        order = [times[name] for name in ("least", "median", "p90", "p99")]
        self.assertEqual(order, sorted(order))
        self.assertGreater(order[0], 0)
        self.assertAlmostEqual(one["runs_per_second"] * times["mean"], 1)

    def test_without_a_number_there_are_ten_runs_or_more(self):
        self.assertGreaterEqual(self.found("-", "--seconds=0")["programs"][0]["runs"], 10)

    def test_two_programs_in_turns(self):
        other = self.file(TWO)
        found = self.found("-", other, "--runs=11")
        self.assertEqual([each["runs"] for each in found["programs"]], [11, 11])
        first, second = (each["seconds"]["median"] for each in found["programs"])
        self.assertAlmostEqual(found["ratio"], second / first)
        self.assertRegex(self.run_tutti("bench", "-", other, "--runs=11", stdin=RELU)[0],
                         r"\nthe second takes [0-9.]+ of the first's time, by medians\n$")

    def test_a_profile_by_operator_and_layer(self):
        (one,) = self.found("-", "--runs=8", "--profile", stdin=TWO)["programs"]
        self.assertEqual({each["operator"] for each in one["operators"]}, {"exp", "tanh"})
        self.assertEqual([each["name"] for each in one["layers"]], ["exp 3:8", "tanh 3:3"])
        self.assertEqual([each["calls"] for each in one["layers"]], [1, 1])
        self.assertAlmostEqual(sum(each["share"] for each in one["layers"]), 1)
        said = self.run_tutti("bench", "-", "--runs=8", "--profile", stdin=TWO)[0]
        self.assertRegex(said, r"\n<stdin>, each operator alone\noperator +calls +time +share\n")
        self.assertRegex(said, r"\ntanh 3:3 +tanh +[0-9.e+]+ (us|ms|s) +[0-9.]+ %\n")

    def test_layers_have_the_names_of_a_model(self):
        path = self.model(model([node("Relu", ["x"], ["y"], "act")], [value("x", [2])], [value("y", [2])]))
        self.assertEqual(self.found(path, "--runs=1", "--profile")["programs"][0]["layers"][0]["name"], "act")

    def test_a_trace(self):
        trace = self.folder / "t.json"
        self.run_tutti("bench", "-", "--runs=1", f"--trace={trace}", stdin=TWO)
        events = json.loads(trace.read_text())["traceEvents"]
        calls = [each for each in events if each["ph"] == "X"]
        self.assertEqual([each["cat"] for each in calls], ["exp", "tanh"])
        self.assertLessEqual(calls[0]["ts"] + calls[0]["dur"], calls[1]["ts"] + 0.01)

    def test_a_profile_on_the_report(self):
        def operations(*arguments):
            page = self.folder / "page.html"
            self.run_tutti("bench", "-", "--runs=4", f"--report={page}", *arguments, stdin=TWO)
            data = re.findall(r'<script type="application/json" class="data">(.*?)</script>', page.read_text(encoding="utf-8"), re.S)
            events = [event for each in data for event in json.loads(each)]
            self.assertEqual(any(event[0] == "b" and event[2] == "FoldConstant" for event in events), bool(arguments))
            return [event[1:5] for event in events if event[0] == "p"]
        wanted = [["<stdin>", "exp", "exp 3:8", 1], ["<stdin>", "tanh", "tanh 3:3", 1]]
        self.assertEqual(operations(), wanted)
        self.assertEqual(operations("--passes=FoldConstant"), wanted)

    def test_inputs_passes_and_threads(self):
        inputs = self.folder / "x.npz"
        inputs.write_bytes(npz({"x": npy((2, 3), range(6))}))
        found = self.found("-", "--runs=2", f"--inputs={inputs}", "--passes=InferType,FuseOps", "--threads=2", stdin=TWO)
        self.assertEqual(found["threads"], 2)

    def test_wrong_use(self):
        self.assertIn("expected a nonnegative number", self.refused("bench", "-", "--seconds=x", stdin=RELU, code=WRONG_USAGE))
        self.refused("bench", "-", "--runs=0", stdin=RELU, code=WRONG_USAGE)
        self.refused("bench", code=WRONG_USAGE)
        self.assertIn("no-such-file", self.refused("bench", "no-such-file", code=WRONG_INPUT))
        self.assertIn("only one", self.refused("bench", "-", "-", stdin=RELU, code=WRONG_USAGE))
        self.assertIn("ending of an ONNX model", self.refused("bench", "-", "--trace=t.onnx", stdin=RELU, code=WRONG_USAGE))


if __name__ == "__main__":
    main()
