"""pass/, pipeline/ and instrument/ compile with -fno-exceptions -fno-rtti, as LLVM does, and run: hooks of failure aside.

no_exceptions.py SOURCE_ROOT -- COMPILER...

With GCC this is done with Clang too, where there is one.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

import compiling
import house

FLAGS = ("-fno-exceptions", "-fno-rtti")
LAYERS = ("pass", "pipeline", "instrument")
CLANG = shutil.which("clang++-19")

PROGRAM = """
struct plan { int steps = 0; };
template <> struct tutti::unit_traits<plan> {
    static std::string to_text(const plan& p) { return std::to_string(p.steps); }
    static tutti::operator_counts count_operators(const plan& p) { return {{"step", p.steps}}; }
    static void verify(const plan& p) { if (p.steps < 0) tutti::raise(tutti::error{"plan", "has less than no steps"}); }
};
struct add { static constexpr tutti::pass_info info{.name = "Add"}; void operator()(plan& p, auto& ctx) const { ctx.count("added"); ++p.steps; } };
int main() {
    std::string text;
    tutti::instrument::timing timing;
    tutti::instrument::op_diff diff;
    tutti::instrument::verify verify;
    tutti::instrument::statistics counts;
    tutti::instrument::print_ir print{{.after = {"Add"}}, [&](std::string_view part) { text += part; }};
    tutti::pass_context ctx{tutti::instruments(timing, diff, verify, counts, print)};
    plan p;
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(add{}), p); });
    return counts.render() == "1  Add  added\\n" && text == "// after Add\\n1\\n" && timing.last().size() == 2 && diff.changes().size() == 2 ? 0 : 1;
}
"""


def say(root, headers, program, compiler):
    """What is wrong with a program of these headers, and of some code; None if nothing is."""
    text = "".join(f"#include <{header}>\n" for header in headers) + program
    with tempfile.TemporaryDirectory() as folder:
        said = compiling.compile_text(text, root, *FLAGS, "-o", f"{folder}/program", compiler=compiler)
        if said is None and subprocess.run([f"{folder}/program"], check=False).returncode:
            said = "it does not compute what it should"
        return said and f"without exceptions, with {compiler[0]}: {said}"


def check(root):
    headers = [header for header in house.headers(root) if house.layer_of(header) in LAYERS]
    program = PROGRAM if "tutti/instrument/timing.hpp" in headers else "int main() {}\n"
    compilers = [compiling.COMPILER] + ([[CLANG]] if CLANG and "clang" not in Path(compiling.COMPILER[-1]).name else [])
    return filter(None, compiling.in_parallel(lambda compiler: say(root, headers, program, compiler), compilers))


house.run(check, [
    ({"include/tutti/pass/a.hpp": "#pragma once\ninline int f() { return 1; }\n"}, None),
    ({"include/tutti/pass/a.hpp": "#pragma once\ninline int f() { throw 1; }\n"}, "without exceptions"),
    ({"include/tutti/instrument/a.hpp": "#pragma once\n#include <typeinfo>\ninline auto f(int n) { return typeid(n).name(); }\n"}, "without exceptions"),
])
