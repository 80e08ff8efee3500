"""networks.py TUTTI FOLDER [NAME...]: trained networks give ONNX Runtime's results, within 1e-4 of the largest value.

Each network is evaluated as imported, as a model that is simplified and written, after the passes of level 3, after
ConvertLayout to NHWC, and as text that is read back. A network with a missing operator is reported, and fails.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

import arrays  # noqa: E402

LEVEL_3 = ("RemoveUnusedFunctions,InferType,SimplifyInference,EliminateCommonSubexpr,CombineParallelConv2D,CombineParallelDense,"
           "CombineParallelBatchMatmul,FoldConstant,SimplifyExpr,CanonicalizeCast,CanonicalizeOps,FlattenAtrousConv,FoldScaleAxis,"
           "FoldConstant,DynamicToStatic,FuseOps")
NHWC = "InferType,ConvertLayout{nn.conv2d=[NHWC,default],nn.max_pool2d=[NHWC],nn.avg_pool2d=[NHWC]}"
LIMITS = ["--max-work=1000000000000", "--max-bytes=4000000000"]
SKIPPED = 77


def run(command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=600)
    return done.returncode, done.stderr


def largest_error(got, wanted):
    """Returns the difference of an array from another, as a share of the largest value; infinite if the shapes differ."""
    if got[0] != wanted[0]:
        return float("inf")
    largest = max((abs(x) for x in wanted[1]), default=0) or 1
    return max((abs(a - b) / largest if a == a and b == b else float("inf") for a, b in zip(got[1], wanted[1])), default=0)


def compare(tutti, program, folder, name, options, output):
    """Returns the problem with a program's results; nothing if they agree."""
    code, said = run([tutti, "run", program, f"--inputs={folder / name}.in.npz", "-o", output, *LIMITS, *options])
    if code != 0:
        return said.strip().split("\n")[-1][:300]
    wanted = list(arrays.read(f"{folder / name}.out.npz").values())
    got = list(arrays.read(output).values())
    if len(got) != len(wanted):
        return f"{len(got)} results, not {len(wanted)}"
    error = max(largest_error(g, w) for g, w in zip(got, wanted))
    return "" if error <= 1e-4 else f"differs by {error:.2g} of the largest value"


def main():
    tutti, folder, only = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    if not (folder / "networks.tsv").exists():
        print(f"{folder} is not there: trained networks are NOT compared")
        return SKIPPED
    names = sorted(path.stem for path in folder.glob("*.onnx"))
    bad = missing = 0
    with tempfile.TemporaryDirectory() as place:
        output, text = pathlib.Path(place) / "out.npz", pathlib.Path(place) / "text.relay"
        for name in names if not only else only:
            model = folder / f"{name}.onnx"
            code, said = run([tutti, "opt", model, "-o", text])
            if code != 0 and "operators that cannot be imported" in said:
                missing += 1
                print(f"{name}: {said.strip()[:200]}")
                continue
            simpler = pathlib.Path(place) / "simpler.onnx"
            # A branch that is not taken may fit other sizes only.
            shapes = [f"--input-shape={each}:{','.join(map(str, shape))}" for each, (shape, _) in arrays.read(f"{folder / name}.in.npz").items()]
            failed, why = run([tutti, "opt", model, "--simplify", "--no-check", "-o", simpler, *shapes])
            if failed != 0:
                bad += 1
                print(f"{name}, simplified: {why.strip()[-300:]}")
            for form, program, options in (("plain", model, []), ("simplified", simpler, []), ("level 3", model, [f"--passes={LEVEL_3}", "--opt-level=3"]),
                                           ("NHWC", model, [f"--passes={NHWC}", "--opt-level=3"]), ("text", text, [])):
                what = said.strip()[:300] if code != 0 else compare(tutti, program, folder, name, options, output)
                bad += bool(what)
                print(f"{name}, {form}: {what or 'agrees'}", flush=True)
    print(f"{len(names)} networks, {missing} cannot be imported, {bad} comparisons failed")
    return 1 if bad or missing or not names else 0


sys.exit(main())
