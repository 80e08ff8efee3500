"""What a registry of passes, and a sequential put together at run time, cost the compiler.

registry_compile_time.py INCLUDE_DIR... -- COMPILER...

Seconds of compiler time (user and system) at -O2, the median of several runs: for N passes without options in one
`runtime::registry`, and in one `runtime::sequential`; the last column is the difference per pass. Beside them what
`<string>` and `<vector>` cost to include, and `Eigen/Dense` where it is installed.
"""

import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

RUNS = 3

PASS = """
template <int I> struct numbered {
    static constexpr char name[] = {'P', char('0' + I / 100), char('0' + I / 10 % 10), char('0' + I % 10), 0};
    static constexpr tutti::pass_info info{.name = {name, 4}, .opt_level = 1};
    void operator()(int& n) const { n += I; }
};
"""


def registry(count):
    passes = ", ".join(f"numbered<{i}>" for i in range(count))
    return f"#include <tutti/runtime.hpp>\n{PASS}auto known() {{ return tutti::runtime::registry<int>{{tutti::passes<{passes}>{{}}}}; }}\n"


def sequential(count):
    passes = ", ".join(f"numbered<{i}>{{}}" for i in range(count))
    return f"#include <tutti/runtime.hpp>\n{PASS}auto pipeline() {{ return tutti::runtime::sequential<int>{{{{{passes}}}}}; }}\n"


def seconds(command, text):
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source.cpp"
        source.write_text(text, encoding="utf-8")
        times = []
        for _ in range(RUNS):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run([*command, "-c", "-o", "/dev/null", str(source)], capture_output=True, check=False)
            if done.returncode:
                return None
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(times)


def main():
    split = sys.argv.index("--")
    command = [*sys.argv[split + 1:], "-std=c++20", "-O2", "-w", *(f"-I{i}" for i in sys.argv[1:split]), "-I/usr/include/eigen3"]
    for name, text in (
        ("string, vector", "#include <string>\n#include <vector>\n"),
        ("Eigen/Dense", "#include <Eigen/Dense>\n"),
        ("tutti/runtime.hpp", "#include <tutti/runtime.hpp>\n"),
    ):
        took = seconds(command, text)
        print(f"{name:<18} {took:8.2f}" if took is not None else f"{name:<18}  not here")
    for name, text, few, many in (("registry", registry, 16, 64), ("sequential", sequential, 32, 128)):
        a, b = seconds(command, text(few)), seconds(command, text(many))
        print(f"{name:<18} {few:4} passes {a:6.2f} {many:4} passes {b:6.2f}   a pass {(b - a) / (many - few):7.4f}", flush=True)


main()
