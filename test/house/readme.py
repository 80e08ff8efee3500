"""The README's first program compiles, has at most 30 lines, and prints what the README says.

readme.py SOURCE_ROOT -- COMPILER...
"""

import re
import subprocess
import tempfile
from pathlib import Path

import compiling
import house

MOST = 30
PROGRAM = re.compile(r"```cpp\n(.*?)```\n\nprints\n\n```\n(.*?)```", re.DOTALL)


def check(root):
    readme = Path(root) / "README.md"
    found = PROGRAM.search(readme.read_text(encoding="utf-8")) if readme.is_file() else None
    if not found:
        yield "README.md shows no program with what it prints"
        return
    program, expected = found.groups()
    if program.count("\n") > MOST:
        yield f"the README's program has {program.count(chr(10))} lines; at most {MOST}"
    with tempfile.TemporaryDirectory() as folder:
        complaint = compiling.compile_text(program, root, "-o", f"{folder}/program")
        if complaint:
            yield f"the README's program does not compile:\n{complaint}"
            return
        printed = subprocess.run([f"{folder}/program"], capture_output=True, text=True, check=False)
        if printed.returncode or printed.stdout != expected:
            yield f"the README's program prints (exit code {printed.returncode})\n{printed.stdout}and should print\n{expected}"


def readme(program, prints):
    return {"README.md": f"# x\n\n```cpp\n{program}```\n\nprints\n\n```\n{prints}```\n"}


HELLO = '#include <cstdio>\nint main() { std::puts("hello"); }\n'

house.run(check, [
    (readme(HELLO, "hello\n"), None),
    (readme(HELLO, "goodbye\n"), "should print"),
    (readme("int main() { return nothing; }\n", ""), "does not compile"),
    (readme("\n" * 31 + HELLO, "hello\n"), "at most 30"),
    ({}, "shows no program"),
])
