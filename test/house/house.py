"""Shared by the house checks: the headers, their includes, and a frame that proves that each check can fail."""

import os
import re
import sys
import tempfile
from pathlib import Path

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:<([^>]+)>|"([^"]+)")', re.MULTILINE)

#: The layers, which are folders in include/tutti, each with the layers that it may include (docs/design.md has this
#: table), in an order in which none includes a later one.
LAYERS = {
    "base": (),
    "parallel": (),
    "unit": (),
    "pass": (),
    "pipeline": ("pass",),
    "cache": ("pass", "pipeline"),
    "instrument": ("pass", "pipeline"),
    "search": ("pass", "pipeline", "instrument"),
    "report": ("pass", "instrument"),
    "runtime": ("pass", "pipeline", "instrument", "search", "report"),
    "testing": ("pass", "instrument"),
    "kernel": (),
    "file": ("kernel",),
    "relay/ir": ("kernel",),
    "relay/op": ("relay/ir", "kernel"),
    "relay/text": ("relay/ir", "relay/op", "kernel"),
    "relay/eval": ("relay/ir", "relay/op", "kernel"),
    "relay/transform": ("pass", "pipeline", "cache", "kernel", "relay/ir", "relay/op", "relay/eval"),
    "relay/model": ("relay/ir", "relay/op"),
    "relay/params": ("kernel", "file", "relay/ir", "relay/op", "relay/transform"),
    "relay/onnx": ("relay/ir", "relay/op", "kernel", "file"),
    "relay/debug": ("pass", "instrument", "search", "relay/ir", "relay/op", "relay/text", "relay/eval", "relay/transform", "kernel"),
    "relay/testing": ("pass", "instrument", "testing", "kernel", "relay/ir", "relay/op", "relay/text", "relay/eval", "relay/debug"),
}
#: The layers that every other may include; these include base/ at most.
COMMON = ("base", "parallel", "unit")


#: Headers whose inline functions call another library, which a program must then link, or that belong in one source of
#: a program.
LINKED = {"tutti/file/zlib_unpacker.hpp", "tutti/instrument/count_allocations.hpp", "tutti/relay/eval/onednn.hpp",
          *(f"tutti/relay/eval/onednn_kernels/{name}.hpp" for name in ("call", "conv", "lines", "pool", "post_operations", "product"))}


def absent_headers(arguments):
    """Returns the headers after --absent on a command line, up to the next option: those whose library is not
    installed."""
    if "--absent" not in arguments:
        return set()
    rest = arguments[arguments.index("--absent") + 1:]
    return {*rest[:next((i for i, text in enumerate(rest) if text.startswith("--")), len(rest))]}


def headers(root):
    """Returns every header of the library, as a path below include/, in order; without the absent ones."""
    include = Path(root) / "include"
    return sorted({path.relative_to(include).as_posix() for path in include.glob("tutti/**/*.hpp")} - absent_headers(sys.argv))


def definitions(root):
    """Returns every file of definitions of the library (base/form.hpp), as a path below include/, in order."""
    include = Path(root) / "include"
    return sorted(path.relative_to(include).as_posix() for path in include.glob("tutti/**/*.ipp"))


def includes(path):
    """Returns the includes of a file, in order."""
    return [a or b for a, b in INCLUDE.findall(Path(path).read_text(encoding="utf-8"))]


def includes_below_code(path):
    """True if a file has an include after code of its own, other than that of its definitions (base/form.hpp)."""
    code = False
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        included = INCLUDE.match(line)
        if code and included and not (included[1] or "").endswith(".ipp"):
            return True
        code = code or not line.strip().startswith(("#", "//")) and bool(line.strip())
    return False


def layer_of(header):
    """Returns the layer of a header (tutti/pass/pass_info.hpp), or None if it is in no layer."""
    inner = header.removeprefix("tutti/")
    for layer in LAYERS:
        if inner.startswith(layer + "/"):
            return layer
    return None


def is_umbrella(root, header):
    """True if a header x.hpp is next to a folder x/ of headers."""
    folder = Path(root) / "include" / header.removesuffix(".hpp")
    return folder.is_dir() and any(folder.glob("*.hpp"))


def write_tree(root, files):
    """Writes files (path: text) below a folder."""
    for path, text in files.items():
        target = Path(root) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def run(check, samples):
    """Runs a check on the source root given as the first argument, and exits with its verdict.

    `check(root)` yields its complaints. `samples` are trees that break the rule, each with a part of the expected
    complaint; a tree with None must have no complaint. The samples come first, since a check that accepts them proves
    nothing.
    """
    for files, expected in samples:
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "include/tutti"))
            write_tree(root, files)
            found = list(check(root))
        if expected is None and found:
            sys.exit(f"the check objects to a tree that is right: {found}")
        if expected is not None and not any(expected in complaint for complaint in found):
            sys.exit(f"the check is blind: it should have said '{expected}', and said {found}")
    complaints = list(check(sys.argv[1]))
    for complaint in complaints:
        print(complaint)
    print(f"{len(complaints)} complaints")
    sys.exit(1 if complaints else 0)
