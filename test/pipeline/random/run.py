#!/usr/bin/env python3
"""Compares the meaning of random pipelines as literals and at run time. Prints the seed of a difference.

    run.py --count 10000 --jobs 2                       # all; half an hour on two cores
    run.py --count 400 --seed 1 --planted               # breaks the library on purpose: every fault must be found
    run.py --count 200 --seed 1 --include OTHER/include # uses the headers of another version

A source has some hundred literals, since compiling takes most of the time.
"""
import argparse
import concurrent.futures
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
FLAGS = ["-std=c++20", "-O0", "-w"]

# The planted faults: a file, a text in it, and its replacement.
PLANTED = {
    "erased passes over parts require nothing of the whole":
        ("tutti/runtime/any_pass.hpp", "        for (const requirement<Root>& each : required()) run(each);\n", ""),
    "what a pass over parts requires runs though the pass does not":
        ("tutti/pass/required.hpp", "                if (ctx.decide(pass) != decision::run) return all;\n            if constexpr (requires { pass.run",
         "                static_cast<void>(0);\n            if constexpr (requires { pass.run"),
    "a resolved text is not resolved at run time":
        ("tutti/runtime/parse_pipeline.hpp", '"resolved" ? resolve(made) : made', '"resolved" ? made : made'),
    "a stage is told by its name":
        ("tutti/runtime/sequential.hpp", "runs = runs || other.wants(pass.type(), ctx);",
         "runs = runs || (ctx.decide(other) == decision::run && "
         "other.each_name([&](std::string_view name) { return name == pass.info.name; }));"),
    "a map's values are added to those it has":
        ("tutti/runtime/registered_pass.hpp", "    for (const tutti::internal::option_text& option : options) tutti::internal::empty_option(rows, pass, option.key);\n", ""),
    "an empty map is written as nothing":
        ("tutti/pipeline/option_rows.hpp", 'if (entries.empty()) return write_option(rows[row].name, "[]", out);', "if (entries.empty()) return;"),
    "two maps are written as one":
        ("tutti/pipeline/option_rows.hpp", "if (place.index == row && place.skip == 0 && !place.whole) {", "if (row != 99) {"),
    "an enumerator without a word is written as nothing":
        ("tutti/pipeline/option_type.hpp", "        detail::write_number(static_cast<detail::number_of<E>>(value), out);\n", ""),
    "a sequential of sequentials tells of changes that none of them tells of":
        ("tutti/pass/pass.hpp", "return (internal::type_tells_change<detail::unit_of_members<P, Unit>, Context, M>() && ...);",
         "return (detail::tells<M, Unit, Context> && ...);"),
}

# Faults that --edits finds.
PLANTED_EDITS = {
    "an edited resolved sequential is not resolved again":
        ("tutti/runtime/edit.hpp", "return is_resolved(pass) && !in_resolved ? resolve(made) : made;", "return made;"),
    "nested passes are not counted":
        ("tutti/runtime/edit.hpp", "seen_ += own;", "seen_ += own + (own != 0 && end - start > 1 ? 1 : 0);"),
    "all passes are edited":
        ("tutti/runtime/edit.hpp", "return cuts() ? n == target_ : where_.where.selects(n);", "return cuts() ? n == target_ : n != 0;"),
    "passes after the end are kept":
        ("tutti/runtime/edit.hpp", "if ((end < target_) != (kind_ == kind::start_from)) all.push_back(each);", "if (kind_ == kind::stop_after) all.push_back(each);"),
    "a sequential of one pass in an adaptor is taken for the list":
        ("tutti/pipeline/edit.hpp", "    sizeof...(P) != 1 && (InResolved", "    (InResolved"),
    "a point is a pass":
        ("tutti/runtime/sequential.hpp", "if (pass.is_point()) continue;", ""),
    "the level of an edited sequential is lost":
        ("tutti/pipeline/edit.hpp", "sequence<Name, Level>(", "sequence<Name, 0>("),
}


class Runner:
    def __init__(self, given, folder):
        self.given, self.folder = given, folder

    def compile(self, source, out, include):
        command = [self.given.compiler, *FLAGS, f"-I{include}", f"-I{ROOT / 'test'}", f"-I{HERE}", "-c", str(source), "-o", str(out)]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode == 0, "\n".join(line[:400] for line in done.stderr.splitlines()[:12])

    def prepare(self, folder, include):
        folder.mkdir(parents=True, exist_ok=True)
        for source, out in ((ROOT / "test" / "support" / "main.cpp", folder / "main.o"), (HERE / "random_passes.cpp", folder / "passes.o")):
            good, said = self.compile(source, out, include)
            if not good:
                return said
        return ""

    def run(self, folder, source, include):
        """Returns the differences in the pipelines of a source; empty if there are none."""
        out = source.with_suffix(".o")
        good, said = self.compile(source, out, include)
        if not good:
            return f"{source} does not compile:\n{said}"
        program = source.with_suffix("")
        subprocess.run([self.given.compiler, str(folder / "main.o"), str(folder / "passes.o"), str(out), "-o", str(program), "-pthread"], check=True)
        done = subprocess.run([str(program)], capture_output=True, text=True, timeout=600)
        out.unlink()
        program.unlink()
        return "" if done.returncode == 0 else done.stdout[:4000] + done.stderr[:1000]

    def generate(self, folder):
        subprocess.run([sys.executable, str(HERE / "generate.py"), str(folder), "--seed", str(self.given.seed), "--count", str(self.given.count),
                        "--per-file", str(self.given.per_file), "--costly", str(self.given.costly), *(["--edits"] if self.given.edits else [])],
                       check=True)
        return sorted(folder.glob("random_*.cpp"))

    def all(self):
        said = self.prepare(self.folder, self.given.include)
        if said:
            print(said)
            return 1
        failed = 0
        with concurrent.futures.ThreadPoolExecutor(self.given.jobs) as pool:
            for what in pool.map(lambda source: self.run(self.folder, source, self.given.include), self.generate(self.folder)):
                if what:
                    failed += 1
                    print(what, flush=True)
        print(f"random pipelines: {self.given.count} from seed {self.given.seed}; {failed} of the sources failed")
        return 1 if failed else 0

    def planted(self):
        missed = 0
        for n, (fault, (file, text, instead)) in enumerate((PLANTED_EDITS if self.given.edits else PLANTED).items()):
            include = self.folder / str(n) / "include"
            shutil.copytree(self.given.include, include)
            header = include / file
            before = header.read_text(encoding="utf-8")
            if before.count(text) != 1:
                raise SystemExit(f"{file} has changed: cannot plant {fault!r}")
            header.write_text(before.replace(text, instead), encoding="utf-8")
            folder = self.folder / str(n)
            what = self.prepare(folder, include)
            for source in self.generate(folder):
                what = what or self.run(folder, source, include)
            print(f"{'found' if what else 'MISSED'}: {fault}", flush=True)
            missed += not what
        return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=None, help="one chosen at random unless given")
    parser.add_argument("--per-file", type=int, default=400)
    parser.add_argument("--costly", type=int, default=100, help="one of so many also runs erased, and with a level in its type")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--compiler", default="clang++-19")
    parser.add_argument("--include", type=pathlib.Path, default=ROOT / "include")
    parser.add_argument("--planted", action="store_true")
    parser.add_argument("--edits", action="store_true", help="edits of pipelines, which are compared in both forms")
    given = parser.parse_args()
    if given.seed is None:
        given.seed = random.randrange(1, 1 << 30)
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(given, pathlib.Path(folder))
        return runner.planted() if given.planted else runner.all()


if __name__ == "__main__":
    sys.exit(main())
