"""Every header a/b.hpp has a test a/b.cpp that includes it first and is built. Exempt: detail/, fwd.hpp, umbrellas.

mirror.py SOURCE_ROOT [BUILD_ROOT]: a build's list of sources tells which are built.
"""

import json
import os
import sys
from pathlib import Path

import house


def built_sources(build):
    """Returns the sources of every target of a Meson build."""
    with open(Path(build) / "meson-info" / "intro-targets.json", encoding="utf-8") as file:
        return {os.path.normpath(source) for target in json.load(file) for group in target["target_sources"] for source in group["sources"]}


def check(root, built=None):
    for header in house.headers(root):
        if "/detail/" in header or header.endswith("/fwd.hpp") or house.is_umbrella(root, header):
            continue
        name = "test/" + header.removeprefix("tutti/").removesuffix(".hpp") + ".cpp"
        test = Path(root) / name
        if not test.is_file():
            yield f"include/{header} has no {name}"
            continue
        if house.includes(test)[:1] != [header]:
            yield f"{name} does not include <{header}> first"
        if "TEST_CASE(" not in test.read_text(encoding="utf-8"):
            yield f"{name} tests nothing"
        if built is not None and str(test) not in built:
            yield f"{name} is not built: list it in a meson.build"


def check_built(root):
    return check(root, built_sources(sys.argv[2]) if len(sys.argv) > 2 and root == sys.argv[1] else None)


TEST = '#include <tutti/pass/a.hpp>\n#include "support/catch.hpp"\nTEST_CASE("a: is") {}\n'
GOOD = {"include/tutti/pass/a.hpp": "", "include/tutti/pass/fwd.hpp": "", "include/tutti/pass.hpp": "",
        "include/tutti/pass/detail/d.hpp": "", "test/pass/a.cpp": TEST}

house.run(check_built, [
    (GOOD, None),
    (GOOD | {"include/tutti/pass/b.hpp": ""}, "has no test/pass/b.cpp"),
    (GOOD | {"test/pass/a.cpp": '#include "support/catch.hpp"\n' + TEST}, "does not include <tutti/pass/a.hpp> first"),
    (GOOD | {"test/pass/a.cpp": "#include <tutti/pass/a.hpp>\n"}, "tests nothing"),
])
