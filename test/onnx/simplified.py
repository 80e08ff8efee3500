"""simplified.py TUTTI FOLDER: ONNX Runtime gives its recorded results for networks that `tutti opt --simplify` has written.

Within 1e-4 of the largest value. ONNX Runtime is npm's onnxruntime-node, found through NODE_PATH.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

import arrays  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
TYPES = {"f2": "float16", "f4": "float32", "f8": "float64", "i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64", "u1": "uint8",
         "b1": "bool"}

def write_data(case, kind, path, lines):
    """Writes the arrays of a file as onnxruntime.js reads them."""
    with zipfile.ZipFile(path) as archive:
        for number, name in enumerate(archive.namelist()):
            data = archive.read(name)
            end = 10 + int.from_bytes(data[8:10], "little")
            header = data[10:end].decode()
            element = TYPES[header.split("'descr': '")[1][1:3]]
            shape = header.split("'shape': (")[1].split(")")[0].replace(",", " ").split()
            lines.append(" ".join([kind, element, *shape]))
            (case / f"{kind}{number}").write_bytes(data[end:])

def main():
    tutti, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    if not (folder / "networks.tsv").exists():
        print(f"SKIPPED: {folder} is not there: no simplified networks ran")
        return SKIPPED
    with tempfile.TemporaryDirectory() as place:
        for path in sorted(folder.glob("*.onnx")):
            case = pathlib.Path(place) / path.stem
            case.mkdir()
            subprocess.run([tutti, "opt", path, "--simplify", "--no-check", "--quiet", "-o", case / "model.onnx"], check=True)
            lines = []
            for kind, ending in (("input", "in"), ("output", "out")):
                write_data(case, kind, folder / f"{path.stem}.{ending}.npz", lines)
            (case / "data.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return subprocess.run(["node", HERE / "onnxruntime.js", place, os.devnull], env={**os.environ, "TUTTI_OF_LARGEST": "1e-4"},
                              check=False).returncode

sys.exit(main())
