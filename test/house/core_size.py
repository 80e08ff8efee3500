"""`#include <tutti/pass.hpp>` costs at most 20,000 preprocessed lines, without line markers and blank lines.

core_size.py SOURCE_ROOT -- COMPILER...
"""

import subprocess
from pathlib import Path

import compiling
import house

MOST = 20_000


def check(root):
    command = [*compiling.COMPILER, "-std=c++20", f"-I{Path(root) / 'include'}", "-x", "c++", "-E", "-P", "-"]
    done = subprocess.run(command, input="#include <tutti/pass.hpp>\n", capture_output=True, text=True, check=False)
    if done.returncode:
        yield f"<tutti/pass.hpp> does not preprocess:\n{done.stderr}"
        return
    lines = sum(1 for line in done.stdout.splitlines() if line.strip())
    print(f"<tutti/pass.hpp>: {lines} lines")
    if lines > MOST:
        yield f"<tutti/pass.hpp> has {lines} preprocessed lines; at most {MOST}"


house.run(check, [
    ({"include/tutti/pass.hpp": "#include <string_view>\n"}, None),
    ({"include/tutti/pass.hpp": "#include <regex>\n"}, f"at most {MOST}"),
    ({}, "does not preprocess"),
])
