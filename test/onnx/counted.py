"""counted.py TUTTI FOLDER: `tutti inspect` counts the parameters and products of trained networks as ONNX's Python package does.

The package infers the shapes; the counts below are made from its nodes, without any of tutti's.
"""

import json
import math
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

import arrays  # noqa: E402

SKIPPED = 77

try:
    import onnx
    from onnx import numpy_helper, shape_inference
except ImportError as missing:
    print(f"{missing.name} is not there: counts are NOT compared")
    sys.exit(SKIPPED)


def given_shapes(folder, model):
    """Returns the recorded shapes of a model's inputs."""
    trained = {each.name for each in model.graph.initializer}
    recorded = arrays.read(f"{folder}.in.npz")
    return {each.name: recorded[each.name][0] for each in model.graph.input if each.name not in trained}


def with_shapes(model, shapes):
    """Returns the model with all shapes inferred from those of its inputs; outputs and values lose theirs."""
    for each in model.graph.input:
        if each.name in shapes:
            for dim, size in zip(each.type.tensor_type.shape.dim, shapes[each.name]):
                dim.dim_value = size
    for each in model.graph.output:
        each.type.tensor_type.ClearField("shape")
    del model.graph.value_info[:]
    return shape_inference.infer_shapes(model, data_prop=True)


def counts(model):
    """Returns the number of trained values, and of products that convolutions and matrix products sum."""
    graph = model.graph
    constants = {each.name: tuple(each.dims) for each in graph.initializer}
    values = {each.name: numpy_helper.to_array(each) for each in graph.initializer if len(each.dims) <= 1}
    shapes = dict(constants)
    for each in [*graph.value_info, *graph.input, *graph.output]:
        shapes[each.name] = tuple(d.dim_value for d in each.type.tensor_type.shape.dim)
    for node in graph.node:
        if node.op_type == "ConstantOfShape" and node.input[0] in values:
            shapes[node.output[0]] = constants[node.output[0]] = tuple(int(d) for d in values[node.input[0]])
        elif node.op_type in ("Unsqueeze", "Reshape", "Transpose") and node.input[0] in constants:
            constants[node.output[0]] = constants[node.input[0]]  # only the number of elements matters
    parameters = {}
    products = 0
    for node in graph.node:
        if node.op_type in ("Conv", "Gemm", "MatMul", "BatchNormalization", "Add", "Mul", "PRelu"):
            parameters |= {name: math.prod(constants[name]) for name in node.input if constants.get(name)}
        first = shapes.get(node.input[0]) if node.input else None
        if node.op_type in ("Conv", "Gemm", "MatMul") and not (first and shapes.get(node.output[0])):
            return None
        if node.op_type == "Conv":
            products += math.prod(shapes[node.output[0]]) * math.prod(shapes[node.input[1]][1:])
        elif node.op_type == "Gemm":
            transposed = any(a.name == "transA" and a.i for a in node.attribute)
            products += math.prod(shapes[node.output[0]]) * first[0 if transposed else 1]
        elif node.op_type == "MatMul":
            products += math.prod(shapes[node.output[0]]) * first[-1]
        elif node.op_type in ("ConvTranspose", "LSTM", "GRU", "RNN", "If", "Loop", "Einsum"):
            return None
    return sum(parameters.values()), products


def main():
    tutti, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    models = sorted(folder.glob("*.onnx"))
    if not models:
        print(f"{folder} is not there: counts of trained networks are NOT compared")
        return SKIPPED
    bad = compared = 0
    for path in models:
        model = onnx.load(str(path))
        shapes = given_shapes(path.with_suffix(""), model)
        wanted = counts(with_shapes(model, shapes))
        if wanted is None:
            print(f"{path.stem}: has operators that this script does not count, or shapes that the package does not infer")
            continue
        given = [f"--input-shape={name}:{','.join(map(str, shape))}" for name, shape in shapes.items()]
        done = subprocess.run([tutti, "inspect", "--json", path, *given], capture_output=True, text=True, check=True)
        total = json.loads(done.stdout)[0]["total"]
        found = (total["parameters"], total["multiply_accumulates"])
        compared += 1
        bad += found != wanted
        print(f"{path.stem}: {found[0]} parameters, {found[1]} products" + ("" if found == wanted else f"; counted {wanted}"))
    print(f"{compared - bad} of {compared} counts are the same")
    return 0 if bad == 0 and compared != 0 else 1


sys.exit(main())
