"""The library on other processors and C libraries, and with the next release's GCC: the same texts, hashes, files and integers.

machines.py SOURCE_ROOT [MACHINE...]

Compiles core.cpp and a program that runs passes over random Relay programs for each machine, runs them, under an emulator
where needed, and compares their output with this machine's: integers, texts, hashes and bytes of files exactly, floating point
within a bound. Reports missing compilers and emulators; they are failures. Takes minutes per machine. Prints a row of the table
in docs/reference/platforms.md for each machine.
"""

import math
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from platforms import CORE_OUTPUT, RELAY_OUTPUT, row

HERE = Path(__file__).resolve().parent
ROOT = Path(sys.argv[1]).resolve()
PROGRAMS = "40"
#: Largest difference of floating-point results, relative to the larger of 1 and the magnitude, by element type. Random programs
#: amplify rounding; most results differ by less than a unit in the last place.
BOUNDS = {"float64": 1e-9, "float32": 1e-3, "float16": 5e-2, "bfloat16": 2e-1}
#: GCC's cross compilers: the machine, the triple, the emulator, flags, and facts about the machine.
CROSS = (("i386", "i686-linux-gnu", None, ("-msse2", "-mfpmath=sse"), "32 bits"),
         ("arm64", "aarch64-linux-gnu", "qemu-aarch64-static", (), "64 bits"),
         ("armhf", "arm-linux-gnueabihf", "qemu-arm-static", (), "32 bits"),
         ("s390x", "s390x-linux-gnu", "qemu-s390x-static", (), "64 bits, big-endian"))
MUSL_INCLUDE, MUSL_LIBRARY = Path("/usr/include/x86_64-linux-musl"), Path("/usr/lib/x86_64-linux-musl")
LLVM = Path("/usr/lib/llvm-19")
NEXT_RELEASE, NEXT_GCC = "trixie", "g++-14"


