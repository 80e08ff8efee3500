"""The compiled form of tutti/relay is usable from outside: two sources of a user link the library and print the expected output.

compiled.py pkg-config | cmake BUILD_ROOT SOURCE_ROOT VERSION -- COMPILER...
compiled.py subproject | shared | add_subdirectory | cmake_install SOURCE_ROOT VERSION -- COMPILER...

Through pkg-config and CMake, the library is installed from a build with -Dlibrary=enabled, and the tree was moved. As a
subproject it is built anew, as a static library or (shared) as a shared one, which takes minutes; so does CMake, as a part
of the program's project (a shared library), or to install it. The program hides its symbols there, as many do.
"""

import shutil
import sys
import tempfile
from pathlib import Path

WAY = sys.argv[1]
BUILD = Path(sys.argv.pop(2)) if WAY in ("pkg-config", "cmake") else None

import consume  # noqa: E402
from sanitized import EXPECTED  # noqa: E402

SOURCES = [consume.ROOT / "test/consume/relay" / name for name in ("main.cpp", "operators.cpp")]

MESON_BUILD = """project('user', 'cpp', default_options: ['cpp_std=c++20', 'warning_level=3', 'werror=true', 'default_library=@KIND@', 'optimization=0'])
relay = dependency('tutti-relay', version: '>=@VERSION@', fallback: 'tutti', default_options: ['default_library=@KIND@'])
executable('program', 'main.cpp', 'operators.cpp', dependencies: relay, gnu_symbol_visibility: 'hidden')
"""
CMAKE_LISTS = """cmake_minimum_required(VERSION 3.16)
project(user CXX)
find_package(tutti @VERSION@ REQUIRED COMPONENTS relay)
add_executable(program main.cpp operators.cpp)
target_link_libraries(program PRIVATE tutti::relay)
"""
CMAKE_SUBDIRECTORY = """cmake_minimum_required(VERSION 3.16)
project(user CXX)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
add_subdirectory(tutti)
add_executable(program main.cpp operators.cpp)
target_link_libraries(program PRIVATE tutti::relay)
"""


def installed(folder):
    """Returns the installed tree of the build, moved."""
    consume.run("meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", folder / "first")
    library = next((folder / "first").rglob("libtutti-relay.*"), None)
    if library is None:
        raise consume.Failed("the build has no installed library: it needs -Dlibrary=enabled")
    prefix = next(path for path in library.parents if (path / "include/tutti").is_dir())
    return Path(shutil.move(prefix, folder / "moved"))


def through_pkg_config(folder):
    prefix = installed(folder)
    described = sorted(str(path.parent) for path in prefix.rglob("*.pc"))
    flags = consume.run("pkg-config", "--cflags", "--libs", f"tutti-relay >= {consume.VERSION}",
                        env={"PKG_CONFIG_PATH": ":".join(described)}).split()
    program = folder / "program"
    consume.run(*consume.COMPILER, "-std=c++20", "-Wall", "-Wextra", "-Werror", *SOURCES, *flags, "-o", program)
    return consume.run(program)


def installed_by_cmake(folder):
    """Returns a tree that CMake installed, moved."""
    first = folder / "first"
    consume.run("cmake", "-G", "Ninja", "-S", consume.ROOT, "-B", folder / "install", f"-DCMAKE_INSTALL_PREFIX={first}")
    consume.run("cmake", "--build", folder / "install")
    consume.run("cmake", "--install", folder / "install")
    return Path(shutil.move(first, folder / "moved"))


def cmake_program(project, lists, *options):
    project.mkdir(exist_ok=True)
    for source in SOURCES:
        shutil.copy(source, project)
    (project / "CMakeLists.txt").write_text(lists, encoding="utf-8")
    consume.run("cmake", "-G", "Ninja", "-S", project, "-B", project / "build", *options)
    consume.run("cmake", "--build", project / "build")
    return consume.run(project / "build/program")


def through_cmake(folder, install=installed):
    lists = CMAKE_LISTS.replace("@VERSION@", consume.VERSION)
    return cmake_program(folder / "user", lists, f"-DCMAKE_PREFIX_PATH={install(folder)}")


def within_cmake(folder):
    consume.copy_sources(folder / "user/tutti")
    printed = cmake_program(folder / "user", CMAKE_SUBDIRECTORY, "-DBUILD_SHARED_LIBS=ON")
    if not list((folder / "user/build").rglob("libtutti-relay.so*")):
        raise consume.Failed("there is no shared library")
    return printed


def through_subproject(folder, kind):
    project = folder / "user"
    consume.copy_sources(project / "subprojects/tutti")
    for source in SOURCES:
        shutil.copy(source, project)
    text = MESON_BUILD.replace("@VERSION@", consume.VERSION).replace("@KIND@", kind)
    (project / "meson.build").write_text(text, encoding="utf-8")
    consume.run("meson", "setup", "--force-fallback-for=tutti-relay", project / "build", project)
    consume.run("ninja", "-C", project / "build")
    if kind == "shared" and not list((project / "build").rglob("libtutti-relay.so*")):
        raise consume.Failed("there is no shared library")
    return consume.run(project / "build/program")


def main():
    through = {
        "pkg-config": through_pkg_config,
        "cmake": through_cmake,
        "cmake_install": lambda folder: through_cmake(folder, installed_by_cmake),
        "subproject": lambda folder: through_subproject(folder, "static"),
        "shared": lambda folder: through_subproject(folder, "shared"),
        "add_subdirectory": within_cmake,
    }[WAY]
    with tempfile.TemporaryDirectory() as folder:
        try:
            printed = through(Path(folder))
        except consume.Failed as failed:
            return f"the library tutti-relay cannot be used through {WAY}:\n{failed}"
    return None if printed == EXPECTED else f"the program printed\n{printed}and not\n{EXPECTED}"


if __name__ == "__main__":
    sys.exit(main())
