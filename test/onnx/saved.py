"""saved.py TUTTI FOLDER: `tutti run` gives the recorded results for networks that ONNX Runtime has optimised and saved.

ONNX Runtime is npm's onnxruntime-node, found through NODE_PATH.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77
#: silero_v5: ONNX Runtime moves functions into branches whose shapes cannot be inferred for the recorded inputs.
NOT_IMPORTED = {"silero_v5"}


def block():
    """Returns the channels in a block of models that are saved on this processor."""
    try:
        return 16 if "avx512f" in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8") else 8
    except OSError:
        return 8


def main():
    tutti, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    if not (folder / "networks.tsv").exists():
        print(f"SKIPPED: {folder} is not there: no networks were saved")
        return SKIPPED
    tried = failed = 0
    with tempfile.TemporaryDirectory() as place:
        for path in sorted(folder.glob("*.onnx")):
            for level in ("extended", "all"):
                saved = pathlib.Path(place) / f"{path.stem}.{level}.onnx"
                subprocess.run(["node", pathlib.Path(__file__).parent / "saved.js", path, level, saved], check=True)
                command = [tutti, "run", saved, f"--nchwc-block={block()}", f"--inputs={folder / path.stem}.in.npz",
                           f"--expect={folder / path.stem}.out.npz", "--rtol=1e-4", "--atol=1e-4"]
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                tried += 1
                if (done.returncode == 0) == (path.stem in NOT_IMPORTED):
                    failed += 1
                    print(f"{saved.name}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    print(f"{tried} saved networks, {failed} not as expected")
    return 1 if failed or not tried else 0


sys.exit(main())
