"""tutorial_text.py REFERENCE EXPECTED: the expected output of our tutorial equals the reference's, except for measured
times."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

from compare_output import check_myself, difference, read


def main():
    check_myself()
    found = difference(read(sys.argv[1]), read(sys.argv[2]))
    sys.stdout.write(found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
