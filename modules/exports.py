"""Writes the interface of a C++20 module that exports what umbrella headers declare.

exports.py MODULE INCLUDE_DIR DEPFILE OUTPUT

A name is exported if a header of the library that the umbrellas include, directly or not, declares it in a namespace
other than `detail` and `internal`.
"""

import re
import sys
from pathlib import Path

#: The umbrellas of each module, and the module whose names it exports as well.
MODULES = {
    "tutti": (["tutti/pass.hpp", "tutti/instrument.hpp", "tutti/runtime.hpp", "tutti/testing.hpp"], None),
    "tutti.relay": (["tutti/relay.hpp", "tutti/relay/registry.hpp"], "tutti"),
}
INCLUDE = re.compile(r"^#include <(tutti/[^>]+\.hpp)>", re.MULTILINE)
#: What cannot contain a declaration: comments, strings, characters, preprocessor lines.
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|(?<![0-9a-fA-F])\'(?:[^\'\\\n]|\\.)+\'|^[ \t]*#(?:[^\n\\]|\\\n|\\.)*',
                   re.DOTALL | re.MULTILINE)
NAMESPACE = re.compile(r"^(?:inline )?namespace ([\w: ]+)$")
ENTITY = re.compile(r"^(?:struct|class|union|enum class|enum struct|enum)\s+(?:\[\[.*?\]\]\s*)?(?:alignas\(.*?\)\s*)?(\w+)\s*(<|::)?")
CALLED = re.compile(r"((?:\w+::)*(?:operator\s*(?:\(\)|\[\]|[^\s\w(]+|\"\"_\w+)|\w+))\s*\(")
VARIABLE = re.compile(r"(\w+)\s*(?:$|=|\{|\[)")


def closure(include_dir, headers):
    """Returns the headers of the library that these include, directly or indirectly, in order."""
    found, todo = {}, list(headers)
    while todo:
        name = todo.pop(0)
        path = include_dir / name
        if name in found or not path.is_file():
            continue
        found[name] = path.read_text(encoding="utf-8")
        todo += INCLUDE.findall(found[name])
    return found


def skip(text, at, opening, closing):
    """Returns the index after the bracket that closes the one at `at`."""
    depth = 0
    while at < len(text):
        depth += {opening: 1, closing: -1}.get(text[at], 0)
        at += 1
        if depth == 0:
            return at
    return at


def without_parentheses(text):
    """Returns a text without what is in parentheses."""
    kept, at = "", 0
    while at < len(text):
        if text[at] == "(":
            at = skip(text, at, "(", ")")
        else:
            kept += text[at]
            at += 1
    return kept


def without_template(declaration):
    """Returns a declaration without `template <…>` and `requires …`; None for an explicit specialisation."""
    while True:
        declaration = declaration.lstrip()
        if declaration.startswith("[["):
            declaration = declaration[declaration.index("]]") + 2:]
        elif re.match(r"template\s*<\s*>", declaration):
            return None
        elif re.match(r"template\s*<", declaration):
            declaration = declaration[skip(declaration, declaration.index("<"), "<", ">"):]
        elif re.match(r"requires\b", declaration):
            # clang-format puts a requires clause on lines of its own, indented; the declaration begins a line.
            rest = declaration[len("requires"):]
            depth = 0
            for i, c in enumerate(rest):
                depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(c, 0)
                if c == "\n" and depth == 0 and i + 1 < len(rest) and not rest[i + 1].isspace():
                    break
            declaration = rest[i + 1:]
        else:
            return declaration


