"""Every header compiles alone: it includes what it needs.

headers_alone.py SOURCE_ROOT STAMPS -- COMPILER...

What a header includes does not depend on the compiler, so this takes Clang where there is one: it is quick with
precompiled headers. A header may be compiled after one that it includes itself, directly or not: that one brings
nothing that it would not have brought anyway. All this holds if a header has its includes above its code.
"""

import shutil
import tempfile
from pathlib import Path

import compiling
import house

CLANGS = ("clang++-19", "clang++-18", "clang++-17", "clang++-16", "clang++")
CLANG = next(filter(None, map(shutil.which, CLANGS)), None)
#: How many headers are precompiled at most.
MOST = 16


def is_clang(compiler):
    return "clang" in Path(compiler[0]).name


def hubs(closures, sizes):
    """The headers that are worth precompiling, because they save the others most of their text; a lower one before those above."""
    found, saved = [], dict.fromkeys(closures, 0)
    for _ in range(MOST):
        gains = dict.fromkeys(closures, 0)
        for name, inner in closures.items():
            for hub in inner - {name}:
                gains[hub] += max(0, sizes[hub] - saved[name])
        best = max(gains, key=gains.get, default=None)
        if best is None or gains[best] <= 2 * sizes[best]:
            break
        found.append(best)
        for name, inner in closures.items():
            if best in inner and name != best:
                saved[name] = max(saved[name], sizes[best])
    return sorted(found, key=sizes.get)


def check(root):
    names = house.headers(root)
    closures = {name: set(compiling.closure(root, name)) for name in names}
    sizes = {name: sum((Path(root) / "include" / inner).stat().st_size for inner in closures[name]) for name in names}
    compiler = [CLANG] if CLANG else compiling.COMPILER
    with tempfile.TemporaryDirectory() as folder:
        precompiled = {}

        def known_by(name):
            return sorted(closures[name]), ("alone", compiler)

        def compile_header(name, *arguments):
            text = f"#include <{name}>\n"
            below = max((hub for hub in precompiled if hub in closures[name] and hub != name), key=sizes.get, default=None)
            if below:
                after = ["-include-pch", precompiled[below]]
                if compiling.compile_text(text, root, *arguments, *after, compiler=compiler) is None:
                    return None
            # What is said against it is to be its own fault: macros of the standard library get lost in precompiled headers.
            return compiling.compile_text(text, root, *arguments, compiler=compiler)

        def job(name):
            return compiling.once(root, *known_by(name), lambda: compile_header(name, "-fsyntax-only"))

        for name in names:
            if house.includes_below_code(Path(root) / "include" / name):
                yield f"include/{name} has an include below code"
                return
        if is_clang(compiler) and not all(compiling.is_known(root, *known_by(name)) for name in names):
            for number, hub in enumerate(hubs(closures, sizes)):
                output = f"{folder}/{number}.pch"
                if compile_header(hub, "-x", "c++-header", "-o", output) is None:
                    precompiled[hub] = output
        for name, said in zip(names, compiling.in_parallel(job, names)):
            if said:
                yield f"include/{name} does not compile alone:\n{said}"


GOOD = {"include/tutti/a.hpp": "#pragma once\n#include <cstddef>\nusing size = std::size_t;\n"}
# Enough of them that the first one is worth precompiling.
MANY = GOOD | {f"include/tutti/m{i}.hpp": f"#pragma once\n#include <tutti/a.hpp>\ninline size m{i} = 1;\n" for i in range(6)}

house.run(check, [
    (GOOD, None),
    (GOOD | {"include/tutti/b.hpp": "#pragma once\ninline size n = 1;\n"}, "b.hpp does not compile alone"),
    (GOOD | {"include/tutti/b.hpp": "#pragma once\ninline int f(long n) { return n; }\n"}, "b.hpp does not compile alone"),
    (MANY, None),
    (MANY | {"include/tutti/b.hpp": "#pragma once\ninline size n = 1;\n"}, "b.hpp does not compile alone"),
    (MANY | {"include/tutti/b.hpp": "#pragma once\n#include <tutti/a.hpp>\ninline std::string s;\n"},
     "b.hpp does not compile alone"),
    (MANY | {"include/tutti/b.hpp": "#pragma once\n#include <tutti/a.hpp>\ninline size n = m1;\n"},
     "b.hpp does not compile alone"),
    (GOOD | {"include/tutti/b.hpp": "#pragma once\nusing b = int;\n#include <tutti/a.hpp>\n"}, "an include below code"),
])
