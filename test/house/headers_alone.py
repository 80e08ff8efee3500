"""Every header compiles alone: it includes what it needs.

headers_alone.py SOURCE_ROOT STAMPS -- COMPILER...
"""

import compiling
import house


def check(root):
    def job(header):
        text = f"#include <{header}>\n"
        return compiling.once(
            root, compiling.closure(root, header), "alone", lambda: compiling.compile_text(text, root, "-fsyntax-only"))

    names = house.headers(root)
    return [f"include/{name} does not compile alone:\n{said}"
            for name, said in zip(names, compiling.in_parallel(job, names)) if said]


GOOD = {"include/tutti/a.hpp": "#pragma once\n#include <cstddef>\nusing size = std::size_t;\n"}

house.run(check, [
    (GOOD, None),
    (GOOD | {"include/tutti/b.hpp": "#pragma once\ninline size n = 1;\n"}, "b.hpp does not compile alone"),
    (GOOD | {"include/tutti/b.hpp": "#pragma once\ninline int f(long n) { return n; }\n"}, "b.hpp does not compile alone"),
])
