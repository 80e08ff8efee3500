"""fused.py TUTTI DATA_DIR: ONNX Runtime computes its own fused operators as tutti does.

ONNX Runtime is npm's onnxruntime-node, found through NODE_PATH. Inputs are drawn from a fixed seed.
"""

import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

from driver import npy, npz, TUTTI  # noqa: E402
from onnx_model import model, node, value  # noqa: E402
import runtime_cases  # noqa: E402

DOMAIN = "com.microsoft"
FLOAT, UINT8, INT8, INT32, INT64 = 1, 2, 3, 6, 7
DESCR = {FLOAT: "<f4", UINT8: "|u1", INT8: "|i1", INT32: "<i4", INT64: "<i8"}
draw = random.Random(20261127)


def count(shape):
    size = 1
    for each in shape:
        size *= each
    return size


def floats(*shape, low=-1.0, high=1.0):
    return FLOAT, shape, [draw.uniform(low, high) for _ in range(count(shape))]


def integers(element, *shape, low=0, high=255):
    return element, shape, [draw.randint(low, high) for _ in range(count(shape))]


def these(element, shape, values):
    return element, shape, values


class Cases:
    """Writes a folder for each model: an operator with its inputs, given as (type, shape, values) or None."""

    def __init__(self, place):
        self.place, self.failed, self.number = place, 0, 0

    def add(self, op, inputs, outputs=((FLOAT, ()),), domain=DOMAIN, **attributes):
        self.number += 1
        name = f"{self.number:03}_{op}"
        case = self.place / name
        case.mkdir()
        names = [f"x{i}" if each else "" for i, each in enumerate(inputs)]
        results = [f"y{i}" if each is not None else "" for i, each in enumerate(outputs)]
        graph_inputs = [value(n, each[1], each[0]) for n, each in zip(names, inputs) if each]
        graph_outputs = [value(n, [f"{n}_{k}" for k in range(each[1] if isinstance(each[1], int) else 0)], each[0])
                         for n, each in zip(results, outputs) if each is not None]
        data = model([node(op, names, results, "n", domain, **attributes)], graph_inputs, graph_outputs, opset=21, domains=[DOMAIN])
        (case / "model.onnx").write_bytes(data)
        arrays = {n: npy(each[1], each[2], DESCR[each[0]]) for n, each in zip(names, inputs) if each}
        given, made = self.place.parent / "in.npz", self.place.parent / "out.npz"
        given.write_bytes(npz(arrays))
        done = subprocess.run([TUTTI, "run", case / "model.onnx", f"--inputs={given}", "-o", made], capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{name}: {done.stderr.strip()[:300]}")
            self.failed += 1
            for file in case.iterdir():
                file.unlink()
            case.rmdir()
        else:
            runtime_cases.write_data(case, given, made)


def add_all(cases):
    three = ((FLOAT, 3),)
    x = floats(2, 3, 8)
    for transposed in (0, 1):
        a = floats(2, 4, 3) if transposed else floats(2, 3, 4)
        cases.add("FusedMatMul", [a, floats(2, 4, 5)], three, transA=transposed, alpha=0.5)
        cases.add("FusedMatMul", [floats(2, 3, 4), floats(2, 5, 4) if transposed else floats(2, 4, 5)], three, transB=transposed)
        cases.add("FusedGemm", [floats(3, 4), floats(5, 4) if transposed else floats(4, 5), floats(5)], ((FLOAT, 2),), transB=transposed,
                  activation="LeakyRelu", activation_alpha=0.25, beta=0.5)
    for name in ("Gelu", "QuickGelu"):
        cases.add(name, [floats(3, 7, low=-3, high=3)], ((FLOAT, 2),))
    cases.add("QuickGelu", [floats(3, 7, low=-3, high=3)], ((FLOAT, 2),), alpha=0.7)
    cases.add("FastGelu", [x], three)
    cases.add("FastGelu", [x, floats(8)], three)
    cases.add("BiasGelu", [x, floats(8)], three)
    for shortcut in (floats(2, 3, 8), floats(1, 3, 8), floats(3, 8)):
        cases.add("SkipLayerNormalization", [x, shortcut, floats(8), floats(8), floats(8)], (*three, None, None, (FLOAT, 3)), epsilon=1e-5)
    cases.add("SkipLayerNormalization", [x, x, floats(8)], three)
    cases.add("SkipSimplifiedLayerNormalization", [x, floats(2, 3, 8), floats(8), floats(8)], (*three, None, None, (FLOAT, 3)), epsilon=1e-5)
    cases.add("SimplifiedLayerNormalization", [x, floats(8)], three, domain="", axis=-1, epsilon=1e-5, stash_type=1)
    ids, segments = integers(INT32, 2, 4, high=9), integers(INT32, 2, 4, high=1)
    tables = [floats(10, 8), floats(6, 8), floats(2, 8), floats(8), floats(8)]
    mask = these(INT32, (2, 4), [1, 1, 1, 0, 1, 1, 0, 0])
    cases.add("EmbedLayerNormalization", [ids, segments, *tables, mask], (*three, (INT32, 1), (FLOAT, 3)), epsilon=1e-5)
    cases.add("EmbedLayerNormalization", [ids, None, tables[0], tables[1], None, tables[3], tables[4]], (*three, (INT32, 1)), epsilon=1e-5)
    add_quantized(cases)
    add_attention(cases)
    cases.add("NhwcMaxPool", [integers(INT8, 1, 7, 6, 3, low=-128, high=127)], ((INT8, 4),), kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1])


