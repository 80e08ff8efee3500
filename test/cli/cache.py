"""`tutti opt --cache`: the written program is the same, with any pipeline and any state of the folder."""

import subprocess
from pathlib import Path

from driver import RELU, TUTTI, WRONG_INPUT, WRONG_USAGE, Driver, main

PROGRAM = """
def @scale(%x: Tensor[(4), float32]) -> Tensor[(4), float32] { multiply(%x, add(1f, 2f)) }
def @twice(%x: Tensor[(4), float32]) { add(@scale(%x), @scale(%x)) }
def @main(%x: Tensor[(4), float32]) { @twice(exp(%x)) }
"""
LEVEL_3 = "InferType,SimplifyInference,EliminateCommonSubexpr,FoldConstant,FoldScaleAxis,SimplifyExpr,CanonicalizeOps,FuseOps"
PIPELINES = [LEVEL_3, "InferType", "LambdaLift", f"{LEVEL_3},RemoveUnusedFunctions,ToANormalForm", f"Inline,{LEVEL_3},LambdaLift,FoldConstant",
             "fixpoint(FoldConstant,SimplifyExpr),within{ms=100000}(FuseOps)"]


class Cache(Driver):
    def setUp(self):
        super().setUp()
        self.cache = str(self.folder / "kept")

    def written(self, pipeline, *options, program=PROGRAM):
        return self.run_tutti("opt", "--passes=" + pipeline, "-O3", *options, stdin=program)

    def test_any_pipeline_writes_the_same(self):
        for pipeline in PIPELINES:
            expected = self.written(pipeline)
            for _ in range(2):
                self.assertEqual(self.written(pipeline, "--cache", self.cache), expected)
            changed = PROGRAM.replace("2f", "3f")
            expected = self.written(pipeline, program=changed)
            self.assertEqual(self.written(pipeline, "--cache", self.cache, program=changed), expected)

    def test_options_and_level_count(self):
        for options in (["-O0"], ["-O3"], ["-O3", "--disabled-pass=FoldConstant"], ["-O3", "--config=relay.FuseOps.max_depth=1"]) * 2:
            plain = self.run_tutti("opt", "--passes=" + LEVEL_3, *options, stdin=PROGRAM)
            kept = self.run_tutti("opt", "--passes=" + LEVEL_3, *options, "--cache", self.cache, stdin=PROGRAM)
            self.assertEqual(kept, plain)

    def test_damaged_files_are_computed_again(self):
        expected = self.written(LEVEL_3, "--cache", self.cache)
        for damage in (lambda data: data[:len(data) // 2], lambda data: b"", lambda data: data[:-1] + bytes([data[-1] ^ 1])):
            for file in Path(self.cache).iterdir():
                file.write_bytes(damage(file.read_bytes()))
            out, said = self.written(LEVEL_3, "--cache", self.cache)
            self.assertEqual(out, expected[0])
            self.assertIn("damaged or foreign result", said)
            self.assertEqual(self.written(LEVEL_3, "--cache", self.cache), expected)

    def test_several_processes_share_a_folder(self):
        expected = self.written(LEVEL_3)[0]
        command = [TUTTI, "opt", "--passes=" + LEVEL_3, "-O3", "--cache", self.cache]
        running = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(4)]
        for process in running:
            self.assertEqual(process.communicate(PROGRAM)[0], expected)

    def test_wrong_use(self):
        self.assertIn("--cache requires --passes", self.refused("opt", "--cache", self.cache, stdin=RELU, code=WRONG_USAGE))
        self.assertIn("instruments would not see all",
                      self.refused("opt", "--passes=InferType", "--cache", self.cache, "--timing", stdin=RELU, code=WRONG_USAGE))
        file = self.file("not a folder")
        self.assertIn("is not a folder and cannot be created",
                      self.refused("opt", "--passes=InferType", "--cache", file, stdin=RELU, code=WRONG_INPUT))
        self.refused("opt", "--passes=InferType", "--cache-size=1", stdin=RELU, code=WRONG_USAGE)


main()
