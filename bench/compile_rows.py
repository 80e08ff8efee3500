"""The sources that compile_time.py and test/house/compile_cost.py compile, and how these measure them."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

#: The unit of all rows: headers that nearly every source includes anyway.
BASE = "<string> + <vector>"
#: The second unit, if it is installed.
PEER = "Eigen/Dense"

UNIT = "struct unit { int n = 0; };\n"


def passes(count):
    """Returns `count` passes without options over a unit."""
    return UNIT + "".join(
        f'struct p{i} {{ static constexpr tutti::pass_info info{{.name = "Pass{i}", .opt_level = {i % 4}}}; '
        f"void operator()(unit& u) const {{ u.n += {i}; }} }};\n" for i in range(count))


def listed(count, suffix=""):
    return ", ".join(f"p{i}{suffix}" for i in range(count))


def registry(count):
    """Returns a registry of `count` passes."""
    return ("#include <tutti/runtime.hpp>\n" + passes(count) +
            f"tutti::runtime::registry<unit> make() {{ return tutti::runtime::registry<unit>{{tutti::passes<{listed(count)}>{{}}}}; }}\n")


RUN_TIME_SEQUENTIAL = (
    "#include <tutti/runtime.hpp>\n" + passes(128) +
    "void run(unit& u) {\n    tutti::runtime::pass_context<unit> ctx;\n"
    f"    const tutti::runtime::sequential<unit> all{{{{{listed(128, '{}')}}}}};\n"
    "    tutti::with(ctx, [&](auto& scope) { scope.run(all, u); });\n}\n")

STATIC_SEQUENTIAL = (
    "#include <tutti/pass.hpp>\n" + passes(128) +
    "template <int N> struct watcher {\n    int count = 0;\n"
    "    void run_before_pass(const unit&, const tutti::pass_info&) { ++count; }\n"
    "    void run_after_pass(const unit&, const tutti::pass_info&) { ++count; }\n};\n"
    "void run(unit& u) {\n    " + " ".join(f"watcher<{i}> w{i};" for i in range(16)) +
    f"\n    tutti::pass_context ctx{{tutti::instruments({', '.join(f'w{i}' for i in range(16))})}};\n"
    f"    tutti::with(ctx, [&](auto& scope) {{ scope.run(tutti::sequential({listed(128, '{}')}), u); }});\n}}\n")


def include(*headers):
    return "".join(f"#include <{header}>\n" for header in headers)


HEADER = ("-fsyntax-only",)
OPTIMISED = ("-O2", "-c")
PLAIN = ("-O0", "-c")
TEN_LINES = Path(__file__).with_name("ten_lines.cpp").read_text(encoding="utf-8")

#: Each row has a name, a text, compiler flags, and a limit as a multiple of Eigen/Dense or None.
CORE = [
    ("pass.hpp", include("tutti/pass.hpp"), HEADER, 0.14 / 0.88),
    ("instrument.hpp", include("tutti/instrument.hpp"), HEADER, 0.28 / 0.88),
    ("runtime.hpp", include("tutti/runtime.hpp"), HEADER, 0.45 / 0.88),
    ("a registry of 16 passes, -O2", registry(16), OPTIMISED, None),
    ("a run-time sequential of 128 passes, -O2", RUN_TIME_SEQUENTIAL, OPTIMISED, 2.5 / 0.88),
    ("128 static passes and 16 instruments, -O2", STATIC_SEQUENTIAL, OPTIMISED, 1.0 / 0.88),
]
#: The difference to an empty registry is the cost of its passes.
EMPTY_REGISTRY = ("a registry of no pass, -O2", registry(0), OPTIMISED, None)
PER_PASS = ("a registry, each pass, -O2", 0.02 / 0.88)
#: The headers of tutti/relay with their limits in the header-only form and in the compiled form (see tutti/base/form.hpp).
RELAY_HEADERS = {
    "relay/ir/graph.hpp": (0.7, 0.7), "relay/text/printer.hpp": (0.9, 0.6), "relay/text/parser.hpp": (1.6, 0.6),
    "relay/op/standard_ops.hpp": (1.5, 1.0), "relay/eval/reference.hpp": (1.4, 0.6), "relay/eval/evaluator.hpp": (3.4, 0.9),
    "relay/transform/passes/fold_constant.hpp": (2.2, 0.6), "relay/onnx/import.hpp": (3.2, 0.9), "relay/registry.hpp": (4.4, 1.3), "relay.hpp": (5.0, 1.5)}
#: A program that parses a module, runs three passes over it, including FoldConstant, and prints it.
PROGRAM = {"-O0": (PLAIN, 8, 1.8), "-O2": (OPTIMISED, 20, 2.2)}
COMPILED = ("-DTUTTI_COMPILED",)
RELAY = [(name, include(f"tutti/{name}"), HEADER, limit) for name, (limit, _) in RELAY_HEADERS.items()]
RELAY += [(f"bench/ten_lines.cpp, {level}", TEN_LINES, flags, limit) for level, (flags, limit, _) in PROGRAM.items()]
RELAY += [(f"compiled: {name}", include(f"tutti/{name}"), HEADER + COMPILED, limit) for name, (_, limit) in RELAY_HEADERS.items()]
RELAY += [(f"compiled: bench/ten_lines.cpp, {level}", TEN_LINES, flags + COMPILED, limit) for level, (flags, _, limit) in PROGRAM.items()]
#: The same program, with a module in place of headers.
CLANG = ["clang++-19"]
WITH_MODULE = ("Clang's module: bench/ten_lines.cpp, -O0", 1.3)
TEN_LINES_WITH_MODULE = re.sub(r"#include <tutti/[^>]+>\n", "", TEN_LINES).replace("int main", "import tutti.relay;\n\nint main")
#: Rows that the tests of each change count: the umbrellas and what users write. Most other rows are parts of these.
QUICK = {"pass.hpp", "instrument.hpp", "runtime.hpp", "a run-time sequential of 128 passes, -O2", "128 static passes and 16 instruments, -O2", "relay.hpp",
         "compiled: relay/text/parser.hpp", "compiled: relay.hpp", "compiled: bench/ten_lines.cpp, -O0"}


class Compiler:
    """A compiler with its flags."""

    def __init__(self, command, includes):
        self.command = [*command, "-std=c++20", *(f"-I{folder}" for folder in includes)]

    def cost(self, text, flags):
        """Returns the seconds of user and system time and the MiB of one compilation; None if it fails."""
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "source.cpp"
            source.write_text(text, encoding="utf-8")
            output = ["-o", str(Path(folder) / "out.o")] if "-c" in flags else []
            with subprocess.Popen([*self.command, *flags, *output, str(source)], stderr=subprocess.DEVNULL) as running:
                _, status, used = os.wait4(running.pid, 0)
                running.returncode = os.waitstatus_to_exitcode(status)
        return (used.ru_utime + used.ru_stime, used.ru_maxrss / 1024) if running.returncode == 0 else None

    def base(self):
        return self.cost(include("string", "vector"), HEADER)

    def peer(self):
        """Returns the cost of Eigen/Dense; None if it is not installed."""
        return self.cost("#if __has_include(<Eigen/Dense>)\n#include <Eigen/Dense>\n#else\n#include <eigen3/Eigen/Dense>\n#endif\n", HEADER)


class Counter:
    """Counts work of GCC 12 and Clang 19 that is the same on every machine."""

    #: The compilers whose counts are recorded, each with the columns that it fills.
    COMPILERS = {"clang++-19": ("classes", "functions"), "g++-12": ("MiB", "symbols", "bytes")}
    COLUMNS = tuple(column for columns in COMPILERS.values() for column in columns)

    def __init__(self, includes):
        self.flags = ["-std=c++20", *(f"-I{folder}" for folder in includes)]

    @classmethod
    def absent(cls):
        return [compiler for compiler in cls.COMPILERS if not shutil.which(compiler)]

    def counts(self, text, flags):
        """Returns the counts by column, without columns of absent compilers. None if the text does not compile."""
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "source.cpp"
            source.write_text(text, encoding="utf-8")
            found = {}
            for compiler, count in (("clang++-19", self.instantiations), ("g++-12", self.allocated)):
                if shutil.which(compiler):
                    numbers = count([compiler, *self.flags, str(source)], flags, Path(folder))
                    if numbers is None:
                        return None
                    found |= numbers
            return found

    @staticmethod
    def instantiations(command, flags, folder):
        """Counts the classes and functions that Clang instantiates."""
        trace = folder / "trace.json"
        defined = [flag for flag in flags if flag.startswith("-D")]
        done = subprocess.run([*command, *defined, "-fsyntax-only", "-Xclang", f"-ftime-trace={trace}", "-Xclang", "-ftime-trace-granularity=0"],
                              stderr=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            return None
        events = trace.read_bytes()
        return {column: events.count(f'"name":"Instantiate{kind}"'.encode()) for column, kind in (("classes", "Class"), ("functions", "Function"))}

    @staticmethod
    def allocated(command, flags, folder):
        """Returns the memory that GCC allocates in total and, for an object file, the number of functions and the bytes
        of code and data."""
        made = folder / "out.o"
        done = subprocess.run([*command, *flags, "-ftime-report", *(["-o", str(made)] if "-c" in flags else [])],
                              env=os.environ | {"LC_ALL": "C"}, stderr=subprocess.PIPE, text=True, check=False)
        total = re.search(r"^ *TOTAL .*?(\d+)([kMG])$", done.stderr, re.MULTILINE)
        if done.returncode != 0 or not total:
            return None
        numbers = {"MiB": round(int(total[1]) * {"k": 2**-10, "M": 1, "G": 2**10}[total[2]])}
        if made.exists():
            names = subprocess.run(["nm", "--defined-only", str(made)], stdout=subprocess.PIPE, text=True, check=True).stdout
            sizes = subprocess.run(["size", str(made)], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[1].split()
            numbers |= {"symbols": len(re.findall(r"^\S+ [tTwWuV] ", names, re.MULTILINE)), "bytes": int(sizes[0]) + int(sizes[1])}
        return numbers


def read_counts(text):
    """Returns the recorded counts: for each row its numbers by column."""
    rows = {}
    for line in text.splitlines():
        if line and line[0] != "#":
            *numbers, name = line.split(maxsplit=len(Counter.COLUMNS))
            rows[name] = {column: int(number) for column, number in zip(Counter.COLUMNS, numbers) if number != "-"}
    return rows


def write_counts(rows):
    """Returns the text that `read_counts` reads."""
    lines = ["# The cost of headers and programs to Clang 19 and GCC 12, in counts that do not depend on the machine: classes and functions that",
             "# Clang instantiates; MiB that GCC allocates, and symbols and bytes of the object file. Written by bench/compile_time.py --record.",
             "# test/house/compile_cost.py fails above 1.03 times a count. A commit that renews a record says why it has grown.",
             "#" + "".join(f"{column:>10}" for column in Counter.COLUMNS)[1:] + "  row"]
    for name, numbers in rows.items():
        lines.append("".join(f"{numbers.get(column, '-'):>10}" for column in Counter.COLUMNS) + f"  {name}")
    return "\n".join(lines) + "\n"
