"""A type of one form of tutti/relay cannot be passed to the other: the program does not link, and the symbol names the form.

mixed.py SOURCE_ROOT -- COMPILER...
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(sys.argv[1])
COMPILER = [*sys.argv[sys.argv.index("--") + 1:], "-std=c++20", f"-I{ROOT / 'include'}"]
DECLARED = "#include <tutti/relay/ir/ir_module.hpp>\nvoid take(tutti::relay::ir_module& m);\n"
TAKES = DECLARED + "void take(tutti::relay::ir_module&) {}\n"
GIVES = DECLARED + "int main() {\n    tutti::relay::ir_module m;\n    take(m);\n}\n"


def linked(folder, taker, giver):
    """Returns the linker's messages for a function and its caller with these flags, or None if they link."""
    objects = []
    for name, text, flags in (("takes", TAKES, taker), ("gives", GIVES, giver)):
        source = folder / f"{name}.cpp"
        source.write_text(text, encoding="utf-8")
        objects.append(folder / f"{name}.o")
        subprocess.run([*COMPILER, *flags, "-c", source, "-o", objects[-1]], check=True)
    done = subprocess.run([*COMPILER, *objects, "-o", folder / "program"], capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else None


def main():
    compiled = ["-DTUTTI_COMPILED"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for flags in ([], compiled):
            if (said := linked(folder, flags, flags)) is not None:
                return f"two sources with {flags} do not link:\n{said}"
        for taker, giver, form in (([], compiled, "compiled"), (compiled, [], "header_only")):
            said = linked(folder, taker, giver)
            if said is None:
                return f"a module of the form {form} was passed to the other form"
            if f"tutti::relay::{form}_v" not in said:
                return f"the linker does not name the form {form}:\n{said}"
    return None


sys.exit(main())