class Failed(Exception):
    """A check that failed, or a tool that is missing."""


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)
    if done.returncode:
        raise Failed(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def need(*programs):
    if missing := [name for name in programs if not shutil.which(name)]:
        raise Failed(f"not installed: {', '.join(missing)}")


def close(a, b, bound):
    """True if two printed numbers agree. Infinities and NaN must be the same."""
    x, y = float(a), float(b)
    if math.isnan(x) or math.isnan(y) or math.isinf(x) or math.isinf(y):
        return a == b or (math.isnan(x) and math.isnan(y))
    return abs(x - y) <= bound * max(1.0, abs(x), abs(y))


def differences(expected, made):
    """Yields the lines that differ, except for floating-point results within the bound."""
    lines, others = expected.splitlines(), made.splitlines()
    if len(lines) != len(others):
        yield f"{len(others)} lines instead of {len(lines)}"
    for line, other in zip(lines, others):
        words, found = line.split(), other.split()
        if line == other:
            continue
        if words[:1] == ["floats"] and words[:2] == found[:2] and len(words) == len(found):
            if all(close(a, b, BOUNDS[words[1]]) for a, b in zip(words[2:], found[2:])):
                continue
        yield f"expected {line[:200]}\nprinted  {other[:200]}"


class Machine:
    """How to compile and run programs for a machine."""

    def __init__(self, work):
        self.work = work
        self.data = work # the folder of the programs, as the machine sees it

    def compile(self, source, program, *flags):
        raise NotImplementedError

    def run(self, program, *arguments):
        return run(self.work / program, *arguments)


class Native(Machine):
    def __init__(self, work, compiler="g++"):
        super().__init__(work)
        need(compiler)
        self.compiler = compiler

    def compile(self, source, program, *flags):
        run(self.compiler, "-std=c++20", "-Wall", "-Wextra", *flags, f"-I{ROOT / 'include'}", source, "-o", self.work / program)


class Cross(Machine):
    def __init__(self, work, triple, emulator, flags):
        super().__init__(work)
        self.compiler, self.emulator, self.flags = f"{triple}-g++", emulator, flags
        need(self.compiler, *([emulator] if emulator else []))
        # The headers of this system are for another machine, except for Boost's.
        (work / "include").mkdir(exist_ok=True)
        if not (work / "include/boost").exists():
            (work / "include/boost").symlink_to("/usr/include/boost")

    def compile(self, source, program, *flags):
        run(self.compiler, "-std=c++20", "-static", *self.flags, *flags, f"-I{ROOT / 'include'}", f"-I{self.work / 'include'}", source,
            "-o", self.work / program)

    def run(self, program, *arguments):
        return run(*([self.emulator] if self.emulator else []), self.work / program, *arguments)


class Musl(Machine):
    def __init__(self, work):
        super().__init__(work)
        need("clang++-19", "musl-gcc")
        for path in (MUSL_LIBRARY / "libc.a", LLVM / "include/c++/v1/vector", LLVM / "lib/libc++.a", LLVM / "lib/libunwind.a"):
            if not path.exists():
                raise Failed(f"not installed: {path}")
        (work / "boost").mkdir(exist_ok=True)
        if not (work / "boost/boost").exists():
            (work / "boost/boost").symlink_to("/usr/include/boost")
        run("musl-gcc", "-c", HERE / "machines/musl_fortify.c", "-o", work / "musl_fortify.o")

    def compile(self, source, program, *flags):
        resources = run("clang++-19", "-print-resource-dir").strip()
        made = self.work / f"{program}.o"
        run("clang++-19", "-std=c++20", *flags, "-nostdinc++", "-nostdlibinc", "-D_LIBCPP_HAS_MUSL_LIBC", "-isystem", LLVM / "include/c++/v1",
            "-isystem", MUSL_INCLUDE, "-isystem", f"{resources}/include", f"-I{ROOT / 'include'}", "-isystem", self.work / "boost",
            "-c", source, "-o", made)
        run("clang++-19", "-static", "-nostdlib", made, self.work / "musl_fortify.o", MUSL_LIBRARY / "crt1.o", MUSL_LIBRARY / "crti.o",
            f"-L{LLVM / 'lib'}", "-Wl,--start-group", "-l:libc++.a", "-l:libc++abi.a", "-l:libunwind.a", MUSL_LIBRARY / "libc.a",
            run("g++", "-print-libgcc-file-name").strip(), "-Wl,--end-group", MUSL_LIBRARY / "crtn.o", "-o", self.work / program)


class NextRelease(Machine):
    """GCC of the distribution's next release, in a folder that debootstrap makes."""

    def __init__(self, work):
        super().__init__(work)
        need("debootstrap", "chroot")
        if os.geteuid() != 0:
            raise Failed("needs root")
        listed = run("apt-get", "indextargets", "--format", "$(SITE) $(COMPONENT)", "Created-By: Packages")
        site = next(line.split()[0] for line in listed.splitlines() if line.endswith(" main") and "debian" in line and "security" not in line)
        self.folder = work / NEXT_RELEASE
        run("debootstrap", "--variant=minbase", f"--include={NEXT_GCC},libboost-dev,zlib1g-dev", NEXT_RELEASE, self.folder, site)
        shutil.copytree(ROOT / "include", self.folder / "src/include")
        self.data = Path("/data")
        shutil.copytree(work, self.folder / "data", ignore=shutil.ignore_patterns(NEXT_RELEASE))

    def compile(self, source, program, *flags):
        shutil.copy(source, self.folder / "src")
        run("chroot", self.folder, NEXT_GCC, "-std=c++20", "-Wall", "-Wextra", "-I/src/include", *flags, f"/src/{Path(source).name}", "-o", f"/{program}")

    def run(self, program, *arguments):
        return run("chroot", self.folder, f"/{program}", *arguments)


def machines(work):
    """Returns the machines by name: what makes them, and the columns of their rows."""
    made = {name: (lambda triple=triple, emulator=emulator, flags=flags: Cross(work, triple, emulator, flags),
                   f"GCC 12, cross{', emulated' if emulator else ''}", f"{name}: {facts}", flags)
            for name, triple, emulator, flags, facts in CROSS}
    # Clang evaluates arguments of functions in another order than GCC.
    made["clang"] = (lambda: Native(work, "clang++-19"), "Clang 19", "x86-64", ())
    made["musl"] = (lambda: Musl(work), "Clang 19, libc++ 19", "x86-64, musl", ())
    made["next"] = (lambda: NextRelease(work), "GCC 14", f"x86-64, Debian {NEXT_RELEASE}", ())
    return made


def self_test():
    """Finds differences in lines that differ, and none within the bound."""
    if list(differences("floats float32 1 2\nint 1", "floats float32 1.0001 2\nint 1")):
        raise Failed("self-test: a difference within the bound was reported")
    for made in ("floats float32 1.1 2\nint 1", "floats float32 1 2\nint 2", "floats float32 nan 2\nint 1", "floats float32 1 2"):
        if not list(differences("floats float32 1 2\nint 1", made)):
            raise Failed(f"self-test: not seen as different: {made}")


def check(machine, expected):
    machine.compile(HERE / "compilers/core.cpp", "core", "-O0")
    machine.compile(HERE / "compilers/relay.cpp", "text", "-O0")
    machine.compile(HERE / "machines/relay.cpp", "relay", "-O0")
    for program, output in (("core", CORE_OUTPUT), ("text", RELAY_OUTPUT)):
        if (said := machine.run(program)) != output:
            raise Failed(f"{program} printed\n{said}and not\n{output}")
    if found := list(differences(expected, machine.run("relay", "check", machine.data, PROGRAMS))):
        raise Failed(f"{len(found)} differences:\n" + "\n".join(found[:10]))


def main():
    self_test()
    bad = 0
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        native = Native(work)
        native.compile(HERE / "machines/relay.cpp", "native", "-O0")
        native.run("native", "make", work, PROGRAMS)
        expected = native.run("native", "check", work, PROGRAMS)
        if len(expected.splitlines()) < 10 * int(PROGRAMS):
            return f"this machine printed only\n{expected}"
        known = machines(work)
        for name in sys.argv[2:] or known:
            make, compiler, facts, flags = known[name]
            print(name, flush=True)
            try:
                machine = make()
                check(machine, expected)
                print(row(compiler, facts, " ".join(flags), "core, Relay, kernels, evaluator, ONNX", "all programs: the same results"), flush=True)
            except Failed as failed:
                bad += 1
                print(f"{name}: {failed}", flush=True)
    return f"{bad} machines failed" if bad else None


if __name__ == "__main__":
    sys.exit(main())
