"""tutorial_text.py REFERENCE EXPECTED: what our tutorial is expected to print is what the reference printed, measured times apart,
and apart from what ConvertLayout does, which our tutorial does not run."""

import sys

from compare_output import difference


def without_layouts(text):
    kept = [line for line in text.splitlines(True) if "'ConvertLayout'" not in line and "'FoldConstant', {'expand_dims'" not in line]
    return "".join(kept).replace("'layout_transform': 2, ", "")


def check_myself():
    assert without_layouts(" (1, 'ConvertLayout', {})\n (0, {'add': 1, 'layout_transform': 2, 'b': 1})\n") == " (0, {'add': 1, 'b': 1})\n"
    assert without_layouts("anything else\n") == "anything else\n"


def main():
    check_myself()
    texts = []
    for path in sys.argv[1:3]:
        with open(path, encoding="utf-8", newline="") as file:
            texts.append(file.read())
    found = difference(without_layouts(texts[0]), texts[1])
    sys.stdout.write(found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