def add_quantized(cases):
    a, b, wide = integers(UINT8, 3, 8), integers(INT8, 8, 5, low=-128, high=127), floats(3, 8)
    one, many = these(FLOAT, (), [0.02]), floats(5, low=0.01, high=0.03)
    zero_a, zero_b = these(UINT8, (), [120]), these(INT8, (), [3])
    for scale in (one, many):
        cases.add("MatMulIntegerToFloat", [a, b, one, scale, zero_a, zero_b if scale is one else None, floats(5)], ((FLOAT, 2),))
        cases.add("DynamicQuantizeMatMul", [wide, b, scale, None, floats(5)], ((FLOAT, 2),))
        cases.add("QGemm", [a, one, zero_a, b, scale, zero_b if scale is one else these(INT8, (5,), [1, 2, 3, 4, 5]),
                            integers(INT32, 5, low=-50, high=50)], ((FLOAT, 2),), alpha=0.5)
        cases.add("QGemm", [a, one, zero_a, b, scale, zero_b if scale is one else these(INT8, (5,), [1, 2, 3, 4, 5]), None,
                            these(FLOAT, (), [1.5]), these(UINT8, (), [100])], ((UINT8, 2),))
    for bits, columns, size in ((4, 64, 32), (4, 40, 16), (8, 64, 32)):
        blocks = -(-columns // size)
        packed, scales = integers(UINT8, 6, blocks, size * bits // 8), floats(6 * blocks, low=0.01, high=0.1)
        zeros = integers(UINT8, 6 * -(-blocks * bits // 8))
        for more in ([], [zeros]):
            cases.add("MatMulNBits", [floats(3, columns), packed, scales, *more], ((FLOAT, 2),), K=columns, N=6, bits=bits, block_size=size)


def add_attention(cases):
    three, four = (FLOAT, 3), (FLOAT, 4)
    x, weights, bias = floats(2, 5, 8), floats(8, 24), floats(24)
    lengths, mask = these(INT32, (2,), [5, 3]), these(INT32, (2, 5), [1, 1, 1, 1, 1, 1, 1, 1, 0, 0])
    cases.add("Attention", [x, weights, bias], (three,), num_heads=2)
    cases.add("Attention", [x, weights, bias, mask], (three,), num_heads=2)
    cases.add("Attention", [x, weights, bias, lengths], (three,), num_heads=4)
    cases.add("Attention", [x, weights, bias], (three,), num_heads=2, unidirectional=1, scale=0.3)
    cases.add("Attention", [x, weights, bias, None, floats(2, 2, 2, 3, 4)], (three, (FLOAT, 5)), num_heads=2, unidirectional=1)
    cases.add("Attention", [x, floats(8, 20), floats(20), None, None, floats(2, 2, 5, 5)], (three,), num_heads=2, qkv_hidden_sizes=[8, 8, 4])
    keys, values = floats(2, 6, 8), floats(2, 6, 8)
    cases.add("MultiHeadAttention", [x, keys, values], (three,), num_heads=2)
    cases.add("MultiHeadAttention", [x, keys, values, bias], (three,), num_heads=2)
    cases.add("MultiHeadAttention", [x, keys, values, None, these(INT32, (2,), [6, 4])], (three,), num_heads=2)
    cases.add("MultiHeadAttention", [x, keys, values, None, None, floats(1, 2, 5, 6)], (three,), num_heads=2, scale=0.5)
    cases.add("MultiHeadAttention", [x, floats(2, 5, 8), floats(2, 5, 8), None, None, None, floats(2, 2, 3, 4), floats(2, 2, 3, 4)],
              (three, four, four), num_heads=2)
    cases.add("MultiHeadAttention", [x, floats(2, 2, 6, 4), floats(2, 2, 6, 4)], (three,), num_heads=2)
    add_decoder_steps(cases)
    cosines, sines = floats(10, 4), floats(10, 4)
    for interleaved in (0, 1):
        cases.add("RotaryEmbedding", [floats(2, 3, 16), these(INT64, (1,), [2]), cosines, sines], (three,), interleaved=interleaved)
        cases.add("RotaryEmbedding", [floats(2, 2, 3, 8), these(INT64, (2, 3), [0, 1, 2, 5, 6, 7]), cosines, sines], (four,), interleaved=interleaved)


def add_decoder_steps(cases):
    results = ((FLOAT, 3), (FLOAT, 4), (FLOAT, 4))
    caches = [floats(12, 8), floats(12, 8)]
    total = lambda n: these(INT32, (), [n])
    steps = lambda *lengths: these(INT32, (len(lengths),), [n - 1 for n in lengths])
    sizes = {"num_heads": 4, "kv_num_heads": 2}
    prompt = [floats(2, 5, 64), floats(2, 5, 32), floats(2, 5, 32), floats(2, 2, 0, 16), floats(2, 2, 0, 16), steps(5, 5), total(5)]
    cases.add("GroupQueryAttention", prompt, results, **sizes)
    cases.add("GroupQueryAttention", [*prompt, *caches], results, **sizes, do_rotary=1)
    cases.add("GroupQueryAttention", [*prompt, *caches], results, **sizes, do_rotary=1, rotary_interleaved=1, local_window_size=2)
    past = [floats(2, 2, 6, 16), floats(2, 2, 6, 16)]
    for interleaved in (0, 1):
        step = [floats(2, 1, 64), floats(2, 1, 32), floats(2, 1, 32), *past, steps(7, 7), total(7), *caches]
        cases.add("GroupQueryAttention", step, results, **sizes, do_rotary=1, rotary_interleaved=interleaved, softcap=0.5)
    cases.add("GroupQueryAttention", [floats(2, 1, 128), None, None, *past, steps(7, 7), total(7), *caches], results, **sizes, do_rotary=1)
    # each batch has another number of earlier keys
    cases.add("GroupQueryAttention", [floats(2, 1, 64), floats(2, 1, 32), floats(2, 1, 32), *past, steps(7, 4), total(7), *caches],
              results, **sizes, do_rotary=1, scale=0.4)


def main():
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder) / "cases"
        place.mkdir()
        cases = Cases(place)
        add_all(cases)
        code = runtime_cases.run(place, of_largest=2e-6)
        print(f"{cases.number} models, {cases.failed} not evaluated")
        return 1 if cases.failed else code


sys.exit(main())
