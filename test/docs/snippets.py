"""Every ```cpp block of the pages in docs/ compiles and prints the ```text block after it.

snippets.py SOURCE_ROOT STAMPS LIBRARY -- COMPILER...

LIBRARY is tutti-relay. Sources with headers of tutti/relay use it, except those marked -DHEADER_ONLY.

The kinds of blocks:
    ```cpp           begins a new source
    ```cpp continue  continues that source
    ```cpp body      statements in a function at the end of that source, which is run
    ```text          the output of the block before it: a body, or a source with a main
A page with the line `<!-- continues: PAGE -->` begins with the declarations of that page's first source. Clang compiles the
blocks if it is installed, since the tests have already tried everything with the build's compiler, which takes three times
as long. A body or a main without a ```text block must print nothing. Words that begin with "-" are compiler options:
```cpp -fno-exceptions.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "house"))
import compiling  # noqa: E402
import house  # noqa: E402

FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
CONTINUES = re.compile(r"^<!-- continues: (\S+) -->$", re.MULTILINE)
MAIN = re.compile(r"^int main\(", re.MULTILINE)
#: Separates the outputs of the bodies.
SEPARATOR = "\x1e"


class Source:
    """Blocks that are compiled together, with the expected output of each that is run."""

    def __init__(self, page, line, flags=(), text=""):
        self.page, self.line, self.flags, self.text, self.bodies = page, line, list(flags), text, ""
        self.runs = []  # the line of each body, or of the main
        self.prints = []
        self.has_main = False

    def add(self, line, code):
        self.text += f'#line {line} "{self.page}"\n{code}'
        if MAIN.search(code):
            self.has_main = True
            self.run_at(line)

    def add_body(self, line, code):
        self.bodies += f'static void body_{len(self.runs)}() {{\n#line {line} "{self.page}"\n{code}}}\n'
        self.run_at(line)

    def run_at(self, line):
        self.runs.append(line)
        self.prints.append("")

    def whole(self):
        """Returns the source with a main that runs the bodies."""
        if self.has_main or not self.runs:
            return self.text
        calls = "".join(f"    body_{i}();\n    std::putchar({ord(SEPARATOR)});\n" for i in range(len(self.runs)))
        return f"#include <cstdio>\n{self.text}{self.bodies}int main() {{\n{calls}}}\n"


def sources_of(root, page, seen=()):
    """Returns the sources made from a page's blocks, and complaints about invalid blocks."""
    text = (Path(root) / page).read_text(encoding="utf-8")
    sources, complaints, last = [], [], None
    if continued := CONTINUES.search(text):
        base = os.path.normpath(os.path.join(os.path.dirname(page), continued.group(1)))
        if base in (*seen, page) or not (Path(root) / base).is_file():
            return [], [f"{page} continues {continued.group(1)}, which is not there, or continues this page"]
        before, complaints = sources_of(root, base, (*seen, page))
        # Its declarations need not all be used on this page.
        flags, code = (before[0].flags, before[0].text) if before else ((), "")
        sources.append(Source(page, 1, [*flags, "-Wno-unused-const-variable"], code))
    for fence in FENCE.finditer(text):
        line = text.count("\n", 0, fence.start()) + 2
        kind, *words = fence.group(1).split() or [""]
        flags = [word for word in words if word.startswith("-")]
        marks = [word for word in words if not word.startswith("-")]
        if kind == "cpp" and marks in ([], ["continue"], ["body"]):
            if not marks:
                sources.append(Source(page, line, flags))
            if not sources:
                complaints.append(f"{page}:{line}: no source to continue")
                break
            (sources[-1].add_body if marks == ["body"] else sources[-1].add)(line, fence.group(2))
            last = sources[-1] if marks == ["body"] or MAIN.search(fence.group(2)) else None
        elif kind == "cpp":
            complaints.append(f"{page}:{line}: a block is marked with nothing, continue or body, not with {' '.join(marks)}")
        elif kind == "text" and last:
            last.prints[-1] = fence.group(2)
            last = None
        elif kind == "text" and sources:
            complaints.append(f"{page}:{line}: no block before this one is run")
    return sources, complaints


