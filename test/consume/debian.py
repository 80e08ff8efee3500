"""Debian's packages: built from the tree, free of lintian's errors, and usable in a folder with a minimal system.

debian.py SOURCE_ROOT

Builds the packages with packaging/release.py, which takes minutes, installs them by apt in a folder that debootstrap makes,
and there runs the command, and builds and runs programs by pkg-config and CMake. Needs root, and the distribution's mirror
that this machine uses. Skipped where one of the tools is missing.
"""

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

# The programs that the tests of other ways build, and their output.
sys.argv[1:] = ["debian", sys.argv[1], "", "--", "g++"]

import compiled  # noqa: E402
from consume import EXPECTED, PROGRAM, ROOT, Failed, run  # noqa: E402

SKIPPED = 77
NEEDED = ("git", "dpkg-buildpackage", "dh", "lintian", "debootstrap", "chroot")
NETWORK = '#[version = "0.0.5"]\ndef @main(%x: Tensor[(2), float32]) { add(%x, multiply(2f, 3f)) }\n'


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

    def run(self, *command):
        env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
        return run("chroot", self.path, *command, env=env)

    def run_in(self, name, *command):
        return self.run("sh", "-c", 'cd "$0" && exec "$@"', name, *command)


def check(work):
    packages = work / "packages"
    checkout = work / "checkout"
    run("git", "clone", "-q", ROOT, checkout)
    run(sys.executable, "-B", checkout / "packaging/release.py", "--draft", packages)
    debs = sorted(packages.glob("*.deb"))
    print("built:", *(deb.name for deb in debs))
    print(run("lintian", "--fail-on", "error", "--allow-root", *debs), end="")

    folder = Folder(work / "system")
    shutil.copytree(packages, folder.path / "packages")
    installed = [f"/packages/{deb.name}" for deb in debs if "-dbgsym_" not in deb.name]
    folder.run("apt-get", "update")
    folder.run("apt-get", "install", "-y", "--no-install-recommends", *installed, "g++", "cmake", "make", "pkgconf")

    user = folder.path / "user"
    user.mkdir()
    (user / "net.relay").write_text(NETWORK, encoding="utf-8")
    if "add(%x, 6f" not in (said := folder.run("tutti", "opt", "/user/net.relay", "--passes=FoldConstant")):
        raise Failed(f"tutti opt printed\n{said}")
    folder.run("tutti", "corpus", "run", "/user/net.relay", "--passes=FoldConstant", "-o", "/user/results.db")
    if len(found := [*folder.path.glob("usr/lib/*/tutti/tutti_mpi.so")]) != 1:
        raise Failed(f"the module for MPI is {found}")
    for file in ("man/man1/tutti.1.gz", "bash-completion/completions/tutti.bash", "fish/vendor_completions.d/tutti.fish",
                 "zsh/site-functions/_tutti"):
        if not (folder.path / "usr/share" / file).stat().st_size:
            raise Failed(f"{file} is empty")

    shutil.copy(PROGRAM, user / "core.cpp")
    for source in compiled.SOURCES:
        shutil.copy(source, user)
    (user / "CMakeLists.txt").write_text(compiled.CMAKE_LISTS.replace("@VERSION@", ""), encoding="utf-8")
    flags = {name: folder.run("pkg-config", "--cflags", "--libs", name).split() for name in ("tutti", "tutti-relay")}
    folder.run_in("/user", "g++", "-std=c++20", "core.cpp", *flags["tutti"], "-o", "core")
    folder.run_in("/user", "g++", "-std=c++20", "main.cpp", "operators.cpp", *flags["tutti-relay"], "-o", "relay")
    folder.run_in("/user", "cmake", "-S", ".", "-B", "build")
    folder.run_in("/user", "cmake", "--build", "build")
    for program, expected in (("core", EXPECTED), ("relay", compiled.EXPECTED), ("build/program", compiled.EXPECTED)):
        if (said := folder.run(f"/user/{program}")) != expected:
            raise Failed(f"{program} printed\n{said}and not\n{expected}")

    folder.run("apt-get", "purge", "-y", "tutti", "tutti-mpi", "libtutti-dev", "libtutti-relay0.1")
    if left := [path for path in folder.path.glob("usr/**/*tutti*")]:
        raise Failed(f"left after purging: {left}")


def main():
    missing = [name for name in NEEDED if not shutil.which(name)]
    if os.geteuid() != 0:
        missing.append("root")
    if missing:
        print("SKIPPED: there is no", *missing)
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        try:
            check(Path(name))
        except Failed as failed:
            return str(failed)
    return None


if __name__ == "__main__":
    sys.exit(main())
