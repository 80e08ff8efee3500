"""What the compiler pays for the core: the headers, and the tuple that passes, options and instruments live in.

compile_time.py INCLUDE_DIR... -- COMPILER...

One table: seconds of compiler time at -O0 and the lines of `#include <tutti/pass.hpp>`; then, for sets of instruments that are
called in turn, the same dispatch written with detail::slots (what the library does), hana::tuple and std::tuple: sizes across,
the cost of the headers subtracted, the median of several runs.
"""

import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

RUNS = 5
SETS = 50
SIZES = (2, 4, 8, 16)

COMMON = """
template <int N> struct instrument {{ int count = 0; void hook(int n) {{ count += n; }} }};
"""

WAYS = {
    "detail::slots": (
        "#include <tutti/pass/detail/slots.hpp>\n",
        "template <class... I> struct set {{ tutti::detail::slots<I...> all; "
        "void hook(int n) {{ all.each([&](auto& i) {{ i.hook(n); }}); }} }};\n",
    ),
    "hana::tuple": (
        "#include <boost/hana/tuple.hpp>\n#include <boost/hana/for_each.hpp>\n",
        "template <class... I> struct set {{ boost::hana::tuple<I...> all; "
        "void hook(int n) {{ boost::hana::for_each(all, [&](auto& i) {{ i.hook(n); }}); }} }};\n",
    ),
    "std::tuple": (
        "#include <tuple>\n",
        "template <class... I> struct set {{ std::tuple<I...> all; "
        "void hook(int n) {{ std::apply([&](auto&... i) {{ (i.hook(n), ...); }}, all); }} }};\n",
    ),
}


def seconds(command, text):
    """The compiler's own time, the median of several runs."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source.cpp"
        source.write_text(text, encoding="utf-8")
        times = []
        for _ in range(RUNS):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([*command, "-c", "-o", "/dev/null", str(source)], check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(times)


def sets(head, body, size):
    """SETS different sets of `size` instruments, each called once."""
    calls = []
    for number in range(SETS):
        types = ", ".join(f"instrument<{number * size + i}>" for i in range(size))
        calls.append(f"void f{number}() {{ set<{types}> s{{}}; s.hook(1); }}")
    return head + (COMMON + body).replace("{{", "{").replace("}}", "}") + "\n".join(calls) + "\n"


def main():
    split = sys.argv.index("--")
    command = [*sys.argv[split + 1:], "-std=c++20", "-O0", *(f"-I{i}" for i in sys.argv[1:split])]
    nothing = seconds(command, "int x;\n")
    print(f"{'headers':<16} {'ms':>8} {'lines':>8}")
    for header in ("string_view", "tutti/pass.hpp", "tutti/instrument.hpp", "tutti/runtime.hpp", "boost/hana.hpp"):
        text = f"#include <{header}>\n"
        done = subprocess.run([*command, "-E", "-P", "-x", "c++", "-"], input=text, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            lines = sum(1 for line in done.stdout.splitlines() if line.strip())
            print(f"{header:<16} {1000 * (seconds(command, text) - nothing):8.0f} {lines:8}")
    print(f"\n{SETS} sets, us a set, of" + "".join(f"{size:>8}" for size in SIZES) + "  instruments")
    for way, (head, body) in WAYS.items():
        header = seconds(command, head)
        cells = "".join(f"{1e6 * (seconds(command, sets(head, body, size)) - header) / SETS:8.0f}" for size in SIZES)
        print(f"{way:<16}      {cells}   (headers: {1000 * (header - nothing):.0f} ms)", flush=True)


main()
