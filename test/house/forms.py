"""The two forms of tutti/relay (base/form.hpp) have the same definitions: x.ipp is included at the end of x.hpp unless
TUTTI_COMPILED is defined, by one source of src/ exactly, and by nothing else.

No header that x.ipp includes leads back to x.hpp: included first, it would reach x.ipp before its own declarations.
"""

from pathlib import Path

import house

END = "#ifndef TUTTI_COMPILED\n#include <{}>\n#endif\n"


def way_back(name, graph):
    """Returns the header through which a file of definitions leads back to its own header; None if none does."""
    own = name.removesuffix(".ipp") + ".hpp"
    for begin in graph.get(name, ()):
        if begin == own:
            continue
        seen, left = {begin}, [begin]
        while left:
            for target in graph.get(left.pop(), ()):
                if target == own:
                    return begin
                if target not in seen:
                    seen.add(target)
                    left.append(target)
    return None


def check(root):
    root = Path(root)
    graph = {name: house.includes(root / "include" / name) for name in house.headers(root) + house.definitions(root)}
    for name in house.definitions(root):
        if through := way_back(name, graph):
            yield f"include/{name} includes {through}, which leads back to its header"
    compiled = {}
    for source in sorted((root / "src").rglob("*.cpp")):
        for target in house.includes(source):
            compiled.setdefault(target, []).append(source.relative_to(root))
    for name in house.definitions(root):
        header = root / "include" / (name.removesuffix(".ipp") + ".hpp")
        if not header.is_file() or not header.read_text(encoding="utf-8").endswith(END.format(name)):
            yield f"include/{name} is not included at the end of its header, unless TUTTI_COMPILED is defined"
        if len(compiled.get(name, [])) != 1:
            yield f"include/{name} is included by {len(compiled.get(name, []))} sources of src/; there must be one"
    for includer in house.headers(root) + house.definitions(root):
        for target in house.includes(root / "include" / includer):
            if target.endswith(".ipp") and target != includer.removesuffix(".hpp") + ".ipp":
                yield f"include/{includer} includes {target}: only its header and a source of src/ may"
    for folder in ("test", "examples", "tools", "bench"):
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            for target in house.includes(path):
                if target.endswith(".ipp"):
                    yield f"{path.relative_to(root)} includes {target}: only its header and a source of src/ may"


A = "tutti/relay/ir/a.ipp"
GOOD = {
    "include/tutti/relay/ir/a.hpp": "#pragma once\n" + END.format(A),
    f"include/{A}": "#include <tutti/relay/ir/a.hpp>\n",
    "src/relay/ir.cpp": f"#include <{A}>\n",
}

house.run(check, [
    (GOOD, None),
    (GOOD | {"include/tutti/relay/ir/a.hpp": f"#include <{A}>\n"}, "at the end of its header"),
    (GOOD | {"src/relay/ir.cpp": ""}, "by 0 sources"),
    (GOOD | {"src/relay/op.cpp": f"#include <{A}>\n"}, "by 2 sources"),
    (GOOD | {"include/tutti/relay/ir/b.hpp": f"#include <{A}>\n"}, "b.hpp includes tutti/relay/ir/a.ipp"),
    (GOOD | {f"include/{A}": "#include <tutti/relay/ir/a.hpp>\n#include <tutti/relay/ir/b.hpp>\n",
             "include/tutti/relay/ir/b.hpp": "#include <tutti/relay/ir/c.hpp>\n",
             "include/tutti/relay/ir/c.hpp": "#include <tutti/relay/ir/a.hpp>\n"}, "b.hpp, which leads back"),
    (GOOD | {"test/a.cpp": f"#include <{A}>\n"}, "test/a.cpp includes"),
])
