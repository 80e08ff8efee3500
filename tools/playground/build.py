"""Builds the playground: one page that runs passes in the browser, without a server.

build.py OUT [CLANG]

Compiles the library to WebAssembly with Clang 19, wasi-libc and libc++ for wasm32, in OUT/objects, and writes
OUT/playground.html.
"""

import base64
import gzip
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FLAGS = "--target=wasm32-wasi -fwasm-exceptions -std=c++20 -Oz -DTUTTI_COMPILED"
#: The module needs no start function, and may use the memory that a browser gives it.
LINK = "-mexec-model=reactor -Wl,--gc-sections -Wl,--strip-all -Wl,-z,stack-size=8388608 -Wl,--max-memory=4294967296"


def ninja_file(sources, clang):
    """Returns the build description of the module."""
    text = (f"rule compile\n  command = {clang} {FLAGS} -I {ROOT}/include -MD -MF $out.d -c $in -o $out\n  depfile = $out.d\n  deps = gcc\n"
            f"rule link\n  command = {clang} --target=wasm32-wasi -fwasm-exceptions {LINK} $in -o $out\n")
    objects = []
    for source in sources:
        objects.append(f"{source.stem}.o")
        text += f"build {objects[-1]}: compile {source}\n"
    return text + f"build playground.wasm: link {' '.join(objects)}\n"


def page(module):
    """Returns the page with the worker and the module in it."""
    packed = base64.b64encode(gzip.compress(module, 9, mtime=0)).decode()
    text = (HERE / "page.html").read_text(encoding="utf-8")
    worker = (HERE / "worker.js").read_text(encoding="utf-8")
    for mark, part in (("/*worker*/", worker), ("/*module*/", packed)):
        if text.count(mark) != 1:
            sys.exit(f"page.html: expected {mark} once")
        text = text.replace(mark, part)
    return text


def main():
    if len(sys.argv) not in (2, 3):
        return __doc__
    out = Path(sys.argv[1])
    objects = out / "objects"
    objects.mkdir(parents=True, exist_ok=True)
    # The blocked kernels are for vectors that WebAssembly's baseline lacks; passes compute with the reference kernels.
    sources = sorted(path for path in (ROOT / "src/relay").glob("*.cpp") if path.stem != "blocked_kernels")
    sources += [HERE / "playground.cpp", HERE / "exceptions.cpp"]
    (objects / "build.ninja").write_text(ninja_file(sources, sys.argv[2] if len(sys.argv) == 3 else "clang++-19"), encoding="utf-8")
    if subprocess.run(["ninja", "-C", objects, "--quiet", "playground.wasm"], check=False).returncode:
        return "the module cannot be compiled"
    module = (objects / "playground.wasm").read_bytes()
    text = page(module)
    (out / "playground.html").write_text(text, encoding="utf-8")
    print(f"{out / 'playground.html'}: {len(text) / 1e6:.1f} MB; the module {len(module) / 1e6:.1f} MB, "
          f"compressed {len(gzip.compress(module, 9)) / 1e6:.1f} MB")
    return None


if __name__ == "__main__":
    sys.exit(main())
