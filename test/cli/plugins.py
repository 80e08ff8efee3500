"""Plugins: `tutti --load=FILE` with libraries built by GCC and Clang, whose symbols are hidden.

plugins.py TUTTI DATA_DIR SOURCE_ROOT EXAMPLE -- COMPILER...

EXAMPLE is the plugin of examples/plugin.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from driver import PASS_FAILED, RELU, WRONG_INPUT, WRONG_USAGE, Driver, main

ROOT, EXAMPLE = Path(sys.argv[3]), sys.argv[4]
COMPILER = sys.argv[sys.argv.index("--") + 1:]
CLANG = next(filter(None, map(shutil.which, ("clang++-19", "clang++-18", "clang++-17", "clang++-16"))), None)
GCC = shutil.which("g++")
FLAGS = ["-std=c++20", "-O0", "-w", "-fPIC", "-shared", "-fvisibility=hidden", "-fvisibility-inlines-hidden", f"-I{ROOT / 'include'}"]
BUILT = tempfile.TemporaryDirectory()


def build(name, *flags, compiler=None, form=("-DTUTTI_COMPILED",), source=ROOT / "test/cli/plugin.cpp"):
    """Returns a plugin, which is compiled once."""
    file = Path(BUILT.name) / f"{name}{abs(hash((flags, form, str(compiler))))}.so"
    if not file.exists():
        command = [*(compiler or COMPILER), *FLAGS, *form, f"-DPLUGIN={name}", *flags, str(source), "-o", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stderr[:2000])
    return str(file)


class Plugins(Driver):
    def both(self):
        """Returns a plugin from GCC and one from Clang. Skips the test where a compiler is missing."""
        if not GCC or not CLANG:
            self.skipTest("needs g++ and clang++-16 or later, and one is not there")
        return build("gcc", compiler=[GCC]), build("other", compiler=[CLANG])

    def opt(self, *arguments, **options):
        return self.run_tutti("opt", *arguments, stdin=RELU, **options)

    def result(self, program, *arguments):
        """Returns the largest element of the result of a program."""
        return re.search(r"(?m)^max +(\S+)$", self.run_tutti("run", program, *arguments)[0]).group(1)

    def test_two_plugins_of_two_compilers(self):
        first, second = self.both()
        load = ["--load=" + first, "--load", second]
        text, said = self.opt(*load, "--passes=gcc_pass{times=2},other_pass{names=[a,b]}", "--instrument=gcc_count{passes=[InferType,gcc_pass]}",
                              "--instrument=other_count{passes=[all]}", "--stats")
        self.assertIn("other.op(", text)
        self.assertIn("gcc.relus", said)
        self.assertIn("other.relus", said)
        # Both require InferType, which is the program's: it runs once for each.
        self.assertIn("gcc saw 3\n", said)
        self.assertIn("other saw 5\n", said)

        program = self.file('#[version = "0.0.5"]\ndef @main(%x: Tensor[(2), float32]) {\n  other.op(gcc.op(nn.relu(%x)))\n}\n')
        self.assertEqual(self.result(program, *load), "5")
        relu = self.file('#[version = "0.0.5"]\ndef @main(%x: Tensor[(2), float32]) {\n  nn.relu(%x)\n}\n', "relu.relay")
        for kernels, value in (("gcc_kernels", 43), ("other_kernels", 45)):
            self.assertEqual(self.result(relu, *load, "--kernels=" + kernels), str(value))

    def test_resolved_requirements_are_shared(self):
        first, second = self.both()
        said = self.opt("--load=" + first, "--load=" + second, "--passes=InferType,point(here)", "--fill=here:gcc_pass",
                        "--instrument=gcc_count{passes=[all]}")[1]
        self.assertIn("gcc saw", said)

    def test_list_names_the_plugin(self):
        plugin = build("mine")
        text = self.run_tutti("list", "passes", "--load=" + plugin)[0]
        self.assertRegex(text, r"(?m)^mine_pass +opt_level 0, requires InferType, from the plugin mine 1\.0 \(.*\)$")
        self.assertNotRegex(text, r"FuseOps .*plugin")
        for what, name in (("passes", "mine_pass"), ("instruments", "mine_count"), ("ops", "mine.op"), ("kernels", "mine_kernels")):
            entry = json.loads(self.run_tutti("list", what, name, "--json", "--load", plugin)[0])[0]
            self.assertEqual(entry["plugin"], f"mine 1.0 ({plugin})")
        self.assertIn("mine_pass: no such pass", self.refused("list", "passes", "mine_pass", code=WRONG_INPUT))
        self.assertIn("--load", self.run_tutti("opt", "--help", "--load=missing.so")[0])

    def test_all_commands_load(self):
        plugin = "--load=" + build("mine")
        program = self.file(RELU.replace("nn.relu", "mine.op"))
        self.run_tutti("check", program, plugin)
        self.assertIn("mine.op", self.run_tutti("inspect", program, plugin)[0])
        self.assertIn("there is no operator `mine.op`", self.refused("check", program, code=WRONG_INPUT))

    def test_errors_of_plugins_are_those_of_the_program(self):
        plugin = "--load=" + build("mine")
        self.assertRegex(self.opt(plugin, "--passes=mine_refuses", code=PASS_FAILED)[1],
                         r"error: pass mine_refuses: mine: refuses; expected another pass")
        self.assertRegex(self.opt(plugin, "--passes=mine_misreads", code=PASS_FAILED)[1], r"error: pass mine_misreads: ")
        self.assertIn("mine_pas: no such pass; did you mean mine_pass?", self.opt(plugin, "--passes=mine_pas", code=WRONG_USAGE)[1])
        self.assertIn("option times: `x` is not of its type; expected an integer",
                      self.opt(plugin, "--passes=mine_pass{times=x}", code=WRONG_USAGE)[1])
        self.assertIn("InferTyp: no such pass; did you mean InferType?",
                      self.opt(plugin, "--passes=mine_pass", "--instrument=mine_count{passes=[InferTyp]}", code=WRONG_USAGE)[1])

    def load_error(self, file, stdin=RELU):
        said = self.run_tutti("opt", "--load=" + file, stdin=stdin, code=WRONG_INPUT)[1]
        self.assertTrue(said.startswith(file + ": error: "), said)
        return said.removeprefix(file + ": error: ")

    def test_files_that_are_no_plugins(self):
        missing = str(self.folder / "missing.so")
        self.assertEqual(self.load_error(missing), "cannot be read: No such file or directory\n")
        self.assertIn("cannot be loaded: ", self.load_error(self.file("no library at all", "text.so")))
        self.assertIn("cannot be loaded: ", self.load_error(self.file("", "empty.so")))
        self.assertIn("cannot be loaded: ", self.load_error(str(self.folder)))
        whole = Path(build("mine")).read_bytes()
        for size in (10, 100, 1000, len(whole) // 8, len(whole) // 4):  # behind half, there are only names for debuggers
            part = self.folder / f"part{size}.so"
            part.write_bytes(whole[:size])
            self.assertIn("cannot be loaded: ", self.load_error(str(part)))
        source = self.folder / "other.cpp"
        source.write_text("int unrelated = 1;\n", encoding="utf-8")
        self.assertEqual(self.load_error(build("unrelated", source=source)),
                         "has no function tutti_plugin; expected a library with TUTTI_PLUGIN\n")
        source.write_text('extern "C" __attribute__((visibility("default"))) const void* tutti_plugin() { return "something else, long enough"; }\n'
                          , encoding="utf-8")
        self.assertIn("has no valid description; expected a library with TUTTI_PLUGIN of tutti 0.",
                      self.load_error(build("elsewhere", source=source)))
        source.write_text('extern "C" __attribute__((visibility("default"))) const void* tutti_plugin() { return nullptr; }\n', encoding="utf-8")
        self.assertIn("has no valid description", self.load_error(build("null", source=source)))
        source.write_text('namespace tutti::relay { void missing(); }\n'
                          'extern "C" __attribute__((visibility("default"))) const void* tutti_plugin() { tutti::relay::missing(); return nullptr; }\n',
                          encoding="utf-8")
        self.assertRegex(self.load_error(build("undefined", source=source)),
                         r"cannot be loaded: undefined symbol: \S*missing\S*; expected a plugin built with the compiled form of tutti 0")

    def test_plugins_of_other_builds(self):
        described = {
            "about.tutti.minor_number = 77": r"was built with tutti 0\.77\.\d+; expected tutti 0\.\d+\.\d+; build the plugin again",
            "about.tutti.major_number = 3": r"was built with tutti 3\.",
            "about.size = 8": "has no valid description",
            "about.size = 24": r"was built with tutti 0\.",
            "about.magic[7]=50": "has no valid description",
            'about.standard_library="libc++ __1"': r"was built with libc\+\+ __1 \((GCC|Clang) .*\); expected libstdc\+\+, as this program",
            'about.host="5mixer";about.host_name="mixer"': "extends programs with mixer; expected a plugin for extensions",
        }
        for change, said in described.items():
            with self.subTest(change=change):
                self.assertRegex(self.load_error(build("mine", f"-DOTHER_DESCRIPTION={change}")), said)
        # A newer patch with more members loads.
        self.opt("--load=" + build("mine", "-DOTHER_DESCRIPTION=about.tutti.patch_number=9;about.size+=8"), "--passes=mine_pass")

    def test_real_mismatches(self):
        source = self.folder / "empty.cpp"
        source.write_text("#include <tutti/runtime/plugin.hpp>\n#include <string>\nstruct mixer {};\n"
                          'void add(mixer&) {}\nTUTTI_PLUGIN("empty", "2", add)\n', encoding="utf-8")
        self.assertRegex(self.load_error(build("empty", source=source)), "extends programs with mixer; expected a plugin for extensions")
        self.assertIn("extends programs with mixer", self.load_error(build("empty", "-fno-rtti", source=source)))
        self.assertIn("was built with libstdc++ with _GLIBCXX_USE_CXX11_ABI=0 (",
                      self.load_error(build("empty", "-D_GLIBCXX_USE_CXX11_ABI=0", source=source)))
        self.assertIn("was built with libstdc++ with _GLIBCXX_DEBUG (", self.load_error(build("empty", "-D_GLIBCXX_DEBUG", source=source)))
        source = self.folder / "relay.cpp"
        source.write_text("#include <tutti/relay/plugin.hpp>\nvoid add(tutti::relay::extensions&) {}\n"
                          'TUTTI_PLUGIN("empty", "2", add)\n', encoding="utf-8")
        self.assertIn("was built with the header-only form of tutti/relay; expected the compiled form; compile it with -DTUTTI_COMPILED",
                      self.load_error(build("relay", form=(), source=source)))
        self.run_tutti("list", "models", "--load", build("relay", source=source))

    def test_functions_that_throw_and_names_that_are_taken(self):
        plugin = build("mine")
        self.assertEqual(self.load_error(build("mine", "-DTHROWS")), "plugin mine could not add everything: the licence has expired\n")
        said = self.run_tutti("opt", "--load=" + plugin, "--load=" + plugin, stdin=RELU, code=WRONG_INPUT)[1]
        self.assertEqual(said, f"{plugin}: error: plugin mine could not add everything: pass mine_pass: the name is already taken; expected another name\n")

    def test_a_file_in_the_current_folder(self):
        shutil.copy(build("mine"), self.folder / "mine.so")
        said = self.run_tutti("list", "passes", "mine_pass", "--load=mine.so", cwd=self.folder)[0]
        self.assertIn("from the plugin mine 1.0 (mine.so)", said)

    @unittest.skipIf(EXAMPLE == "-", "needs a build with -Dexamples=enabled")
    def test_the_example(self):
        squares = self.file('#[version = "0.0.5"]\ndef @main(%x: Tensor[(2), float32]) {\n  sqrt(multiply(%x, %x))\n}\n')
        text, said = self.run_tutti("opt", squares, "--load=" + EXAMPLE, "--passes=point(after-simplify)", '--instrument=log_passes{prefix="> "}')
        self.assertIn("my.square(%x)", text)
        self.assertIn("> FindSquares\n", said)
        self.run_tutti("run", squares, "--load=" + EXAMPLE, "--passes=FindSquares", "--kernels=absolute")


if __name__ == "__main__":
    main()
