"""The table of compilers and machines in the documentation is what compilers.py and machines.py did.

platforms.py SOURCE_ROOT [--write]

Runs both scripts in full, which takes half an hour, and compares their rows with the table in docs/reference/platforms.md;
`--write` replaces the table. Fails if a script does, or if a row differs.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MARK = "ROW "
#: What compilers/core.cpp prints.
CORE_OUTPUT = """static: 7.5, 8 before, 8 after, 0 failed
run time: 0.1875, 6 before, 6 after, 0 failed
Shift,repeat(Scale{factor=0.25})
"""
#: What compilers/relay.cpp prints.
RELAY_OUTPUT = """#[version = "0.0.5"]
def @main(%x: Tensor[(2), float32]) {
  let %v = add(%x, 1.5e-07f);
  clip(%x, a_min=-0.25f, a_max=1e+30f)
}
"""
HEADING = "| compiler, library | machine | flags | compiled | run |\n|---|---|---|---|---|\n"


def row(compiler, machine, flags, compiled, ran):
    """Returns a row of the table, marked for this script."""
    written = " ".join(f"`{flag}`" for flag in flags.split()) if flags else ""
    return MARK + "| " + " | ".join((compiler, machine, written, compiled, ran)) + " |"


def table(text):
    """Returns where the table begins and ends in a page."""
    begin = text.index(HEADING)
    end = begin + len(HEADING)
    while text.startswith("|", end):
        end = text.index("\n", end) + 1
    return begin, end


def main():
    page = Path(sys.argv[1]) / "docs/reference/platforms.md"
    rows, failed = [], False
    for script in (("compilers.py", sys.argv[1], "all"), ("machines.py", sys.argv[1])):
        done = subprocess.Popen([sys.executable, "-B", str(HERE / script[0]), *script[1:]], stdout=subprocess.PIPE, text=True)
        for line in done.stdout:
            print(line, end="", flush=True)
            if line.startswith(MARK):
                rows.append(line[len(MARK):])
        failed |= done.wait() != 0
    text = page.read_text(encoding="utf-8")
    begin, end = table(text)
    made = HEADING + "".join(rows)
    if "--write" in sys.argv[2:] and not failed:
        page.write_text(text[:begin] + made + text[end:], encoding="utf-8")
    elif made != text[begin:end]:
        print(f"{page}: the table differs from what ran; platforms.py SOURCE_ROOT --write renews it")
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
