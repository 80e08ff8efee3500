"""Compares tutti's evaluator with ONNX Runtime in one run: ms, the best of several alternating turns.

    python3 bench/engines.py BENCH_NETWORK_FORWARD MODEL.onnx...

The script generates ResNet-18 (without batch norms, which an engine folds), the same network quantised, MobileNet, and one encoder layer of
a transformer. Further models are arguments, with inputs from MODEL.in.npz if that exists. Times with one thread are processor time and with
two wall-clock time, so other processes disturb only the latter. ONNX Runtime is npm's onnxruntime-node, found by node (NODE_PATH); without
it its column is empty.
"""

import array
import json
import math
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def field(number, value):
    """Returns a field of a protobuf message: a number or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value & (1 << 64) - 1)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


class Model:
    """An ONNX model built node by node. Each method that adds a node returns the name of its result."""

    def __init__(self, shape):
        self.nodes, self.weights, self.count = b"", b"", 0
        self.input = field(11, self.value("input", shape))
        self.shape = shape

    @staticmethod
    def value(name, shape):
        sizes = b"".join(field(1, field(1, d)) for d in shape)
        return field(1, name) + field(2, field(1, field(1, 1) + field(2, sizes)))

    def fresh(self):
        self.count += 1
        return f"v{self.count}"

    def weight(self, shape, scale=None):
        size = math.prod(shape)
        scale = scale or math.sqrt(2 / max(1, math.prod(shape[1:])))
        some = array.array("f", (random.uniform(-scale, scale) for _ in range(min(size, 8191))))
        raw = (some.tobytes() * (size // len(some) + 1))[:4 * size]
        return self.constant(1, shape, raw)

    def constant(self, kind, shape, raw, size=None):
        """Adds an initializer from the first `size` bytes of `raw`, or all of them."""
        name = self.fresh()
        raw = raw[:size]
        tensor = b"".join(field(1, d) for d in shape) + field(2, kind) + field(8, name) + field(9, raw)
        self.weights += field(5, tensor)
        return name

    def ints(self, *values):
        return self.constant(7, [len(values)], struct.pack(f"<{len(values)}q", *values))

    def floats(self, values):
        return self.constant(1, [len(values)], struct.pack(f"<{len(values)}f", *values))

    def number(self, x):
        return self.constant(1, [], struct.pack("<f", x))

    def node(self, kind, *inputs, **attributes):
        out = self.fresh()
        text = b"".join(field(1, i) for i in inputs) + field(2, out) + field(4, kind)
        for name, value in attributes.items():
            if isinstance(value, float):
                text += field(5, field(1, name) + varint(2 << 3 | 5) + struct.pack("<f", value) + field(20, 1))
            elif isinstance(value, int):
                text += field(5, field(1, name) + field(3, value) + field(20, 2))
            else:
                text += field(5, field(1, name) + b"".join(field(8, v) for v in value) + field(20, 7))
        self.nodes += field(1, text)
        return out

    def conv(self, x, channels, out, size, stride=1, groups=1, relu=True):
        pad = size // 2
        y = self.node("Conv", x, self.weight([out, channels // groups, size, size]), self.weight([out], 0.1), strides=[stride] * 2,
                      pads=[pad] * 4, kernel_shape=[size] * 2, group=groups)
        return self.node("Relu", y) if relu else y

    def dense(self, x, depth, units):
        return self.node("Add", self.node("MatMul", x, self.weight([depth, units], 0.05)), self.weight([units], 0.1))

    def save(self, path, result, shape):
        graph = self.nodes + field(2, "g") + self.weights + self.input + field(12, self.value(result, shape))
        path.write_bytes(field(1, 8) + field(7, graph) + field(8, field(2, 17)))
        return path, [("input", "float32", self.shape)]


def resnet18(path):
    m = Model([1, 3, 224, 224])
    x = m.node("MaxPool", m.conv("input", 3, 64, 7, 2), kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    channels = 64
    for stage, out in enumerate([64, 128, 256, 512]):
        for block in range(2):
            stride = 2 if stage > 0 and block == 0 else 1
            y = m.conv(m.conv(x, channels, out, 3, stride), out, out, 3, relu=False)
            same = x if channels == out else m.conv(x, channels, out, 1, stride, relu=False)
            x = m.node("Relu", m.node("Add", y, same))
            channels = out
    x = m.node("Flatten", m.node("GlobalAveragePool", x))
    return m.save(path, m.dense(x, 512, 1000), [1, 1000])


def quantized_resnet18(path):
    """The quantised network as quantisers write it: each operator between QuantizeLinear and DequantizeLinear, signed weights with a scale
    per channel."""
    m = Model([1, 3, 224, 224])
    one = m.number(0.02)

    def bytes_of(x, zero):
        point = m.constant(2, [], bytes([zero]))
        return m.node("DequantizeLinear", m.node("QuantizeLinear", x, one, point), one, point)

    def conv(x, channels, out, size, stride=1, relu=True):
        count = out * channels * size * size
        weights = m.constant(3, [out, channels, size, size], bytes(random.choices(range(256), k=4093)) * (count // 4093 + 1), count)
        scales = [random.uniform(0.5, 1.5) / 74 / math.sqrt(channels * size * size) for _ in range(out)]
        w = m.node("DequantizeLinear", weights, m.floats(scales), m.constant(3, [out], bytes(out)), axis=0)
        b = m.node("DequantizeLinear", m.constant(6, [out], struct.pack(f"<{out}i", *random.choices(range(-999, 999), k=out))),
                   m.floats([0.02 * s for s in scales]), m.constant(6, [out], bytes(4 * out)), axis=0)
        y = m.node("Conv", x, w, b, strides=[stride] * 2, pads=[size // 2] * 4, kernel_shape=[size] * 2)
        return bytes_of(m.node("Relu", y), 0) if relu else bytes_of(y, 128)

    x = m.node("MaxPool", conv(bytes_of("input", 128), 3, 64, 7, 2), kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    x = bytes_of(x, 0)
    channels = 64
    for stage, out in enumerate([64, 128, 256, 512]):
        for block in range(2):
            stride = 2 if stage > 0 and block == 0 else 1
            y = conv(conv(x, channels, out, 3, stride), out, out, 3, relu=False)
            same = x if channels == out else conv(x, channels, out, 1, stride, relu=False)
            x = bytes_of(m.node("Relu", m.node("Add", y, same)), 0)
            channels = out
    x = m.node("Flatten", m.node("GlobalAveragePool", x))
    return m.save(path, m.dense(x, 512, 1000), [1, 1000])


def mobilenet(path):
    m = Model([1, 3, 224, 224])
    x, channels = m.conv("input", 3, 32, 3, 2), 32
    for out, stride in [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)] + [(512, 1)] * 5 + [(1024, 2), (1024, 1)]:
        x = m.conv(m.conv(x, channels, channels, 3, stride, channels), channels, out, 1)
        channels = out
    x = m.node("Flatten", m.node("GlobalAveragePool", x))
    return m.save(path, m.dense(x, 1024, 1000), [1, 1000])


def encoder(path, tokens=128, wide=768, heads=12):
    m = Model([1, tokens, wide])
    each = wide // heads

    def split(x, order):
        return m.node("Transpose", m.node("Reshape", x, m.ints(1, tokens, heads, each)), perm=order)

    def normed(x):
        return m.node("LayerNormalization", x, m.weight([wide], 1.0), m.weight([wide], 0.1), axis=-1, epsilon=1e-5)

    q, k, v = (split(m.dense("input", wide, wide), order) for order in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]))
    scores = m.node("Softmax", m.node("Mul", m.node("MatMul", q, k), m.number(each**-0.5)), axis=-1)
    mixed = m.node("Transpose", m.node("MatMul", scores, v), perm=[0, 2, 1, 3])
    attended = m.dense(m.node("Reshape", mixed, m.ints(1, tokens, wide)), wide, wide)
    x = normed(m.node("Add", "input", attended))
    h = m.dense(x, wide, 4 * wide)
    erf = m.node("Erf", m.node("Mul", h, m.number(0.5**0.5)))
    gelu = m.node("Mul", m.node("Mul", h, m.number(0.5)), m.node("Add", erf, m.number(1.0)))
    return m.save(path, normed(m.node("Add", x, m.dense(gelu, 4 * wide, wide))), [1, tokens, wide])


def inputs_beside(model, folder):
    """Returns the arrays of MODEL.in.npz in an uncompressed archive, which the bench reads without zlib."""
    inputs = model.with_suffix(".in.npz")
    if not inputs.exists():
        return []
    unpacked = Path(folder) / inputs.name
    with zipfile.ZipFile(inputs) as packed, zipfile.ZipFile(unpacked, "w") as out:
        for name in packed.namelist():
            out.writestr(name, packed.read(name))
    return [str(unpacked)]


def least(into, lines):
    for name, ms in lines:
        into[name] = min(float(ms), into.get(name, math.inf))


def main(program, *models):
    here = Path(__file__).parent
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        made = [make(Path(folder) / f"{make.__name__}.onnx") for make in (resnet18, quantized_resnet18, mobilenet, encoder)]
        jobs = made + [(Path(m), None) for m in models]
        print(f"{'ms':24} threads  blocked   onednn  ONNX Runtime  blocked/it  onednn/it       MB    alive  MB/alive")
        for path, inputs in jobs:
            for threads in (1, 2):
                found = {}
                for _ in range(3):
                    run = subprocess.run([program, str(path), str(threads), *inputs_beside(path, folder)], capture_output=True, text=True, check=False)
                    if run.returncode != 0:
                        print(path.stem, run.stderr.strip() or run.returncode)
                        break
                    lines = [line.split() for line in run.stdout.splitlines()]
                    least(found, (line for line in lines if len(line) == 2))
                    known = inputs or [(name, kind, [int(d) for d in "".join(shape).split(",") if d]) # a scalar has none
                                       for word, name, kind, *shape in (line for line in lines if line[0] == "input")]
                    memory = next([int(n) for n in line[2:]] for line in lines if line[:2] == ["memory", "blocked"])
                    if shutil.which("node"):
                        other = subprocess.run(["node", here / "onnxruntime.js", str(path), str(threads), json.dumps(known)],
                                               capture_output=True, text=True, check=False)
                        if other.returncode == 0 and other.stdout:
                            least(found, [("onnxruntime", other.stdout)])
                ort = found.get("onnxruntime", math.nan)
                cells = [found.get("blocked", math.nan), found.get("onednn", math.nan), ort]
                ratios = [cells[0] / ort, cells[1] / ort]
                print(f"{path.stem:24} {threads:7}" + "".join(f" {c:8.2f}" for c in cells[:2]) + f" {ort:13.2f}" +
                      "".join(f" {r:11.2f}" for r in ratios) +
                      f" {memory[0] / 1e6:8.3f} {memory[1] / 1e6:8.3f} {memory[0] / memory[1]:9.2f}", flush=True)
    print(f"load of the machine {load:.1f} before, {os.getloadavg()[0]:.1f} after; other engines' columns are nan where they are not")


if __name__ == "__main__":
    main(*sys.argv[1:])
