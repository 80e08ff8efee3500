"""tutorial_text.py REFERENCE EXPECTED: what our tutorial is expected to print is what the reference printed, measured times apart."""

import sys

from compare_output import check_myself, difference, read


def main():
    check_myself()
    found = difference(read(sys.argv[1]), read(sys.argv[2]))
    sys.stdout.write(found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
