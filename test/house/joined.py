"""Joined sources keep their names, includes and meaning: tests test/support/joined.py with sample sources.

joined.py SOURCE_ROOT -- COMPILER...
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import compiling
import house

JOINED = Path(sys.argv[1]) / "test" / "support" / "joined.py"

ONE = '#include "shared.hpp"\nnamespace {\nstd::size_t value = shared;\n}\nstd::size_t one() { return value; }\n'
TWO = '#include <string>\n#include "../shared.hpp"\nnamespace {\nstd::string value = "two";\n}\nint one() { return 1; }\n'
SHARED = "#pragma once\n#include <cstddef>\ninline std::size_t shared = 2;\n"
GOOD = {"one.cpp": ONE, "inner/one.cpp": TWO, "shared.hpp": SHARED}

#: A source in no namespace shares no names with others; the cases of each program have its tag.
GLOBAL = '#include "shared.hpp"\nint one() { return 2; }\nint two() { return ::one(); }\n'
TAGGED = '#include "shared.hpp"\nstatic_assert(std::string_view(TUTTI_TEST_PROGRAM) == "[first]");\n'
SHARED_TAG = SHARED + '#include <string_view>\n#define TUTTI_TEST_PROGRAM ""\n'
TAGS = {"shared.hpp": SHARED_TAG, "--program first": "", "a.cpp": TAGGED, "--program second": "", "b.cpp": TAGGED.replace("first", "second")}

#: Sources and options, in order, and the expected complaint about joining and compiling them; None if there is none.
CASES = [
    (GOOD, None),
    (GOOD | {"--global": "", "global.cpp": GLOBAL}, None),
    (GOOD | {"global.cpp": GLOBAL}, "'one'"),
    ({"--global": "", "global.cpp": GLOBAL, "--program other": "", **GOOD}, None),
    (TAGS, None),
    (TAGS | {"b.cpp": TAGGED}, "static assertion"),
    (GOOD | {"one.cpp": "int first;\n" + ONE}, "include below code"),
    (GOOD | {"one.cpp": ONE + "int wrong = missing;\n"}, "'missing'"),
    (GOOD | {"inner/one.cpp": TWO.replace("<string>", "<cstdio>")}, "string"),
]


def complaint(files):
    """Returns the complaint about joining these sources and compiling the result."""
    with tempfile.TemporaryDirectory() as folder:
        house.write_tree(folder, {name: text for name, text in files.items() if not name.startswith("--")})
        output = Path(folder) / "joined.cpp"
        arguments = [word for name in files if not name.endswith(".hpp")
                     for word in (name.split() if name.startswith("--") else [str(Path(folder) / name)])]
        done = subprocess.run([sys.executable, str(JOINED), str(output), *arguments], capture_output=True, text=True, check=False)
        if done.returncode:
            return done.stderr
        return compiling.compile_text(output.read_text(encoding="utf-8"), folder, "-fsyntax-only", "-Wno-unused-function")


def check(_root):
    for files, expected in CASES:
        said = complaint(files)
        if (said is None) != (expected is None) or expected is not None and expected.replace("'", "") not in said:
            yield f"expected '{expected}', got '{said}' from {files}"


house.run(check, [])
