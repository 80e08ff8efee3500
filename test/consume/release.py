"""packaging/release.py makes the same bytes each time, of the last commit only, and refuses what is not ready.

release.py SOURCE_ROOT

Without Debian's packages; test/consume/debian.py builds those. Skipped where the sources are no Git checkout.
"""

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(sys.argv[1])
SKIPPED = 77


def release(checkout, *args):
    done = subprocess.run([sys.executable, "-B", checkout / "packaging/release.py", "--no-packages", *map(str, args)], capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def check(folder):
    """Yields complaints."""
    checkout = folder / "checkout"
    subprocess.run(["git", "clone", "-q", ROOT, checkout], check=True)
    for name in ("first", "second"):
        code, said = release(checkout, "--draft", folder / name)
        if code:
            yield f"cannot make a release: {said}"
            return
    first = files(folder / "first")
    if first != files(folder / "second"):
        yield "two releases of one commit differ"
    if not {"tutti.hpp", "tutti_relay.hpp", "NOTES.md", "SHA256SUMS"} < set(first):
        yield f"the release has only {sorted(first)}"
    if subprocess.run(["sha256sum", "--quiet", "-c", "SHA256SUMS"], cwd=folder / "first", check=False).returncode:
        yield "the checksums are wrong"
    archive = next((folder / "first").glob("tutti-*.tar.gz"))
    with tarfile.open(archive) as tree:
        tree.extractall(folder / "unpacked")
    unpacked = next((folder / "unpacked").iterdir())
    if unpacked.name != archive.name.removesuffix(".tar.gz"):
        yield f"the archive's folder is {unpacked.name}"
    tracked = subprocess.run(["git", "-C", checkout, "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    if missing := [path for path in tracked if path and (unpacked / path).read_bytes() != (checkout / path).read_bytes()]:
        yield f"the archive has other contents of {missing}"

    changelog = checkout / "CHANGELOG.md"
    if "Unreleased" in changelog.read_text(encoding="utf-8") and "has no date" not in release(checkout, folder / "third")[1]:
        yield "a version without a date is no error"
    if "not empty" not in release(checkout, "--draft", folder / "first")[1]:
        yield "a folder with files is no error"
    changelog.write_text(changelog.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    if "not committed" not in release(checkout, "--draft", folder / "third")[1]:
        yield "a change that is not committed is no error"
    version = checkout / "include/tutti/version.hpp"
    version.write_text(version.read_text(encoding="utf-8").replace("patch_number = ", "patch_number = 9"), encoding="utf-8")
    if "version.hpp: states version" not in release(checkout, "--draft", folder / "third")[1]:
        yield "another version in version.hpp is no error"


def main():
    if not (ROOT / ".git").exists():
        print("skipped: the sources are no Git checkout")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        return "\n".join(check(Path(name))) or None


if __name__ == "__main__":
    sys.exit(main())
