"""Every header can be included twice in a file, and in two files of one program; but for those that need another library there.

headers_twice.py SOURCE_ROOT STAMPS -- COMPILER...
"""

import subprocess
import tempfile
from pathlib import Path

import compiling
import house


def link(root, names):
    """Compiles a file that includes everything, twice; links two of it. Gives the complaint or None."""
    text = "".join(f"#include <{name}>\n" for name in names) * 2
    with tempfile.TemporaryDirectory() as folder:
        objects = [str(Path(folder) / name) for name in ("one.o", "two.o")]
        mains = ["int main() {}\n", ""]
        said = compiling.in_parallel(
            lambda job: compiling.compile_text(text + job[0], root, "-O0", "-c", "-o", job[1]), list(zip(mains, objects)))
        for complaint in said:
            if complaint:
                return complaint
        done = subprocess.run([*compiling.COMPILER, *objects, "-o", str(Path(folder) / "program")], capture_output=True,
                              text=True, check=False)
        return None if done.returncode == 0 else done.stderr


def check(root):
    names = [name for name in house.headers(root) if name not in house.LINKED]
    said = compiling.once(root, names, "twice", lambda: link(root, names))
    return [f"the headers do not go together twice:\n{said}"] if said else []


GOOD = {"include/tutti/a.hpp": "#pragma once\ninline int f() { return 1; }\n"}

house.run(check, [
    (GOOD, None),
    (GOOD | {"include/tutti/b.hpp": "struct b {};\n"}, "redefinition"),
    (GOOD | {"include/tutti/b.hpp": "#pragma once\nint g() { return 1; }\n"}, "multiple definition"),
])
