"""The page of public names, docs/names.md: made from the headers, with the first sentence of each name's comment.

names.py SOURCE_ROOT [--write]

Without --write, compares the page with the headers. A public name without a comment is a complaint.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "house"))
import house  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "modules"))
import exports  # noqa: E402

PAGE = "docs/names.md"
#: The umbrellas, and the namespaces that they declare names in, in the order of the page.
UMBRELLAS = exports.MODULES["tutti"][0]
SPACES = {
    "tutti": "Passes, pipelines and contexts",
    "tutti::instrument": "Instruments",
    "tutti::runtime": "Pipelines and instruments known at run time",
    "tutti::testing": "Tests of passes",
}
HEAD = """# Public names

The names that the umbrella headers declare for programs: `tutti/pass.hpp`, `tutti/instrument.hpp`, `tutti/runtime.hpp` and
`tutti/testing.hpp`. Names in a namespace `detail` or `internal` are private and may change. `python3 test/docs/names.py . --write` makes this page.
"""


def comment_above(text, at):
    """Returns the documentation comment that ends above an index, without its marks; empty if there is none."""
    lines = text[:text.rfind("\n", 0, at) + 1].split("\n")[:-1]
    found = []
    while lines and lines[-1].startswith("///"):
        found.append(lines.pop()[3:].strip())
    return "\n".join(reversed(found))


def first_sentence(comment):
    """Returns the first sentence of a comment, as the text of a cell."""
    paragraph = " ".join(comment.split("\n\n")[0].split("\n"))
    paragraph = re.split(r"(?<=[.:!?]) (?=(?:Throws|Cost|Requires|Ensures|Example|Source):)|(?<=[^.][a-z`)\d][.!?]) (?=[A-Z`])", paragraph, maxsplit=1)[0]
    return re.sub(r" ?(?:Example: .*)?$", "", paragraph).replace("|", "\\|").rstrip(":")


def public_names(include_dir):
    """Returns for each namespace its names, each with the header that declares it first and its comment."""
    found = {space: {} for space in SPACES}
    for header, text in exports.closure(include_dir, UMBRELLAS).items():
        for space, name, at in exports.declared(text):
            if name is None or space not in found or name.startswith("operator"):
                continue
            comment = comment_above(text, at)
            known = found[space].get(name)
            if known is None or (comment and not known[1]):
                found[space][name] = (header, comment)
    return found


def page(names):
    """Returns the page for these names."""
    text = HEAD
    for space, title in SPACES.items():
        text += f"\n## {title}: `{space}`\n\n| name | header | summary |\n|---|---|---|\n"
        for name, (header, comment) in sorted(names[space].items()):
            text += f"| `{name}` | `{header}` | {first_sentence(comment)} |\n"
    return text


def check(root):
    names = public_names(Path(root) / "include")
    for space, declared in names.items():
        for name, (header, comment) in sorted(declared.items()):
            if not comment:
                yield f"include/{header}: {space}::{name} is public and has no documentation comment; document it, or move it to `detail`"
    written = Path(root) / PAGE
    if (written.read_text(encoding="utf-8") if written.is_file() else "") != page(names):
        yield f"{PAGE} does not match the headers: python3 test/docs/names.py . --write"


HEADER = "namespace tutti {\n\n/// A pass. More.\nstruct a;\n\nnamespace detail {\nstruct b;\n}\n\n} // namespace tutti\n"
GOOD = {
    "include/tutti/pass.hpp": HEADER,
    PAGE: page({space: {"a": ("tutti/pass.hpp", "A pass. More.")} if space == "tutti" else {} for space in SPACES}),
}

if sys.argv[2:] == ["--write"]:
    (Path(sys.argv[1]) / PAGE).write_text(page(public_names(Path(sys.argv[1]) / "include")), encoding="utf-8")
else:
    house.run(check, [
        (GOOD, None),
        (GOOD | {"include/tutti/pass.hpp": HEADER.replace("/// A pass. More.\n", "")}, "tutti::a is public and has no documentation"),
        (GOOD | {"include/tutti/pass.hpp": HEADER.replace("struct a;", "struct a;\n\n/// New.\nstruct c;")}, "does not match the headers"),
        (GOOD | {"include/tutti/pass.hpp": HEADER.replace("A pass", "A step")}, "does not match the headers"),
        ({"include/tutti/pass.hpp": HEADER}, "does not match the headers"),
    ])
