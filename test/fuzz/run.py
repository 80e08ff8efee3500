"""run.py BUILD_DIR [--seconds N] [--jobs N] [TARGET...]: runs fuzz targets that have been built, N seconds each, N at a
time.

Each target starts with its folder in corpus/. New inputs are kept in BUILD_DIR/found/TARGET and reused the next time. A
failing input is printed and kept. Ends with "N passed, N failed", counting targets.
"""

import argparse
import base64
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
# Further inputs for a target, in addition to its folder in corpus/.
SEEDS = {
    "onnx_model": [pathlib.Path("/usr/share/libonnx-testdata/data")],  # if Debian's libonnx-testdata is installed
    "relay_text": [HERE.parent / "data" / "golden" / "tests"],
}
SEEDS["onnx_writer"] = list(SEEDS["onnx_model"])
OPTIONS = {"differential": ["-max_len=1024", "-timeout=60"], "onnx_model": ["-max_len=65536", "-malloc_limit_mb=1024"],
           "onnx_writer": ["-max_len=16384", "-malloc_limit_mb=1024"]}
# Models of all operators, in files `model.onnx`; unpacked as further inputs of the targets that read models.
MODEL_TARGETS = {"onnx_model", "onnx_writer"}
MODELS = HERE.parents[2] / "shared" / "onnx" / "node-tests-1.23.tar.xz"


def unpack_models(build):
    """Returns the folder with the models of ONNX's newer tests; it stays empty where they are absent."""
    folder = build / "models"
    folder.mkdir(parents=True, exist_ok=True)
    if not MODELS.exists():
        print(f"SKIPPED: {MODELS} is not there: models of newer operators are no seeds")
    elif not any(folder.iterdir()):
        with tarfile.open(MODELS) as archive:
            for member in archive:
                if member.name.endswith("/model.onnx"):
                    (folder / pathlib.Path(member.name).parent.name).write_bytes(archive.extractfile(member).read())
    return folder


def targets():
    return sorted(p.stem for p in HERE.glob("*.cpp"))


def show(path):
    data = path.read_bytes()
    print(f"{path}, {len(data)} bytes, in base64: {base64.b64encode(data).decode()}")
    try:
        print(data.decode())
    except UnicodeDecodeError:
        pass


def run(build, target, seconds):
    """Returns whether a target ran to its end, and its output."""
    found = build / "found" / target
    found.mkdir(parents=True, exist_ok=True)
    crashes = build / "crashes" / target
    crashes.mkdir(parents=True, exist_ok=True)
    known = set(crashes.iterdir())
    command = [build / "test" / "fuzz" / ("fuzz_" + target), f"-max_total_time={seconds}", f"-artifact_prefix={crashes}/"]
    command += ["-rss_limit_mb=2048", "-timeout=20", "-print_final_stats=1"] + OPTIONS.get(target, [])
    dictionary = HERE / (target + ".dict")
    if dictionary.exists():
        command.append(f"-dict={dictionary}")
    command += [found, *(p for p in [HERE / "corpus" / target, *SEEDS.get(target, [])] if p.exists())]
    options = "halt_on_error=1:abort_on_error=1:print_stacktrace=1"
    done = subprocess.run(
        [str(c) for c in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        errors="backslashreplace",
        env=os.environ | {"UBSAN_OPTIONS": options},
    )
    return done.returncode == 0, done.stdout, sorted(set(crashes.iterdir()) - known)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("targets", nargs="*")
    asked = parser.parse_intermixed_args()
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        chosen = asked.targets or targets()
        if MODEL_TARGETS & set(chosen):
            models = unpack_models(asked.build.resolve())
            for target in MODEL_TARGETS:
                SEEDS[target].append(models)
        for target, (good, said, inputs) in zip(
            chosen, pool.map(lambda t: run(asked.build.resolve(), t, asked.seconds), chosen)
        ):
            runs = [line for line in said.splitlines() if line.startswith("stat::number_of_executed_units")]
            print(f"{target}: {'passed' if good else 'FAILED'}, {runs[-1].split()[-1] if runs else 'no'} runs")
            passed += good
            failed += not good
            if not good:
                print(said[-20000:])
            for path in inputs:
                show(path)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
