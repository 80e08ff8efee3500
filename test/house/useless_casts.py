"""The umbrellas compile without useless casts, for users of GCC with -Wuseless-cast.

useless_casts.py SOURCE_ROOT -- COMPILER...
"""

import sys
import tempfile
from pathlib import Path

import compiling

UMBRELLAS = ("pass", "instrument", "runtime", "testing", "relay")


def complaints(root, headers=UMBRELLAS):
    for header in headers:
        if (Path(root) / "include" / "tutti" / f"{header}.hpp").is_file():
            said = compiling.compile_text(f"#include <tutti/{header}.hpp>\n", root, "-Wuseless-cast", "-fsyntax-only")
            if said:
                yield f"tutti/{header}.hpp: {said}"


def check_the_check():
    with tempfile.TemporaryDirectory() as folder:
        headers = Path(folder) / "include" / "tutti"
        headers.mkdir(parents=True)
        (headers / "pass.hpp").write_text("inline int same(int i) { return static_cast<int>(i); }\n", encoding="utf-8")
        (headers / "relay.hpp").write_text("inline int same(long i) { return static_cast<int>(i); }\n", encoding="utf-8")
        found = list(complaints(folder))
        assert len(found) == 1 and "useless cast" in found[0], found


check_the_check()
found = list(complaints(sys.argv[1]))
print("\n".join(found))
print(f"{len(found)} complaints")
sys.exit(1 if found else 0)
