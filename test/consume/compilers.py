"""The core compiles with each installed Clang from 14 on, with GCC, and with libc++ together with Relay's text.

compilers.py SOURCE_ROOT [all]

Compiles each umbrella of the core, the README's first program and core.cpp with each compiler, and runs the programs;
also relay.cpp with the newest Clang that has libc++. Reports expected compilers that are not installed. Skipped if
there is none.

With `all`, missing compilers are failures, each compiler also compiles the umbrellas without exceptions and type
information, and the programs with link-time optimisation. The first GCC and the newest Clang compile every header with
more flags: in libstdc++'s debug mode, whose vectors are not usable in constant evaluation; with unsigned `char`; in
later language modes; and with all of Clang's warnings but UNWANTED. Prints a row of the table in
docs/reference/platforms.md for each compiler and set of flags that passed.
"""

import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from platforms import CORE_OUTPUT, RELAY_OUTPUT, row

ROOT = Path(sys.argv[1])
ALL = "all" in sys.argv[2:]
SKIPPED = 77
#: Expected compilers; the others are tried if they are installed.
EXPECTED = ("g++-12", "clang++-14", "clang++-15", "clang++-16", "clang++-19")
OTHERS = ("g++-13", "g++-14", "g++-15", "clang++-17", "clang++-18", "clang++-20", "clang++-21")
WITH_LIBCXX = ("clang++-21", "clang++-20", "clang++-19")
MOST_MEMORY, MOST_SECONDS = 3 << 30, 60
UMBRELLAS = ("pass", "instrument", "runtime")
#: Warnings of Clang that the headers do not avoid. They concern older standards, style, indexing of arrays, inline classes,
#: and exact comparisons of floating-point numbers, which kernels need.
UNWANTED = ("c++98-compat", "c++98-compat-pedantic", "c++98-compat-local-type-template-args", "pre-c++14-compat", "pre-c++17-compat",
            "pre-c++20-compat", "pre-c++20-compat-pedantic", "c++20-compat", "unsafe-buffer-usage", "padded", "weak-vtables", "switch-default",
            "switch-enum", "ctad-maybe-unsupported", "documentation-unknown-command", "float-equal", "double-promotion", "old-style-cast",
            "comma", "zero-as-null-pointer-constant", "exit-time-destructors", "tautological-type-limit-compare")
#: Further flags for every header.
MORE_FLAGS = {
    "g++": (("-D_GLIBCXX_DEBUG", "-Wuseless-cast"), ("-std=c++23", "-funsigned-char", "-Wpedantic", "-Wconversion", "-Wshadow")),
    "clang++": (("-D_GLIBCXX_DEBUG",), ("-std=c++23", "-funsigned-char"), ("-std=c++2c",), ("-Weverything", *(f"-Wno-{name}" for name in UNWANTED))),
}
HERE = Path(__file__).resolve().parent / "compilers"
FLAGS = ("-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}")


def code_block(text, heading):
    """Returns the first two code blocks below a heading: a program and its output."""
    return re.findall(r"```(?:cpp)?\n(.*?)```", text[text.index(heading):], re.DOTALL)[:2]


def limit_memory():
    """Keeps a compiler that does not terminate from exhausting the machine, as Clang 15 did."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))


def compiled(compiler, text, *arguments):
    """Returns the compiler's errors; empty if it accepts the text."""
    command = [*compiler, *FLAGS, *arguments, "-x", "c++", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, preexec_fn=limit_memory)
    return done.stderr or ("" if done.returncode == 0 else f"exit code {done.returncode}")


def every_header():
    """Returns a text that includes the whole library, with oneDNN's headers only if it is installed."""
    headers = sorted(str(path.relative_to(ROOT / "include")) for path in (ROOT / "include").rglob("*.hpp"))
    return "".join(f"#include <{name}>\n" if "onednn" not in name else
                   f"#if __has_include(<dnnl.hpp>)\n#include <{name}>\n#endif\n" for name in headers)


