"""Every header can be included twice in a source, and in two sources of a program, except those that must be linked
with another library.

headers_twice.py SOURCE_ROOT STAMPS -- COMPILER...
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

import compiling
import house


def link(root, names):
    """Compiles a source that includes everything twice, and links it with itself. Returns the complaint or None."""
    text = "".join(f"#include <{name}>\n" for name in names) * 2
    with tempfile.TemporaryDirectory() as folder:
        main, one, two = (str(Path(folder) / name) for name in ("main.o", "one.o", "two.o"))
        for source, made in (("int main() {}\n", main), (text, one)):
            said = compiling.compile_text(source, root, "-O0", "-c", "-o", made)
            if said:
                return said
        shutil.copy(one, two)
        done = subprocess.run([*compiling.COMPILER, main, one, two, "-o", str(Path(folder) / "program")], capture_output=True,
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
