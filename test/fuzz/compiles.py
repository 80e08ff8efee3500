"""compiles.py SOURCE_ROOT COMPILER: the fuzz targets compile. Only the nightly run builds them, with Clang."""

import concurrent.futures
import subprocess
import sys
from pathlib import Path

FLAGS = ("-std=c++20", "-DTUTTI_COMPILED", "-fsyntax-only", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror")


def main():
    root, compiler = Path(sys.argv[1]), sys.argv[2]
    targets = sorted((root / "test/fuzz").glob("*.cpp"))

    def said_of(target):
        command = [compiler, *FLAGS, f"-I{root / 'include'}", f"-I{root / 'test'}", target]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return f"{target.name}:\n{done.stderr}" if done.returncode else ""

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        complaints = [said for said in pool.map(said_of, targets) if said]
    print(*complaints, f"{len(targets) - len(complaints)} of {len(targets)} fuzz targets compile", sep="\n")
    return 1 if complaints or not targets else 0


sys.exit(main())
