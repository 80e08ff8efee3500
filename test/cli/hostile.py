"""Runs the command line `tutti` on excessive inputs, with its default limits.

Each run must succeed or fail with an error of ours, within 5 s of processor time and 1 GiB of memory; running out of
memory is a failure.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hostile_inputs import inputs

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("tutti", type=os.path.abspath)
parser.add_argument("--named", default="", help="only inputs that have this in their names")
parser.add_argument("--every", type=int, default=1, help="only every so manieth run")
parser.add_argument("--first", type=int, default=0, help="and from this one on")
parser.add_argument("--slower", type=int, default=1, help="how many times as long they may take, in a program that was not optimised")
asked = parser.parse_args()
TUTTI = asked.tutti
MEMORY = 1 << 30
SECONDS = 5
LEAST = 200

ERROR = re.compile(rb"^[^\n]*: error: .")


def sanitized():
    """True if the program was built with a sanitizer, which needs more memory and time."""
    return b"__asan_init" in Path(TUTTI).read_bytes() or b"__tsan_init" in Path(TUTTI).read_bytes()


SANITIZED = sanitized()
SLOWER = 20 if SANITIZED else asked.slower


def limit_child():
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS * SLOWER, SECONDS * SLOWER + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(arguments, stdin):
    """Returns the exit code (negative: a signal), the messages, the processor time and the peak memory."""
    with tempfile.TemporaryFile() as said, open(stdin, "rb") as given, open(os.devnull, "wb") as nothing:
        process = subprocess.Popen([TUTTI, *arguments], stdin=given, stdout=nothing, stderr=said, preexec_fn=limit_child)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return process.returncode, said.read(1 << 20), used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def wrong(code, said):
    """Returns the problem with how a run ended, or nothing."""
    if code < 0:
        return "ended by signal " + str(-code)
    if code not in (0, 1, 2, 3):
        return f"ended with {code}"
    if code and not ERROR.search(said):
        return "no error of ours"
    if b"not enough memory" in said or b"bad_alloc" in said:
        return "ran out of memory"
    return ""


def check_the_checks():
    assert wrong(-11, b"") and wrong(134, b"") and wrong(1, b"terminate called") and wrong(3, b"")
    assert wrong(1, b"x: error: there is not enough memory") and not wrong(0, b"") and not wrong(1, b"<stdin>:1:1: error: no\n")


def main():
    check_the_checks()
    complaints = []
    names = set()
    runs = []
    met = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, files, commands in inputs():
            if asked.named not in name:
                continue
            assert name not in names, name
            names.add(name)
            paths = {}
            for file, data in files.items():
                paths[file] = os.path.join(folder, file)
                Path(paths[file]).write_bytes(data if isinstance(data, bytes) else data.encode())
            for command in commands:
                met += 1
                if (met - 1 - asked.first) % asked.every:
                    continue
                arguments = ["--passes=" + files["p"] if a == "--passes-of=p" else a.format(**paths) if "{a}" in a else a
                             for a in command]
                code, said, seconds, memory = run(arguments, paths["x"])
                shown = f"{name} ({' '.join(command)[:100]})"
                runs.append((seconds, memory, shown))
                problem = wrong(code, said)
                if not problem and seconds > SECONDS * SLOWER:
                    problem = f"took {seconds:.1f} s"
                if not problem and memory > MEMORY and not SANITIZED:
                    problem = f"took {memory >> 20} MiB"
                if problem:
                    complaints.append(f"{shown}: {problem}: {said[:300].decode(errors='replace')}")
                    print(complaints[-1], flush=True)
    if not asked.named and len(names) < LEAST:
        complaints.append(f"only {len(names)} inputs")
    runs.sort()
    print(f"{len(names)} inputs, {len(runs)} runs, {sum(r[0] for r in runs):.0f} s")
    print("longest: " + "; ".join(f"{s:.2f} s {n}" for s, _, n in reversed(runs[-5:])))
    runs.sort(key=lambda r: r[1])
    print("largest: " + "; ".join(f"{m >> 20} MiB {n}" for _, m, n in reversed(runs[-5:])))
    return 1 if complaints else 0


if __name__ == "__main__":
    start = time.monotonic()
    result = main()
    print(f"{time.monotonic() - start:.0f} s in all")
    sys.exit(result)
