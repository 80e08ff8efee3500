"""meson.build and version.hpp have the same version. meson.build is the source."""

import re
from pathlib import Path

import house


def check(root):
    meson = re.search(r"^\s*version: '([\d.]+)'", (Path(root) / "meson.build").read_text(encoding="utf-8"), re.MULTILINE)
    header = (Path(root) / "include/tutti/version.hpp").read_text(encoding="utf-8")
    parts = [re.search(rf"\b{part}_number = (\d+);", header) for part in ("major", "minor", "patch")]
    if meson is None or None in parts:
        yield "no version found in meson.build, or not all of major_number, minor_number, patch_number in version.hpp"
    elif ".".join(part.group(1) for part in parts) != meson.group(1):
        yield f"meson.build has version {meson.group(1)}, version.hpp {'.'.join(part.group(1) for part in parts)}"


HEADER = "int major_number = 0;\nint minor_number = 1;\nint patch_number = %d;\n"
MESON = "project('tutti',\n  version: '0.1.0',\n)\n"

house.run(check, [
    ({"meson.build": MESON, "include/tutti/version.hpp": HEADER % 0}, None),
    ({"meson.build": MESON, "include/tutti/version.hpp": HEADER % 1}, "version.hpp 0.1.1"),
    ({"meson.build": MESON, "include/tutti/version.hpp": ""}, "no version found"),
])
