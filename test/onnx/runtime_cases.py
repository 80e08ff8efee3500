"""Models with inputs and outputs in folders, which onnxruntime.js gives to ONNX Runtime."""

import os
import pathlib
import subprocess
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
TYPES = {"f2": "float16", "f4": "float32", "f8": "float64", "i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64", "u1": "uint8",
         "b1": "bool"}


def write_arrays(case, kind, path):
    """Writes the arrays of an .npz file; returns their lines in data.txt."""
    lines = []
    with zipfile.ZipFile(path) as archive:
        for number, name in enumerate(archive.namelist()):
            data = archive.read(name)
            end = 10 + int.from_bytes(data[8:10], "little")
            header = data[10:end].decode()
            element = TYPES[header.split("'descr': '")[1][1:3]]
            shape = header.split("'shape': (")[1].split(")")[0].replace(",", " ").split()
            lines.append(" ".join([kind, element, *shape]))
            (case / f"{kind}{number}").write_bytes(data[end:])
    return lines


def write_data(case, inputs, outputs):
    """Writes the inputs and outputs of the model in a folder, from .npz files in the model's order."""
    lines = write_arrays(case, "input", inputs) + write_arrays(case, "output", outputs)
    (case / "data.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def run(folder, of_largest):
    """Runs all models in a folder; outputs may differ by a share of the largest value. Returns the exit code."""
    environment = {**os.environ, "TUTTI_OF_LARGEST": str(of_largest)}
    return subprocess.run(["node", HERE / "onnxruntime.js", folder, os.devnull], env=environment, check=False).returncode
