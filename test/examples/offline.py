"""An example builds without network access if it can do without it.

offline.py SOURCE_ROOT: runs `sh examples/run.sh` on a copy, without package descriptions of libraries and with a `git`
that reaches nothing.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
SOURCE = Path(sys.argv[1]).resolve()
NINJA = shutil.which("ninja")

GIT = """#!/bin/sh
echo "fatal: unable to access '$*'" >&2
exit 128
"""
# Configures, but builds nothing.
BUILD = f"""#!/bin/sh
[ "$*" = --version ] && exec "{NINJA}" --version
exit 0
"""
# A test installs nothing.
REFUSE = """#!/bin/sh
exit 1
"""


def said_by(root, *arguments, **environment):
    """Returns the exit code of the script and its standard error."""
    done = subprocess.run(["sh", str(root / "examples" / "run.sh"), *arguments], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})
    return done.returncode, done.stderr


if not NINJA or not shutil.which("meson"):
    print("needs meson and ninja")
    sys.exit(SKIPPED)

with tempfile.TemporaryDirectory() as folder:
    root = Path(folder, "tutti")
    for name in ("bench", "examples", "include", "packaging", "src", "subprojects", "tools"):
        shutil.copytree(SOURCE / name, root / name, ignore=lambda at, names: [
            each for each in names if at == str(SOURCE / "subprojects") and not each.endswith(".wrap") and each != "packagefiles"])
    shutil.copytree(SOURCE / "test" / "data" / "tutorials", root / "test" / "data" / "tutorials")
    for name in ("meson.build", "meson_options.txt"):
        shutil.copy(SOURCE / name, root / name)
    tools = Path(folder, "tools")
    tools.mkdir()
    for name, text in (("git", GIT), ("ninja", BUILD), ("apt-get", REFUSE), ("sudo", REFUSE)):
        (tools / name).write_text(text, encoding="utf-8")
        (tools / name).chmod(0o755)
    path = f"{tools}:{os.environ['PATH']}"
    nowhere = str(Path(folder, "nowhere"))

    code, said = said_by(root, PATH=path, PKG_CONFIG_LIBDIR=nowhere, PKG_CONFIG_PATH=nowhere, CMAKE=nowhere)
    if "installing" in said or "missing:" in said:
        print(said)
        sys.exit(SKIPPED)
    if not (root / "build" / "release" / "build.ninja").is_file():
        sys.exit("it was not configured:\n" + said)
    if "fatal" in said:
        sys.exit("the network was asked:\n" + said)

    code, said = said_by(root, "use_pass_instrumnt", PATH=path)
    if code != 2 or "use_pass_instrumnt: no such example; expected one of find_the_pass foreign_ir " not in said:
        sys.exit(f"an example that there is not: exit code {code}\n{said}")
