"""Compiling many small things at once, and each only when something it includes has changed."""

import functools
import hashlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import house

#: The compiler of the build, as given after "--" on the command line.
COMPILER = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else ["c++"]
CLANGS = ("clang++-19", "clang++-18", "clang++-17", "clang++-16", "clang++")
#: A compiler that takes a third of GCC's time, for what every compiler would say alike; the build's where there is none.
QUICKEST = next(([found] for found in map(shutil.which, CLANGS) if found), COMPILER)
#: Where to remember what compiled well, or None.
STAMPS = Path(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2] != "--" else None
#: How many lines of a compiler's complaint to show.
SAID = 8
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]


def compile_text(text, root, *arguments, compiler=None):
    """Compiles a text as a file of its own; gives what the compiler said first, or None if it was content."""
    command = [*(compiler or COMPILER), *FLAGS, f"-I{Path(root) / 'include'}", "-x", "c++", *arguments, "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else "\n".join(done.stderr.splitlines()[:SAID])


@functools.cache
def compiler_version():
    return subprocess.run([*COMPILER, "--version"], capture_output=True, text=True, check=False).stdout


def closure(root, header):
    """The header and every header of the library that it brings with it."""
    seen, todo = set(), [header]
    while todo:
        name = todo.pop()
        path = Path(root) / "include" / name
        if name not in seen and path.is_file():
            seen.add(name)
            todo += house.includes(path)
    return sorted(seen)


def fingerprint(root, headers, extra):
    """A hash of the compiler, what is asked of it, and every file that it reads of ours."""
    digest = hashlib.sha256(repr((COMPILER, compiler_version(), FLAGS, extra)).encode())
    for name in headers:
        digest.update(name.encode() + b"\0" + (Path(root) / "include" / name).read_bytes())
    return digest.hexdigest()


def stamp_of(root, headers, extra):
    """The file that says that a job went well with these files, or None where nothing is remembered."""
    return STAMPS / fingerprint(root, headers, extra) if STAMPS and root == sys.argv[1] else None


def is_known(root, headers, extra):
    """Whether `once` would have nothing to do."""
    stamp = stamp_of(root, headers, extra)
    return stamp is not None and stamp.exists()


def once(root, headers, extra, job):
    """Does the job unless it went well before with the same files; gives its complaint or None."""
    stamp = stamp_of(root, headers, extra)
    if stamp and stamp.exists():
        return None
    complaint = job()
    if stamp and complaint is None:
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.touch()
    return complaint


def in_parallel(function, items):
    """The function's results over the items, in order, as many at a time as there are processors."""
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(function, items))
