"""Debian's packages: built from the tree, free of lintian's errors, and usable in a folder with a minimal system.

debian.py SOURCE_ROOT

Builds the packages with packaging/release.py, which takes minutes, installs them by apt in a folder that debootstrap makes,
and there runs the command, and builds and runs programs by pkg-config and CMake. Needs root, and the distribution's mirror
that this machine uses. Skipped where one of the tools is missing.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(sys.argv[1])
SKIPPED = 77
NEEDED = ("git", "dpkg-buildpackage", "dh", "lintian", "debootstrap", "chroot")
CMAKE_LISTS = """cmake_minimum_required(VERSION 3.16)
project(user CXX)
find_package(tutti REQUIRED COMPONENTS relay)
add_executable(program main.cpp operators.cpp)
target_link_libraries(program PRIVATE tutti::relay)
"""
PROGRAM = '#[version = "0.0.5"]\ndef @main(%x: Tensor[(2), float32]) { add(%x, multiply(2f, 3f)) }\n'


class Failed(Exception):
    """A command that failed."""


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **options)
    if done.returncode:
        raise Failed(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def mirror():
    """Returns the codename of this distribution and the address of its mirror."""
    release = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', Path("/etc/os-release").read_text(encoding="utf-8"), re.MULTILINE))
    code = release["VERSION_CODENAME"]
    listed = run("apt-get", "indextargets", "--format", "$(SITE) $(RELEASE) $(COMPONENT)", "Created-By: Packages")
    site = next(line.split()[0] for line in listed.splitlines() if line.split()[1:] == [code, "main"])
    return code, site


class Folder:
    """A minimal system in a folder."""

    def __init__(self, path):
        self.path = path
        code, site = mirror()
        run("debootstrap", "--variant=minbase", code, path, site)
        # How this machine reaches the mirror.
        for settings in Path("/etc/apt/apt.conf.d").glob("*"):
            if "Acquire::" in settings.read_text(encoding="utf-8"):
                shutil.copy(settings, path / "etc/apt/apt.conf.d")
        for settings in ("resolv.conf", "hosts"):
            shutil.copy(f"/etc/{settings}", path / "etc")

    def run(self, *command, **options):
        env = {**os.environ, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
        return run("chroot", self.path, *command, env=env, **options)


def check(work):
    packages = work / "packages"
    checkout = work / "checkout"
    run("git", "clone", "-q", ROOT, checkout)
    run(sys.executable, "-B", checkout / "packaging/release.py", "--draft", packages)
    debs = sorted(packages.glob("*.deb"))
    print("built:", *(deb.name for deb in debs))
    print(run("lintian", "--fail-on", "error", "--allow-root", *debs), end="")

    folder = Folder(work / "system")
    (folder.path / "packages").mkdir()
    for deb in debs:
        if "-dbgsym_" not in deb.name:
            shutil.copy(deb, folder.path / "packages")
    wanted = [f"/packages/{deb.name}" for deb in debs if "-dbgsym_" not in deb.name]
    folder.run("apt-get", "update")
    folder.run("apt-get", "install", "-y", "--no-install-recommends", *wanted, "g++", "cmake", "make", "pkgconf")

    user = folder.path / "user"
    user.mkdir()
    (user / "net.relay").write_text(PROGRAM, encoding="utf-8")
    if "add(%x, 6f" not in (said := folder.run("tutti", "opt", "/user/net.relay", "--passes=FoldConstant")):
        raise Failed(f"tutti opt printed\n{said}")
    for file in ("man/man1/tutti.1.gz", "bash-completion/completions/tutti.bash", "fish/vendor_completions.d/tutti.fish",
                 "zsh/site-functions/_tutti"):
        if not (folder.path / "usr/share" / file).stat().st_size:
            raise Failed(f"{file} is empty")

    for source in ("relay/main.cpp", "relay/operators.cpp"):
        shutil.copy(ROOT / "test/consume" / source, user)
    shutil.copy(ROOT / "test/consume/main.cpp", user / "core.cpp")
    (user / "CMakeLists.txt").write_text(CMAKE_LISTS, encoding="utf-8")
    flags = folder.run("pkg-config", "--cflags", "--libs", "tutti-relay").split()
    for command in (
        ["g++", "-std=c++20", "core.cpp", *folder.run("pkg-config", "--cflags", "tutti").split(), "-o", "core"], ["./core"],
        ["g++", "-std=c++20", "main.cpp", "operators.cpp", *flags, "-o", "relay"], ["./relay"],
        ["cmake", "-S", ".", "-B", "build"], ["cmake", "--build", "build"], ["build/program"],
    ):
        said = folder.run("sh", "-c", 'cd /user && exec "$@"', "sh", *command)
        if command[0] in ("./relay", "./core", "build/program"):
            print(command[0], "printed", repr(said))
            if not said:
                raise Failed(f"{command[0]} printed nothing")

    folder.run("apt-get", "purge", "-y", "tutti", "libtutti-dev", "libtutti-relay0.1")
    if left := [path for path in folder.path.glob("usr/**/*tutti*")]:
        raise Failed(f"left after purging: {left}")


def main():
    missing = [name for name in NEEDED if not shutil.which(name)]
    if os.geteuid() != 0:
        missing.append("root")
    if missing:
        print("skipped: there is no", *missing)
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        try:
            check(Path(name))
        except Failed as failed:
            return str(failed)
    return None


if __name__ == "__main__":
    sys.exit(main())
