"""The library's cost to the compiler has not grown: no count in bench/compile_cost.txt by more than 3 %.

compile_cost.py SOURCE_ROOT [all]

Counts a few rows, or all. The counts do not depend on the machine, only on the compiler: GCC 12 or Clang 19. Columns of a compiler that is not
installed are not checked; without both, the check is skipped.
"""

import sys
from pathlib import Path

import compiling
import house

sys.path.insert(0, str(Path(sys.argv[1]) / "bench"))
import compile_rows as rows  # noqa: E402

MARGIN = 1.03
SKIPPED = 77
ALL = sys.argv[2:] == ["all"]


def grown(name, recorded, found):
    """Yields a complaint for each count that has grown. MiB are rounded, so a difference of one does not count."""
    for column, number in found.items():
        if column not in recorded:
            yield f"bench/compile_cost.txt has no count of {column} for '{name}': bench/compile_time.py --record include writes it"
        elif number > MARGIN * recorded[column] + (column == "MiB"):
            yield f"{name}: {number} {column}; recorded are {recorded[column]}, and {MARGIN} times that is allowed"


def check(root):
    counter = rows.Counter([Path(root) / "include"])
    known = {name: (text, flags) for name, text, flags, _ in (*rows.CORE, *rows.RELAY)}
    recorded = rows.read_counts((Path(root) / "bench" / "compile_cost.txt").read_text(encoding="utf-8"))
    if root == sys.argv[1]:
        for name in known.keys() - recorded.keys():
            yield f"bench/compile_cost.txt has no row '{name}': bench/compile_time.py --record include writes it"
    for name in recorded.keys() - known.keys():
        yield f"bench/compile_cost.txt has a row '{name}' that bench/compile_rows.py does not know"
    names = [name for name in recorded if name in known and (ALL or name in rows.QUICK)]
    for name, found in zip(names, compiling.in_parallel(lambda each: counter.counts(*known[each]), names)):
        if found is None:
            yield f"{name} does not compile"
            continue
        print(name, *(f"{number} {column}" for column, number in found.items()), sep=", ")
        yield from grown(name, recorded[name], found)


def tree(header, number, row="pass.hpp"):
    counts = {row: dict.fromkeys(rows.Counter.COLUMNS, number)}
    return {"include/tutti/pass.hpp": header, "bench/compile_cost.txt": rows.write_counts(counts)}


if len(rows.Counter.absent()) == len(rows.Counter.COMPILERS):
    print(f"skipped: neither {' nor '.join(rows.Counter.COMPILERS)} is installed")
    sys.exit(SKIPPED)
house.run(check, [
    (tree("#include <vector>\n", 10**8), None),
    (tree("#include <vector>\n", 1), "is allowed"),
    (tree("no header\n", 10**8), "pass.hpp does not compile"),
    (tree("", 10**8, "nothing.hpp"), "does not know"),
])
