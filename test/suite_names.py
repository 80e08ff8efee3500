"""suite_names.py BUILD_DIR SUITE: the names of the tests in a suite of a Meson build, on one line."""

import json
import sys
from pathlib import Path


def names(build, suite):
    with open(Path(build) / "meson-info" / "intro-tests.json", encoding="utf-8") as file:
        return [test["name"] for test in json.load(file) if any(s.split(":")[-1] == suite for s in test["suite"])]


def main():
    found = names(*sys.argv[1:])
    if not found:
        sys.exit(f"{sys.argv[2]}: there is no such suite in {sys.argv[1]}")
    print(*found)


if __name__ == "__main__":
    main()
