"""Every header compiles alone: it includes all that it needs.

headers_alone.py SOURCE_ROOT STAMPS -- COMPILER...

A header's includes do not depend on the compiler, so Clang is used if it is installed: it is fast with precompiled
headers. A header may be compiled after another one that it includes, directly or indirectly, since that adds nothing.
So headers that each include the one before are compiled together, and separately only to find the faulty one. This
requires that a header's includes are above its code.
"""

import tempfile
from pathlib import Path

import compiling
import house

#: Limit on nested precompiled headers: Clang 19 crashes when it reads more than five.
DEEPEST = 5
#: The compiler's cost of a header of another library, in bytes of our headers (fitted to the times of 100 headers).
FOREIGN = 7000
#: A macro of the standard library that Clang loses with a precompiled header.
FORGOTTEN = "#define __N(msgid) (msgid)\n"


def is_clang(compiler):
    return "clang" in Path(compiler[0]).name


def size(root, closure):
    """Returns the approximate cost of headers, in bytes, including headers of other libraries that they include."""
    paths = [Path(root) / "include" / name for name in closure]
    foreign = {target for path in paths for target in house.includes(path)} - closure
    return sum(path.stat().st_size for path in paths) + FOREIGN * len(foreign)


def depth(names, closures):
    """Returns the greatest number of these headers that include one another."""
    depths = {}
    for name in sorted(names, key=lambda name: len(closures[name])):
        depths[name] = 1 + max((depths[inner] for inner in depths if inner in closures[name]), default=0)
    return max(depths.values())


def hubs(closures, sizes):
    """Returns the headers worth precompiling, because they save the others most of their text; included headers first."""
    found, saved, candidates = [], dict.fromkeys(closures, 0), set(closures)
    while candidates:
        gains = dict.fromkeys(candidates, 0)
        for name, inner in closures.items():
            for hub in inner & candidates - {name}:
                gains[hub] += max(0, sizes[hub] - saved[name])
        best = max(gains, key=gains.get)
        # Precompiling costs the header's additional text, and about as much again for writing and reading.
        if gains[best] <= 2 * (sizes[best] - saved[best]):
            break
        candidates.remove(best)
        if depth([*found, best], closures) > DEEPEST:
            continue
        found.append(best)
        for name, inner in closures.items():
            if best in inner and name != best:
                saved[name] = max(saved[name], sizes[best])
    return sorted(found, key=sizes.get)


def chains(names, closures):
    """Returns the names as rows, as few as possible, in which each header includes those before it (minimum path cover
    with augmenting paths)."""
    names = sorted(names, key=lambda name: (len(closures[name]), name))
    above = {name: [other for other in names if other != name and name in closures[other]] for name in names}
    below = {}

    def find(name, seen):
        for other in above[name]:
            if other not in seen:
                seen.add(other)
                if other not in below or find(below[other], seen):
                    below[other] = name
                    return True
        return False

    for name in names:
        find(name, set())
    following = {low: high for high, low in below.items()}
    for name in names:
        if name not in below:
            row = [name]
            while row[-1] in following:
                row.append(following[row[-1]])
            yield row


def check(root):
    names = house.headers(root)
    closures = {name: set(compiling.closure(root, name)) for name in names}
    sizes = {name: size(root, closures[name]) for name in names}
    compiler = compiling.QUICKEST
    with tempfile.TemporaryDirectory() as folder:
        precompiled = {}

        def known_by(name):
            return sorted(closures[name]), ("alone", compiler)

        def hub_below(name):
            return max((hub for hub in precompiled if hub in closures[name] and hub != name), key=sizes.get, default=None)

        def compile_headers(row, *arguments):
            text = "".join(f"#include <{name}>\n" for name in row)
            below = hub_below(row[0])
            if below:
                after = ["-include-pch", precompiled[below]]
                if compiling.compile_text(FORGOTTEN + text, root, *arguments, *after, compiler=compiler) is None:
                    return None
            # Without precompiled headers, its errors are its own.
            return compiling.compile_text(text, root, *arguments, compiler=compiler)

        def job(row):
            """Returns the errors of each header of a row."""
            if len(row) > 1 and compile_headers(row, "-fsyntax-only") is None:
                return [compiling.once(root, *known_by(name), lambda: None) for name in row]
            return [compiling.once(root, *known_by(name), lambda name=name: compile_headers([name], "-fsyntax-only")) for name in row]

        for name in names:
            if house.includes_below_code(Path(root) / "include" / name):
                yield f"include/{name} has an include below code"
                return
        unknown = [name for name in names if not compiling.is_known(root, *known_by(name))]
        if is_clang(compiler) and unknown:
            for number, hub in enumerate(hubs(closures, sizes)):
                output = f"{folder}/{number}.pch"
                if compile_headers([hub], "-x", "c++-header", "-o", output) is None:
                    precompiled[hub] = output
                    compiling.once(root, *known_by(hub), lambda: None)
        unknown = [name for name in unknown if name not in precompiled]
        rows = []
        for hub in {hub_below(name) for name in unknown}:
            rows += chains([name for name in unknown if hub_below(name) == hub], closures)
        rows.sort()
        for row, said_of in zip(rows, compiling.in_parallel(job, rows)):
            for name, said in zip(row, said_of):
                if said:
                    yield f"include/{name} does not compile alone:\n{said}"


GOOD = {"include/tutti/a.hpp": "#pragma once\n#include <cstddef>\nusing size = std::size_t;\n"}
# Enough headers to make precompiling the first one worthwhile.
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
