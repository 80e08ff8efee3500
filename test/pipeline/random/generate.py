#!/usr/bin/env python3
"""Writes sources of random pipelines as literals, each compared with the same text at run time.

    generate.py FOLDER --seed 1 --count 200 --per-file 100
    generate.py FOLDER --seed 1 --count 100 --per-file 50 --edits   # edits of pipelines, in both forms

Each source has a main in one line to run it alone; all include `random_passes.hpp` and link with `random_passes.cpp`.
"""
import argparse
import pathlib
import random

WHOLE = ["A", "B", "C", "D", "E", "T", "U", "V"]
PART = ["PA", "PB", "PC", "PD", "PT", "T"]
PIECE = ["QA", "QB", "QC", "QD"]
# names of passes or adaptors, or names that need quotes
NAMES = ["x", "A", "PA", "D", "a b", "part", "sequential", "seq", "say \"so\"", "[1]"]


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.used = set()

    def one_of(self, values):
        return self.random.choice(values)

    def often(self, share):
        return self.random.random() < share

    def word(self, text):
        plain = text and not any(c in ' ,(){}[]="' for c in text)
        if plain and self.often(0.9):
            return text
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    def open(self, name, units):
        """Called before the members of a pass with a name are made."""

    def space(self):
        return self.one_of(["", "", "", "", " ", "\n"])

    def decimal(self):
        return self.one_of(["0", "-0", "1", ".5", "2.", "-0.125", "1e5", "1E-3", "1e+2", "123456.75", "1e22", "inf", "-INF", "nan", "16777217"])

    def options(self, name):
        """Returns options of a pass, of all types; often none."""
        values = {
            "flag": lambda: self.one_of(["True", "False"]),
            "small": lambda: str(self.random.randint(-128, 127)),
            "large": lambda: str(self.one_of([0, 7, 2**63, 2**64 - 1])),
            "wide": self.decimal,
            "narrow": lambda: self.one_of(["0", "1", "-2.5", "1e10", "0.1", "16777216", "inf"]),
            "colour": lambda: self.one_of(["dark", '"light one"', "2", "255", '"dark"']),
            "word": lambda: self.word(self.one_of(["", "a", "some word", "x,y", "[", "a\\b", "10", "True"])),
            "count": lambda: str(self.random.randint(1, 9)),
        }
        if name == "N":
            values = {
                "numbers": lambda: "[" + ",".join(str(self.random.randint(-9, 9)) for _ in range(self.random.randint(0, 3))) + "]",
                "words": self.words,
                "by_name": lambda: self.one_of(["[]", "5"]),
                "lists": lambda: self.one_of(["[]", "[x]"]),
                "lists.lists": self.words,
                "lists.by_name": self.words,
                "lists.x": self.words,
                "by_name.words": lambda: "3",
                "by_name.a": lambda: "9",
                "c": lambda: "4",
                "nn.conv2d": lambda: "-1",
            }
            keys = self.random.sample(sorted(values), self.random.randint(0, 4))
            if self.often(0.2):
                return self.one_of(["{by_name=[]}", "{by_name=[],lists.x=[]}", "{b=2}"])
            if "by_name" in keys and any(k in keys for k in ("c", "nn.conv2d", "by_name.a", "by_name.words")):
                keys.remove("by_name")
            if "lists" in keys and any(k.startswith("lists.") for k in keys):
                keys.remove("lists")
        elif name in ("O", "PO"):
            keys = self.random.sample(sorted(values), self.random.randint(0, 4))
        else:
            return ""
        if not keys:
            return self.one_of(["", "{}"])
        return "{" + ",".join(f"{self.word(k)}{self.space()}={self.space()}{values[k]()}" for k in keys) + "}"

    def words(self):
        return "[" + ",".join(self.word(self.one_of(["a", "", "b c", "]"])) for _ in range(self.random.randint(0, 3))) + "]"

    def plain(self, units):
        names = {0: WHOLE + ["O", "O", "N", "N"], 1: PART + ["PO"], 2: PIECE}[units]
        name = self.one_of(names)
        self.used.add(name)
        return name + self.options(name)

    def members(self, units, depth):
        count = self.one_of([1, 1, 1, 2, 2, 3]) if self.often(0.95) else 0
        return ("," + self.space()).join(self.stage(units, depth - 1) for _ in range(count))

    def stage(self, units, depth):
        if depth == 0 or self.often(0.4):
            return self.plain(units)
        kind = self.one_of(["seq", "seq", "resolved", "resolved", "fixpoint", "repeat", "only_if[short]", "twice", "parts", "parts", "parts"])
        if kind == "parts":
            if units == 2:
                return self.plain(units)
            self.open(["part", "piece"][units], units)
            return f"{['part', 'piece'][units]}({self.members(units + 1, depth)})"
        if kind in ("seq", "resolved"):
            if self.often(0.3):
                name = self.one_of(NAMES)
                self.used.add(name)
                if name != "sequential":
                    self.open(name, units)
                kind += "[" + self.word(name) + (f",{self.random.randint(0, 4)}" if self.often(0.5) else "") + "]"
        elif kind == "fixpoint":
            kind += self.one_of(["", "{limit=0}", "{limit=3}", "{on_limit=silent}", "{limit=1,on_limit=warn}"]) if self.often(0.5) else "{limit=2}"
        elif kind == "repeat":
            kind += self.one_of(["", "{times=0}", "{times=1}", "{times=3}"])
        elif kind == "twice":
            kind += self.one_of(["", "{again=False}"])
        if not kind.startswith(("seq", "resolved")):
            self.open(kind.partition("{")[0].partition("[")[0], units)
        return f"{kind}({self.members(units, depth)})"

    def pipeline(self, depth):
        self.used = set()
        count = self.one_of([1, 2, 2, 3])
        return ("," + self.space()).join(self.stage(0, depth) for _ in range(count))


