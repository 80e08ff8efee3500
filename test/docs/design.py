"""The documents match the sources: the table of layers, the rows of the table of costs, links, headers named in the text, and the
navigation of the site.

design.py SOURCE_ROOT
"""

import re
import runpy
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "house"))
import house  # noqa: E402

DESIGN = "docs/design.md"
COSTS = "docs/explanation/compile_time.md"
SITE = "docs/site/mkdocs.yml"
DOCUMENTS = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", DESIGN, COSTS)
LAYER = re.compile(r"^\| ([\w/]+)/ \| (.*?) ?\|$", re.MULTILINE)
COST = re.compile(r"^\| (.*?) \| +[\d.]+ \|$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]*))?\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
HEADER = re.compile(r"<(tutti/[\w/.]+)>")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def section(text, heading):
    """Returns the part of a text below a heading; empty if there is none."""
    return text.partition(f"# {heading}\n")[2].partition("\n#")[0]


def layers(text):
    said = {layer: {each.strip(" /") for each in allowed.split(",")} - {""} for layer, allowed in LAYER.findall(section(text, "Who may include whom"))}
    for layer in sorted(said.keys() | house.LAYERS):
        if said.get(layer) != (set(house.LAYERS[layer]) if layer in house.LAYERS else None):
            yield f"{DESIGN} says that {layer}/ may include {said.get(layer)}, test/house/layers.py checks {house.LAYERS.get(layer)}"


def costs(root, text):
    file = Path(root) / "bench" / "compile_rows.py"
    rows = runpy.run_path(str(file)) if file.is_file() else {"CORE": (), "RELAY": ()}
    measured = {name for name, *_ in (*rows["CORE"], *rows["RELAY"])}
    for name in sorted(measured ^ set(COST.findall(section(text, "What it costs to include")))):
        yield f"{name} is in the table of costs of {COSTS} or in bench/compile_rows.py, not in both"


def anchors(text):
    """Returns the anchors of headings."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text)}


def links(root, name, text):
    for target, anchor in LINK.findall(CODE.sub("", text)):
        file = (Path(root) / name).parent / target if target else Path(root) / name
        if not file.exists():
            yield f"{name} links to {target}, which is not there"
        elif anchor and anchor not in anchors(file.read_text(encoding="utf-8")):
            yield f"{name} links to {target}#{anchor}, and there is no such heading"
    for header in HEADER.findall(text):
        if not (Path(root) / "include" / header).is_file():
            yield f"{name} names <{header}>, which is not there"


def navigation(root, pages):
    """Complains about pages that the site's navigation does not have, and the reverse."""
    settings = Path(root) / SITE
    listed = set(re.findall(r": (\S+\.md)$", settings.read_text(encoding="utf-8"), re.MULTILINE)) if settings.is_file() else set()
    for name in sorted((listed ^ set(pages)) - {"README.md", "index.md"}):
        yield f"{name} is {'in the navigation, and not there' if name in listed else 'not in the navigation'}: {SITE}"


def check(root):
    pages = sorted(path.relative_to(root).as_posix() for path in (Path(root) / "docs").rglob("*.md"))
    pages += [name for name in DOCUMENTS if name not in pages]
    for name in pages:
        path = Path(root) / name
        if not path.is_file():
            yield f"there is no {name}"
            continue
        text = path.read_text(encoding="utf-8")
        yield from links(root, name, text)
        if name == DESIGN:
            yield from layers(text)
        if name == COSTS:
            yield from costs(root, text)
    yield from navigation(root, pages)


def table(layers):
    rows = "".join(f"| {layer}/ | {', '.join(each + '/' for each in allowed)} |\n" for layer, allowed in layers.items())
    return f"# Design\n\n### Who may include whom\n\n| folder | may include |\n|---|---|\n{rows}\n"


NAVIGATION = "nav:\n" + "".join(f"  - A: {name}\n" for name in DOCUMENTS if name != "README.md")
GOOD = {name: "" for name in DOCUMENTS} | {
    DESIGN: table(house.LAYERS),
    COSTS: "# Compile time\n\n## What it costs to include\n\n| what | x |\n|---|---|\n| pass.hpp | 0.70 |\n\n## More\n\n| a | 1 |\n",
    SITE: NAVIGATION,
    "bench/compile_rows.py": 'CORE = [("pass.hpp", "", (), None)]\nRELAY = []\n',
    "include/tutti/pass.hpp": "",
}
#: With a page of its own.
PAGED = GOOD | {SITE: NAVIGATION + "  - A: docs/howto/a.md\n", "docs/howto/a.md": ""}

house.run(check, [
    (GOOD, None),
    (PAGED, None),
    (GOOD | {"README.md": f"[a]({COSTS}#what-it-costs-to-include) [b](https://x.y/z) `[&](c)` <tutti/pass.hpp>"}, None),
    (GOOD | {"README.md": "[a](docs/none.md)"}, "docs/none.md, which is not there"),
    (PAGED | {"docs/howto/a.md": "[a](../design.md#costs)"}, "no such heading"),
    (PAGED | {"docs/howto/a.md": "<tutti/passes.hpp>"}, "names <tutti/passes.hpp>"),
    (GOOD | {"docs/howto/a.md": ""}, "docs/howto/a.md is not in the navigation"),
    (GOOD | {SITE: PAGED[SITE]}, "docs/howto/a.md is in the navigation, and not there"),
    (GOOD | {DESIGN: table(house.LAYERS | {"pass": ("runtime",)})}, "pass/ may include {'runtime'}"),
    (GOOD | {DESIGN: table({name: allowed for name, allowed in house.LAYERS.items() if name != "kernel"})}, "kernel/ may include None"),
    (GOOD | {"bench/compile_rows.py": 'CORE = [("pass.hpp",), ("more.hpp",)]\nRELAY = []\n'}, "more.hpp is in the table"),
    (GOOD | {"bench/compile_rows.py": 'CORE = []\nRELAY = []\n'}, "pass.hpp is in the table"),
    ({name: text for name, text in GOOD.items() if name != "CHANGELOG.md"}, "there is no CHANGELOG.md"),
])
