"""Runs the command line `tutti` as its users do: every command, every way to get it wrong.

commands.py TUTTI DATA_DIR
"""

import io
import math
import os
import struct
import subprocess
import sys
import tempfile
import unittest
import warnings
import zipfile
from pathlib import Path

TUTTI = sys.argv[1]
DATA = Path(sys.argv[2])
GOLDEN = DATA / "golden" / "tests"

DONE, WRONG_INPUT, WRONG_USAGE, PASS_FAILED = range(4)
PASSES = ("BackwardFoldScaleAxis CanonicalizeOps FoldConstant FoldScaleAxis ForwardFoldScaleAxis FuseOps "
          "InferType").split()

RELU = """#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32]) {
  nn.relu(%x)
}
"""
TYPED = """#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32] /* ty=Tensor[(2, 3), float32] */) -> Tensor[(2, 3), float32] {
  nn.relu(%x) /* ty=Tensor[(2, 3), float32] */
}
"""
ILL_TYPED = """#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 5), float32]) {
  %0 = nn.relu(%x);
  nn.dense(%0, %w, units=None)
}
"""
BIASED = """#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32], %b: Tensor[(3), float32]) {
  nn.bias_add(%x, %b)
}
"""
FOLDABLE = """#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32]) {
  %0 = broadcast_to(0.333333343f, shape=[2, 3]);
  %1 = add(%x, %0);
  multiply(%1, 1.00000012f)
}
"""


def npy(shape, values, descr="<f4", fortran=False, version=1):
    """The bytes of a NumPy array."""
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': ({''.join(f'{d}, ' for d in shape)}), }}\n".encode()
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    code = {"f4": "f", "f8": "d", "i4": "i", "i8": "q", "u1": "B", "b1": "?", "i2": "h", "f2": "e"}.get(descr[1:], "f")
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + struct.pack(f"<{len(values)}{code}", *values)