def try_source(root, source):
    """Compiles a source, runs it and compares the output; returns a complaint or None."""
    text = source.whole()
    flags, libraries = source.flags, ()
    if "tutti/relay" in text and "-DHEADER_ONLY" not in flags:
        flags, libraries = [*flags, "-DTUTTI_COMPILED", "-pthread"], [sys.argv[3]]
    if not source.runs:
        return compiling.compile_text(text, root, *flags, "-fsyntax-only", compiler=compiling.QUICKEST)
    with tempfile.TemporaryDirectory() as folder:
        said = compiling.compile_text(text, root, *flags, "-o", f"{folder}/program", compiler=compiling.QUICKEST, libraries=libraries)
        if said:
            return f"{source.page}:{source.line}: does not compile:\n{said}"
        done = subprocess.run([f"{folder}/program"], capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode:
        return f"{source.page}:{source.line}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    parts = [done.stdout] if source.has_main else done.stdout.split(SEPARATOR)
    for line, expected, got in zip(source.runs, source.prints, parts):
        if got != expected:
            return f"{source.page}:{line}: prints\n{got}and should print\n{expected}"
    return None


def check(root):
    sources = []
    for path in sorted((Path(root) / "docs").rglob("*.md")):
        found, complaints = sources_of(root, path.relative_to(root).as_posix())
        sources += found
        yield from complaints
    if not sources:
        yield "docs/ shows no code"

    def once(source):
        brought = {header for target in house.INCLUDE.findall(source.text) for header in compiling.closure(root, target[0] or target[1])
                   if (Path(root) / "include" / header).is_file()}
        return compiling.once(root, sorted(brought), (source.whole(), source.flags, source.prints, compiling.QUICKEST), lambda: try_source(root, source))

    yield from filter(None, compiling.in_parallel(once, sources))


def page(*blocks):
    return "# Page\n\n" + "\n\nText.\n\n".join(f"```{head}\n{body}```" for head, body in blocks) + "\n"


def pages(*blocks):
    return {"docs/a.md": page(*blocks)}


HEAD = ("cpp", "#include <cstdio>\nstruct a {};\n")
BODY = ("cpp body", 'std::puts("one");\n')
BASE = {"docs/b/base.md": page(HEAD, BODY, ("text", "one\n"))}

house.run(check, [
    (pages(HEAD, ("cpp continue", "using b = a;\n"), ("cpp body", "static_cast<void>(b{});\n"), BODY, ("text", "one\n")), None),
    (pages(HEAD, BODY, ("text", "two\n")), "docs/a.md:11: prints\none\nand should print\ntwo"),
    (pages(HEAD, BODY), "and should print\n"),
    (pages(HEAD, ("cpp continue", "int f() { return none; }\n"), BODY), "docs/a.md:11:"),
    (pages(HEAD, ("cpp body", "int unused = 1;\n")), "unused"),
    (pages(HEAD, ("cpp body", "throw 1;\n")), "exit code"),
    (pages(("cpp", '#include <cstdio>\nint main() { std::puts("x"); }\n'), ("text", "x\n")), None),
    (pages(("cpp", "int main() { return 1; }\n")), "exit code 1"),
    (pages(("cpp -fno-exceptions", "int main() { throw 1; }\n")), "does not compile"),
    (pages(HEAD, ("text", "one\n")), "no block before this one is run"),
    (pages(("cpp continue", "int a;\n")), "no source to continue"),
    (pages(("cpp boddy", "int a;\n")), "not with boddy"),
    (BASE | {"docs/c/a.md": "<!-- continues: ../b/base.md -->\n" + page(("cpp body", 'static_cast<void>(a{});\nstd::puts("two");\n'), ("text", "two\n"))}, None),
    (BASE | {"docs/c/a.md": "<!-- continues: ../base.md -->\n" + page(BODY)}, "continues ../base.md, which is not there"),
    ({"docs/a.md": "<!-- continues: a.md -->\n"}, "or continues this page"),
    ({}, "docs/ shows no code"),
])