class EditGenerator(Generator):
    """Records the places of a pipeline, and makes edits of them. Some stages are extension points."""

    def __init__(self, seed):
        super().__init__(seed)
        self.places = []  # names and the level of the units around, in the order of the text
        self.points = []

    def plain(self, units):
        text = super().plain(units)
        self.places.append((text.partition("{")[0], units))
        return text

    def stage(self, units, depth):
        if self.often(0.08):
            self.points.append((self.one_of(["x", "y z"]), units))
            return f"point({self.word(self.points[-1][0])})"
        if self.often(0.08):
            self.open("repeat", units)
            return f"repeat(seq({self.plain(units)}))"
        return super().stage(units, depth)

    def open(self, name, units):
        self.places.append((name, units))

    def pipeline(self, depth):
        self.places, self.points = [], []
        return super().pipeline(depth)

    def passes(self, units):
        """Returns passes over units, as C++."""
        all = {0: ["A{}", "C{}", "T{}", "D{}", "O{.small = 5}", "tutti::sequential<\"In\", 1>(B{}, U{})", "tutti::repeat(A{}, 3)"],
               1: ["PA{}", "PC{}", "T{}", "PD{}", "PO{.flag = true}", "tutti::fixpoint(PT{}, 2)"], 2: ["QA{}", "QB{}", "QC{}", "QD{}"]}[units]
        return ", ".join(self.random.sample(all, self.one_of([1, 1, 2])))

    def edit(self, text):
        """Returns an edit of the pipeline `p`, as C++; empty if there is no place."""
        if self.points and self.often(0.3):
            name, units = self.one_of(self.points)
            if all(each[1] == units for each in self.points if each[0] == name):
                return f"edit::fill<{quoted(name)}>(p, {self.passes(units)})"
        names = sorted({name for name, _ in self.places})
        if not names:
            return ""
        name = self.one_of(names)
        levels = {units for each, units in self.places if each == name}
        count = sum(each == name for each, _ in self.places)
        kinds = ["remove", "start_from", "stop_after"]
        # `resolved` may add passes of this name on another level than those of sequentials with this name.
        if len(levels) == 1 and ("resolved" not in text or name not in NAMES):
            kinds += ["insert_before", "insert_after", "replace"] * 2
        kind = self.one_of(kinds)
        place = self.word(name)
        if kind in ("start_from", "stop_after") or self.often(0.5):
            place += f"#{self.random.randint(1, count)}"
        given = ", " + self.passes(levels.pop()) if kind in ("insert_before", "insert_after", "replace") else ""
        return f"edit::{kind}<{quoted(place)}>(p{given})"


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def listed(names):
    return "{" + ", ".join(quoted(n) for n in names) + "}"


