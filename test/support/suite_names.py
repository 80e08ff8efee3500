"""suite_names.py BUILD_DIR SUITE [EXCEPT...]: prints the names of the tests in a suite of a Meson build, without the
exceptions, on one line."""

import json
import sys
from pathlib import Path


def names(build, suite):
    with open(Path(build) / "meson-info" / "intro-tests.json", encoding="utf-8") as file:
        return [test["name"] for test in json.load(file) if any(s.split(":")[-1] == suite for s in test["suite"])]


def main():
    build, suite, *excepted = sys.argv[1:]
    found = names(build, suite)
    if not found:
        sys.exit(f"{suite}: there is no such suite in {build}")
    if missing := set(excepted) - set(found):
        sys.exit(f"{suite}: there is no such test in it: {' '.join(sorted(missing))}")
    print(*(name for name in found if name not in excepted))


if __name__ == "__main__":
    main()