def name_of(declaration):
    """Returns the name that a declaration at namespace scope declares, or None."""
    declaration = without_template(declaration.strip())
    if not declaration or re.match(r"(static_assert|friend|extern|namespace|using namespace)\b", declaration):
        return None
    if found := ENTITY.match(declaration):
        return None if found.group(2) else found.group(1)
    if found := re.match(r"(?:concept|using)\s+(\w+)\s*(?:\[\[.*?\]\]\s*)?=", declaration):
        return found.group(1)
    if found := re.match(r"using\s+(?:[\w:]+::)?(\w+)$", declaration):
        return found.group(1)
    if re.match(r"(static\b|using\b)", declaration):
        return None
    if found := re.match(r"(?:inline |constexpr )*struct\s*\{", declaration):
        declaration = "auto " + declaration[skip(declaration, found.end() - 1, "{", "}"):]
    while found := re.search(r"\b(?:decltype|noexcept|alignas|explicit)\s*\(", declaration):
        declaration = declaration[:found.start()] + " auto " + declaration[skip(declaration, found.end() - 1, "(", ")"):]
    # Brackets of template arguments hide the parameter list and the name.
    flat, depth = "", 0
    for i, c in enumerate(declaration):
        if c == "<" and flat.rstrip()[-8:] != "operator" and not flat.endswith("operator<"):
            depth += 1
        elif c == ">" and depth and declaration[i - 1] != "-":
            depth -= 1
        elif depth == 0:
            flat += c
    variable = re.match(r"[^(=]*[={]", flat) or "(" not in flat
    if variable and "operator" not in flat:
        found = VARIABLE.search(re.split(r"[={]", flat)[0].strip())
        return found.group(1) if found else None
    if re.search(r"\)\s*->\s*\w+[^{]*$", flat) and not re.match(r"(constexpr |inline )*auto\b", flat):
        return None  # a deduction guide
    found = CALLED.search(flat)
    name = found.group(1) if found else None
    return None if name is None or "::" in name else re.sub(r"\s+", "", name)


def blank(found):
    """Returns as much white space as was found, with the same line breaks."""
    return re.sub(r"[^\n]", " ", found.group(0))


def declared(text):
    """Yields the namespace, the name and the index of each declaration at namespace scope."""
    text = NOISE.sub(blank, text)
    text = re.sub(r"\bTUTTI_(CONSTEXPR|INLINE|SHARED_BEGIN|SHARED_END)\b", blank, text)
    spaces, at, start = [], 0, 0

    def first():
        return len(text) - len(text[start:].lstrip())

    while at < len(text):
        c = text[at]
        if c == "}" and spaces:
            spaces.pop()
            at += 1
            start = at
        elif c == ";":
            yield "::".join(spaces), name_of(text[start:at]), first()
            at += 1
            start = at
        elif c == "{":
            head = text[start:at].strip()
            if opened := NAMESPACE.match(head):
                path = [part.strip() for part in opened.group(1).split("::")]
                spaces.append("::".join(part for part in path if not part.startswith("inline ")))
                at += 1
                start = at
                continue
            at = skip(text, at, "{", "}")
            bare = without_template(head) or ""
            is_function = "(" in bare and not re.match(r"(struct|class|union|enum|concept)\b", bare)
            if is_function and "=" not in re.sub(r"\boperator\s*[^\s\w(]+", "", without_parentheses(bare)) and text[at:at + 1] != ";":
                yield "::".join(spaces), name_of(head), first()
                start = at
        elif c == "(":
            at = skip(text, at, "(", ")")
        else:
            at += 1


def exported(texts):
    """Returns the public names of some headers by namespace."""
    names = {}
    for text in texts.values():
        for space, name, _ in declared(text):
            if name and space.split("::")[0] == "tutti" and not {"detail", "internal"} & set(space.split("::")):
                names.setdefault(space, set()).add(name)
    return names


def interface(module, headers, texts, imported=None, known=None):
    """Returns the source of a module's interface."""
    lines = ["module;", *(f"#include <{header}>" for header in headers), f"export module {module};"]
    if imported:
        lines.append(f"export import {imported};")
    for space, names in sorted(exported(texts).items()):
        left = sorted(names - (known or {}).get(space, set()))
        if left:
            lines += [f"export namespace {space} {{", *(f"using {space}::{name};" for name in left), "}"]
    return "\n".join(lines) + "\n"


def written(module, include_dir):
    """Returns the source of the interface of one of MODULES, and the headers that it depends on."""
    headers, imported = MODULES[module]
    known = exported(closure(include_dir, MODULES[imported][0])) if imported else {}
    texts = closure(include_dir, headers)
    return interface(module, headers, texts, imported, known), [include_dir / name for name in texts]


def main():
    module, include_dir, depfile, output = sys.argv[1:]
    text, headers = written(module, Path(include_dir))
    Path(output).write_text(text, encoding="utf-8")
    Path(depfile).write_text(f"{output}: {' '.join(map(str, headers))}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
