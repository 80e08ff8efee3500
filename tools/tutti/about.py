"""Writes the documentation of Relay's passes and operators as tables for tools/tutti/about.cpp.

about.py INCLUDE_DIR OUT DEPFILE

The texts are the comments at the structs of passes (with `info{.name = "..."}`) and of operators (derived from
`named<"...">`, or with a member `name`).
"""

import re
import sys
from pathlib import Path

COMMENT = r"((?:^///[^\n]*\n)+)"
#: The struct of a pass ends where the next one begins.
PASS = re.compile(COMMENT + r"(?:template <(?:[^\n]*\n){1,3}?)?(?:struct|class) \w+[^;{]*\{(?:(?!^\};).)*?pass_info info\{\.name = \"(\w+)\"", re.MULTILINE | re.DOTALL)
#: A pipeline with a name.
PIPELINE = re.compile(COMMENT + r"using \w+ =\s+decltype\(sequential<\"(\w+)\">", re.MULTILINE)
NAMED = re.compile(COMMENT + r"struct \w+[^;{]*named<\"([\w.]+)\"", re.MULTILINE)
NAME = re.compile(COMMENT + r"struct \w+[^;{]*\{\n\s+static constexpr std::string_view name = \"([\w.]+)\"", re.MULTILINE)


def text_of(comment):
    """Returns a comment without its marks."""
    return "\n".join(line[3:].removeprefix(" ").rstrip() for line in comment.rstrip("\n").split("\n")) + "\n"


def documented(places, patterns):
    """Returns the comments in headers by name."""
    return {found.group(2): text_of(found.group(1)) for path in headers(places) for pattern in patterns
            for found in pattern.finditer(path.read_text(encoding="utf-8"))}


def headers(places):
    """Returns the headers among some files and folders."""
    return [path for place in places for path in ([place] if place.is_file() else sorted(place.rglob("*.hpp")))]


def literal(text):
    """Returns a C++ string literal."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def table(name, texts):
    rows = "".join(f"    documented{{{literal(key)}, {literal(text)}}},\n" for key, text in sorted(texts.items()))
    return f"constexpr documented {name}[]{{\n{rows or '    documented{}'}}};\n"


def main():
    include, out, depfile = map(Path, sys.argv[1:])
    passes, ops, printing = (include / "tutti" / place for place in ("relay/transform/passes", "relay/op", "instrument/print_pass.hpp"))
    out.write_text(table("documented_passes", documented([passes, printing], [PASS, PIPELINE])) + table("documented_ops", documented([ops], [NAMED, NAME])), encoding="utf-8")
    read = " ".join(map(str, headers([passes, printing, ops])))
    depfile.write_text(f"{out}: {read}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
