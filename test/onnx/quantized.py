"""quantized.py TUTTI DATA_DIR: ONNX Runtime computes a quantised ResNet-18 that tutti has simplified or converted to integers as tutti does.

The network is the one of bench/engines.py. Where a sum is near the middle between two integers, engines round differently, so outputs may
differ by a hundredth of the largest value. ONNX Runtime is npm's onnxruntime-node, found through NODE_PATH.
"""

import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "test/cli"), str(ROOT / "bench")]

from driver import npy, npz, TUTTI  # noqa: E402
from engines import quantized_resnet18  # noqa: E402
import runtime_cases  # noqa: E402

INTEGERS = "FakeQuantizationToInteger{conv2d=True},FoldConstant"
OP_TYPE = b"\x22\x0bQLinearConv"  # field 4 of a node
FORMS = {
    "simplified": ["--simplify", "--no-check", "--quiet"],
    "integers": [f"--passes={INTEGERS}"],
    "integers_in_nhwc": [f'--passes={INTEGERS},ConvertLayout{{qnn.conv2d=[NHWC,HWIO]}},FoldConstant'],
}


def main():
    shape = (1, 3, 224, 224)
    with tempfile.TemporaryDirectory() as made, tempfile.TemporaryDirectory() as models:
        random.seed(20261128)
        network, inputs, outputs = (pathlib.Path(made) / name for name in ("network.onnx", "in.npz", "out.npz"))
        quantized_resnet18(network)
        inputs.write_bytes(npz({"input": npy(shape, [random.uniform(-2, 2) for _ in range(3 * 224 * 224)])}))
        subprocess.run([TUTTI, "run", network, f"--inputs={inputs}", "-o", outputs], check=True)
        for name, options in FORMS.items():
            case = pathlib.Path(models) / name
            case.mkdir()
            subprocess.run([TUTTI, "opt", network, "-O3", *options, "-o", case / "model.onnx"], check=True)
            runtime_cases.write_data(case, inputs, outputs)
            if name != "simplified" and (case / "model.onnx").read_bytes().count(OP_TYPE) != 20:
                print(f"{name}: the 20 convolutions are not written as QLinearConv")
                return 1
        return runtime_cases.run(models, of_largest=1e-2)


sys.exit(main())
