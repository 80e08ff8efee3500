"""The library's cost to the compiler: headers, registries and pipelines, and the tuple that holds passes, options and
instruments.

compile_time.py INCLUDE_DIR... -- COMPILER...
compile_time.py --record INCLUDE_DIR...

The first table has the headers and programs of compile_rows.py: the median seconds of user and system time over several
runs, with the rows in turn in each run; the multiples of `<string>` + `<vector>` and, where it is installed, of
`Eigen/Dense` in the same runs, with the limit on the latter; and memory. Rows of tutti/relay are there for both forms
(tutti/base/form.hpp), and where Clang 19 is installed, one row is for its modules; nothing is linked. The second table
compares three ways to call a set of instruments in turn: tutti::slots (the library's), hana::tuple and std::tuple. Its
columns are sizes of the set, and the cost of the headers is subtracted.

--record measures no time. It writes counts that do not depend on the machine to compile_cost.txt, for
test/house/compile_cost.py.
"""

import shutil
import statistics
import sys
import tempfile
from pathlib import Path

import compile_rows as rows

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "modules"))
import exports  # noqa: E402

RUNS = 3
SETS = 50
SIZES = (2, 4, 8, 16)

COMMON = """
template <int N> struct instrument {{ int count = 0; void hook(int n) {{ count += n; }} }};
"""

WAYS = {
    "tutti::slots": (
        "#include <tutti/pass/slots.hpp>\n",
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


def table(compiler, all_rows):
    """Returns the median seconds and MiB of each row, measured in turn with the base and the peer."""
    measured = {}
    for _ in range(RUNS):
        for name, cost in ((rows.BASE, compiler.base), (rows.PEER, compiler.peer),
                           *((name, lambda text=text, flags=flags: compiler.cost(text, flags)) for name, text, flags, _ in all_rows)):
            measured.setdefault(name, []).append(cost())
    return {name: tuple(map(statistics.median, zip(*costs))) for name, costs in measured.items() if None not in costs}


def with_module(includes):
    """Returns the median seconds and MiB of the small program if it imports the module tutti.relay, by Clang 19."""
    build, imported = rows.Compiler(rows.CLANG, includes), ()
    with tempfile.TemporaryDirectory() as folder:
        for module in exports.MODULES:
            binary = f"{folder}/{module}.pcm"
            text = exports.written(module, Path(includes[0]))[0]
            flags = (*rows.COMPILED, *imported, "-x", "c++-module", "-Xclang", "-fmodules-codegen", "--precompile", "-o", binary)
            if build.cost(text, flags) is None:
                sys.exit(f"the module {module} does not compile")
            imported += (f"-fmodule-file={module}={binary}",)
        costs = [rows.Compiler(rows.CLANG, []).cost(rows.TEN_LINES_WITH_MODULE, (*rows.PLAIN, *rows.COMPILED, *imported)) for _ in range(RUNS)]
    return tuple(map(statistics.median, zip(*costs)))


def print_table(costs, limits):
    base, peer = costs[rows.BASE][0], costs.get(rows.PEER, (None,))[0]
    print(f"{'':<44} {'s':>7} {'x base':>8} {'x Eigen':>8} {'at most':>8} {'MiB':>6}")
    for name, (seconds, memory) in costs.items():
        limit = limits.get(name)
        of_peer = f"{seconds / peer:8.3f}" if peer else f"{'':>8}"
        most = f"{limit:8.3f}" if limit and peer else f"{'':>8}"
        print(f"{name:<44} {seconds:7.3f} {seconds / base:8.2f} {of_peer} {most} {memory:6.0f}{' !' if limit and peer and seconds / peer > limit else ''}")


def record(includes):
    if absent := rows.Counter.absent():
        sys.exit(f"--record needs {' and '.join(absent)}")
    counter = rows.Counter(includes)
    file = Path(__file__).with_name("compile_cost.txt")
    counts = {name: counter.counts(text, flags) for name, text, flags, _ in (*rows.CORE, *rows.RELAY)}
    if failed := [name for name, numbers in counts.items() if numbers is None]:
        sys.exit(f"does not compile: {', '.join(failed)}")
    file.write_text(rows.write_counts(counts), encoding="utf-8")


def seconds(compiler, text):
    return statistics.median(compiler.cost(text, ("-O0", "-c"))[0] for _ in range(RUNS))


def sets(head, body, size):
    """Returns a source with SETS different sets of `size` instruments, each called once."""
    calls = []
    for number in range(SETS):
        types = ", ".join(f"instrument<{number * size + i}>" for i in range(size))
        calls.append(f"void f{number}() {{ set<{types}> s{{}}; s.hook(1); }}")
    return head + (COMMON + body).replace("{{", "{").replace("}}", "}") + "\n".join(calls) + "\n"


def main():
    if sys.argv[1] == "--record":
        return record(sys.argv[2:])
    split = sys.argv.index("--")
    compiler = rows.Compiler(sys.argv[split + 1:], sys.argv[1:split])
    all_rows = [*rows.CORE, rows.EMPTY_REGISTRY, *rows.RELAY]
    costs = table(compiler, all_rows)
    if rows.EMPTY_REGISTRY[0] in costs and (full := next(name for name in costs if name.startswith("a registry of 16"))):
        costs[rows.PER_PASS[0]] = ((costs[full][0] - costs[rows.EMPTY_REGISTRY[0]][0]) / 16, 0)
    if shutil.which(rows.CLANG[0]):
        costs[rows.WITH_MODULE[0]] = with_module(sys.argv[1:split])
    print_table(costs, {name: limit for name, _, _, limit in all_rows} | dict([rows.PER_PASS, rows.WITH_MODULE]))
    nothing = seconds(compiler, "int x;\n")
    print(f"\n{SETS} sets, us a set, of" + "".join(f"{size:>8}" for size in SIZES) + "  instruments")
    for way, (head, body) in WAYS.items():
        header = seconds(compiler, head)
        cells = "".join(f"{1e6 * (seconds(compiler, sets(head, body, size)) - header) / SETS:8.0f}" for size in SIZES)
        print(f"{way:<16}      {cells}   (headers: {1000 * (header - nothing):.0f} ms)", flush=True)


main()
