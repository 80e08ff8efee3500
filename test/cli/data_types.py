"""Programs with data types, references and elements that NumPy does not have, through all commands."""

import zipfile

from driver import TUTTI, WRONG_INPUT, WRONG_USAGE, Driver, main, npy, npz

LISTS = """#[version = "0.0.5"]
type List[A] { Cons(A, List[A]), Nil }
def @map[A, B](%f: fn (A) -> B, %xs: List[A]) -> List[B] {
  match (%xs) { Nil => Nil, Cons(%x, %rest) => Cons(%f(%x), @map(%f, %rest)), }
}
def @length[A](%xs: List[A]) -> int32 {
  match (%xs) { Nil => 0, Cons(_, %rest) => 1 + @length(%rest) }
}
def @main(%xs: List[float32], %by: float32) {
  let %r = ref(%by);
  (@map(fn (%x: float32) -> float32 { %x * ref_read(%r) }, %xs), @length(%xs), %r)
}
"""
VALUES = ("--param", "xs=Cons(1f, Cons(2.5f, Nil))", "--param", "by=2f")
RESULT = "(Cons(2f, Cons(5f, Nil)), 2, ref(2f))\n"
HALVES = """#[version = "0.0.5"]
def @main(%x: Tensor[(3), bfloat16]) {
  cast(add(%x, 1bf16), dtype="float32")
}
"""


