"""No file is longer than 600 lines, and the median header is at most 150."""

import statistics
from pathlib import Path

import house

LONGEST = 600
MEDIAN = 150
FOLDERS = ("include", "src", "test", "bench", "examples", "tools", "packaging", ".ci")
KINDS = {".hpp", ".ipp", ".cpp", ".py", ".sh", ".build", ".in", ".txt", ".md", ""}


def lines(path):
    return len(path.read_text(encoding="utf-8").splitlines())


def check(root):
    root = Path(root).resolve()
    data = root / "test" / "data"
    files = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*"))
             if path.is_file() and path.suffix in KINDS and data not in path.parents and "__pycache__" not in path.parts]
    for path in files + [path for path in sorted(root.iterdir()) if path.is_file() and path.suffix in KINDS]:
        if lines(path) > LONGEST:
            yield f"{path.relative_to(root)} has {lines(path)} lines; at most {LONGEST}"
    lengths = [lines(root / "include" / header) for header in house.headers(root)]
    if lengths:
        median = statistics.median(lengths)
        print(f"{root.name}: {len(lengths)} headers, median {median:g} lines, longest {max(lengths)}")
        if median > MEDIAN:
            yield f"the median header has {median:g} lines; at most {MEDIAN}"


house.run(check, [
    ({"include/tutti/a.hpp": "x\n" * 150, "test/data/t.py": "x\n" * 700}, None),
    ({"include/tutti/a.hpp": "x\n" * 151}, "the median header has 151"),
    ({"include/tutti/a.hpp": "x\n", "test/b.cpp": "x\n" * 601}, "b.cpp has 601"),
])
