"""Every ```cpp block of docs/guide.md compiles and prints the ```text block after it.

guide.py SOURCE_ROOT STAMPS LIBRARY -- COMPILER...

LIBRARY is tutti-relay. Sources with headers of tutti/relay use it, except those marked -DHEADER_ONLY.

The kinds of blocks:
    ```cpp           begins a new source
    ```cpp continue  continues that source
    ```cpp body      statements in a function at the end of that source, which is run
    ```text          the output of the block before it: a body, or a source with a main
Clang compiles them if it is installed, since the tests have already tried everything with the build's compiler, which
takes three times as long. A body or a main without a ```text block must print nothing. Words that begin with "-" are
compiler options: ```cpp -fno-exceptions.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "house"))
import compiling  # noqa: E402
import house  # noqa: E402

GUIDE = "docs/guide.md"
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
MAIN = re.compile(r"^int main\(", re.MULTILINE)
#: Separates the outputs of the bodies.
SEPARATOR = "\x1e"


class Source:
    """Blocks that are compiled together, with the expected output of each that is run."""

    def __init__(self, line, flags):
        self.line, self.flags, self.text, self.bodies = line, flags, "", ""
        self.runs = []  # the line of each body, or of the main
        self.prints = []
        self.has_main = False

    def add(self, line, code):
        self.text += f'#line {line} "{GUIDE}"\n{code}'
        if MAIN.search(code):
            self.has_main = True
            self.run_at(line)

    def add_body(self, line, code):
        self.bodies += f'static void body_{len(self.runs)}() {{\n#line {line} "{GUIDE}"\n{code}}}\n'
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


def sources_of(text):
    """Returns the sources made from a guide's blocks, and complaints about invalid blocks."""
    sources, complaints, last = [], [], None
    for fence in FENCE.finditer(text):
        line = text.count("\n", 0, fence.start()) + 2
        kind, *words = fence.group(1).split() or [""]
        flags = [word for word in words if word.startswith("-")]
        marks = [word for word in words if not word.startswith("-")]
        if kind == "cpp" and marks in ([], ["continue"], ["body"]):
            if not marks:
                sources.append(Source(line, flags))
            if not sources:
                complaints.append(f"{GUIDE}:{line}: nothing to go on with")
                break
            (sources[-1].add_body if marks == ["body"] else sources[-1].add)(line, fence.group(2))
            last = sources[-1] if marks == ["body"] or MAIN.search(fence.group(2)) else None
        elif kind == "cpp":
            complaints.append(f"{GUIDE}:{line}: a block is marked with nothing, continue or body, not with {' '.join(marks)}")
        elif kind == "text" and last:
            last.prints[-1] = fence.group(2)
            last = None
        elif kind == "text":
            complaints.append(f"{GUIDE}:{line}: no block before this one is run")
        else:
            last = None
    if not sources:
        complaints.append(f"{GUIDE} shows no code")
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
            return f"{GUIDE}:{source.line}: does not compile:\n{said}"
        done = subprocess.run([f"{folder}/program"], capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode:
        return f"{GUIDE}:{source.line}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    parts = [done.stdout] if source.has_main else done.stdout.split(SEPARATOR)
    for line, expected, got in zip(source.runs, source.prints, parts):
        if got != expected:
            return f"{GUIDE}:{line}: prints\n{got}and should print\n{expected}"
    return None


def check(root):
    guide = Path(root) / GUIDE
    if not guide.is_file():
        yield f"there is no {GUIDE}"
        return
    sources, complaints = sources_of(guide.read_text(encoding="utf-8"))
    yield from complaints

    def once(source):
        brought = {header for target in house.INCLUDE.findall(source.text) for header in compiling.closure(root, target[0] or target[1])
                   if (Path(root) / "include" / header).is_file()}
        return compiling.once(root, sorted(brought), (source.whole(), source.flags, source.prints, compiling.QUICKEST), lambda: try_source(root, source))

    yield from filter(None, compiling.in_parallel(once, sources))


def guide(*blocks):
    return {GUIDE: "# Guide\n\n" + "\n\nText.\n\n".join(f"```{head}\n{body}```" for head, body in blocks) + "\n"}


HEAD = ("cpp", "#include <cstdio>\nstruct a {};\n")
BODY = ("cpp body", 'std::puts("one");\n')

house.run(check, [
    (guide(HEAD, ("cpp continue", "using b = a;\n"), ("cpp body", "static_cast<void>(b{});\n"), BODY, ("text", "one\n")), None),
    (guide(HEAD, BODY, ("text", "two\n")), f"{GUIDE}:11: prints\none\nand should print\ntwo"),
    (guide(HEAD, BODY), "and should print\n"),
    (guide(HEAD, ("cpp continue", "int f() { return none; }\n"), BODY), f"{GUIDE}:11:"),
    (guide(HEAD, ("cpp body", "int unused = 1;\n")), "unused"),
    (guide(HEAD, ("cpp body", "throw 1;\n")), "exit code"),
    (guide(("cpp", '#include <cstdio>\nint main() { std::puts("x"); }\n'), ("text", "x\n")), None),
    (guide(("cpp", "int main() { return 1; }\n")), "exit code 1"),
    (guide(("cpp -fno-exceptions", "int main() { throw 1; }\n")), "does not compile"),
    (guide(HEAD, ("text", "one\n")), "no block before this one is run"),
    (guide(("cpp continue", "int a;\n")), "nothing to go on with"),
    (guide(("cpp boddy", "int a;\n")), "not with boddy"),
    (guide(), "shows no code"),
    ({}, f"there is no {GUIDE}"),
])
