"""tensors.py PROGRAM FOLDER: reads all tensors of ONNX's own tests as ONNX's Python package does, byte for byte."""

import pathlib
import subprocess
import sys
import zlib

SKIPPED = 77

try:
    import numpy
    import onnx
    from onnx import numpy_helper
except ImportError as missing:
    print(f"{missing.name} is not there: the reader is NOT compared with it")
    sys.exit(SKIPPED)

NAMES = {1: "float", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 8: "string", 9: "bool", 10: "float16",
         11: "double", 12: "uint32", 13: "uint64", 14: "complex64", 15: "complex128", 16: "bfloat16"}


def line(file, tensor):
    begin = f"{file}\t{tensor.name}\t{NAMES[tensor.data_type]}\t" + "".join(f"{d}," for d in tensor.dims)
    if tensor.data_type in (8, 14, 15):
        return begin
    values = numpy_helper.to_array(tensor)
    return f"{begin}\t{zlib.crc32(numpy.ascontiguousarray(values).tobytes())}"


def tensors_of(file):
    data = file.read_bytes()
    if file.suffix == ".onnx":
        graph = onnx.load_model_from_string(data).graph
        yield from graph.initializer
        for node in graph.node:
            yield from (a.t for a in node.attribute if a.HasField("t"))
    else:
        tensor = onnx.TensorProto()
        tensor.ParseFromString(data)
        yield tensor


def is_tensor(file):
    """True if a file with an input or output is a tensor, not a sequence or an optional, according to its model."""
    model = onnx.load(str(file.parent.parent / "model.onnx"), load_external_data=False)
    kind, number = file.stem.rsplit("_", 1)
    values = model.graph.input if kind == "input" else model.graph.output
    return int(number) < len(values) and values[int(number)].type.HasField("tensor_type")


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if not (folder / "node").is_dir():
        print(f"{folder} is not there: the reader is NOT compared")
        return SKIPPED
    files = sorted(folder.glob("*/*/model.onnx")) + sorted(f for f in folder.glob("*/*/*/*.pb") if is_tensor(f))
    wanted = [line(file, tensor) for file in files for tensor in tensors_of(file)]
    got = []
    for first in range(0, len(files), 500):
        some = [str(file) for file in files[first : first + 500]]
        got += subprocess.run([program, *some], capture_output=True, text=True, check=True).stdout.splitlines()
    bad = [(g, w) for g, w in zip(got, wanted) if g != w]
    for g, w in bad[:20]:
        print(f"{g}\n  is not\n{w}")
    print(f"{len(wanted)} tensors of {len(files)} files, {len(got)} read, {len(bad)} differ")
    return 1 if bad or len(got) != len(wanted) else 0


sys.exit(main())
