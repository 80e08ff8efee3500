"""Writes the library as two headers: tutti.hpp, for passes over any unit, and tutti_relay.hpp, the tensor-graph IR.

single_header.py FOLDER

Each header contains the library's headers in the order of their includes, in the header-only form, with their comments.
Headers that need another library than Boost.Hana, or change the whole program, are left out; the comment at the top lists
them.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE_DIR = ROOT / "include"
INCLUDE = re.compile(r"^#include <([^>]+)>(?: //.*)?$")
CONDITION = re.compile(r"^#\s*(if|ifdef|ifndef|endif)\b(.*)$")
RAW_STRING = re.compile(r'R"(\w*)\(')

#: Folders whose headers, with those that they include, belong to tutti_relay.hpp.
RELAY = ("file", "kernel", "relay")
#: Left out because they affect the whole program. Others are left out for what they include.
WHOLE_PROGRAM = {"tutti/instrument/count_allocations.hpp"}
#: Defines a macro that tells headers of the folder from single ones.
FOLDER = "tutti/base/folder.hpp"
OTHER_LIBRARIES = re.compile(r"^(zlib\.h|oneapi/)")

TOP = """// {name}, version {version}: {what}
//
// {others} Boost.Hana's headers must be in the include path. Do not include headers of the
// folder tutti/ as well. A program that links the library tutti-relay, or defines TUTTI_COMPILED, needs the folder.
{left_out}//
// Made by packaging/single_header.py from the headers of tutti.
//
"""
GUARD = """#ifdef TUTTI_COMPILED
#error "tutti: {name} is header-only; with TUTTI_COMPILED, include headers of the folder tutti/ instead"
#endif
#ifdef TUTTI_FOLDER
#error "tutti: {name} and headers of the folder tutti/ are both included; include either of them"
#endif
#define TUTTI_SINGLE_HEADER

"""


def is_relay(header):
    return header.split("/")[1].removesuffix(".hpp") in RELAY


class Headers:
    """The headers of the library, and what they include."""

    def __init__(self):
        self.text, self.left_out = {}, set(WHOLE_PROGRAM)
        for path in sorted((INCLUDE_DIR / "tutti").rglob("*.[hi]pp")):
            self.text[path.relative_to(INCLUDE_DIR).as_posix()] = path.read_text(encoding="utf-8")
        self.includes = {name: [m[1] for line in text.splitlines() if (m := INCLUDE.match(line))] for name, text in self.text.items()}
        self.left_out |= {name for name, included in self.includes.items() if any(map(OTHER_LIBRARIES.match, included))}
        while more := {name for name, included in self.includes.items() if name not in self.left_out and self.left_out & set(included)}:
            self.left_out |= more


class Writer:
    """One single header."""

    def __init__(self, headers, written):
        self.headers, self.written = headers, written
        self.system, self.lines = set(), []

    def add(self, name):
        """Appends a header after those that it includes, unless it was written before."""
        if name in self.written:
            return
        self.written.add(name)
        depth = 0  # of conditions other than that of the header-only form
        conditions = []
        raw_end = None  # the end of the raw string that a line is part of
        for line in self.headers.text[name].splitlines():
            if raw_end is not None:
                self.lines.append(line)
                raw_end = None if raw_end in line else raw_end
                continue
            if m := RAW_STRING.search(line):
                end = f'){m[1]}"'
                raw_end = None if end in line[m.end():] else end
            if m := CONDITION.match(line):
                form = m[1] == "ifndef" and m[2].strip() == "TUTTI_COMPILED"
                if m[1] == "endif":
                    depth -= not conditions.pop()
                else:
                    conditions.append(form)
                    depth += not form
            if line == "#pragma once":
                continue
            if not (m := INCLUDE.match(line)):
                self.lines.append(line)
            elif m[1] in self.headers.text:
                if depth:
                    raise SystemExit(f"{name}: includes {m[1]} under a condition")
                self.add(m[1])
            elif depth:
                self.lines.append(line)
            else:
                self.system.add(m[1])

    def whole(self):
        """Returns the text after the guard, without repeated blank lines and empty conditions."""
        text = "\n".join(self.lines) + "\n"
        text = re.sub(r"#ifndef TUTTI_COMPILED\n\s*#endif\n", "", text)
        includes = "".join(f"#include <{name}>\n" for name in sorted(self.system))
        return includes + "\n" + re.sub(r"\n{3,}", "\n\n", text).lstrip("\n")


def version():
    return re.search(r"^  version: '([\d.]+)'", (ROOT / "meson.build").read_text(encoding="utf-8"), re.MULTILINE)[1]


def wrapped(names):
    """Returns a comment that lists headers."""
    lines, line = [], "// Left out, since they need another library or change the whole program:"
    for name in names:
        if len(line) + 1 + len(name) > 118:
            lines.append(line)
            line = "//"
        line += " " + name
    return "\n".join(lines + [line]) + "\n" if names else ""


def write(folder):
    """Writes both headers and returns their paths."""
    headers, written = Headers(), {FOLDER}
    licence = "".join(f"// {line}".rstrip() + "\n" for line in (ROOT / "LICENSE").read_text(encoding="utf-8").splitlines())
    made = []
    for name, what, relay in (("tutti.hpp", "compiler passes and pass instruments, composed at compile time", False),
                              ("tutti_relay.hpp", "a tensor-graph IR with its text, passes, kernels and ONNX importer", True)):
        writer = Writer(headers, written)
        for header in headers.text:
            if header.endswith(".hpp") and header not in headers.left_out and is_relay(header) == relay:
                writer.add(header)
        left_out = wrapped([h.removeprefix("tutti/") for h in sorted(headers.left_out) if is_relay(h) == relay and h.endswith(".hpp")])
        others = "Includes tutti.hpp, which must be beside it." if relay else "tutti_relay.hpp adds tensor graphs."
        text = TOP.format(name=name, version=version(), what=what, others=others, left_out=left_out) + licence + "\n#pragma once\n\n"
        text += '#include "tutti.hpp"\n' if relay else GUARD.format(name=name)
        made.append(Path(folder) / name)
        made[-1].write_text(text + writer.whole(), encoding="utf-8")
    return made


def main():
    if len(sys.argv) != 2:
        return __doc__
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    write(folder)
    return None


if __name__ == "__main__":
    sys.exit(main())
