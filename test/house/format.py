"""Every .hpp, .ipp and .cpp is formatted by clang-format 19; the formats of other versions differ.

Skipped if it is not installed.
"""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import house

CLANG_FORMAT = shutil.which("clang-format-19")
STYLE = Path(sys.argv[1]) / ".clang-format"
FOLDERS = ("include", "src", "test", "bench", "examples", "tools")
SKIPPED = 77
#: The number of files for one call.
MANY = 40


def ill_formed(files):
    """Returns the files that are not formatted."""
    said = subprocess.run([CLANG_FORMAT, f"--style=file:{STYLE}", "--dry-run", "-Werror", "-ferror-limit=0", *map(str, files)],
                          capture_output=True, text=True, check=False).stderr
    return {line.split(":", 1)[0] for line in said.splitlines() if "error:" in line}


def check(root):
    files = sorted(path for folder in FOLDERS for path in (Path(root) / folder).rglob("*.[chi]pp"))
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        parts = pool.map(ill_formed, [files[at:at + MANY] for at in range(0, len(files), MANY)])
    for name in sorted(set().union(*parts)):
        yield f"{Path(name).relative_to(root)} is not formatted: clang-format-19 -i {Path(name).relative_to(root)}"


if CLANG_FORMAT is None:
    print("SKIPPED: clang-format-19 is not installed: nobody looks at how the sources are formatted")
    sys.exit(SKIPPED)
house.run(check, [
    ({"include/tutti/a.hpp": "struct a {\n    int b;\n};\n"}, None),
    ({"include/tutti/a.hpp": "struct a { int b;\n};\n"}, "include/tutti/a.hpp is not formatted"),
    ({"test/a.cpp": "int  a;\n"}, "clang-format-19 -i test/a.cpp"),
])
