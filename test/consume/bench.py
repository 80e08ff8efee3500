"""A user's instrument is measured with the installed header and example program.

bench.py pkg-config SOURCE_ROOT VERSION -- COMPILER... (as consume.py, whose functions it uses)

Skipped without Google Benchmark.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from consume import COMPILER, Failed, installed, run

SKIPPED = 77
EXPECTED = [f"{how}, {what}" for what in ("no instrument", "1 counting", "longest_plan") for how in ("static", "erased")]


def measured(folder):
    """Returns the output of Google Benchmark for the installed program."""
    prefix = installed(folder)
    env = {"PKG_CONFIG_PATH": str(prefix / "share/pkgconfig")}
    flags = run("pkg-config", "--cflags", "--libs", "tutti", "benchmark", env=env).split()
    where = run("pkg-config", "--variable=benchdir", "tutti", env=env).strip()
    program = folder / "program"
    run(*COMPILER, "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", f"{where}/own_instrument.cpp", f"-I{where}", *flags, "-lpthread", "-o", program)
    return json.loads(run(program, "--benchmark_min_time=0.001", "--benchmark_format=json"))["benchmarks"]


def main():
    if subprocess.run(["pkg-config", "--exists", "benchmark"], check=False).returncode:
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        try:
            rows = measured(Path(folder))
        except Failed as failed:
            return f"instruments cannot be measured with what is installed:\n{failed}"
    names = [row["name"] for row in rows]
    if names != EXPECTED:
        return f"it measured {names}, and should have measured {EXPECTED}"
    for row in rows:
        if not 0 < row["a pass"] < 1e-3:
            return f"{row['name']}: {row['a pass']} seconds a pass"
        if "instructions a pass" not in row and "does not count instructions" not in row.get("label", ""):
            return f"{row['name']}: neither instructions nor why they are not counted"
    return None


if __name__ == "__main__":
    sys.exit(main())
