"""Every fault that a nightly check plants in a copy of the headers can be planted: its text is there exactly once.

planted.py SOURCE_ROOT
"""

import importlib.util
from pathlib import Path

import house

HERE = Path(__file__).resolve().parent.parent


def module(path):
    """Returns a script of the tests as a module."""
    found = importlib.util.spec_from_file_location(path.stem, path)
    made = importlib.util.module_from_spec(found)
    found.loader.exec_module(made)
    return made


def faults():
    """Yields a header and a text of each planted fault."""
    for header, text, _ in module(HERE / "pipeline" / "random" / "run.py").PLANTED.values():
        yield header, text
    for _, header, *strings in module(HERE / "relay" / "random" / "broken_rules.py").BROKEN:
        for text in strings[::2]:
            yield header, text


def check(root):
    for header, text in faults():
        path = Path(root) / "include" / header
        count = path.read_text(encoding="utf-8").count(text) if path.is_file() else 0
        if count != 1:
            yield f"{header} has {count} times the text of a planted fault: {text.strip()!r}"


ALL = {}
for each, planted in faults():
    ALL[f"include/{each}"] = ALL.get(f"include/{each}", "") + planted + "\n"
house.run(check, [
    (ALL, None),
    ({name: text for name, text in ALL.items() if "registered_pass" not in name}, "registered_pass.hpp has 0 times"),
])
