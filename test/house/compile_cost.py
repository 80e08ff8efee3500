"""What the library costs the compiler stays what it was: no row of bench/compile_cost.txt costs half as much again as is recorded there.

compile_cost.py SOURCE_ROOT -- COMPILER...

The numbers are multiples of `<string>` + `<vector>` in the same run. A row that costs too much is run again, and the quickest run counts,
since others were disturbed.
"""

import sys
from pathlib import Path

import compiling
import house

sys.path.insert(0, str(Path(sys.argv[1]) / "bench"))
import compile_rows as rows  # noqa: E402

MARGIN = 1.5
#: How often to run a row before it is blamed.
MOST_RUNS = 6
#: Rows that take as long as all others together.
LEFT_OUT = {name for name, *_ in rows.PROGRAM}


def recorded(root):
    lines = (Path(root) / "bench" / "compile_cost.txt").read_text(encoding="utf-8").splitlines()
    return {name: float(multiple) for multiple, name in (line.split(maxsplit=1) for line in lines if line and line[0] != "#")}


def quickest(cost, most):
    """The least seconds of as many runs as it takes to be at most `most`. None if it does not compile."""
    least = cost()
    if least is None:
        return None
    least = least[0]
    for _ in range(1, MOST_RUNS):
        if least <= most:
            break
        least = min(least, cost()[0])
    return least


def check(root):
    command = [part for part in compiling.COMPILER if Path(part).name != "ccache"]
    compiler = rows.Compiler(command, [Path(root) / "include"])
    known = {name: (text, flags) for name, text, flags, _ in (*rows.CORE, *rows.RELAY)}
    multiples = recorded(root)
    if root == sys.argv[1]:
        for name in (row[0] for row in (*rows.CORE, *rows.RELAY) if row[0] not in multiples):
            yield f"bench/compile_cost.txt has no row '{name}': bench/compile_time.py --record writes it"
    base = quickest(compiler.base, 0)
    for name, multiple in multiples.items():
        if name not in known:
            yield f"bench/compile_cost.txt has a row '{name}' that bench/compile_rows.py does not know"
            continue
        if name in LEFT_OUT:
            continue
        most = MARGIN * multiple * base
        seconds = quickest(lambda row=known[name]: compiler.cost(*row), most)
        if seconds is None:
            yield f"{name} does not compile"
            continue
        print(f"{name}: {seconds:.2f} s, {seconds / base:.2f} times {rows.BASE}; recorded: {multiple:.2f}")
        if seconds > most:
            yield f"{name} costs {seconds / base:.2f} times {rows.BASE}; it was {multiple:.2f}, and may be {MARGIN * multiple:.2f}"


def tree(header, multiple, row="pass.hpp"):
    return {"include/tutti/pass.hpp": header, "bench/compile_cost.txt": f"# multiples\n {multiple}  {row}\n"}


house.run(check, [
    (tree("#include <vector>\n", 1.0), None),
    (tree("#include <regex>\n", 0.5), "pass.hpp costs"),
    (tree("no header\n", 1.0), "pass.hpp does not compile"),
    (tree("", 1.0, "nothing.hpp"), "does not know"),
])
