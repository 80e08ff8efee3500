"""Compiles many small sources in parallel, each only if something it includes has changed."""

import functools
import hashlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import house

#: The compiler of the build, given after "--" on the command line, perhaps with macros.
COMPILER = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else ["c++"]
CLANGS = ("clang++-19", "clang++-18", "clang++-17", "clang++-16", "clang++")
#: A compiler that takes a third of GCC's time, for results that do not depend on the compiler; by default the build's.
QUICKEST = next(([found, *(flag for flag in COMPILER if flag.startswith("-D"))] for found in map(shutil.which, CLANGS) if found), COMPILER)
#: The folder that records successful compilations, or None.
STAMPS = Path(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2] != "--" else None
#: Limit on the lines of the compiler's output to show.
SAID = 8
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]


def compile_text(text, root, *arguments, compiler=None, libraries=()):
    """Compiles a text as a source, and links libraries; returns the first lines of the errors, or None on success."""
    command = [*(compiler or COMPILER), *FLAGS, f"-I{Path(root) / 'include'}", "-x", "c++", *arguments, "-", *(("-x", "none", *libraries) if libraries else ())]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else "\n".join(done.stderr.splitlines()[:SAID])


@functools.cache
def compiler_version():
    return subprocess.run([*COMPILER, "--version"], capture_output=True, text=True, check=False).stdout


def closure(root, header):
    """Returns the header and all headers of the library that it includes, directly or indirectly."""
    seen, todo = set(), [header]
    while todo:
        name = todo.pop()
        path = Path(root) / "include" / name
        if name not in seen and path.is_file():
            seen.add(name)
            todo += house.includes(path)
    return sorted(seen)


def fingerprint(root, headers, extra):
    """Returns a hash of the compiler, its options, and every file of ours that it reads."""
    digest = hashlib.sha256(repr((COMPILER, compiler_version(), FLAGS, extra)).encode())
    for name in headers:
        digest.update(name.encode() + b"\0" + (Path(root) / "include" / name).read_bytes())
    return digest.hexdigest()


def stamp_of(root, headers, extra):
    """Returns the file that records success of a job with these files, or None if nothing is recorded."""
    return STAMPS / fingerprint(root, headers, extra) if STAMPS and root == sys.argv[1] else None


def is_known(root, headers, extra):
    """True if `once` would do nothing."""
    stamp = stamp_of(root, headers, extra)
    return stamp is not None and stamp.exists()


def once(root, headers, extra, job):
    """Does the job unless it has succeeded with the same files before; returns its complaint or None."""
    stamp = stamp_of(root, headers, extra)
    if stamp and stamp.exists():
        return None
    complaint = job()
    if stamp and complaint is None:
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.touch()
    return complaint


def in_parallel(function, items):
    """Returns the function's results for the items, in order; runs as many at a time as there are processors."""
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(function, items))