def npz(arrays, method=zipfile.ZIP_STORED, large=False):
    """The bytes of an archive of NumPy arrays; `large` writes its sizes as those of a large file are."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in arrays.items():
            with archive.open(name + ".npy", "w", force_zip64=large) as file:
                file.write(data)
    return out.getvalue()


class Commands(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, text, name="x.relay"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def run_tutti(self, *arguments, stdin="", code=DONE, **options):
        """Runs it; gives standard output and standard error. The exit code must be as expected, a failure must be told in the
        one form, and nothing of a program written then."""
        done = subprocess.run([TUTTI, *arguments], input=stdin, capture_output=True, text=True, check=False, **options)
        self.assertEqual(done.returncode, code, msg=done.stderr[-2000:])
        if code != DONE:
            self.assertEqual(done.stdout, "")
            self.assertRegex(done.stderr, r"(?m)^[^:\n]+(:\d+:\d+)?: error: .")
        return done.stdout, done.stderr

    def refused(self, *arguments, code, stdin=""):
        return self.run_tutti(*arguments, stdin=stdin, code=code)[1]

    # The driver itself

    def test_the_driver_notices_a_wrong_exit_code_and_a_wrong_form(self):
        with self.assertRaises(AssertionError):
            self.run_tutti("check", stdin=RELU, code=WRONG_INPUT)
        with self.assertRaises(AssertionError):
            self.run_tutti("check", stdin="}", code=DONE)

    # opt

    def test_opt_without_passes_reads_and_writes(self):
        for text in (RELU, TYPED, ILL_TYPED):
            self.assertEqual(self.run_tutti("opt", stdin=text), (text, ""))
            self.assertEqual(self.run_tutti("opt", "-", stdin=text), (text, ""))
            self.assertEqual(self.run_tutti("opt", self.file(text)), (text, ""))

    def test_opt_gives_the_reference_texts_back(self):
        count = 0
        for path in sorted(GOLDEN.glob("random.1?.*.relay")):
            text = path.read_text(encoding="utf-8")
            if "#[metadata]" in text or "meta[" in text:
                continue
            self.assertEqual(self.run_tutti("opt", str(path))[0].rstrip("\n"), text.rstrip("\n"), msg=path.name)
            count += 1
        self.assertGreater(count, 10)

    def test_opt_runs_the_passes(self):
        self.assertEqual(self.run_tutti("opt", "--passes=InferType", stdin=RELU), (TYPED, ""))
        self.assertEqual(self.run_tutti("opt", "--passes", "seq[inner](InferType),InferType", stdin=RELU), (TYPED, ""))
        self.assertIn("nn.bias_add", self.run_tutti("opt", "--passes=InferType,CanonicalizeOps", stdin=BIASED)[0])
        for more in (["--opt-level=3"], ["--required-pass=CanonicalizeOps"]):
            text = self.run_tutti("opt", "--passes=CanonicalizeOps", *more, stdin=BIASED)[0]
            self.assertIn("add(%x, %b)", text)
            self.assertNotIn("bias_add", text)
        text = self.run_tutti("opt", "--passes=InferType,CanonicalizeOps", "--opt-level=3",
                              "--disabled-pass=FoldConstant,CanonicalizeOps", stdin=BIASED)[0]
        self.assertIn("nn.bias_add", text)

    def test_opt_takes_one_name_or_list_after_each_option(self):
        path = self.file(RELU)
        self.assertEqual(self.run_tutti("opt", "--passes", "InferType", "--disabled-pass", "InferType", path)[0], RELU)

    def test_opt_writes_to_a_file(self):
        out = self.folder / "out.relay"
        self.assertEqual(self.run_tutti("opt", "--passes=InferType", "-o", str(out), stdin=RELU), ("", ""))
        self.assertEqual(out.read_text(encoding="utf-8"), TYPED)
        path = self.file(RELU)
        self.run_tutti("opt", path, "--passes=InferType", "--output", path)
        self.assertEqual(Path(path).read_text(encoding="utf-8"), TYPED)

    def test_opt_leaves_the_output_alone_if_a_pass_fails(self):
        path = self.file(ILL_TYPED)
        self.refused("opt", path, "--passes=InferType", "-o", path, code=PASS_FAILED)
        self.assertEqual(Path(path).read_text(encoding="utf-8"), ILL_TYPED)

    def test_opt_shows_meta_data(self):
        full = self.run_tutti("opt", "--passes=InferType,FoldConstant", "--show-meta-data", stdin=FOLDABLE)[0]
        self.assertIn("add(%x, meta[relay.Constant][0]", full)
        self.assertIn("1.0000001f", full)
        self.assertIn('"b64ndarrays"', full)
        self.assertEqual(self.run_tutti("opt", "--show-meta-data", stdin=full)[0], full)
        self.run_tutti("check", stdin=full)
        plain = self.run_tutti("opt", stdin=full)[0]
        self.assertIn("meta[relay.Constant][0]", plain)
        self.assertNotIn("b64ndarrays", plain)
        self.assertIn("--show-meta-data", self.refused("opt", stdin=plain, code=WRONG_INPUT))

    def test_instruments_write_to_standard_error(self):
        both = ["--passes=InferType,CanonicalizeOps", "--opt-level=3"]
        text, said = self.run_tutti("opt", *both, "--op-diff", stdin=BIASED)
        self.assertTrue(text.startswith("#[version"))
        self.assertEqual(said, "sequential: +1 add, -1 nn.bias_add\n\tCanonicalizeOps: +1 add, -1 nn.bias_add\n")
        said = self.run_tutti("opt", *both, "--timing", stdin=BIASED)[1]
        self.assertRegex(said, r"\Asequential: \d+us \[\d+us\] \(100.00%; 100.00%\)\n\tInferType: ")
        said = self.run_tutti("opt", *both, "--print-ir-before=CanonicalizeOps,FoldConstant", stdin=BIASED)[1]
        self.assertTrue(said.startswith("// before CanonicalizeOps\n#[version"))
        self.assertTrue(said.endswith("\n// before FoldConstant: no pass of that name ran\n"))
        self.assertEqual(said.count("// before"), 2)
        said = self.run_tutti("opt", *both, "--print-ir-after=all", stdin=BIASED)[1]
        self.assertEqual(said.count("// after InferType"), 3)
        self.assertEqual(said.count("// after sequential"), 1)
        self.assertEqual(self.run_tutti("opt", *both, "--verify-each", stdin=BIASED)[1], "")

    def test_opt_prints_where_print_ir_stands(self):
        out, said = self.run_tutti("opt", "--passes=PrintIR,InferType,PrintIR{header=\"with types\"}", stdin=RELU)
        self.assertEqual(out, TYPED)
        self.assertEqual(said, "PrintIR():\n" + RELU + "PrintIR(with types):\n" + TYPED)
        said = self.run_tutti("opt", "--passes=PrintIR{show_meta_data=True}", stdin=FOLDABLE)[1]
        self.assertIn("multiply(%1, 1.0000001f)", said) # all digits that it needs
        folded = self.run_tutti("opt", "--passes=InferType,FoldConstant,PrintIR{show_meta_data=True}", "--show-meta-data", stdin=FOLDABLE)
        self.assertEqual(folded[1], "PrintIR():\n" + folded[0])
        self.assertIn("#[metadata]", folded[0])
        said = self.refused("opt", "--passes=PrintIR{heder=x}", stdin=RELU, code=WRONG_USAGE)
        self.assertIn("PrintIR: option heder: no such option; did you mean header?", said)
        said = self.run_tutti("list", "passes")[0]
        self.assertIn("PrintIR                  ", said)
        self.assertRegex(said, r'  header +a word, by default ""\n  show_meta_data +True or False, by default False\n')

    def test_types_that_share_their_parts_are_no_burden(self):
        text = '#[version = "0.0.5"]\ndef @main(%x: Tensor[(2), float32]) {\n  %0 = (%x, %x);\n'
        text += "".join(f"  %{i} = (%{i - 1}, %{i - 1});\n" for i in range(1, 60))
        whole = self.file(text + "  %59\n}\n")
        self.run_tutti("check", whole)
        said = self.refused("opt", whole, "--passes=InferType", code=WRONG_INPUT)
        self.assertTrue(said.startswith(f"{whole}: error: the type ((((") and len(said) < 2000, msg=said[:2000])
        said = self.refused("check", stdin=text + "  nn.relu(%59)\n}\n", code=WRONG_INPUT)
        self.assertTrue(said.startswith("<stdin>:63:3: error: @main: nn.relu, argument `data`: ((((") and len(said) < 2000, msg=said[:2000])

    def test_opt_refuses_a_pipeline_that_is_none(self):
        self.assertEqual(self.refused("opt", "--passes=FoldConst", stdin=RELU, code=WRONG_USAGE),
                         "pipeline:1:1: error: FoldConst: no such pass; did you mean FoldConstant?\nFoldConst\n^~~~~~~~~\n")
        self.assertIn("FuseOp: no such pass; did you mean FuseOps?",
                      self.refused("opt", "--passes=InferType,FuseOp", stdin=RELU, code=WRONG_USAGE))
        for text, part in (("InferType,", "expected a pass or seq(...)"), ("seq(InferType", "expected ',' or ')'"),
                           ("InferType{x=1}", "InferType: option x: it has no options"), ("Xyz", "expected one of AlterOpLayout, Back"),
                           ("(" * 100_000, "expected a pass"), ("seq(" * 25_000, "no more than 64 passes")):
            self.assertIn(part, self.refused("opt", "--passes=" + text, stdin=RELU, code=WRONG_USAGE))

    def test_opt_refuses_names_that_no_pass_has(self):
        for option in ("--disabled-pass", "--required-pass", "--print-ir-before", "--print-ir-after"):
            said = self.refused("opt", "--passes=InferType", option + "=InferType,InferTyp", stdin=RELU, code=WRONG_USAGE)
            self.assertEqual(said, f"tutti opt: error: {option}: InferTyp: no such pass; did you mean InferType?\n")
        self.run_tutti("opt", "--passes=seq[inner](InferType)", "--disabled-pass=inner", stdin=RELU)

    def test_opt_refuses_config_keys_that_no_pass_asks_for(self):
        said = self.refused("opt", "--passes=InferType", "--config=a.b=3", stdin=RELU, code=WRONG_USAGE)
        self.assertIn("a.b: no such config key", said)

    def test_opt_refuses_context_options_without_passes(self):
        for option in ("--timing", "--op-diff", "--opt-level=3", "--disabled-pass=InferType", "--print-ir-after=all"):
            self.assertIn("requires --passes", self.refused("opt", option, stdin=RELU, code=WRONG_USAGE))

    def test_opt_says_which_pass_failed_and_where(self):
        path = self.file(ILL_TYPED)
        said = self.refused("opt", path, "--passes=InferType", code=PASS_FAILED)
        self.assertTrue(said.startswith(f"{path}:4:3: error: pass InferType: @main: nn.dense"), msg=said)
        self.assertTrue(said.endswith("  nn.dense(%0, %w, units=None)\n  ^\n"), msg=said)
        said = self.refused("opt", "--passes=seq[inner](InferType)", "--op-diff", stdin=ILL_TYPED, code=PASS_FAILED)
        self.assertIn("<stdin>:4:3: error: pass InferType: ", said)

    # check

    def test_check_is_silent_if_all_is_well(self):
        for text in (RELU, TYPED, "", '#[version = "0.0.5"]\n'):
            self.assertEqual(self.run_tutti("check", stdin=text), ("", ""))
        self.assertEqual(self.run_tutti("check", self.file(RELU)), ("", ""))

    def test_check_says_where_types_do_not_fit(self):
        path = self.file(ILL_TYPED)
        said = self.refused("check", path, code=WRONG_INPUT)
        self.assertTrue(said.startswith(f"{path}:4:3: error: @main: nn.dense"), msg=said)
        self.assertTrue(said.endswith("  nn.dense(%0, %w, units=None)\n  ^\n"), msg=said)

    def test_check_reports_a_type_comment_that_disagrees(self):
        said = self.refused("check", stdin=TYPED.replace("/* ty=Tensor[(2, 3), float32] */\n", "/* ty=Tensor[(3, 2), float32] */\n"),
                            code=WRONG_INPUT)
        self.assertIn("<stdin>:3:3: error: ", said)
        self.assertIn("Tensor[(3, 2), float32]", said)

    def test_text_that_cannot_be_read_is_shown(self):
        for command in ("check", "opt"):
            said = self.refused(command, stdin=RELU.replace("nn.relu", "nn.relux"), code=WRONG_INPUT)
            self.assertTrue(said.startswith("<stdin>:3:3: error: "), msg=said)
            self.assertIn("nn.relu`", said)
            self.assertTrue(said.endswith("  nn.relux(%x)\n  ^\n"), msg=said)
            self.refused(command, stdin="def @main(", code=WRONG_INPUT)
            self.refused(command, stdin="\0\1\2", code=WRONG_INPUT)

    # run

    def test_run_prints_the_reference_values(self):
        for name in ("random.2", "random.3"):
            expected = (GOLDEN.parent / "numeric" / (name + ".txt")).read_text(encoding="utf-8").splitlines()
            said = self.run_tutti("run", str(GOLDEN / (name + ".0.before.relay")), "--print=text")[0].splitlines()
            self.assertEqual(said[0], expected[0])
            self.assertGreater(len(expected), 10)
            for ours, theirs in zip(said[1:len(expected)], expected[1:]):
                self.assertTrue(math.isclose(float(ours), float(theirs), rel_tol=1e-4, abs_tol=1e-5), msg=f"{ours} {theirs}")
            after = self.run_tutti("run", "--passes=InferType,SimplifyInference,FoldConstant,FuseOps", "--opt-level=3", "--print=text",
                                   str(GOLDEN / (name + ".0.before.relay")))[0].splitlines()
            self.assertEqual(after[0], said[0])
            self.assertEqual(len(after), len(said))

    def test_run_summarises(self):
        text = RELU.replace("(2, 3)", "(1, 6)")
        path = self.folder / "x.npz"
        path.write_bytes(npz({"x": npy((1, 6), (1, -1, 4, 2, 3, 0.5))}))
        self.assertEqual(self.run_tutti("run", "--inputs", str(path), stdin=text)[0],
                         "# 1,6 float32\nmin    0\nmax    4\nmean   1.75\nfirst  1 0 4 2 3 0.5\ntop 5  2:4 4:3 3:2 0:1 5:0.5\n")
        self.assertNotIn("top", self.run_tutti("run", stdin=RELU)[0])
        self.assertEqual(self.run_tutti("run", stdin=RELU), self.run_tutti("run", "-", "--inputs=synthetic", stdin=RELU))
        out = self.folder / "out.txt"
        self.assertEqual(self.run_tutti("run", "-o", str(out), "--print=text", stdin=RELU), ("", ""))
        self.assertEqual(len(out.read_text(encoding="utf-8").splitlines()), 7)
        self.assertEqual(self.run_tutti("run", "--print=text", stdin="def @main() { (1, True, 2.5f) }")[0],
                         "#  int32\n1\n#  bool\n1\n#  float32\n2.5\n")

    def test_run_reads_arrays(self):
        two_by_three = (0, 1, 2, 3, 4, 5)
        columns = (0, 3, 1, 4, 2, 5)
        for descr in ("<f4", "<f8", "<f2", "<i2", "<i4", "<i8", "|u1", "<u1", "|b1"):
            kind = {"f": "float", "i": "int", "u": "uint", "b": "bool"}[descr[1]]
            element = "bool" if kind == "bool" else kind + str(8 * int(descr[2]))
            text = f"def @main(%x: Tensor[(2, 3), {element}]) {{ %x }}"
            for fortran, values in ((False, two_by_three), (True, columns)):
                for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    for version in (1, 2, 3):
                        path = self.folder / "x.npz"
                        path.write_bytes(npz({"x": npy((2, 3), values, descr, fortran, version)}, method, version == 3))
                        said = self.run_tutti("run", "--print=text", f"--inputs={path}", stdin=text)[0].splitlines()
                        self.assertEqual(said[0], f"# 2,3 {element}")
                        wanted = [min(v, 1) for v in two_by_three] if kind == "bool" else list(two_by_three)
                        self.assertEqual([float(v) for v in said[1:]], wanted, msg=f"{descr} {fortran} {method} {version}")

    def test_run_refuses_arrays_that_do_not_fit(self):
        path = self.folder / "x.npz"
        good = npz({"x": npy((2, 3), (0,) * 6)})
        for data, part in ((npz({"y": npy((2, 3), (0,) * 6)}), "there is no array for the parameter %x"),
                           (npz({"x": npy((2, 3), (0,) * 6), "y": npy((), (0,))}), "array y: there is no such parameter"),
                           (npz({"x": npy((3, 2), (0,) * 6)}), "is given Tensor[(3, 2), float32]"),
                           (npz({"x": npy((2, 3), (0,) * 6, ">f4")}), "of type >f4"),
                           (npz({"x": npy((2, 3), (0,) * 5)}), "20 bytes of elements; expected 24"),
                           (npz({"x": npy((2, -3), (0,) * 6)}), "shape is broken"),
                           (npz({"x": npy((2**40, 2**40), (0,))}), "too large"),
                           (npz({"x": b"nothing"}), "is no array"),
                           (npz({"x": npy((2, 3), (0,) * 6, version=9)}), "version 9"),
                           (npz({"x": npy((2, 3), (0,) * 6)}, zipfile.ZIP_BZIP2), "method 12"),
                           (good[:-30], "is no .npz file"), (b"", "is no .npz file"), (good[50:], ""),
                           (good.replace(b"NUMPY", b"NUMPX"), "checksum"), (good.replace(b"PK\1\2", b"PK\1\3"), "directory")):
            path.write_bytes(data)
            said = self.refused("run", f"--inputs={path}", stdin=RELU, code=WRONG_INPUT)
            self.assertIn(part, said)
        for cut in range(0, len(good), 7):
            path.write_bytes(good[:cut])
            self.refused("run", f"--inputs={path}", stdin=RELU, code=WRONG_INPUT)
        packed = bytearray(npz({"x": npy((2, 3), (0,) * 6)}, zipfile.ZIP_DEFLATED))
        for at in range(len(packed)):
            packed[at] ^= 0x55
            path.write_bytes(packed)
            done = subprocess.run([TUTTI, "run", f"--inputs={path}"], input=RELU, capture_output=True, text=True, check=False)
            self.assertIn(done.returncode, (DONE, WRONG_INPUT))
            packed[at] ^= 0x55

    def test_run_unpacks_only_what_fits(self):
        path = self.folder / "x.npz"
        bomb = npz({"x": npy((2, 3), (0,) * 6), "y": b"\0" * (1 << 28)}, zipfile.ZIP_DEFLATED)
        large = npz({"x": npy((2, 3), ()) + b"\0" * (1 << 28)}, zipfile.ZIP_DEFLATED)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the name
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w") as archive:
                for value in (1, 2):
                    archive.writestr("x.npy", npy((2, 3), (value,) * 6))
        for data, part in ((bomb, "array y: there is no such parameter"),
                           (large, "array x: has 268435"), (out.getvalue(), "array x: is there twice"),
                           (npz({"x": npy((0, 2**63 - 1), ())}), "too large: of shape (0, 9223372036854775807)"),
                           (npz({"x": npy((3, 2), (0,) * 6)}),
                            "x.npz: error: array x: is given Tensor[(3, 2), float32]; expected Tensor[(2, 3), float32]")):
            path.write_bytes(data)
            said = self.refused("run", f"--inputs={path}", stdin=RELU, code=WRONG_INPUT)
            self.assertIn(part, said)

    def test_run_takes_no_more_than_its_limits(self):
        for option, text, part in (
                ("--max-bytes=1000", "def @main(%x: Tensor[(1000), float32]) { %x }", "1,000 bytes of tensors"),
                ("--max-work=10000", "def @main(%x: Tensor[(1000), float32]) { exp(%x) }", "10,000 steps"),
                ("--max-depth=10", "def @main() -> float32 { @main() }", "no more than 10 calls")):
            self.run_tutti("run", stdin=text, code=WRONG_INPUT if "@main()" in text[4:] and "depth" in option else DONE)
            self.assertIn(part, self.refused("run", option, stdin=text, code=WRONG_INPUT))

    def test_run_says_what_is_wrong(self):
        self.assertIn("cannot be opened", self.refused("run", "--inputs=/none.npz", stdin=RELU, code=WRONG_INPUT))
        self.assertIn("cannot both", self.refused("run", "--inputs=-", stdin=RELU, code=WRONG_USAGE))
        self.assertIn("no such pass", self.refused("run", "--passes=Nothing", stdin=RELU, code=WRONG_USAGE))
        self.assertIn("--print", self.refused("run", "--print=all", stdin=RELU, code=WRONG_USAGE))
        self.assertIn("requires --passes", self.refused("run", "--opt-level=1", stdin=RELU, code=WRONG_USAGE))
        self.assertIn("<stdin>:4:3: error: ", self.refused("run", stdin=ILL_TYPED, code=WRONG_INPUT))
        self.assertIn("pass InferType", self.refused("run", "--passes=InferType", stdin=ILL_TYPED, code=PASS_FAILED))
        self.assertIn("250000 calls", self.refused("run", stdin="def @main() -> float32 { @main() }", code=WRONG_INPUT))
        self.assertIn("@main", self.refused("run", stdin="", code=WRONG_INPUT))
        unknown = RELU.replace("(2, 3)", "(?, 3)")
        self.assertIn("known shape", self.refused("run", stdin=unknown, code=WRONG_INPUT))

    # model

    def test_model_writes_a_network(self):
        text = self.run_tutti("model", "resnet18")[0]
        self.assertTrue(text.startswith('#[version = "0.0.5"]\ndef @main(%data: Tensor[(1, 3, 224, 224), float32]'))
        self.assertNotIn("/* ty=", text)
        self.assertEqual(self.run_tutti("opt", stdin=text)[0], text)
        self.assertEqual(self.run_tutti("check", stdin=text), ("", ""))
        self.assertIn("%data: Tensor[(8, 3, 224, 224)", self.run_tutti("model", "resnet18", "--batch=8")[0])
        out = self.folder / "out.relay"
        self.run_tutti("model", "resnet18", "-o", str(out))
        self.assertEqual(out.read_text(encoding="utf-8"), text)

    def test_every_model_that_is_listed_is_well(self):
        for line in self.run_tutti("list", "models")[0].splitlines():
            text = self.run_tutti("model", line.split()[0])[0]
            self.run_tutti("check", stdin=text)

    def test_model_refuses_what_it_does_not_have(self):
        self.assertIn("did you mean resnet18?", self.refused("model", "resnet19", code=WRONG_USAGE))
        self.assertIn("NAME is required", self.refused("model", code=WRONG_USAGE))
        for batch in ("0", "-1", "x", "99999999999999999999"):
            self.refused("model", "resnet18", "--batch=" + batch, code=WRONG_USAGE)

    # list

    def test_list_names_what_there_is(self):
        names = [line.split()[0] for line in self.run_tutti("list", "passes")[0].splitlines() if not line.startswith(" ")]
        for name in PASSES:
            self.assertIn(name, names)
        self.assertIn("\nnn.relu ", self.run_tutti("list", "ops")[0])
        instruments = self.run_tutti("list", "instruments")[0]
        told = self.run_tutti("opt", "--help")[0]
        for line in instruments.splitlines():
            self.assertIn(line.split()[0], told)
        self.assertRegex(instruments, r"(?m)^--timing +\w")

    # Wrong usage, files, sizes

    def test_help_and_version(self):
        for command in ((), ("opt",), ("run",), ("check",), ("model",), ("list",)):
            text, said = self.run_tutti(*command, "--help")
            self.assertIn("Usage: " + " ".join(("tutti", *command)), text)
            self.assertEqual(said, "")
        self.assertRegex(self.run_tutti("--version")[0], r"\Atutti \d+\.\d+\.\d+\n\Z")

    def test_wrong_usage(self):
        for arguments, part in (((), "A subcommand is required"), (("optt",), "optt: no such command; did you mean opt?"),
                                (("--what",), "tutti: error: "), (("opt", "--what"), "--what"), (("list",), "subcommand"),
                                (("list", "x"), "tutti list: error: "), (("check", "a", "b"), "b"), (("fly",), "expected one of"),
                                (("opt", "--passes"), "--passes"), (("opt", "--passes=", "--opt-level=-1"), "--opt-level")):
            self.assertIn(part, self.refused(*arguments, code=WRONG_USAGE))

    def test_an_option_or_command_that_there_is_not_is_told_which_was_meant(self):
        for arguments, said in ((("opt", "--pases=InferType"), "tutti opt: error: --pases: no such option; did you mean --passes? "
                                                               "`tutti opt --help` tells what there is\n"),
                                (("--versio",), "tutti: error: --versio: no such option; did you mean --version? `tutti --help` tells "
                                                "what there is\n"),
                                (("check", "-q"), "tutti check: error: -q: no such option; expected one of --help; `tutti check --help` "
                                                  "tells what there is\n"),
                                (("check", "a", "b"), "tutti check: error: b: there is nothing that takes this argument; `tutti check "
                                                      "--help` tells what there is\n"),
                                (("list", "passe"), "tutti list: error: passe: no such command; did you mean passes?\n"),
                                (("help", "bogus"), "tutti: error: bogus: no such command; expected one of opt, run, check, model, list\n"),
                                (("model", "rsnet18"), "tutti model: error: rsnet18: no such model; did you mean resnet18? `tutti list "
                                                       "models` lists them\n")):
            self.assertEqual(self.refused(*arguments, code=WRONG_USAGE), said)
        self.assertEqual(self.run_tutti("help", "opt"), self.run_tutti("opt", "--help"))
        self.assertEqual(self.run_tutti("help"), self.run_tutti("--help"))

    def test_an_empty_value_is_one(self):
        self.assertEqual(self.run_tutti("opt", "--passes=", self.file(RELU)), (RELU, ""))
        self.assertEqual(self.run_tutti("opt", "--passes=", "--opt-level=3", stdin=RELU), (RELU, ""))
        nothing = ("--disabled-pass=", "--required-pass=", "--config=", "--print-ir-after=", "--print-ir-before=")
        self.assertEqual(self.run_tutti("opt", "--passes=InferType", *nothing, stdin=RELU), (TYPED, ""))
        self.assertIn("--opt-level", self.refused("opt", "--passes=InferType", "--opt-level=", stdin=RELU, code=WRONG_USAGE))
        for arguments in (("opt", ""), ("opt", "-o", ""), ("opt", "--output="), ("run", "--inputs=")):
            self.assertEqual(self.refused(*arguments, stdin=RELU, code=WRONG_INPUT), '"": error: cannot be opened: No such file or directory\n')

    def test_a_byte_order_mark_is_no_part_of_a_program(self):
        self.assertEqual(self.run_tutti("opt", stdin="\ufeff" + RELU), (RELU, ""))
        self.assertTrue(self.refused("check", stdin="\ufeff}", code=WRONG_INPUT).startswith("<stdin>:1:1: error: "))

    def test_files_that_cannot_be_read_or_written(self):
        missing = str(self.folder / "missing.relay")
        self.assertEqual(self.refused("opt", missing, code=WRONG_INPUT),
                         f"{missing}: error: cannot be opened: No such file or directory\n")
        self.assertIn("cannot be read: Is a directory", self.refused("check", str(self.folder), code=WRONG_INPUT))
        for command in (("opt",), ("model", "resnet18")):
            said = self.refused(*command, "-o", missing + "/x", stdin=RELU, code=WRONG_INPUT)
            self.assertEqual(said, f"{missing}/x: error: cannot be opened: No such file or directory\n")

    def test_a_file_without_permission(self):
        path = self.file(RELU)
        os.chmod(path, 0)
        options = {}
        if os.geteuid() == 0:  # whom permissions do not bind
            os.chmod(self.folder, 0o755)
            options = {"user": 65534}
        try:
            said = self.run_tutti("opt", path, code=WRONG_INPUT, **options)[1]
        except PermissionError:
            self.skipTest("another user may not run the program where it is")
        self.assertEqual(said, f"{path}: error: cannot be opened: Permission denied\n")

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_device_that_is_full(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([TUTTI, "model", "resnet18"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, WRONG_INPUT)
        self.assertIn("<stdout>: error: cannot be written: No space left on device", done.stderr)

    def test_empty_input_is_an_empty_program(self):
        self.assertEqual(self.run_tutti("opt", stdin=""), ('#[version = "0.0.5"]\n', ""))
        self.assertEqual(self.run_tutti("opt", "--passes=InferType,FoldConstant", stdin=""), ('#[version = "0.0.5"]\n', ""))

    def test_a_chain_of_100_000_calls(self):
        lines = ["  %0 = nn.relu(%x);"] + [f"  %{i} = nn.relu(%{i - 1});" for i in range(1, 100_000)]
        text = RELU.replace("  nn.relu(%x)", "\n".join(lines + ["  nn.relu(%99999)"]))
        self.assertEqual(self.run_tutti("opt", stdin=text)[0], text)
        self.run_tutti("check", stdin=text)
        typed = self.run_tutti("opt", "--passes=InferType,FoldConstant", "--verify-each", stdin=text)[0]
        self.assertEqual(typed.count("/* ty="), 100_003 - 1)

    def test_a_million_brackets_end_in_no_crash(self):
        for opened in ("(", "nn.relu(", "let %a = ", "if (", "fn (%a: "):
            said = self.refused("check", stdin='#[version = "0.0.5"]\ndef @main() {\n' + opened * 1_000_000, code=WRONG_INPUT)
            self.assertLess(len(said), 10_000)


unittest.main(argv=sys.argv[:1], verbosity=1)
