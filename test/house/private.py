"""`detail` is private: a layer names nothing from another layer's namespace detail. Names that other layers need are in
`internal` or, for programs too, public.

Layers share namespaces (tutti::detail), so a name belongs to the layer that declares it: a use of `detail::name` is
wrong if only other layers declare it.
"""

import re
from pathlib import Path

import house

#: Existing exceptions: layers, each with the layers whose detail it uses.
KNOWN = {"relay/eval": {"relay/op", "kernel"}, "relay/text": {"kernel"}}

COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
OPEN = re.compile(r"^(?:inline )?namespace ((?:\w+::)*(?:inline \w+::)?detail) \{$", re.MULTILINE)
QUALIFIED = re.compile(r"\bdetail::(\w+)")
NAMED = re.compile(r"^(?:(?:template .*|requires .*)\s)?(?:struct|class|union|enum class|enum|concept|using|namespace) (\w+)")
DECLARED = re.compile(r"\b([a-z_]\w*)(?:<[^()=;]*>)?\s*(?:\(|=|\{|;|\[)")
KEYWORDS = {"requires", "template", "if", "return", "static_assert", "operator", "noexcept", "decltype", "explicit", "alignas"}


def layer(root, header):
    """Returns the layer of a header; headers outside of the layers form one layer."""
    return house.layer_of(header) or ("relay" if header.startswith("tutti/relay") else "the root")


def blocks(text):
    """Yields the bodies of the namespaces detail in a text."""
    for opening in OPEN.finditer(text):
        depth, at = 1, opening.end()
        while depth and at < len(text):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        yield text[opening.end():at - 1]


def declared(block):
    """Returns the names that a namespace's body declares, without members; may include a few neighbouring names."""
    names, depth, statement = set(), 0, ""
    for line in block.splitlines():
        if depth == 0 and line.strip() and not line.startswith(("#", "}")):
            statement = f"{statement} {line.strip()}".strip()
            head = re.sub(r"^(?:template <.*?>(?: requires .*?)? )+(?=\w)", "", statement)
            found = NAMED.match(head)
            names.update([found.group(1)] if found else DECLARED.findall(head))
            if line.rstrip().endswith((";", "{", "}")):
                statement = ""
        depth = max(0, depth + line.count("{") - line.count("}"))
    return names - KEYWORDS


def check(root):
    root = Path(root)
    texts = {header: COMMENT.sub(" ", (root / "include" / header).read_text(encoding="utf-8")) for header in house.headers(root) + house.definitions(root)}
    owners = {}
    for header, text in texts.items():
        for block in blocks(text):
            for name in declared(block):
                owners.setdefault(name, set()).add(layer(root, header))
    for header, text in texts.items():
        own = layer(root, header)
        used = set(QUALIFIED.findall(text))
        for name in sorted(used):
            others = owners.get(name, set())
            if own not in others and others - KNOWN.get(own, set()):
                yield f"include/{header} names detail::{name}, which is private to {', '.join(sorted(others))}"


DETAIL = "namespace tutti::detail {{\n\n{}\n\n}} // namespace tutti::detail\n"
GOOD = {
    "include/tutti/pass/a.hpp": DETAIL.format("struct helper {\n    int held = 0;\n};\ntemplate <class T>\nconstexpr bool fits = true;"),
    "include/tutti/pass/b.hpp": "bool b = tutti::detail::fits<int>; // and detail::spare\n",
    "include/tutti/runtime/c.hpp": DETAIL.format("inline int spare() {\n    return 1;\n}") + "int c = detail::spare();\n",
}


if __name__ == "__main__":
    house.run(check, [
        (GOOD, None),
        (GOOD | {"include/tutti/runtime/d.hpp": "tutti::detail::helper h;\n"}, "names detail::helper, which is private to pass"),
        (GOOD | {"include/tutti/runtime/d.hpp": "bool f = detail::fits<int>;\n"}, "names detail::fits"),
        (GOOD | {"include/tutti/pass/d.hpp": "int s = detail::spare();\n"}, "private to runtime"),
        (GOOD | {"include/tutti/root.hpp": "int s = detail::spare();\n"}, "root.hpp names detail::spare"),
    ])
