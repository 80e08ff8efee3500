"""Pages of the public headers as Markdown, made from their declarations and comments."""

import re
import sys
import textwrap
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "modules"))
import exports  # noqa: E402

PRIVATE = {"detail", "internal"}
CLASS = re.compile(r"(?:struct|class|union)\b")
ACCESS = re.compile(r"\b(public|protected|private)\s*:(?!:)")
LABEL = re.compile(r"^(Requires|Ensures|Cost|Throws|Example|Source|Laws|Skips|Returns|Note|Limits):[ \t]*(\n+(?=```))?", re.MULTILINE)
#: A further initialiser of a constructor, or its body.
MORE = re.compile(r"\s*(?:,\s*[\w:<>.]+\s*)?[{(]")
CODE = re.compile(r"^```.*?^```|`(?:[^`\n]|\n(?!\n))*`", re.MULTILINE | re.DOTALL)
#: Lines of code below a label or a line that ends with a colon, or after an empty line.
INDENTED = re.compile(r"(?:(?<=:\n)|(?<=\n\n))((?: {4,}[^\n]*\n?)+)")


def blanked(text):
    """Returns a header with blanks in place of comments, strings, preprocessor lines and markers of the library's forms."""
    text = exports.NOISE.sub(exports.blank, text)
    return re.sub(r"\bTUTTI_(CONSTEXPR|INLINE|SHARED_BEGIN|SHARED_END)\b", exports.blank, text)


def is_function(head):
    """True if braces after this text are the body of a function."""
    head = head.strip("\n")
    head = re.sub(rf"^ {{{len(head) - len(head.lstrip())}}}", "", head, flags=re.MULTILINE)
    bare = exports.without_template(head.strip()) or ""
    if CLASS.match(bare) or re.match(r"(enum|concept|namespace|extern)\b", bare) or "(" not in bare:
        return False
    return "=" not in re.sub(r"\boperator\s*[^\s\w(]+", "", exports.without_parentheses(bare))


def end_of(blank, at):
    """Returns the index after the declaration that begins at an index."""
    start = at
    while at < len(blank):
        if blank[at] == "(":
            at = exports.skip(blank, at, "(", ")")
        elif blank[at] == "{":
            function = is_function(blank[start:at])
            at = exports.skip(blank, at, "{", "}")
            if function and blank[at:at + 1] != ";":
                return at
        elif blank[at] == ";":
            return at + 1
        else:
            at += 1
    return at


def end_of_head(blank, start, brace):
    """Returns the index at which a function's head ends: before its initialisers or its body."""
    opening = blank.find("(", start, brace)
    while opening >= 0:
        closing = exports.skip(blank, opening, "(", ")")
        if found := re.compile(r"(?<!:):(?!:)").search(blank, closing, brace):
            return found.start()
        opening = blank.find("(", closing, brace)
    return brace


def synopsis(text, blank, start, end):
    """Returns a declaration without bodies of functions and private members."""
    kept, at, last, hidden = [], start, start, False

    def keep(until):
        nonlocal last
        if not hidden:
            kept.append(text[last:until])
        last = until

    begin = start  # of the current member
    default = []   # for each open class, its access at the beginning
    while at < end:
        if blank[at] == "(":
            at = exports.skip(blank, at, "(", ")")
        elif blank[at] == "{":
            head = re.sub(r"^\s*\n", "", blank[begin:at])
            bare = exports.without_template(head.strip()) or ""
            if is_function(head):
                cut = end_of_head(blank, begin, at)
                keep(cut)
                if not hidden:
                    kept[-1] = kept[-1].rstrip() + ";"
                at = exports.skip(blank, at, "{", "}")
                while cut < at and (more := MORE.match(blank, at)) and blank[cut] == ":":
                    at = exports.skip(blank, more.end() - 1, blank[more.end() - 1], {"{": "}", "(": ")"}[blank[more.end() - 1]])
                last = begin = at
            elif CLASS.match(bare) and not hidden:
                at += 1
                keep(at)
                default.append(hidden)
                hidden = bool(re.match(r"class\b", bare))
                begin = at
            else:
                at = exports.skip(blank, at, "{", "}")
        elif blank[at] == "}":
            keep(at)
            hidden = default.pop() if default else False
            at += 1
            begin = at
        elif blank[at] == ";":
            at += 1
            keep(at)
            begin = at
        elif default and (found := ACCESS.match(blank, at)):
            keep(at)
            was_hidden, hidden = hidden, found.group(1) == "private"
            if was_hidden and not hidden:
                kept.append("\n" + "    " * (len(default) - 1))
            at = found.end()
            if hidden:
                last = at
            begin = at
        else:
            at += 1
    keep(end)
    lines = [line.replace("TUTTI_CONSTEXPR", "constexpr").replace("TUTTI_INLINE ", "") for line in "".join(kept).rstrip().split("\n")]
    lines = [line for line in lines if not re.match(r"\s*//(?!/)", line)]
    return re.sub(r"\n\s*\n(?=\s*\})", "\n", re.sub(r"\n\s*\n\s*\n+", "\n\n", "\n".join(lines)))


