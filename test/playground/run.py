"""Exceptions in WebAssembly: compiles test/playground/exceptions.cpp with the playground's runtime and runs it with Node.

run.py CLANG SOURCE_ROOT

Skipped, with a message, without the compiler and libraries for WebAssembly, or without Node.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CLANG, ROOT = sys.argv[1], Path(sys.argv[2])
SKIPPED = 77
TARGET = ["--target=wasm32-wasi", "-fwasm-exceptions", "-std=c++20", "-Wall", "-Wextra", "-Werror"]
RUN = """import {WASI} from 'node:wasi';
import {readFileSync} from 'node:fs';
const wasi = new WASI({version: 'preview1'});
const module = await WebAssembly.compile(readFileSync(process.argv[2]));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
"""


def main():
    tried = subprocess.run([CLANG, *TARGET, "-fsyntax-only", "-x", "c++", "-"], input="#include <string>\n", capture_output=True, text=True,
                           check=False)
    if tried.returncode:
        print(f"SKIPPED: {CLANG} cannot compile for WebAssembly; it needs wasi-libc and libc++ for wasm32")
        return SKIPPED
    if not shutil.which("node"):
        print("SKIPPED: there is no node")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "run.mjs").write_text(RUN, encoding="utf-8")
        for level in ("-O0", "-O2"):
            module = folder / "exceptions.wasm"
            subprocess.run([CLANG, *TARGET, level, ROOT / "test/playground/exceptions.cpp", ROOT / "tools/playground/exceptions.cpp", "-o", module],
                           check=True)
            done = subprocess.run(["node", "--no-warnings", folder / "run.mjs", module], capture_output=True, text=True, check=False)
            if done.returncode or done.stdout:
                return f"{level}:\n{done.stdout}{done.stderr}"
    return None


if __name__ == "__main__":
    sys.exit(main())
