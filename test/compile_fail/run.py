"""Each misuse of a pass or an instrument is one error, which says what to do.

run.py INCLUDE_DIR... -- COMPILER...

Each *.cpp in this folder starts with `// expect-error: TEXT`. It must fail to compile, with exactly one `error:` line,
which contains the text, and with limited output in total. A second line `// expect-shown: TEXT` must occur anywhere in
the output. good.txt has the same uses without the mistakes, and must compile.
"""

import concurrent.futures
import functools
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
MARK = "// expect-error: "
SHOWN = "// expect-shown: "
#: Limit on the lines of output for a mistake; Clang prints more context.
MOST_LINES = {"gcc": 20, "clang": 40}
#: Clang adds this for a deleted call operator after its error for the same call.
AGAIN = "error: attempt to use a deleted function"
#: GCC precompiles these headers, with which most files begin.
COMMON = ("tutti/pass.hpp", "tutti/runtime.hpp")
#: Files with a higher limit, since the compiler prints a class that does not fit.
MORE_LINES = {"pass_info_of_another_type.cpp": 25, "context_of_no_option.cpp": 45}


@functools.cache
def first_line(compiler):
    return subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def version(compiler):
    return first_line(tuple(compiler))


def command_for(compiler, includes, language, source, *options):
    return [*compiler, "-std=c++20", "-Wall", "-Wextra", *(f"-I{i}" for i in includes), *options, "-x", language, source]


def compile_text(compiler, includes, text):
    command = command_for(compiler, includes, "c++", "-", "-fsyntax-only")
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def precompile(compiler, includes, folder):
    """Precompiles the common headers in a folder, which must then come first among the includes."""
    def once(header):
        output = Path(folder) / (header + ".gch")
        output.parent.mkdir(parents=True, exist_ok=True)
        source = output.with_suffix(".cpp")
        source.write_text(f"#include <{header}>\n", encoding="utf-8")
        subprocess.run(command_for(compiler, includes, "c++-header", source, "-o", output), check=True)

    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        list(pool.map(once, COMMON))


def complaint(compiler, includes, text, name=""):
    """Returns the problem with how a text fails to compile; None if it is as expected."""
    first = text.splitlines()[0]
    if not first.startswith(MARK):
        return f"does not start with {MARK}"
    expected = first.removeprefix(MARK)
    code, output = compile_text(compiler, includes, text)
    errors = [line for line in output.splitlines() if "error:" in line and not line.endswith(AGAIN)]
    if code == 0:
        return "compiles"
    if len(errors) != 1:
        return "\n    ".join([f"{len(errors)} errors, not one:", *errors])
    if expected not in errors[0]:
        return f"the error is\n    {errors[0]}\n  not\n    {expected}"
    most = max(MOST_LINES["clang" if "clang" in version(compiler) else "gcc"], MORE_LINES.get(name, 0))
    if len(output.splitlines()) > most:
        return f"{len(output.splitlines())} lines are said; at most {most}"
    second = text.splitlines()[1]
    if second.startswith(SHOWN) and second.removeprefix(SHOWN) not in output:
        return f"nothing shows\n    {second.removeprefix(SHOWN)}"
    return None


def self_test(compiler, includes):
    """Tests that the checks can fail."""
    bad = [
        ("no mark", "int x;\n"),
        ("compiles", f"{MARK}x\nint x;\n"),
        ("two errors", f"{MARK}x\nint a = y1;\nint b = y2;\n"),
        ("another error", f"{MARK}x must\nstatic_assert(false, \"y must\");\n"),
        ("too long", f"{MARK}x must\n" + "int f();\n" * 60 + "static_assert(false, \"x must\");\n" + "#warning w\n" * 60),
        ("not shown", f"{MARK}x must\n{SHOWN}z\nstatic_assert(false, \"x must\");\n"),
    ]
    for what, text in bad:
        if complaint(compiler, includes, text) is None:
            yield f"self-test, {what}: nothing was found"
    if said := complaint(compiler, includes, f'{MARK}x must\nstatic_assert(false, "x must");\n'):
        yield f"self-test, right: {said}"
    code, output = compile_text(compiler, includes, (HERE / "good.txt").read_text(encoding="utf-8"))
    if code:
        yield f"good.txt does not compile:\n{output}"


def check(compiler, includes):
    """Prints the complaints about all files, and returns their number."""
    files = sorted(HERE.glob("*.cpp"))
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        print(f"{version(compiler)}: {len(files)} mistakes")
        for said in self_test(compiler, includes):
            bad += 1
            print(said)
        texts = [file.read_text(encoding="utf-8") for file in files]
        for file, said in zip(files, pool.map(lambda file, text: complaint(compiler, includes, text, file.name), files, texts)):
            if said:
                bad += 1
                print(f"{file.name}: {said}")
    return bad or not files


def main():
    split = sys.argv.index("--")
    includes, compiler = sys.argv[1:split], sys.argv[split + 1:]
    with tempfile.TemporaryDirectory() as folder:
        if "clang" not in version(compiler):
            precompile(compiler, includes, folder)
            includes = [folder, *includes]
        return 1 if check(compiler, includes) else 0


sys.exit(main())
