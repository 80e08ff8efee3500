"""Each way to get a pass or an instrument wrong is one error, which says what to do.

run.py INCLUDE_DIR... -- COMPILER...

Each *.cpp beside this script starts with `// expect-error: TEXT`. It must not compile: with one `error:` line, which has the
text, and with no more lines in all than one reads. A second line `// expect-shown: TEXT` is looked for in all that the compiler
says, on that mistake's account. Without its mistake the file would compile: good.txt, a program, is tested for that.
"""

import concurrent.futures
import functools
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MARK = "// expect-error: "
SHOWN = "// expect-shown: "
#: How many lines a compiler may say of one mistake; Clang shows the way to it in more.
MOST_LINES = {"gcc": 20, "clang": 40}
#: Clang says this of a deleted call operator behind its error of the same call.
AGAIN = "error: attempt to use a deleted function"
#: Those that need a few more, since the compiler shows a class that does not fit.
MORE_LINES = {"pass_info_of_another_type.cpp": 25, "context_of_no_option.cpp": 45}


@functools.cache
def first_line(compiler):
    return subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def version(compiler):
    return first_line(tuple(compiler))


def compile_text(compiler, includes, text):
    command = [*compiler, "-std=c++20", "-Wall", "-Wextra", "-fsyntax-only", *(f"-I{i}" for i in includes), "-x", "c++", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def complaint(compiler, includes, text, name=""):
    """What is wrong with how the text fails to compile; None if it is as its first line says."""
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
    """The checks must find what they are for."""
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


def main():
    split = sys.argv.index("--")
    includes, compiler = sys.argv[1:split], sys.argv[split + 1:]
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
    return 1 if bad or not files else 0


sys.exit(main())
