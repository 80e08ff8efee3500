"""Makes a release from the last commit: the files of a version in one folder, the same bytes each time.

release.py [--no-packages] [--draft] FOLDER

    tutti-VERSION.tar.gz                 the tree of the commit
    tutti.hpp, tutti_relay.hpp           the single headers
    *.deb                                Debian's packages for this machine; left out with --no-packages
    NOTES.md                             the section of the changelog
    SHA256SUMS                           checksums of all of these; verify with `sha256sum -c SHA256SUMS`

Changes that are not committed are refused. So is a changelog that gives the version no date, except with --draft. The
packages take minutes, and need debhelper and what debian/control lists.
"""

import argparse
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import single_header

ROOT = Path(__file__).resolve().parent.parent


def git(*args):
    done = subprocess.run(["git", "-C", str(ROOT), *args], capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"git {args[0]}: {done.stderr.decode()}")
    return done.stdout


def number(path, pattern):
    """Returns what a pattern finds in a file of the tree."""
    found = re.search(pattern, (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    if not found:
        sys.exit(f"{path}: has no version; expected {pattern}")
    return ".".join(found.groups())


def checked_version():
    """Returns the version of meson.build. All other files that state it must agree."""
    version = single_header.version()
    for path, pattern in (
        ("include/tutti/version.hpp", r"major_number = (\d+).*minor_number = (\d+).*patch_number = (\d+)"),
        ("packaging/vcpkg/tutti/vcpkg.json", r'"version": "([\d.]+)"'),
        ("debian/changelog", r"\Atutti \(([\d.]+)\)"),
        ("CHANGELOG.md", r"^## \[([\d.]+)\]"),
    ):
        if (stated := number(path, pattern)) != version:
            sys.exit(f"{path}: states version {stated}; meson.build has {version}")
    return version


def notes(version):
    """Returns the section of the changelog about a version."""
    section = re.search(rf"^## \[{re.escape(version)}\].*?(?=^## |^\[|\Z)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"),
                        re.MULTILINE | re.DOTALL)[0]
    return section.rstrip() + "\n"


def archive(version, when):
    """Returns a compressed archive of the commit's tree: sorted, owned by root, of the commit's time."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(git("archive", "--format=tar", f"--prefix=tutti-{version}/", "HEAD"))) as tree, \
            gzip.GzipFile(filename="", fileobj=packed, mode="wb", mtime=when) as compressed, \
            tarfile.open(fileobj=compressed, mode="w", format=tarfile.USTAR_FORMAT) as made:
        for member in sorted(tree.getmembers(), key=lambda m: m.name):
            member.uid = member.gid = 0
            member.uname = member.gname = "root"
            member.mtime = when
            member.mode = 0o755 if member.mode & 0o100 else 0o644
            member.pax_headers = {}
            made.addfile(member, tree.extractfile(member) if member.isfile() else None)
    return packed.getvalue()


def packages(folder, source, version, when):
    """Builds Debian's packages from the archive."""
    # The path of the folder is not part of the packages: dpkg-buildflags maps it in debug information.
    with tempfile.TemporaryDirectory(prefix="tutti-release-") as name:
        with tarfile.open(source) as tree:
            tree.extractall(name)
        env = {**os.environ, "SOURCE_DATE_EPOCH": str(when), "DEB_BUILD_OPTIONS": os.environ.get("DEB_BUILD_OPTIONS", "parallel=2")}
        done = subprocess.run(["dpkg-buildpackage", "-b", "-us", "-uc"], cwd=Path(name) / f"tutti-{version}", env=env,
                              capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"dpkg-buildpackage failed:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
        for package in sorted(Path(name).glob("*.deb")):
            shutil.copy(package, folder)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--no-packages", action="store_true", help="leave out Debian's packages")
    options.add_argument("--draft", action="store_true", help="accept a version that the changelog calls unreleased")
    options.add_argument("folder", type=Path, help="an empty folder, or one to create")
    given = options.parse_args()

    if not given.no_packages and not (shutil.which("dpkg-buildpackage") and shutil.which("dh")):
        sys.exit("the packages need dpkg-dev and debhelper; install them, or use --no-packages")
    version = checked_version()
    if changed := git("status", "--porcelain").decode():
        sys.exit(f"there are changes that are not committed:\n{changed}")
    text = notes(version)
    if not given.draft and not re.match(r"## \[[\d.]+\] - \d{4}-\d\d-\d\d\n", text):
        sys.exit(f"CHANGELOG.md: version {version} has no date; expected `## [{version}] - YYYY-MM-DD`, or --draft")
    try:
        given.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        sys.exit(f"{given.folder}: {error.strerror}; expected a folder that is empty or can be created")
    if any(given.folder.iterdir()):
        sys.exit(f"{given.folder} is not empty")

    when = int(git("log", "-1", "--format=%ct").decode())
    source = given.folder / f"tutti-{version}.tar.gz"
    source.write_bytes(archive(version, when))
    single_header.write(given.folder)
    (given.folder / "NOTES.md").write_text(text, encoding="utf-8")
    if not given.no_packages:
        print("building Debian's packages, which takes minutes", file=sys.stderr)
        packages(given.folder, source, version, when)
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(given.folder.iterdir())]
    (given.folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    for line in sums:
        print(line, end="")


if __name__ == "__main__":
    main()
