"""No message in a header names a switch (`--opt-level`) or a command (`tutti opt`) of the command line.

The library names its own option; the command line replaces it by its switch.
"""

import re
from pathlib import Path

import house

#: Headers with the style and scripts of a page, where `--soft` is a variable, and `--i` counts.
PAGES = {f"include/tutti/report/{name}.hpp" for name in ("diff_script", "graph_script", "script", "style")}
#: Comments and characters are skipped; raw strings and other strings are checked.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\((?P<raw>.*?)\)\1"|"(?P<text>(?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'', re.DOTALL)
SWITCH = re.compile(r"(?<![\w-])--[a-z][\w-]*|\btutti (?:bisect|check|compare|list|model|opt|reduce|run)\b")


def check(root):
    root = Path(root)
    for path in sorted((root / "include").rglob("*.[hi]pp")):
        name = path.relative_to(root).as_posix()
        if name in PAGES:
            continue
        for token in TOKEN.finditer(path.read_text(encoding="utf-8")):
            found = SWITCH.search(token["raw"] or token["text"] or "")
            if found:
                yield f"{name}: the command line's {found.group()}; name the library's option"


def header(text):
    return {"include/tutti/a.hpp": text}


house.run(check, [
    (header('auto a = "a -- b, c--, x--y"; // "--dim"\nauto b = \'"\'; /* "--dim" */ auto c = "tutti opts";\n'), None),
    ({"include/tutti/report/style.hpp": 'auto a = R"(--soft: 1)";\n'}, None),
    (header('auto a = "bound, by --dim=NAME";\n'), "--dim"),
    (header('auto a = "\\"--dim\\"";\n'), "--dim"),
    (header('auto a = \'"\';\nauto b = "--dim";\n'), "--dim"),
    (header('auto a = R"x(\n"--dim")x";\n'), "--dim"),
    (header('auto a = "`tutti opt` writes it";\n'), "tutti opt"),
])