def markdown(comment):
    """Returns a comment as Markdown: its labels in bold, and angle brackets outside of code escaped."""
    parts, at = [], 0
    comment = "".join(piece if piece.startswith("```") else INDENTED.sub(fenced, piece)
                      for piece in re.split(r"(^```.*?^```)", comment, flags=re.MULTILINE | re.DOTALL))
    for code in CODE.finditer(comment):
        parts += [escaped(comment[at:code.start()]), code.group(0)]
        at = code.end()
    text = "".join([*parts, escaped(comment[at:])])
    return LABEL.sub(lambda found: f"\n**{found.group(1)}:** " + ("\n\n" if found.group(2) else ""), text).strip()


def fenced(found):
    """Returns indented code as a block."""
    return "\n```cpp\n" + textwrap.dedent(found.group(1)).rstrip("\n") + "\n```\n"


def escaped(text):
    return text.replace("<", "&lt;").replace("*", "\\*")


def comment_at(text, at):
    """Returns the documentation comment above an index; empty if there is none."""
    lines = text[:text.rfind("\n", 0, at) + 1].split("\n")[:-1]
    found = []
    while lines and lines[-1].startswith("///"):
        found.append(lines.pop()[3:].removeprefix(" ").rstrip())
    return "\n".join(reversed(found))


def head_comment(text):
    """Returns the documentation comment of the header itself, below `#pragma once`; empty if there is none."""
    found = re.match(r"#pragma once\n\n((?:///[^\n]*\n)+)\n", text)
    return re.sub(r"^/// ?", "", found.group(1), flags=re.MULTILINE) if found else ""


def page(name, text):
    """Returns the page of a header, and its public names; None if it has neither names nor a comment of its own."""
    blank = blanked(text)
    names = {}
    for space, declared, at in exports.declared(text):
        if declared is None or space.split("::")[0] != "tutti" or PRIVATE & set(space.split("::")):
            continue
        code = synopsis(text, blank, at, end_of(blank, at))
        names.setdefault((space, declared), []).append((comment_at(text, at), code))
    about = head_comment(text)
    if not names and not about:
        return None, []
    parts = [f"# {name.removeprefix('tutti/')}", f"```cpp\n#include <{name}>\n```"]
    if about:
        parts.append(markdown(about))
    for (space, declared), each in names.items():
        parts.append(f"## {declared.replace('_', chr(92) + '_') if declared.startswith('_') else declared}")
        for number, (comment, code) in enumerate(each):
            if comment:
                parts.append(markdown(comment))
            parts.append(f"```cpp\n{'' if number else f'// in {space}' + chr(10)}{code}\n```")
    return "\n\n".join(parts) + "\n", [declared for _, declared in names]


def pages(include_dir):
    """Yields the name, the page and the public names of each header that has a page."""
    for path in sorted(Path(include_dir).glob("tutti/**/*.hpp")):
        name = path.relative_to(include_dir).as_posix()
        text, names = page(name, path.read_text(encoding="utf-8"))
        if text:
            yield name, text, names


def comment_of(path, wanted):
    """Returns the comment of a public name of a header."""
    text = path.read_text(encoding="utf-8")
    return next(comment_at(text, at) for _, name, at in exports.declared(text) if name == wanted)
