"""broken_rules.py [--programs N] [--compiler CXX] [NAME...]: breaks rules of passes, one at a time, and counts the
random programs until the fault is found.

Each fault replaces one or more exact strings of a pass in a copy of the headers. If a string does not occur exactly
once, the pass has changed, and this list must be updated. Ends with "N passed, N failed"; a fault that is found has
passed.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PASSES = "tutti/relay/transform/passes/"

#: The faults: a name, the file, then alternately a string and its replacement.
BROKEN = [
    ("a sign", PASSES + "simplify_inference.ipp",
     "expr shift = multiply(negative(argument(r, e, 3)), scale);", "expr shift = multiply(argument(r, e, 3), scale);"),
    ("an axis", PASSES + "simplify_expr_shape.hpp",
     "for (const dim axis : *second) axes.push_back((*first)[static_cast<std::size_t>(axis.value())]);",
     "for (const dim axis : *first) axes.push_back((*second)[static_cast<std::size_t>(axis.value())]);"),
    ("an off-by-one", PASSES + "combine_parallel_op.hpp", "        begin += size;\n", "        begin += size > 1 ? size - 1 : size;\n"),
    ("a dropped zero point", PASSES + "flatten_atrous_conv.ipp", "if (number_at(value, i) != 0) return false;", ""),
    ("a wrong type", PASSES + "simplify_expr_cast.hpp",
     "is_range_of(element_of(g, m[patterns::_y]), a.a_min, a.a_max);", "is_range_of(element, a.a_min, a.a_max);"),
    ("a swapped operand", PASSES + "simplify_expr_arithmetic.hpp",
     "return left ? s.call_like_root({value, s[patterns::_x]})", "return !left ? s.call_like_root({value, s[patterns::_x]})"),
    ("a forgotten padding", PASSES + "fold_explicit_padding.ipp",
     "const dim sum = plus(added[i], before[i]);", "const dim sum = added[i];"),
    ("a scale on the wrong axis", PASSES + "forward_fold_scale_axis.ipp",
     "shape_of(from, weight), scalable_axes(from, e).weight_in)", "shape_of(from, weight), scalable_axes(from, e).weight_out)"),
    ("a lost cast", PASSES + "simplify_expr_cast.hpp",
     "return held.least <= values.least && values.greatest <= held.greatest;", "return true;"),
    ("a wrong broadcast", PASSES + "scale_axis.hpp", "if (!rhs[i - base].same_number(1)) return std::nullopt;", ""),
    ("an attribute that is not compared", PASSES + "eliminate_common_subexpr.ipp",
     ": g_->call_attributes(a) != g_->call_attributes(b))", ": false)"),
]

UNITS = ("differential", "programs")


def compile_unit(compiler, include, source, made, level):
    command = [*compiler.split(), "-std=c++20", level, "-w", f"-I{include}", f"-I{ROOT / 'test'}", "-c", str(source), "-o", str(made)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{source.name} does not compile:\n{done.stderr[:4000]}")


def link(compiler, objects, made):
    subprocess.run([*compiler.split(), *map(str, objects), "-o", str(made), "-lpthread"], check=True)


def broken_headers(scratch, header, strings):
    """Returns a copy of the headers with these strings replaced in that header."""
    text = (ROOT / "include" / header).read_text(encoding="utf-8")
    for was, is_now in zip(strings[::2], strings[1::2], strict=True):
        if text.count(was) != 1:
            sys.exit(f"{header} has not once, but {text.count(was)} times: {was}")
        text = text.replace(was, is_now)
    include = scratch / "include"
    if include.exists():
        shutil.rmtree(include)
    shutil.copytree(ROOT / "include", include)
    (include / header).write_text(text, encoding="utf-8")
    return include


def search(program, programs):
    """Returns the number of programs until a difference was found, and the pipeline; or nothing."""
    environment = os.environ | {"TUTTI_PROGRAMS": str(programs), "TUTTI_SEED": "1", "TUTTI_FAILURES": "1"}
    said = subprocess.run([str(program), "random programs: no pass*"], capture_output=True, text=True, env=environment).stdout
    return re.search(r"^seed (\d+), (.*?): (.*)$", said, re.MULTILINE)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=20000)
    parser.add_argument("--compiler", default=os.environ.get("CXX", "g++"))
    parser.add_argument("names", nargs="*")
    asked = parser.parse_intermixed_args()
    chosen = [b for b in BROKEN if not asked.names or b[0] in asked.names]
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        objects = []
        for unit in UNITS:
            objects.append(scratch / f"{unit}.o")
            compile_unit(asked.compiler, ROOT / "include", HERE / f"{unit}.cpp", objects[-1], "-O1")
        objects.append(scratch / "main.o")
        compile_unit(asked.compiler, ROOT / "include", ROOT / "test" / "support" / "main.cpp", objects[-1], "-O0")
        for name, header, *strings in chosen:
            include = broken_headers(scratch, header, strings)
            compile_unit(asked.compiler, include, HERE / "passes.cpp", scratch / "passes.o", "-O0")
            link(asked.compiler, [*objects, scratch / "passes.o"], scratch / "random")
            at = search(scratch / "random", asked.programs)
            found += at is not None
            where = f"found after {at.group(1)} programs, by {at.group(2)}: {at.group(3)[:100]}" if at else "NOT FOUND"
            print(f"{name} ({Path(header).name}): {where}", flush=True)
    print(f"{found} passed, {len(chosen) - found} failed")
    return 0 if found == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
