"""Without exceptions and run-time types, the core compiles and behaves the same; an error ends the program with its
message.

without_exceptions.py INCLUDE_DIR -- COMPILER...

Compiles each umbrella of the core, then all of its headers with a program that uses most of them, whose output must
equal without_exceptions.expected.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FLAGS = ["-std=c++20", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra", "-Werror"]
UMBRELLAS = ("pass", "instrument", "runtime")


def compile_text(compiler, include, text, *arguments):
    """Returns the compiler's errors; empty if it accepts the text."""
    command = [*compiler, *FLAGS, f"-I{include}", *arguments, "-x", "c++", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False).stderr


def inclusions(headers):
    return "".join(f"#include <tutti/{header}>\n" for header in headers)


def main():
    include, _, *compiler = sys.argv[1:]
    if not compile_text(compiler, include, "void f() { throw 1; }\n"):
        sys.exit("the flags do not switch exceptions off")
    for name in UMBRELLAS:
        said = compile_text(compiler, include, inclusions([f"{name}.hpp"]), "-fsyntax-only")
        if said:
            sys.exit(f"<tutti/{name}.hpp> does not compile:\n{said}")

    folder = Path(include) / "tutti"
    headers = [path.relative_to(folder).as_posix() for layer in (*UMBRELLAS, "pipeline") for path in sorted(folder.glob(f"{layer}/*.hpp"))]
    source = HERE / "without_exceptions.cpp"
    with tempfile.TemporaryDirectory() as build:
        program = Path(build) / "program"
        said = compile_text(compiler, include, inclusions(headers) + source.read_text(encoding="utf-8"), "-o", str(program))
        if said:
            sys.exit(f"{source.name}, behind all headers of the core, does not compile:\n{said}")
        done = subprocess.run([program], capture_output=True, text=True, check=False)
        if done.returncode or done.stdout != (HERE / "without_exceptions.expected").read_text(encoding="utf-8"):
            sys.exit(f"exit code {done.returncode}; it printed\n{done.stdout}{done.stderr}")
        failed = subprocess.run([program, "fail"], capture_output=True, text=True, check=False)
        if failed.returncode == 0 or "did you mean Look?" not in failed.stderr:
            sys.exit(f"a mistake gave the exit code {failed.returncode}, and\n{failed.stderr}")
    return 0


sys.exit(main())
