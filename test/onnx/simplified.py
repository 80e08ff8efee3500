"""simplified.py TUTTI FOLDER: ONNX Runtime gives its recorded results for networks that `tutti opt --simplify` has written.

Within 1e-4 of the largest value. ONNX Runtime is npm's onnxruntime-node, found through NODE_PATH.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import runtime_cases  # noqa: E402

SKIPPED = 77
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
            runtime_cases.write_data(case, folder / f"{path.stem}.in.npz", folder / f"{path.stem}.out.npz")
        return runtime_cases.run(place, of_largest=1e-4)

sys.exit(main())
