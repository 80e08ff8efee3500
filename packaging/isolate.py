"""Links object files into one, in which all symbols are local except for one function and thread-local variables.

isolate.py LD OBJCOPY READELF FUNCTION OUT OBJECT...

Code for some processors only is linked into a library for all of them. Inline functions in it, such as those of std::vector,
are then not merged with those of other objects, which would run them on any processor. Thread-local variables stay shared.
FUNCTION is the end of the one function's name in C++.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def symbols(readelf, path):
    """Yields the type, the section number and the name of each defined symbol that is not local."""
    for line in run(readelf, "-sW", path).splitlines():
        words = line.split()
        if len(words) >= 8 and words[0].rstrip(":").isdigit() and words[4] in ("GLOBAL", "WEAK", "UNIQUE") and words[6] != "UND":
            yield words[3], words[6], words[7]


def mutable_sections(readelf, path):
    """Returns the names of the sections with variables that can change, by number."""
    found = {}
    for number, name, flags in re.findall(r"^\s*\[\s*(\d+)\] (\S+)\s+\S+\s+\S+ \S+ \S+ \S+\s+(\S+)", run(readelf, "-SW", path), re.MULTILINE):
        if "W" in flags and "T" not in flags and not name.startswith((".data.rel", ".init_array", ".fini_array")):
            found[number] = name
    return found


def main():
    linker, objcopy, readelf, function, out, *objects = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        joined, kept = Path(folder) / "joined.o", Path(folder) / "kept.txt"
        run(linker, "-r", "--force-group-allocation", "-o", str(joined), *objects)
        entry = re.compile(rf"_ZN\w*\d{function}Ev")
        mutable = mutable_sections(readelf, joined)
        names = []
        for kind, section, name in symbols(readelf, joined):
            if kind == "TLS" or entry.fullmatch(name):
                names.append(name)
            elif section in mutable:
                sys.exit(f"{name}: a variable that changes, in {mutable[section]}, would exist twice in the program")
        if not any(entry.fullmatch(name) for name in names):
            sys.exit(f"{function}: no such function in {' '.join(objects)}")
        kept.write_text("".join(f"{name}\n" for name in names), encoding="ascii")
        run(objcopy, f"--keep-global-symbols={kept}", str(joined), out)
        if left := [name for kind, section, name in symbols(readelf, out) if name not in names]:
            sys.exit(f"still global: {left[0]} and {len(left) - 1} others; GCC needs -fno-gnu-unique")


main()
