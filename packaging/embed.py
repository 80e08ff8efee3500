#!/usr/bin/env python3
"""Writes the headers that hold the report page's scripts and style: include/tutti/report/NAME.hpp from page/NAME.js or .css.

embed.py [--check]    --check writes nothing, and fails if a header is not what it would write

The first line of a file is a comment, which becomes the header's.
"""

import re
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "include" / "tutti" / "report"


def header(path):
    """Returns the text of the header for a file."""
    kind = path.suffix.removeprefix(".")
    comment, _, text = path.read_text(encoding="utf-8").partition("\n")
    about = re.fullmatch(r"(?://|/\*) (.*?)(?: \*/)?", comment)[1]
    if f"){kind}\"" in text:
        sys.exit(f"{path}: contains the end of a raw string, ){kind}\"")
    return (f"#pragma once\n\n#include <tutti/base/folder.hpp>\n\n#include <string_view>\n\n"
            f"// Made by packaging/embed.py from page/{path.name}.\n\nnamespace tutti::instrument {{\n\n"
            f'/// {about}\ninline constexpr std::string_view report_{path.stem} = R"{kind}(\n{text}){kind}";\n\n}} // namespace tutti::instrument\n')


def main():
    stale = 0
    for path in sorted((FOLDER / "page").iterdir()):
        made = FOLDER / f"{path.stem}.hpp"
        text = header(path)
        if made.is_file() and made.read_text(encoding="utf-8") == text:
            continue
        if "--check" in sys.argv[1:]:
            print(f"{made} is not made from {path}; run packaging/embed.py")
            stale += 1
        else:
            made.write_text(text, encoding="utf-8")
    return 1 if stale else 0


sys.exit(main())