def checks(seed, count, costly):
    generator = Generator(seed)
    every = WHOLE + PART + PIECE + ["O", "PO", "N", "part", "piece", "twice", "repeat", "sequential", "only_if"]
    for i in range(count):
        text = generator.pipeline(generator.one_of([1, 1, 1, 2, 2, 3]))
        names = sorted(generator.used) + [generator.one_of(every)]
        pick = lambda share: generator.random.sample(names, 1) if generator.often(share) else []
        refused = generator.one_of(names) if generator.often(0.15) else ""
        level = generator.random.randint(0, 4)
        typed = level if i % costly == 0 else -1
        yield (f"    check<{quoted(text)}, {typed}>({{.level = {level}, .disabled = {listed(pick(0.4))}, "
               f".required = {listed(pick(0.3))}, .refused = {quoted(refused)}}});")


def edits(seed, count):
    generator = EditGenerator(seed)
    while count:
        text = generator.pipeline(generator.one_of([1, 2, 2, 2, 3]))
        edit = generator.edit(text)
        if not edit:
            continue
        if generator.often(0.3) and generator.points:
            name, units = generator.points[0]
            if all(each[1] == units for each in generator.points if each[0] == name) and "resolved" not in text:
                edit = edit.replace("(p", f"(edit::fill<{quoted(name)}>(p, {generator.passes(units)})", 1) if "fill" not in edit else edit
        count -= 1
        yield (f"    check_edit<{quoted(text)}>({{.level = {generator.random.randint(0, 4)}}}, "
               f"[](const auto& p) {{ return {edit}; }});")


def write_edits(path, seed, count):
    path.write_text("// Made by generate.py --edits: edits of random pipelines, as literals and at run time.\n\n#include \"random_edits.hpp\"\n\n"
                    f"TEST_CASE(\"edit: random edits mean the same for literals and at run time, seed {seed}\", "
                    "\"[pipeline][random]\") {\n    using namespace random_pipelines;\n    namespace edit = tutti::edit;\n"
                    + "\n".join(edits(seed, count)) + "\n}\n", encoding="utf-8")


def write(path, seed, count, costly):
    lines = list(checks(seed, count, costly))
    path.write_text("// Made by generate.py: random pipelines, as literals and at run time.\n\n#include \"random_passes.hpp\"\n\n"
                    f"TEST_CASE(\"pipeline: random texts mean the same as literals and at run time, seed {seed}\", "
                    "\"[pipeline][random]\") {\n    using random_pipelines::check;\n" + "\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--per-file", type=int, default=100)
    parser.add_argument("--costly", type=int, default=8, help="one of so many is also run erased, and with a level in its type")
    parser.add_argument("--edits", action="store_true", help="edits of pipelines")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for n in range(0, given.count, given.per_file):
        if given.edits:
            write_edits(given.folder / f"random_{n // given.per_file}.cpp", given.seed + n // given.per_file, min(given.per_file, given.count - n))
            continue
        write(given.folder / f"random_{n // given.per_file}.cpp", given.seed + n // given.per_file,
              min(given.per_file, given.count - n), given.costly)
