#!/usr/bin/env python3
"""Writes the headers that hold scripts and styles of pages: include/tutti/report/NAME.hpp from page/NAME.js or .css, and the same
in tools/tutti/corpus.

embed.py [--check]    --check writes nothing, and fails if a header is not what it would write

The first line of a file is a comment, which becomes the header's.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: By folder: the namespace, the beginning of names, and the header that all headers of the library include.
FOLDERS = {
    ROOT / "include/tutti/report": ("tutti::instrument", "report_", "#include <tutti/base/folder.hpp>\n\n"),
    ROOT / "tools/tutti/corpus": ("program::corpus", "", ""),
}


def header(path, namespace, prefix, include):
    """Returns the text of the header for a file."""
    kind = path.suffix.removeprefix(".")
    comment, _, text = path.read_text(encoding="utf-8").partition("\n")
    about = re.fullmatch(r"(?://|/\*) (.*?)(?: \*/)?", comment)[1]
    if f"){kind}\"" in text:
        sys.exit(f"{path}: contains the end of a raw string, ){kind}\"")
    return (f"#pragma once\n\n{include}#include <string_view>\n\n"
            f"// Made by packaging/embed.py from page/{path.name}.\n\nnamespace {namespace} {{\n\n"
            f'/// {about}\ninline constexpr std::string_view {prefix}{path.stem} = R"{kind}(\n{text}){kind}";\n\n}} // namespace {namespace}\n')


def main():
    stale = 0
    for folder, path in [(folder, path) for folder in FOLDERS for path in sorted((folder / "page").iterdir())]:
        made = folder / f"{path.stem}.hpp"
        text = header(path, *FOLDERS[folder])
        if made.is_file() and made.read_text(encoding="utf-8") == text:
            continue
        if "--check" in sys.argv[1:]:
            print(f"{made} is not made from {path}; run packaging/embed.py")
            stale += 1
        else:
            made.write_text(text, encoding="utf-8")
    return 1 if stale else 0


sys.exit(main())
