"""Every instrument is in the tests of laws, in the bench of overheads, and in an example of the documentation.

A header of instrument/, search/ or report/ has an instrument if it has a hook.
"""

import re
from pathlib import Path

import house

HOOKS = ("enter_pass_ctx", "should_run", "run_before_pass", "run_after_pass", "pass_skipped", "pass_failed", "pass_counted",
         "pass_remarked", "should_apply", "analysis_kept")
#: A hook as a member, or the hooks of another instrument, as in an instrument around it.
HOOK = re.compile(rf"^\s+(?:constexpr )?(?:void|bool) (?:{'|'.join(HOOKS)})\(|\bpublic (?:detail::)?\w+_hooks<", re.MULTILINE)
#: Helpers, whose functions are called like hooks and forward them; and instruments whose hooks are data members.
HELPERS, OTHERS = {"forwarding", "pipeline_position"}, {"callbacks"}
LAYERS = ("instrument", "search", "report")
COMMENT = re.compile(r"//[^\n]*")
LAWS = "test/laws/instruments.cpp"
BROKEN = "test/laws/malformed_programs.cpp"
BENCH = "bench/instrument_overhead.cpp"
CODE = re.compile(r"^```cpp[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)  # compiled, with compared output
#: A row names its header.
ROW = {BROKEN: re.compile(r'\brow\(\s*"(\w+)",'), LAWS: re.compile(r'\bcheck\(\s*"(\w+)",'), BENCH: re.compile(r'\brow_of\(\s*"(\w+)",')}


def instruments(root):
    """Yields the headers that have an instrument."""
    for header in house.headers(root):
        name = Path(header).stem
        if house.layer_of(header) not in LAYERS or name in HELPERS:
            continue
        if name in OTHERS or HOOK.search(COMMENT.sub("", (Path(root) / "include" / header).read_text(encoding="utf-8"))):
            yield header


def check(root):
    texts = {name: (Path(root) / name).read_text(encoding="utf-8") if (Path(root) / name).is_file() else "" for name in ROW}
    pages = "".join(path.read_text(encoding="utf-8") for path in sorted((Path(root) / "docs").rglob("*.md")))
    headers = {Path(header).stem: header for header in instruments(root)}
    for file, row in ROW.items():
        found = set(row.findall(texts[file]))
        for name in sorted(headers.keys() - found):
            yield f"include/{headers[name]} has no row in {file}, which begins with {row.pattern}"
        for name in sorted(found - headers.keys()):
            yield f"{file} has a row of {name}, which is no instrument of the library"
    for name, header in headers.items():
        if not re.search(rf"\binstrument::{name}\b", "".join(CODE.findall(pages))):
            yield f"include/{header} is in no code of docs/"


GOOD = {
    "include/tutti/instrument/a.hpp": "struct a {\n    void run_before_pass(const auto&, const pass_info&) {}\n};\n",
    "include/tutti/instrument/helper.hpp": "// void run_before_pass(x)\nvoid help();\n",
    "include/tutti/pass/c.hpp": "struct c {\n    void enter_pass_ctx() {}\n};\n",
    BROKEN: '    row("a", [] { return a{}; });\n', LAWS: '    check("a", [] { return a{}; });\n', BENCH: '    row_of("a", it);\n', "docs/a.md": "```cpp\ninstrument::a it;\n```\n",
}

house.run(check, [
    (GOOD, None),
    (GOOD | {LAWS: ""}, "no row in test/laws"),
    (GOOD | {"include/tutti/search/s.hpp": "struct s {\n    void enter_pass_ctx() {}\n};\n"}, "s.hpp has no row"),
    (GOOD | {BENCH: ""}, "no row in bench"),
    (GOOD | {"docs/a.md": "instrument::a"}, "is in no code of docs/"),
    (GOOD | {"include/tutti/instrument/b.hpp": "class b {\n    bool should_run(const auto&, const pass_run&) { return true; }\n};\n"}, "b.hpp has no row"),
    (GOOD | {"include/tutti/instrument/c.hpp": "class c : public forwarded_hooks<c> {};\n"}, "c.hpp has no row"),
    (GOOD | {LAWS: GOOD[LAWS] + '    check("b", [] {});\n'}, "has a row of b, which is no instrument"),
])
