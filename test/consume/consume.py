"""The library is usable from outside: a program with its own IR builds against it and prints the expected output.

consume.py subproject
pkg-config
cmake SOURCE_ROOT VERSION -- COMPILER...

As a Meson subproject the library is its sources; through pkg-config and CMake it is an installed tree that was moved.
Each way must refuse a request for version 99.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

WAY, ROOT, VERSION = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
COMPILER = sys.argv[sys.argv.index("--") + 1:]
PROGRAM = ROOT / "test/consume/main.cpp"
EXPECTED = "Fold: 3 calls\nsequential: 3 calls\n3 calls left\n"

MESON_BUILD = """project('user', 'cpp', default_options: ['cpp_std=c++20', 'warning_level=3', 'werror=true'])
executable('program', 'main.cpp', dependencies: dependency('tutti', version: '>=@VERSION@', fallback: 'tutti'))
"""
CMAKE_LISTS = """cmake_minimum_required(VERSION 3.16)
project(user CXX)
find_package(tutti @VERSION@ REQUIRED)
add_executable(program main.cpp)
target_link_libraries(program PRIVATE tutti::tutti)
"""


class Failed(Exception):
    """A command that failed."""


def run(*command, env=None):
    """Runs a command and returns its output."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False,
                          env={**os.environ, "CXX": " ".join(COMPILER), **(env or {})})
    if done.returncode:
        raise Failed(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def installed(folder):
    """Returns an installed tree in the folder, moved after installation; refuses files specific to an architecture."""
    first, prefix = folder / "first", folder / "moved"
    run("meson", "setup", folder / "install", ROOT, f"--prefix={first}", *(f"-D{x}=disabled" for x in ("tests", "examples", "tools", "benches")))
    run("meson", "install", "-C", folder / "install")
    first.rename(prefix)
    strange = [p for p in prefix.rglob("*") if p.is_file() and p.relative_to(prefix).parts[0] not in ("include", "share")]
    if strange:
        raise Failed(f"installed outside of include and share: {strange}")
    return prefix


def through_subproject(folder, version):
    """Returns the program's output with the sources as a Meson subproject, which has no tests, benches or examples."""
    project = folder / "user"
    sources = project / "subprojects/tutti"
    sources.mkdir(parents=True)
    for part in ("include", "src", "packaging"):
        shutil.copytree(ROOT / part, sources / part)
    for part in ("meson.build", "meson_options.txt"):
        shutil.copy(ROOT / part, sources)
    shutil.copy(PROGRAM, project)
    (project / "meson.build").write_text(MESON_BUILD.replace("@VERSION@", version), encoding="utf-8")
    # The subproject must be used, not a library installed on this machine.
    run("meson", "setup", "--force-fallback-for=tutti", project / "build", project)
    run("ninja", "-C", project / "build")
    return run(project / "build/program")


def through_pkg_config(folder, version):
    """Returns the program's output, compiled with the flags from pkg-config for the installed tree."""
    env = {"PKG_CONFIG_PATH": str(installed(folder) / "share/pkgconfig")}
    flags = run("pkg-config", "--cflags", "--libs", f"tutti >= {version}", env=env).split()
    program = folder / "program"
    run(*COMPILER, "-std=c++20", "-Wall", "-Wextra", "-Werror", PROGRAM, *flags, "-o", program)
    return run(program)


def through_cmake(folder, version):
    """Returns the program's output, built by a CMake project that finds the installed tree."""
    prefix = installed(folder)
    project = folder / "user"
    project.mkdir()
    shutil.copy(PROGRAM, project)
    (project / "CMakeLists.txt").write_text(CMAKE_LISTS.replace("@VERSION@", version), encoding="utf-8")
    run("cmake", "-G", "Ninja", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", project / "build")
    return run(project / "build/program")


def main():
    through = {"subproject": through_subproject, "pkg-config": through_pkg_config, "cmake": through_cmake}[WAY]
    with tempfile.TemporaryDirectory() as folder:
        try:
            printed = through(Path(folder), VERSION)
        except Failed as failed:
            return f"the library cannot be used through {WAY}:\n{failed}"
    if printed != EXPECTED:
        return f"the program printed\n{printed}and not\n{EXPECTED}"
    with tempfile.TemporaryDirectory() as folder:
        try:
            through(Path(folder), "99")
        except Failed as failed:
            return None if "99" in str(failed) else f"version 99 was refused for another reason:\n{failed}"
    return "version 99 was found, which there is not"


if __name__ == "__main__":
    sys.exit(main())
