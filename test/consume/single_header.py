"""The single headers are usable: programs of two sources that include them print the expected output, with this compiler
and Clang 19. Including them beside headers of the folder, in either order, is an error that says so.

single_header.py core | relay SOURCE_ROOT VERSION -- COMPILER...
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PART = sys.argv.pop(1)
sys.argv.insert(1, "single")

import consume  # noqa: E402
from sanitized import EXPECTED  # noqa: E402

sys.path.insert(0, str(consume.ROOT / "packaging"))
import single_header  # noqa: E402

MIXED = "both included"
SECOND = '#include "tutti.hpp"\n#include <string_view>\nstd::string_view second() { return tutti::pass_info{.name = "second"}.name; }\n'


def compile_all(compiler, folder, sources, *options):
    """Compiles and links sources; returns the output of the program."""
    program = folder / "program"
    consume.run(*compiler, "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", folder / "single", *options, *sources, "-o", program)
    return consume.run(program)


def with_single(folder, source, header):
    """Returns a copy of a source that includes a single header in place of the library's."""
    text = source.read_text(encoding="utf-8")
    text = re.sub(r"(?:#include <tutti/[^>]+>\n)+", f'#include "{header}"\n', text, count=1)
    made = folder / source.name
    made.write_text(re.sub(r"#include <tutti/[^>]+>\n", "", text), encoding="utf-8")
    return made


def check_core(folder, compiler):
    second = folder / "second.cpp"
    second.write_text(SECOND, encoding="utf-8")
    printed = compile_all(compiler, folder, [with_single(folder, consume.PROGRAM, "tutti.hpp"), second])
    if printed != consume.EXPECTED:
        raise consume.Failed(f"the program printed\n{printed}and not\n{consume.EXPECTED}")


def check_relay(folder, compiler):
    sources = [with_single(folder, consume.ROOT / "test/consume/relay" / name, "tutti_relay.hpp") for name in ("main.cpp", "operators.cpp")]
    printed = compile_all(compiler, folder, sources)
    if printed != EXPECTED:
        raise consume.Failed(f"the program printed\n{printed}and not\n{EXPECTED}")


def refused(compiler, folder, text, why, *options):
    """Checks that the first error about a source says why."""
    source = folder / "wrong.cpp"
    source.write_text(text, encoding="utf-8")
    done = subprocess.run([*compiler, "-std=c++20", "-fsyntax-only", "-Wfatal-errors", "-I", str(folder / "single"), "-I", str(consume.ROOT / "include"), *options,
                           str(source)], capture_output=True, text=True, check=False)
    first = next((line for line in done.stderr.splitlines() if "error" in line), "no error")
    if why not in first:
        raise consume.Failed(f"the first error of\n{text}is: {first}\nexpected: {why}")


def check_mixed(folder, compiler):
    """Checks the errors, and that each header of the folder notices a single header."""
    one, folders = '#include "tutti.hpp"\n', "#include <tutti/unit/unit_traits.hpp>\n"
    refused(compiler, folder, one + folders, MIXED)
    refused(compiler, folder, folders + one, MIXED)
    refused(compiler, folder, '#include <tutti/kernel/dtype.hpp>\n#include "tutti_relay.hpp"\n', MIXED)
    refused(compiler, folder, one, "header-only", "-DTUTTI_COMPILED")
    headers = single_header.Headers()
    for name, included in headers.includes.items():
        ours = [header for header in included if header in headers.text]
        if not ours and name != "tutti/base/folder.hpp":
            raise consume.Failed(f"{name} includes no header of the library; expected at least tutti/base/folder.hpp")


def main():
    compilers = [consume.COMPILER]
    if (clang := shutil.which("clang++-19")) and "clang" not in Path(consume.COMPILER[0]).name:
        compilers.append([clang])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "single").mkdir()
        single_header.write(folder / "single")
        for compiler in compilers:
            try:
                if PART == "core":
                    check_core(folder, compiler)
                    check_mixed(folder, compiler)
                else:
                    check_relay(folder, compiler)
            except consume.Failed as failed:
                return f"the single headers cannot be used with {compiler[0]}:\n{failed}"
    return None


if __name__ == "__main__":
    sys.exit(main())