class DataTypes(Driver):
    def test_run_prints_values_as_the_text_writes_them(self):
        self.assertEqual(self.run_tutti("run", *VALUES, stdin=LISTS), (RESULT, ""))
        passes = "--passes=InferType,ToANormalForm,InferType,DeadCodeElimination,Inline,InferType,LambdaLift,InferType,EtaExpand{expand_constructor=True}"
        self.assertEqual(self.run_tutti("run", *VALUES, passes, stdin=LISTS)[0], RESULT)
        # a parameter that is a tensor may come from a file
        arrays = self.folder / "by.npz"
        arrays.write_bytes(npz({"by": npy((), (3,))}))
        self.assertEqual(self.run_tutti("run", *VALUES[:2], f"--inputs={arrays}", stdin=LISTS)[0], "(Cons(3f, Cons(7.5f, Nil)), 2, ref(3f))\n")

    def test_what_is_said_of_values_that_are_wrong(self):
        self.assertEqual(self.refused("run", stdin=LISTS, code=WRONG_INPUT),
                         "<stdin>: error: the parameter %xs is of type List[float32], which an array cannot hold; expected --param xs=VALUE\n")
        for given in ("xs", "xs=", "xs= \n"):
            self.assertEqual(self.refused("run", "--param", given, stdin=LISTS, code=WRONG_USAGE),
                             "--param xs: error: has no value; expected NAME=VALUE\n")
        self.assertIn("--param xs:1:5: error: unexpected end of the text; expected `meta[relay.Constant][0]`\nmeta\n    ^\n",
                      self.refused("run", "--param", "xs=meta", stdin=LISTS, code=WRONG_USAGE))
        self.assertIn("--param xs:2:5: error: unexpected end of the text; expected `,` or `)`\n Nil\n    ^\n",
                      self.refused("run", "--param", "xs=Cons(1f,\n Nil", stdin=LISTS, code=WRONG_USAGE))
        self.assertEqual(self.refused("run", "--param", "xt=Nil", stdin=LISTS, code=WRONG_USAGE),
                         "--param xt: error: @main has no such parameter; did you mean %xs?\n")
        self.assertIn("--param xs:1:10: error: there is no operator `Nill`; did you mean `all`?\nCons(1f, Nill)\n         ^\n",
                      self.refused("run", "--param", "xs=Cons(1f, Nill)", stdin=LISTS, code=WRONG_USAGE))
        for value in ("Nil } def @other() { 1", "Nil }", "Nil }\n"):
            self.assertEqual(self.refused("run", "--param", "xs=" + value, stdin=LISTS, code=WRONG_USAGE),
                             "--param xs: error: is more than a value; expected an expression\n")
        for value in ("Cons(1, Nil)", "3f"): # not of the parameter's type
            self.assertIn("error: ", self.refused("run", "--param", "xs=" + value, "--param", "by=1f", stdin=LISTS, code=WRONG_INPUT))

    def test_values_of_data_types_are_no_arrays(self):
        out = self.folder / "out.npz"
        said = self.refused("run", *VALUES, "-o", str(out), stdin=LISTS, code=WRONG_INPUT)
        self.assertEqual(said, "<stdin>: error: @main: returns a value of a data type, or a reference, which an array cannot hold; "
                               "expected a file that does not end in .npz\n")
        self.assertFalse(out.exists())

    def test_every_command_reads_them(self):
        self.assertEqual(self.run_tutti("check", stdin=LISTS), ("", ""))
        text = self.run_tutti("opt", "--passes=InferType", stdin=LISTS)[0]
        self.assertIn("type List[A] {", text)
        self.assertEqual(self.run_tutti("opt", "--passes=InferType", stdin=text)[0], text)
        bound = self.run_tutti("opt", *VALUES[:2], stdin=LISTS)[0]
        self.assertIn("def @main(%by: float32) {\n", bound)
        self.assertIn("let %xs1: List[float32] = Cons(1f, %2);", bound)
        self.assertIn("the same", self.run_tutti("compare", *VALUES, "--passes=InferType,ToANormalForm", "-", stdin=LISTS)[0])
        for ending in ("svg", "dot"):
            self.run_tutti("opt", "--passes=InferType", f"--graph={self.folder}/lists.{ending}", stdin=LISTS)

    def test_they_are_bisected_and_reduced(self):
        start = LISTS.index("  (@map(")
        made = LISTS.replace("@main(%xs: List[float32], %by", "@main(%by").replace("  let %r", "  let %xs = Cons(%by, Cons(2.5f, Nil));\n  let %r")
        made = made.replace(LISTS[start:], "  ref_write(%r, exp(%by));\n" + LISTS[start:])
        out = self.run_tutti("bisect", "--passes=InferType,ToANormalForm,InferType,FuseOps", "--check=! grep -q Primitive {}", stdin=made)[0]
        self.assertTrue(out.startswith("pass 5 of 6: FuseOps\n"), msg=out)
        self.assertIn("let %x_2: int32 = @length(%rest);", out)
        self.assertIn("the check does not fail", self.refused("bisect", "--passes=InferType,ToANormalForm", "--check=numerics", stdin=made, code=WRONG_INPUT))
        # the result contains the length of a list, and a reference
        out = self.run_tutti("reduce", f"--check=! {TUTTI} run {{}} | grep -q '), 2, ref('", stdin=made)[0]
        self.assertIn("def @length[A](%xs: List[A])", out)
        self.assertIn("ref(%by)", out)
        self.assertNotIn("@map", out)
        self.assertIn("), 2, ref(", self.run_tutti("run", stdin=out)[0])

    def test_narrow_elements_are_moved_and_cast(self):
        arrays, out = self.folder / "x.npz", self.folder / "out.npz"
        arrays.write_bytes(npz({"x": npy((4,), (0.3, -1, 300, 500))}))
        moved = """#[version = "0.0.5"]
def @main(%x: Tensor[(4), float8_e4m3fn]) { reshape(take(%x, 3i64, axis=0), newshape=[1]) }
"""
        program = moved.replace("reshape(take(%x, 3i64, axis=0), newshape=[1])",
                                "(transpose(reshape(%x, newshape=[2, 2]), axes=None), cast(cast(%x, dtype=\"float32\"), dtype=\"int4\"))")
        self.assertEqual(self.run_tutti("run", f"--inputs={arrays}", "--print=text", stdin=program)[0],
                         "# 2,2 float8_e4m3fn\n0.3125\n288\n-1\nnan\n# 4 int4\n0\n-1\n7\n0\n")
        self.assertEqual(self.run_tutti("run", f"--inputs={arrays}", stdin=moved)[0], "# 1 float8_e4m3fn\nnan    1 values\nfirst  nan\n")
        self.run_tutti("run", f"--inputs={arrays}", "-o", str(out), stdin=program)
        with zipfile.ZipFile(out) as archive:
            self.assertIn(b"'<f4'", archive.read("out_0.npy"))
            self.assertIn(b"'|i1'", archive.read("out_1.npy"))
        # constants survive the text, and passes compute with them as the evaluator does
        bound = self.run_tutti("opt", "--show-meta-data", f"--params={arrays}", stdin=program)[0]
        self.assertIn("meta[relay.Constant][0]", bound)
        self.assertEqual(self.run_tutti("opt", "--show-meta-data", stdin=bound)[0], bound)
        self.assertIn("the same", self.run_tutti("compare", "--passes=InferType,FoldConstant,SimplifyExpr", "-", stdin=bound)[0])
        self.assertIn("cannot compute with elements of type float8_e4m3fn; expected a wider type, to which `cast` converts them",
                      self.refused("run", f"--inputs={arrays}", stdin=moved.replace("reshape(take(%x, 3i64, axis=0), newshape=[1])", "add(%x, %x)"),
                                   code=WRONG_INPUT))

    def test_bfloat16_goes_through_arrays_as_float32(self):
        arrays, out = self.folder / "x.npz", self.folder / "out.npz"
        arrays.write_bytes(npz({"x": npy((3,), (0.1, 1, 255))}))
        self.assertEqual(self.run_tutti("run", f"--inputs={arrays}", "--print=text", stdin=HALVES)[0],
                         "# 3 float32\n1.1015625\n2\n256\n")
        narrow = HALVES.replace('cast(add(%x, 1bf16), dtype="float32")', "add(%x, %x)")
        self.run_tutti("run", f"--inputs={arrays}", "-o", str(out), stdin=narrow)
        with zipfile.ZipFile(out) as archive:
            self.assertIn(b"'<f4'", archive.read("out_0.npy"))
        self.run_tutti("run", f"--inputs={arrays}", "--param", "x=zeros(shape=[3], dtype=\"bfloat16\")", stdin=HALVES, code=WRONG_INPUT)
        self.assertIn('"bfloat16"', self.run_tutti("opt", "--passes=InferType,ToMixedPrecision{mixed_precision_type=bfloat16}",
                                                   stdin="def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32]) "
                                                         "{ nn.dense(%x, %w, units=None) }")[0])


main()
