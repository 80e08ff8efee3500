"""reference_values.py TUTTI FOLDER: runs the programs of FOLDER/values.tsv and compares with the reference's results.

Tolerance: 1e-4 relative or 1e-5 of the largest value (float16: 2e-2, 1e-2); integers are exact. Fails for a difference
that is not listed here, for a listed test that agrees, if fewer agree than before, or if `tutti list ops --missing`
differs from the operators that are missing on purpose. Programs with missing operators are counted by the first missing
one.
"""

import array
import ast
import collections
import concurrent.futures
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import zipfile

LEAST = 574  # count of agreeing tests; must not decrease

# Results that the reference leaves undefined or computes wrongly: by test, with the reason.
PADDING = "what stands behind the unique elements is not written"
LISTED = {
    "test_op_level3.test_unique_llvm_.0": PADDING,
    "test_op_level3.test_unique_llvm_.1": PADDING,
    "test_op_level3.test_unique_llvm_.7": PADDING,
}

SKIPPED = 77
CODES = {"b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "f2": "e", "f4": "f", "f8": "d"}
TYPES = {"b1": "bool", "f2": "float16", "f4": "float32", "f8": "float64"}
TYPES |= {f"{kind[0]}{bits // 8}": f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)}


def read_array(data):
    """Reads a NumPy array file: "1,2 float32", and its values in rows."""
    wide = data[6] > 1
    (length,) = struct.unpack_from("<I" if wide else "<H", data, 8)
    begin = 12 if wide else 10
    header = ast.literal_eval(data[begin : begin + length].decode("latin1"))
    assert not header["fortran_order"]
    code = header["descr"][1:]
    body = data[begin + length :]
    count = math.prod(header["shape"])
    values = struct.unpack(f"<{count}{CODES[code]}", body)
    return ",".join(map(str, header["shape"])) + " " + TYPES[code], values


def expected_of(file):
    with zipfile.ZipFile(file) as all_arrays:
        names = sorted(all_arrays.namelist(), key=lambda name: int(re.search(r"\d+", name).group()))
        return [read_array(all_arrays.read(name)) for name in names]


def results_of(text):
    """Parses the output of `tutti run --print=text`."""
    results = []
    for line in text.splitlines():
        if line.startswith("# "):
            results.append((line[2:], []))
        else:
            results[-1][1].append(float(line) if "float" in results[-1][0] else int(line))
    return results


def agrees(kind, values, wanted):
    if "float" not in kind:
        return all(int(a) == int(b) for a, b in zip(values, wanted))
    relative, of_largest = (2e-2, 1e-2) if "float16" in kind else (1e-4, 1e-5)
    largest = max((abs(b) for b in wanted if math.isfinite(b)), default=0)
    for a, b in zip(values, wanted):
        if math.isnan(b) or math.isinf(b):
            if not (math.isnan(a) and math.isnan(b)) and a != b:
                return False
        elif not abs(a - b) <= max(relative * abs(b), of_largest * largest):
            return False
    return True


def compare(tutti, folder, test):
    """Returns the problem, empty if the values agree; and whether the program needs something missing."""
    values = folder / "values"
    command = [tutti, "run", values / f"{test}.relay", f"--inputs={values / test}.in.npz", "--print=text"]
    done = subprocess.run(command, capture_output=True, timeout=120)
    said = done.stderr.decode(errors="replace")
    if done.returncode != 0:
        missing = re.search(r"there is no operator `[^`]*`|there is no kernel[^;\n]*|unexpected `[^`]*`", said)
        return (missing.group() if missing else said.split("\n")[0]), missing is not None
    results = results_of(done.stdout.decode())
    wanted = expected_of(values / f"{test}.out.npz")
    if [r[0] for r in results] != [w[0] for w in wanted]:
        return f"gives {[r[0] for r in results]}, not {[w[0] for w in wanted]}", False
    for i, (result, want) in enumerate(zip(results, wanted)):
        if not agrees(want[0], result[1], want[1]):
            at = next(k for k, (a, b) in enumerate(zip(result[1], want[1])) if not agrees(want[0], [a], [b]))
            return f"output {i}, element {at}: {result[1][at]}, not {want[1][at]}", False
    return "", False


GROUPS = ("random", "sparse", "training", "lowering", "internal")  # missing on purpose


def listed_as_missing(tutti, folder):
    """Returns operators that `tutti list ops --missing` wrongly has or lacks, according to the reference's list."""
    said = subprocess.run([tutti, "list", "ops", "--missing"], capture_output=True, text=True, check=True).stdout
    listed = {line.strip() for line in said.splitlines() if line.startswith("  ")}
    rows = [line.split("\t") for line in (folder / "missing.tsv").read_text().splitlines() if line and line[0] != "#"]
    said = subprocess.run([tutti, "list", "ops"], capture_output=True, text=True, check=True).stdout
    there = {line.split()[0] for line in said.splitlines()}
    wanted = {row[0] for row in rows if row[1] in GROUPS} - there
    return sorted(listed ^ wanted)


def main():
    tutti, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    if not (folder / "values.tsv").exists():
        print(f"{folder} is not there: what the reference computed operator by operator is NOT compared")
        return SKIPPED
    tests = [line.split("\t")[0] for line in (folder / "values.tsv").read_text().splitlines() if line and line[0] != "#"]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        found = dict(zip(tests, workers.map(lambda test: compare(tutti, folder, test), tests)))
    absent = collections.Counter(what for what, missing in found.values() if missing)
    differ = {test: what for test, (what, missing) in found.items() if what and not missing}
    for what, count in absent.most_common():
        print(f"{count:4}  {what}")
    same = len(tests) - absent.total() - len(differ)
    bad = 0
    for name in listed_as_missing(tutti, folder):
        print(f"{name}: is not in `tutti list ops --missing`, or should not be")
        bad += 1
    for test in sorted(set(differ) | set(LISTED)):
        listed = LISTED.get(test)
        if test in differ and listed:
            print(f"as listed: {test}: {differ[test]}: {listed}")
        else:
            bad += 1
            print(f"{test}: {differ.get(test, 'is listed, and agrees')}")
    print(f"{same} the same, {len(differ)} differ, {absent.total()} not there yet")
    if same < LEAST:
        print(f"there were {LEAST} the same")
        bad += 1
    return 1 if bad else 0


sys.exit(main())
