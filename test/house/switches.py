"""No header says in a text what only the command line has: a switch (`--opt-level`) or a command (`tutti opt`).

The library names the option of its own; the command line puts its switch in place of that.
"""

import re
from pathlib import Path

import house

#: Headers whose texts are a page's style and scripts: there `--soft` is a variable, and `--i` counts.
PAGES = {f"include/tutti/instrument/report_{name}.hpp" for name in ("diff_script", "graph_script", "script", "style")}
#: Comments and characters are passed over; raw texts and others are looked at.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\((?P<raw>.*?)\)\1"|"(?P<text>(?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'', re.DOTALL)
SWITCH = re.compile(r"(?<![\w-])--[a-z][\w-]*|\btutti (?:bisect|check|compare|list|model|opt|reduce|run)\b")


def check(root):
    root = Path(root)
    for path in sorted((root / "include").rglob("*.hpp")):
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
    ({"include/tutti/instrument/report_style.hpp": 'auto a = R"(--soft: 1)";\n'}, None),
    (header('auto a = "bound, by --dim=NAME";\n'), "--dim"),
    (header('auto a = "\\"--dim\\"";\n'), "--dim"),
    (header('auto a = \'"\';\nauto b = "--dim";\n'), "--dim"),
    (header('auto a = R"x(\n"--dim")x";\n'), "--dim"),
    (header('auto a = "`tutti opt` writes it";\n'), "tutti opt"),
])