def complaints(compiler, programs, folder, *flags):
    """Yields the problems with a compiler: refused umbrellas or programs, and wrong output."""
    for name in UMBRELLAS:
        for without in ((), ("-fno-exceptions", "-fno-rtti")) if ALL else ((),):
            if said := compiled(compiler, f"#include <tutti/{name}.hpp>\n", "-fsyntax-only", *without, *flags):
                yield f"<tutti/{name}.hpp> does not compile{' without exceptions' if without else ''}:\n{said}"
    for name, (text, output) in programs.items():
        program = Path(folder) / "program"
        if said := compiled(compiler, text, *flags, "-o", str(program)):
            yield f"{name} does not compile:\n{said}"
            continue
        done = subprocess.run([program], capture_output=True, text=True, check=False)
        if done.returncode or done.stdout != output:
            yield f"{name}: exit code {done.returncode}; it printed\n{done.stdout}{done.stderr}"


def facts(name):
    """Returns a compiler's name and major version."""
    family, _, version = name.rpartition("-")
    return f"{'GCC' if family == 'g++' else 'Clang'} {version}"


def main():
    first = tuple(code_block((ROOT / "README.md").read_text(encoding="utf-8"), "## A first program"))
    core = {"README's first program": first, "core.cpp": ((HERE / "core.cpp").read_text(encoding="utf-8"), CORE_OUTPUT)}
    relay = {"relay.cpp": ((HERE / "relay.cpp").read_text(encoding="utf-8"), RELAY_OUTPUT)}
    jobs = []
    missing = []
    for name in (*EXPECTED, *OTHERS):
        if shutil.which(name):
            jobs.append(([name], core))
        elif name in EXPECTED:
            missing.append(name)
    for name in filter(shutil.which, WITH_LIBCXX):
        if not compiled([name, "-stdlib=libc++"], "#include <version>\n#ifndef _LIBCPP_VERSION\n#error no\n#endif\n", "-fsyntax-only"):
            jobs.append(([name, "-stdlib=libc++"], core | relay))
            break
    else:
        missing.append("libc++")

    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        if not any(complaints(["c++"], {"self-test": ("int main() { return 1; }\n", "")}, folder)):
            sys.exit("self-test: a program that fails was accepted")
        for compiler, programs in jobs:
            library = ", libc++ 19" if len(compiler) > 1 else ""
            lto = "-flto=auto" if compiler[0].startswith("g++") else "-flto" # GCC complains about the latter
            for flags in ((), ("-O3", lto)) if ALL and not library else ((),):
                print(*compiler, *flags, flush=True)
                said = list(complaints(compiler, programs, folder, *flags))
                bad += len(said)
                print(*said, sep="\n", end="\n" if said else "")
                if not said:
                    what = "core, Relay's text" if library else "core" if flags else "core, also without exceptions and RTTI"
                    print(row(facts(compiler[0]) + library, "x86-64", " ".join(flags), what, f"{len(programs)} programs"), flush=True)
    for family, flags in [(family, flags) for family, sets in MORE_FLAGS.items() for flags in sets] if ALL else ():
        names = [name for name in (*EXPECTED, *OTHERS) if name.startswith(family) and shutil.which(name)]
        names.sort(key=lambda name: int(name.rpartition("-")[2]))
        for name in names[:1] if family == "g++" else names[-1:]:
            print(name, *(flag for flag in flags if not flag.startswith("-Wno-")), flush=True)
            if said := compiled([name], every_header(), "-fsyntax-only", *flags):
                bad += 1
                print(f"the headers do not compile:\n{said}")
            else:
                shown = " ".join(flag for flag in flags if not flag.startswith("-Wno-"))
                print(row(facts(name), "x86-64", shown, "all headers", ""), flush=True)
    for name in missing:
        print(f"NOT TESTED: {name} is not installed")
    if bad or (missing and ALL):
        return 1
    return 0 if jobs else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
