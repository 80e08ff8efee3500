"""A frozen pipeline compiles, and does the same as the run-time pipeline that it was made from.

frozen.py SOURCE_ROOT -- COMPILER...

A program makes pipelines at run time from texts and from edits, writes each as a header, and runs it. Another program includes
these headers, and runs their pipelines in static contexts. Both write the events, the resulting unit and the text.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

SPLIT = sys.argv.index("--")
ROOT, COMPILER = Path(sys.argv[1]), sys.argv[SPLIT + 1:]
RANDOM = ROOT / "test" / "pipeline" / "random"

#: Texts of pipelines, with options of all types, levels, adaptors, points, and resolved sequentials.
TEXTS = [
    "",
    "A,fixpoint{limit=3}(D,B),seq[\"a b\",3](O{flag=True,word=\"x \\\"y\\\", z\",wide=-0.125},V)",
    "resolved(E,part(PD,piece(QD))),point(here),repeat{times=3}(T)",
    "N{numbers=[],by_name=[],lists.x=[a,\"]\"]},only_if[short](O{colour=\"light one\"},part(PO{count=9},PT))",
    "twice{again=False}(seq(A,seq(),B)),seq[seq,1](U)",
]

MAKE = """
#include "random_passes.hpp"

#include <tutti/runtime/edit.hpp>
#include <tutti/runtime/freeze.hpp>

#include <cstdlib>
#include <fstream>

using namespace random_pipelines;

TEST_CASE("make") {
    const char* const texts[] = {TEXTS};
    for (std::size_t i = 0; i < std::size(texts); ++i) {
        auto pipeline = tutti::runtime::parse_pipeline(texts[i], known());
        if (i == 1) pipeline = tutti::edit::insert_after(pipeline, "A", O{.small = 5});
        const std::string name = "frozen_" + std::to_string(i);
        std::ofstream{name + ".hpp"} << tutti::runtime::freeze(
            pipeline, {.name = "frozen::" + name, .passes = "random_pipelines::literal_passes", .headers = {"random_passes.hpp"}});
        std::ofstream{name + ".txt"} << in_erased_context(pipeline, {.level = 3}) << tutti::write_pipeline(pipeline);
    }
}
"""

RUN = """
#include "random_passes.hpp"

#include <fstream>
#include <sstream>

INCLUDES

using namespace random_pipelines;

void run(const std::string& name, const auto& pipeline) {
    std::stringstream expected;
    expected << std::ifstream{name + ".txt"}.rdbuf();
    INFO(name);
    CHECK(!expected.str().empty());
    CHECK(in_static_context(pipeline, {.level = 3}, tutti::opt_level(3)) + tutti::write_pipeline(pipeline) == expected.str());
}

TEST_CASE("run") {
RUNS
}
"""


def compile_source(folder, name, text, *more):
    source = Path(folder, name + ".cpp")
    source.write_text(text, encoding="utf-8")
    command = [*COMPILER, "-std=c++20", "-O0", f"-I{ROOT / 'include'}", f"-I{ROOT / 'test'}", f"-I{ROOT / 'test' / 'support'}", f"-I{RANDOM}",
               f"-I{folder}", str(source), *more, "-pthread", "-o", str(Path(folder, name))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name} does not compile:\n{done.stderr[:4000]}")


def object_of(folder, source):
    out = Path(folder, source.stem + ".o")
    subprocess.run([*COMPILER, "-std=c++20", "-O0", f"-I{ROOT / 'include'}", f"-I{ROOT / 'test'}", "-c", str(source), "-o", str(out)], check=True)
    return str(out)


def run(folder, name):
    done = subprocess.run([str(Path(folder, name))], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name}:\n{done.stdout[:4000]}{done.stderr[:2000]}")


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


with tempfile.TemporaryDirectory() as place:
    shared = [object_of(place, RANDOM / "random_passes.cpp"), object_of(place, ROOT / "test" / "support" / "main.cpp")]
    compile_source(place, "make", MAKE.replace("TEXTS", ", ".join(map(quoted, TEXTS))), *shared)
    run(place, "make")
    includes = "\n".join(f'#include "frozen_{i}.hpp"' for i in range(len(TEXTS)))
    runs = "\n".join(f'    run("frozen_{i}", frozen::frozen_{i});' for i in range(len(TEXTS)))
    compile_source(place, "check", RUN.replace("INCLUDES", includes).replace("RUNS", runs), *shared)
    run(place, "check")
    # a difference is found
    Path(place, "frozen_1.txt").write_text("something else", encoding="utf-8")
    if subprocess.run([str(Path(place, "check"))], cwd=place, capture_output=True, check=False).returncode == 0:
        sys.exit("a difference was not found")
print(f"{len(TEXTS)} frozen pipelines do the same")
