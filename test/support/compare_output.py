"""compare_output.py EXPECTED [--errors EXPECTED_ERRORS] PROGRAM [ARGUMENT...]: compares the output of a program with a
file, and its standard error with EXPECTED_ERRORS, if given.

Masks measured values on both sides: durations and shares as the timing profile writes them: 123us, (45.67%; 8.90%).
"""

import difflib
import re
import subprocess
import sys

MEASURED = [(re.compile(r"\b\d+us\b"), "#us"), (re.compile(r"\b\d+\.\d+%"), "#%")]


def masked(text):
    for pattern, mask in MEASURED:
        text = pattern.sub(mask, text)
    return text


def difference(expected, printed):
    """Returns a unified diff; empty if the texts differ only in measured values."""
    lines = difflib.unified_diff(masked(expected).splitlines(True), masked(printed).splitlines(True), "expected", "printed")
    return "".join(line if line.endswith("\n") else line + "\n(no newline)\n" for line in lines)


def check_myself():
    """Tests the comparison itself, since one that cannot fail proves nothing."""
    assert not difference("a: 12us [3us] (0.10%; 99.90%)\n", "a: 7us [71us] (50.00%; 1.00%)\n")
    assert difference("a: 12us\n", "b: 12us\n")
    assert difference("a: 12us\n", "\ta: 12us\n")
    assert difference("a\n", "a")
    assert difference("a\nb\n", "a\n")
    assert difference("opt_level=1\n", "opt_level=2\n")


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def main():
    check_myself()
    expected, *command = sys.argv[1:]
    errors = None
    if command[0] == "--errors":
        errors, *command = command[1:]
    done = subprocess.run(command, capture_output=True, check=False)
    found = difference(read(expected), done.stdout.decode())
    if errors:
        found += difference(read(errors), done.stderr.decode())
    else:
        sys.stderr.write(done.stderr.decode())
    sys.stdout.write(found)
    if done.returncode:
        print(f"exit code {done.returncode}")
    return 1 if found or done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
