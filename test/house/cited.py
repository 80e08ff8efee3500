"""Every file cited in a header's comment exists.

A path is relative to the source root (examples/use_pass_infra.cpp), to include/ (tutti/pass.hpp), or to include/tutti/
(relay/ir/walk.hpp). A path whose first folder does not exist in the tree belongs to another library, or is made up.
"""

import re
from pathlib import Path

import house

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
CITED = re.compile(r"(?<![\w./*-])[\w-]+(?:/[\w.-]+)+\.(?:hpp|ipp|cpp|md|py|txt|sh)\b")
FOLDERS = ("include", "test", "examples", "tools", "bench", "docs", "packaging")
PLACES = ("", "include", "include/tutti")


def check(root):
    root = Path(root)
    folders = {path.name for top in FOLDERS for path in [root / top, *(root / top).rglob("*")] if path.is_dir()}
    for header in house.headers(root) + house.definitions(root):
        text = (root / "include" / header).read_text(encoding="utf-8")
        comments = "\n".join(COMMENT.findall(text))
        for path in sorted({*CITED.findall(comments)}):
            if path.split("/")[0] in folders and not any((root / place / path).is_file() for place in PLACES):
                yield f"include/{header} cites {path}, which does not exist"


if __name__ == "__main__":
    GOOD = {
        "examples/a.cpp": "",
        "include/tutti/ir/b.hpp": "",
        "include/tutti/c.hpp": '/// Example: examples/a.cpp; see `ir/b.hpp`, <tutti/ir/b.hpp>, <boost/b.hpp>\nauto p = "no/such.txt";\n',
    }
    house.run(check, [
        (GOOD, None),
        (GOOD | {"include/tutti/d.hpp": "/// Example: examples/d.cpp\n"}, "d.hpp cites examples/d.cpp"),
        (GOOD | {"include/tutti/d.hpp": "/* see ir/c.hpp. */\n"}, "d.hpp cites ir/c.hpp"),
    ])
