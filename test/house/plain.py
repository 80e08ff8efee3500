"""None of these exist: unfinished work, macros without our prefix, nested detail namespaces, `using namespace Catch`."""

import re
from pathlib import Path

import house

MOST_MACROS = 10
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
UNFINISHED = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "X" * 3)) + r")\b")
NESTED_DETAIL = re.compile(r"namespace[ \t]+[\w:]*\bdetail::")


def check(root):
    root = Path(root)
    macros = set()
    for path in sorted(p for folder in ("include", "src", "test", "examples", "tools", "bench") for p in (root / folder).rglob("*.[chi]pp")):
        name, text = path.relative_to(root), path.read_text(encoding="utf-8")
        if UNFINISHED.search(text):
            yield f"{name}: unfinished work: {UNFINISHED.search(text).group()}"
        if re.search(r"using\s+namespace\s+Catch\b", text):
            yield f"{name}: using namespace Catch"
        if name.parts[0] != "include":
            continue
        if "#pragma once" not in text:
            yield f"{name}: no #pragma once"
        if NESTED_DETAIL.search(text):
            yield f"{name}: detail is one namespace, one level deep"
        for macro in DEFINE.findall(text):
            macros.add(macro)
            if not macro.startswith("TUTTI_"):
                yield f"{name}: the macro {macro} is not called TUTTI_..."
    if len(macros) > MOST_MACROS:
        yield f"{len(macros)} macros; at most {MOST_MACROS}: {', '.join(sorted(macros))}"


GOOD = {"include/tutti/a.hpp": "#pragma once\n#define TUTTI_A\nnamespace tutti::detail {}\n"}
MANY = "".join(f"#define TUTTI_{i}\n" for i in range(11))

house.run(check, [
    (GOOD, None),
    (GOOD | {"test/a.cpp": "// TO" + "DO: more\n"}, "unfinished"),
    (GOOD | {"test/a.cpp": "using  namespace Catch;\n"}, "using namespace Catch"),
    (GOOD | {"include/tutti/b.hpp": ""}, "no #pragma once"),
    (GOOD | {"include/tutti/b.hpp": "#pragma once\n#define A 1\n"}, "the macro A is not"),
    (GOOD | {"include/tutti/b.hpp": "#pragma once\nnamespace tutti::detail::more {}\n"}, "one level deep"),
    (GOOD | {"include/tutti/b.hpp": "#pragma once\n" + MANY}, "at most 10"),
])
