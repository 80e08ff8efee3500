"""The library is usable from outside: a program with its own IR builds against it and prints the expected output.

consume.py WAY SOURCE_ROOT VERSION -- COMPILER...

As a Meson subproject (subproject) and as part of a CMake project (add_subdirectory, fetch_content), the library is its
sources. Through pkg-config and find_package (pkg-config, cmake) it is an installed tree that was moved; Meson installed
it, or (cmake_install) CMake. Each way that can must refuse a request for version 99. Without Boost.Hana, CMake's error
names its package.
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
CMAKE_SUBDIRECTORY = """cmake_minimum_required(VERSION 3.16)
project(user CXX)
add_subdirectory(tutti)
add_executable(program main.cpp)
target_link_libraries(program PRIVATE tutti::tutti)
"""
CMAKE_FETCHED = """cmake_minimum_required(VERSION 3.16)
project(user CXX)
include(FetchContent)
FetchContent_Declare(tutti SOURCE_DIR "${CMAKE_CURRENT_SOURCE_DIR}/tutti")
FetchContent_MakeAvailable(tutti)
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


def installed_by_cmake(folder):
    """Returns an installed tree in the folder, moved after installation."""
    first, prefix = folder / "first", folder / "moved"
    run("cmake", "-G", "Ninja", "-S", ROOT, "-B", folder / "install", f"-DCMAKE_INSTALL_PREFIX={first}", "-DTUTTI_RELAY=OFF")
    run("cmake", "--install", folder / "install")
    first.rename(prefix)
    return prefix


def copy_sources(sources):
    """Copies the parts of the library that it needs as part of another project."""
    sources.mkdir(parents=True)
    for part in ("include", "src", "packaging"):
        shutil.copytree(ROOT / part, sources / part)
    for part in ("meson.build", "meson_options.txt", "CMakeLists.txt"):
        shutil.copy(ROOT / part, sources)


def through_subproject(folder, version):
    """Returns the program's output with the sources as a Meson subproject, which has no tests, benches or examples."""
    project = folder / "user"
    copy_sources(project / "subprojects/tutti")
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


def cmake_program(project, lists, *options):
    """Returns the output of the program of a CMake project."""
    project.mkdir(exist_ok=True)
    shutil.copy(PROGRAM, project)
    (project / "CMakeLists.txt").write_text(lists, encoding="utf-8")
    run("cmake", "-G", "Ninja", "-S", project, "-B", project / "build", *options)
    run("cmake", "--build", project / "build")
    return run(project / "build/program")


def through_cmake(folder, version, install=installed):
    """Returns the program's output, built by a CMake project that finds the installed tree."""
    prefix = install(folder)
    return cmake_program(folder / "user", CMAKE_LISTS.replace("@VERSION@", version), f"-DCMAKE_PREFIX_PATH={prefix}")


def within_cmake(folder, lists):
    """Returns the program's output, built by a CMake project that contains the sources. Nothing else may be built."""
    project = folder / "user"
    copy_sources(project / "tutti")
    printed = cmake_program(project, lists)
    strange = [path.name for path in (project / "build").rglob("*.o") if path.name != "main.cpp.o"]
    if strange:
        raise Failed(f"built besides the program: {strange}")
    run("cmake", "--install", project / "build", "--prefix", folder / "installed")
    if (folder / "installed").exists():
        raise Failed("the user's project installs tutti")
    nowhere = ("-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF", "-DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF",
               f"-DCMAKE_MAKE_PROGRAM={shutil.which('ninja')}", f"-DCMAKE_CXX_COMPILER={shutil.which(COMPILER[0])}")
    try:
        run("cmake", "-G", "Ninja", "-S", project, "-B", folder / "without", *nowhere)
    except Failed as failed:
        if "libboost-dev" in str(failed):
            return printed
        raise
    raise Failed("a missing Boost.Hana is no error")


def main():
    through = {
        "subproject": through_subproject,
        "pkg-config": through_pkg_config,
        "cmake": through_cmake,
        "cmake_install": lambda folder, version: through_cmake(folder, version, installed_by_cmake),
        "add_subdirectory": lambda folder, _: within_cmake(folder, CMAKE_SUBDIRECTORY),
        "fetch_content": lambda folder, _: within_cmake(folder, CMAKE_FETCHED),
    }[WAY]
    with tempfile.TemporaryDirectory() as folder:
        try:
            printed = through(Path(folder), VERSION)
        except Failed as failed:
            return f"the library cannot be used through {WAY}:\n{failed}"
    if printed != EXPECTED:
        return f"the program printed\n{printed}and not\n{EXPECTED}"
    if WAY in ("add_subdirectory", "fetch_content"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        try:
            through(Path(folder), "99")
        except Failed as failed:
            return None if "99" in str(failed) else f"version 99 was refused for another reason:\n{failed}"
    return "version 99 was found, which there is not"


if __name__ == "__main__":
    sys.exit(main())
