"""Every command of the command line, and all kinds of wrong usage.

commands.py TUTTI DATA_DIR
"""

import io
import math
import os
import re
import resource
import subprocess
import sys
import unittest
import warnings
import zipfile

from driver import (BIASED, DATA, DONE, Driver, FOLDABLE, GOLDEN, ILL_TYPED, main, npy, npz, PASS_FAILED, PASSES, RELU, SANITIZED, TUTTI, TYPED,
                    WRONG_INPUT, WRONG_USAGE)


class Commands(Driver):
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

    def test_opt_with_threads_gives_the_same(self):
        functions = FOLDABLE + "".join(BIASED.split("\n", 1)[1].replace("@main", f"@f{i}") for i in range(20))
        passes = ["--passes=InferType,FoldConstant,FuseOps", "--opt-level=3"]
        expected = self.run_tutti("opt", *passes, stdin=functions)
        self.assertIn("Primitive=1", expected[0])
        for option in ("--threads=1", "--threads=3", "-j2"):
            self.assertEqual(self.run_tutti("opt", *passes, option, stdin=functions), expected)
        for wrong in ("0", "257", "many"):
            self.refused("opt", *passes, "--threads=" + wrong, stdin=RELU, code=WRONG_USAGE)

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
        for more in (["--opt-level=3"], ["-O3"], ["--required-pass=CanonicalizeOps"]):
            text = self.run_tutti("opt", "--passes=CanonicalizeOps", *more, stdin=BIASED)[0]
            self.assertIn("add(%x, %b)", text)
            self.assertNotIn("bias_add", text)
        text = self.run_tutti("opt", "--passes=InferType,CanonicalizeOps", "--opt-level=3",
                              "--disabled-pass=FoldConstant,CanonicalizeOps", stdin=BIASED)[0]
        self.assertIn("nn.bias_add", text)

    def test_opt_shows_what_passes_say_and_count(self):
        text = "def @main(%x: Tensor[(4), float32]) {\n  %0 = exp(%x);\n  %1 = tanh(%0);\n  (%0, add(%1, 1f))\n}\n"
        said = ("FuseOps: missed: main:2:8: exp: not joined: the result is used outside\n"
                "FuseOps: applied: main:4:8: add: one function with 1 before it\n")
        passes = "--passes=InferType,FuseOps"
        self.assertEqual(self.run_tutti("opt", passes, "--remarks", stdin=text)[1], said)
        self.assertEqual(self.run_tutti("opt", passes, "--remarks=FuseOps:missed", stdin=text)[1], said.split("\n")[0] + "\n")
        self.assertEqual(self.run_tutti("opt", passes, "--remarks=InferType", stdin=text)[1], "")
        self.assertIn("1  FuseOps  fused", self.run_tutti("opt", passes, "--stats", stdin=text)[1])

    def test_opt_takes_one_name_or_list_after_each_option(self):
        path = self.file(RELU)
        self.assertEqual(self.run_tutti("opt", "--passes", "InferType", "--disabled-pass", "InferType", path)[0], RELU)

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
        self.assertIn("multiply(%1, 1.0000001f)", said) # with all necessary digits
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
                           ("(" * 100_000, "expected a pass"), ("seq(" * 25_000, "at most 64 nested passes")):
            self.assertIn(part, self.refused("opt", "--passes=" + text, stdin=RELU, code=WRONG_USAGE))

    def test_opt_refuses_names_that_no_pass_has(self):
        for option in ("--disabled-pass", "--required-pass", "--print-ir-before", "--print-ir-after"):
            said = self.refused("opt", "--passes=InferType", option + "=InferType,InferTyp", stdin=RELU, code=WRONG_USAGE)
            self.assertEqual(said, f"tutti opt: error: {option}: InferTyp: no such pass; did you mean InferType?\n")
        self.run_tutti("opt", "--passes=seq[inner](InferType)", "--disabled-pass=inner", stdin=RELU)

    def test_opt_refuses_config_keys_that_no_pass_asks_for(self):
        said = self.refused("opt", "--passes=InferType", "--config=a.b=3", stdin=RELU, code=WRONG_USAGE)
        self.assertIn("a.b: no such config key", said)

    def test_the_config_keys_are_those_that_the_page_on_differences_describes(self):
        page = (DATA.resolve().parent.parent / "docs" / "differences.md").read_text(encoding="utf-8")
        described = re.findall(r"(?m)^\| `(relay\.\S+)` \| (\S+) \|", page)
        listed = re.findall(r"(?m)^--config=(\S+) .*, by default (\S+)$", self.run_tutti("list", "passes")[0])
        self.assertEqual(sorted(described), listed)
        passes = "--passes=InferType,FuseOps"
        said = self.refused("opt", passes, "--config=relay.backend.use_auto_scheduler=True", stdin=RELU, code=WRONG_USAGE)
        self.assertEqual(said, "tutti opt: error: relay.backend.use_auto_scheduler: no such config key; expected one of "
                               + ", ".join(key for key, _ in listed) + "\n")
        self.assertIn("; did you mean relay.FuseOps.max_depth?",
                      self.refused("opt", passes, "--config=relay.FuseOps.max_dept=3", stdin=RELU, code=WRONG_USAGE))

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
        for text in (RELU, TYPED, '#[version = "0.0.5"]\n'):
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
            self.assertEqual(self.refused(command, stdin="def\0\1", code=WRONG_INPUT),
                             "<stdin>: error: is not text: byte 3 is null; expected a program as Relay text\n")

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

    def test_run_takes_what_opt_takes_for_passes(self):
        out, said = self.run_tutti("run", "--passes=InferType,FuseOps", "--timing", "--config=relay.FuseOps.max_depth=1",
                                   "--disabled-pass=FoldConstant", "--required-pass=FuseOps", "--op-diff", stdin=RELU)
        self.assertIn("# 2,3 float32\n", out)
        self.assertIn("\tFuseOps: ", said)
        self.assertEqual(self.refused("run", "--passes=InferType", "--disabled-pass=InferTyp", stdin=RELU, code=WRONG_USAGE),
                         "tutti run: error: --disabled-pass: InferTyp: no such pass; did you mean InferType?\n")
        self.assertIn("tutti run: error: a.b: no such config key",
                      self.refused("run", "--passes=InferType", "--config=a.b=1", stdin=RELU, code=WRONG_USAGE))
        self.assertEqual(self.run_tutti("run", "--passes=InferType,FastMath", stdin=RELU)[1],
                         "tutti: note: FastMath was skipped: its level 4 is above --opt-level=2\n")
        for option in ("--timing", "--config=relay.FuseOps.max_depth=1", "--disabled-pass=FuseOps"):
            self.assertIn("requires --passes", self.refused("run", option, stdin=RELU, code=WRONG_USAGE))

    def test_run_summarises_values_of_every_kind(self):
        path = self.folder / "x.npz"
        def said(values, descr="<f4", kind="float32"):
            path.write_bytes(npz({"x": npy((len(values),), values, descr)}))
            text = f"def @main(%x: Tensor[({len(values)}), {kind}]) {{ %x }}"
            return self.run_tutti("run", f"--inputs={path}", stdin=text)[0].split("\n", 1)[1]
        nan, inf = math.nan, math.inf
        self.assertEqual(said((nan, nan)), "nan    2 values\nfirst  nan nan\n")
        self.assertEqual(said((nan, 1, -inf)), "nan    1 values\ninf    1 values\nmin    1\nmax    1\nmean   1\nfirst  nan 1 -inf\n")
        self.assertEqual(said((3, 1, 3, 2, 3, 0, 9, -1, 3)),
                         "min    -1\nmax    9\nmean   2.55555556\nfirst  3 1 3 2 3 0 9 -1 ...\ntop 5  6:9 0:3 2:3 4:3 8:3\n")
        self.assertEqual(said((-5, -4, -3, -2, -1, -6)), "min    -6\nmax    -1\nmean   -3.5\nfirst  -5 -4 -3 -2 -1 -6\ntop 5  4:-1 3:-2 2:-3 1:-4 0:-5\n")
        self.assertEqual(said((True, False), "|b1", "bool"), "min    0\nmax    1\nmean   0.5\nfirst  1 0\n")
        self.assertEqual(said((0.5, 2), "<f2", "float16"), "min    0.5\nmax    2\nmean   1.25\nfirst  0.5 2\n")
        self.assertEqual(said(()), "no values\n")

    @unittest.skipUnless(os.path.exists("/proc/self/status"), "needs Linux")
    def test_a_summary_takes_no_memory_of_its_own(self):
        text = "def @main() { full(2f, shape=[32, 1048576], dtype=\"float32\") }" # 128 MiB
        measure = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdin=open('x'), stdout=subprocess.DEVNULL, check=True); " \
                  "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        self.file(text, "x")
        peak = int(subprocess.run([sys.executable, "-c", measure, TUTTI, "run"], capture_output=True, text=True, check=True, cwd=self.folder).stdout)
        self.assertLess(peak, 2 * 128 * 1024 + 100 * 1024) # in KiB; converting to doubles would need 2 * 256 MiB more

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
        for data, part in ((npz({"y": npy((2, 3), (0,) * 6), "z": npy((1,), (0,))}),
                            "there is no array for the parameter %x of type Tensor[(2, 3), float32]; the file has y, z"),
                           (npy((3, 2), (0,) * 6), "x.npz: error: is given Tensor[(3, 2), float32]"),
                           (npz({"x": npy((2, 3), (0,) * 6), "y": npy((), (0,))}), "array y: there is no such parameter"),
                           (npz({"x": npy((3, 2), (0,) * 6)}), "is given Tensor[(3, 2), float32]"),
                           (npz({"x": npy((2, 3), (0,) * 6, ">f4")}), "of type >f4"),
                           (npz({"x": npy((2, 3), (0,) * 5)}), "20 bytes of elements; expected 24"),
                           (npz({"x": npy((2, -3), (0,) * 6)}), "shape is broken"),
                           (npz({"x": npy((2**40, 2**40), (0,))}), "too large"),
                           (npz({"x": b"nothing"}), "is not an array"),
                           (npz({"x": npy((2, 3), (0,) * 6, version=9)}), "version 9"),
                           (npz({"x": npy((2, 3), (0,) * 6)}, zipfile.ZIP_BZIP2), "method 12"),
                           (good[:-30], "is not an .npz file"), (b"", "is not an .npz file"), (good[50:], ""),
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

    def test_parameters_that_a_file_has_values_for_are_constants(self):
        weights, results, taken = (self.folder / name for name in ("w.npz", "r.npz", "taken.npz"))
        weights.write_bytes(npz({"b": npy((3,), (1, 2, 3))}))
        option = f"--params={weights}"
        self.assertIn("# 2,3 float32", self.run_tutti("run", option, stdin=BIASED)[0])
        bound = self.run_tutti("opt", option, "--show-meta-data", stdin=BIASED)[0]
        self.assertIn("def @main(%x: Tensor[(2, 3), float32]) {", bound)
        self.assertIn("meta[relay.Constant][0]", bound)
        self.run_tutti("check", option, stdin=BIASED)
        self.assertIn("the same", self.run_tutti("compare", option, "--passes=CanonicalizeOps", "--opt-level=3", "-", stdin=BIASED)[0])
        # written to a file again, they become parameters with other names
        text = self.run_tutti("opt", option, f"--params-out={taken}", "--passes=InferType", stdin=BIASED)[0]
        self.assertIn("%p0: Tensor[(3), float32]", text)
        self.assertIn("/* ty=Tensor[(2, 3), float32] */", text)
        with zipfile.ZipFile(taken) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual(archive.namelist(), ["p0.npy"])
        both = self.run_tutti("run", f"--params={taken}", "--print=text", stdin=text)[0]
        self.assertEqual(both, self.run_tutti("run", option, "--print=text", stdin=BIASED)[0])
        # results as a file
        self.assertEqual(self.run_tutti("run", option, "-o", str(results), stdin=BIASED)[0], "")
        with zipfile.ZipFile(results) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual(archive.namelist(), ["out_0.npy"])

    def test_parameters_that_do_not_fit_are_refused(self):
        path = self.folder / "w.npz"
        for arrays, said in (({"bb": npy((3,), (1, 2, 3))}, "array bb: there is no such parameter; did you mean %b?"),
                             ({"b": npy((2,), (1, 2))}, "`%b`: a value of type Tensor[(2), float32]; expected Tensor[(3), float32]"),
                             ({"b": npy((3,), (1, 2, 3), "<i4")}, "Tensor[(3), int32]; expected Tensor[(3), float32]"),
                             ({"b": b"\0" * (1 << 28)}, "array b: has 268435456 bytes; expected Tensor[(3), float32]")):
            for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                path.write_bytes(npz(arrays, method))
                for command in ("opt", "run", "check"):
                    self.assertIn(said, self.refused(command, f"--params={path}", stdin=BIASED, code=WRONG_INPUT))
        for file in ("/nope.npz", self.file(BIASED)):
            self.assertIn(f"{file}: error: ", self.refused("opt", f"--params={file}", stdin=BIASED, code=WRONG_INPUT))
        said = self.refused("opt", "--params-out=/nope/w.npz", "--passes=PrintIR", stdin=BIASED, code=WRONG_INPUT)
        self.assertEqual(said, "/nope/w.npz: error: cannot be opened: No such file or directory\n")
        self.refused("run", "-o", "/nope/r.npz", "--passes=PrintIR", stdin=BIASED, code=WRONG_INPUT)
        kept = self.folder / "kept.npz"
        kept.write_text("old")
        self.refused("opt", f"--params-out={kept}", "--passes=InferType", stdin=ILL_TYPED, code=PASS_FAILED)
        self.assertEqual(kept.read_text(), "old")
        self.assertIn("@main: is not in the module", self.refused("opt", f"--params-out={kept}", stdin="def @f() { 1 }", code=WRONG_INPUT))

    def test_run_unpacks_only_what_fits(self):
        path = self.folder / "x.npz"
        bomb = npz({"x": npy((2, 3), (0,) * 6), "y": b"\0" * (1 << 28)}, zipfile.ZIP_DEFLATED)
        large = npz({"x": npy((2, 3), ()) + b"\0" * (1 << 28)}, zipfile.ZIP_DEFLATED)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the duplicate name
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w") as archive:
                for value in (1, 2):
                    archive.writestr("x.npy", npy((2, 3), (value,) * 6))
        for data, part in ((bomb, "array y: there is no such parameter"),
                           (large, "array x: has 268435"), (out.getvalue(), "array x: occurs twice"),
                           (npz({"x": npy((0, 2**63 - 1), ())}), "too large: its shape is (0, 9223372036854775807)"),
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
            said = self.refused("run", option, stdin=text, code=WRONG_INPUT)
            self.assertIn(part, said)
            self.assertIn(f", or a larger {option.partition('=')[0]}\n", said)

    def test_a_program_with_weights_may_take_more_steps(self):
        # More than 2^34 steps, although a copy takes few seconds: refused, unless the weights are large enough for such
        # work.
        copies = "".join(f"%{i} = concatenate((%{i - 1}, %x));\n%{i + 1} = strided_slice(%{i}, begin=[0], end=[16777216], strides=[1], axes=[0]);\n"
                         for i in range(1, 16, 2))
        text = ("def @main(%x: Tensor[(16777216), float32], %w: Tensor[(1000000), float32]) {\n%0 = nn.relu(%x);\n" + copies +
                "(%16, %w)\n}")
        weights = self.folder / "w.npz"
        weights.write_bytes(npz({"w": npy((1_000_000,), [0.0] * 1_000_000)}))
        said = self.refused("run", stdin=text, code=WRONG_INPUT)
        self.assertRegex(said, r"more than 19,[0-9,]+ steps; expected no more, or a larger --max-work\n")
        self.run_tutti("run", f"--params={weights}", stdin=text)
        check = ("opt", "--passes=InferType,ToANormalForm", "--verify-numerics")
        self.assertIn("steps; expected no more, or a larger max_work", self.run_tutti(*check, stdin=text)[1])
        self.assertNotIn("steps", self.run_tutti(*check, f"--params={weights}", stdin=text)[1])

    def test_tensors_may_take_half_of_the_memory(self):
        text = "def @main() { %0 = full(1f, shape=[150000000]); sum(%0) }"
        self.assertIn("min    150000000", self.run_tutti("run", stdin=text)[0])
        if not SANITIZED:
            few = lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
            said = self.run_tutti("run", stdin=text, preexec_fn=few, code=WRONG_INPUT)[1]
            self.assertIn("more than 536,870,912 bytes of tensors at the same time; expected no more, or a larger --max-bytes\n", said)

    def test_run_says_what_is_wrong(self):
        self.assertIn("cannot be opened", self.refused("run", "--inputs=/none.npz", stdin=RELU, code=WRONG_INPUT))
        self.assertIn("cannot both", self.refused("run", "--inputs=-", stdin=RELU, code=WRONG_USAGE))
        self.assertIn("no such pass", self.refused("run", "--passes=Nothing", stdin=RELU, code=WRONG_USAGE))
        self.assertIn("--print", self.refused("run", "--print=all", stdin=RELU, code=WRONG_USAGE))
        self.assertIn("requires --passes", self.refused("run", "--opt-level=1", stdin=RELU, code=WRONG_USAGE))
        self.assertIn("<stdin>:4:3: error: ", self.refused("run", stdin=ILL_TYPED, code=WRONG_INPUT))
        self.assertIn("pass InferType", self.refused("run", "--passes=InferType", stdin=ILL_TYPED, code=PASS_FAILED))
        self.assertIn("250000 calls", self.refused("run", stdin="def @main() -> float32 { @main() }", code=WRONG_INPUT))
        self.assertEqual(self.refused("run", "--allow-empty", stdin="", code=WRONG_INPUT),
                         "<stdin>: error: @main: there is no such function to evaluate; expected a program with functions\n")
        self.assertIn("to evaluate; expected one of @f, @g\n",
                      self.refused("run", stdin="def @f() { 1 }\ndef @g() { 2 }", code=WRONG_INPUT))
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
        operators = [line.split()[0] for line in self.run_tutti("list", "ops")[0].splitlines()]
        self.assertIn("nn.relu", operators)
        missing = self.run_tutti("list", "ops", "--missing")[0]
        self.assertRegex(missing, r"(?m)^training: +gradients\n  nn.max_pool2d_grad\n")
        absent = [line.strip() for line in missing.splitlines() if line.startswith("  ")]
        self.assertGreater(len(absent), 40)
        self.assertEqual(len(set(absent)), len(absent))
        self.assertEqual(set(absent) & set(operators), set(), msg="these are there: take them out of missing_ops.hpp")
        self.assertIn("--missing", self.run_tutti("list", "ops", "--help")[0])
        self.refused("list", "passes", "--missing", code=WRONG_USAGE)
        self.assertRegex(self.run_tutti("list", "passes", "FuseOps")[0], r"\AFuseOps +opt_level 0, requires InferType\n(  \w+ .*\n)+\nGroups operators that can be computed together")
        self.assertEqual(self.run_tutti("list", "ops", "nn.relu")[0], "nn.relu  (data)\n\nmax(x, 0)\n")
        self.assertRegex(self.run_tutti("list", "ops", "--missing", "training")[0], r"\Atraining: +gradients\n  nn.max_pool2d_grad\n")
        self.assertIn("fixpoint(PASS,...)", self.run_tutti("list", "passes", "fixpoint")[0])
        self.assertEqual(self.refused("list", "ops", "nn.reluu", code=WRONG_INPUT), "tutti: error: nn.reluu: no such operator; did you mean nn.relu?\n")
        instruments = self.run_tutti("list", "instruments")[0]
        told = self.run_tutti("opt", "--help")[0]
        switches = [line.split()[0] for line in instruments.splitlines() if line.startswith("  --")]
        self.assertGreater(len(switches), 10)
        for switch in switches:
            self.assertIn(f"  {switch} ", told)
        self.assertRegex(instruments, r"(?m)^timing +Measure .*\n  form +tree or list or csv or json, by default tree\n")
        self.assertRegex(instruments, r"(?m)^print_ir +.*\n  before +a list .*\n  after .*\n  part .*\n  --print-ir-before=PASS,... +is short for it\n")

    def test_run_computes_by_the_kernels_that_are_named(self):
        sets = [line.split()[0] for line in self.run_tutti("list", "kernels")[0].splitlines() if not line.startswith(" ")]
        widths = [name for name in sets if name.startswith("blocked-")]
        self.assertEqual(widths[0], "blocked-build")
        self.assertEqual(sets[-2 - len(widths):], ["blocked", "reference", *widths])
        program = "def @main(%x: Tensor[(3, 8), float32], %w: Tensor[(5, 8), float32]) { nn.softmax(nn.dense(%x, %w, units=None)) }"
        results = []
        for name in (*sets, None):
            chosen = [f"--kernels={name}"] if name else []
            text = self.run_tutti("run", *chosen, "--print=text", stdin=program)[0].splitlines()
            results.append([float(x) for x in text[1:]])
        for result in results:
            self.assertEqual(len(result), 15)
            for x, y in zip(result, results[0]):
                self.assertAlmostEqual(x, y, delta=1e-5)
        self.assertIn("  nn.dense\n", self.run_tutti("list", "kernels")[0])
        for name in sets:
            one, many = (self.run_tutti("run", f"--kernels={name}", f"--threads={n}", "--print=text", stdin=program)[0] for n in (1, 3))
            self.assertEqual(one, many)
        self.refused("run", "--threads=0", stdin=program, code=WRONG_USAGE)
        said = self.refused("run", "--kernels=blockd", code=WRONG_USAGE)
        self.assertIn("did you mean blocked?", said)

    # Wrong usage, files, sizes

    def test_help_and_version(self):
        for command in ((), ("opt",), ("run",), ("check",), ("model",), ("list",)):
            text, said = self.run_tutti(*command, "--help")
            self.assertIn("Usage: " + " ".join(("tutti", *command)), text)
            self.assertEqual(said, "")
        self.assertRegex(self.run_tutti("--version")[0], r"\Atutti \d+\.\d+\.\d+\n\Z")

    def test_wrong_usage(self):
        for arguments, part in (((), "tutti: error: a command is missing; expected one of opt, run, compare, check, inspect, precision, bench, model, list, bisect, reduce, corpus, profile, completion, man; "), (("optt",), "optt: no such command; did you mean opt?"),
                                (("--what",), "tutti: error: "), (("opt", "--what"), "--what"), (("list",), "tutti list: error: a command is missing; expected one of passes, ops, instruments, kernels, models, onnx; "),
                                (("list", "x"), "tutti list: error: "), (("check", "a", "b"), "b"), (("fly",), "expected one of"),
                                (("opt", "--passes"), "--passes"), (("opt", "--passes=", "--opt-level=-1"), "--opt-level")):
            self.assertIn(part, self.refused(*arguments, code=WRONG_USAGE))

    def test_an_option_or_command_that_there_is_not_is_told_which_was_meant(self):
        for arguments, said in ((("opt", "--pases=InferType"), "tutti opt: error: --pases: no such option; the nearest are --passes, --opset, --param; "
                                                               "`tutti opt --help` shows the usage\n"),
                                (("--versio",), "tutti: error: --versio: no such option; the nearest are --version, --help; `tutti --help` shows "
                                                "the usage\n"),
                                (("check", "-x"), "tutti check: error: -x: no such option; the nearest are --to, --dim, --from; `tutti check --help` "
                                                  "shows the usage\n"),
                                (("check", "a", "b"), "tutti check: error: b: unexpected argument; `tutti check "
                                                      "--help` shows the usage\n"),
                                (("list", "passe"), "tutti list: error: passe: no such command; did you mean passes?\n"),
                                (("help", "bogus"), "tutti: error: bogus: no such command; expected one of opt, run, compare, check, inspect, precision, bench, model, list, bisect, reduce, corpus, profile, completion, man\n"),
                                (("model", "rsnet18"), "tutti model: error: rsnet18: no such model; did you mean resnet18? `tutti list "
                                                       "models` lists them\n")):
            self.assertEqual(self.refused(*arguments, code=WRONG_USAGE), said)
        self.assertEqual(self.run_tutti("help", "opt"), self.run_tutti("opt", "--help"))
        self.assertEqual(self.run_tutti("help"), self.run_tutti("--help"))

    def test_a_value_that_an_option_does_not_take_is_told_what_it_takes(self):
        for arguments, said in ((("opt", "--passes"), "tutti opt: error: --passes: has no value; expected --passes=PIPELINE; "),
                                (("run", "--inputs"), "tutti run: error: --inputs: has no value; expected --inputs=FILE; "),
                                (("run", "--print=all"), "tutti run: error: --print: all: no such way to print; expected one of summary, text; "),
                                (("run", "--print=text", "--print=text"), "tutti run: error: --print: is given more than once; "),
                                (("opt", "--passes=InferType", "--opt-level=1.5"),
                                 "tutti opt: error: --opt-level: `1.5` is not valid; expected a whole number from 0 to 65536; "),
                                (("model", "mlp", "--batch=0"),
                                 "tutti model: error: --batch: `0` is not valid; expected a whole number from 1 to 1073741824; "),
                                (("list", "ops", "add", "x"), "tutti list ops: error: x: unexpected argument; ")):
            self.assertTrue(self.refused(*arguments, code=WRONG_USAGE).startswith(said), msg=said)
        for command in ("opt", "run", "bisect", "reduce"):
            said = f"tutti {command}: error: --max-passes: `-1` is not valid; expected a whole number from 0 to 9223372036854775807; "
            self.assertTrue(self.refused(command, "--passes=InferType", "--max-passes=-1", code=WRONG_USAGE).startswith(said))
        known = self.refused("opt", "--passes=InferType", "--disabled-pass=Qwertz", stdin=RELU, code=WRONG_USAGE).split("one of ")[1].split(", ")
        self.assertEqual(len(known), len(set(known)))

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


main()
