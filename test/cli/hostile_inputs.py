"""Small inputs that demand much: programs, pipelines and archives, by name.

Each has the arguments of `tutti`, and files that these name; {x.relay} in an argument is the file's path. The texts are
generated, since most repeat something many times.
"""

import base64
import io
import json
import random
import struct
import warnings
import zipfile

PASSES = ("AlterOpLayout BackwardFoldScaleAxis CanonicalizeCast CanonicalizeOps CombineParallelBatchMatmul CombineParallelConv2D "
          "CombineParallelDense ConvertLayout{nn.conv2d=[NHWC,default]} DeadCodeElimination DefuseOps DivToMul DynamicToStatic "
          "EliminateCommonSubexpr EtaExpand FakeQuantizationToInteger{use_qat=True} FastMath FlattenAtrousConv FoldConstant "
          "FoldExplicitPadding FoldScaleAxis "
          "ForwardFoldScaleAxis FuseOps InferType Inline LambdaLift RemoveUnusedFunctions SimplifyExpr SimplifyInference "
          "SplitArgs{max_function_args=5} ToANormalForm ToBasicBlockNormalForm ToGraphNormalForm ToMixedPrecision").split()

X = "%x: Tensor[(2, 3), float32]"


def main(body, params=X):
    return f"def @main({params}) {{ {body} }}"


def chain(count, step, first="%x"):
    """Returns numbered steps, each using the one before."""
    lines = []
    before = first
    for i in range(count):
        lines.append(f"%{i} = {step.format(before)};")
        before = f"%{i}"
    return "\n".join(lines) + "\n", before


def nested():
    """Texts with 100,000 levels of nesting."""
    n = 100_000
    yield "open parentheses", main("(" * n)
    yield "parentheses", main("(" * n + "%x" + ")" * n)
    yield "closing parentheses", main("%x" + ")" * n)
    yield "tuples of one", main("(" * n + "%x" + ",)" * n)
    yield "calls", main("exp(" * n + "%x" + ")" * n)
    yield "open calls", main("exp(" * n)
    yield "calls with attributes", main("expand_dims(" * n + "%x" + ", axis=0)" * n)
    yield "functions", main("fn () { " * n + "%x" + " }" * n)
    yield "open functions", main("fn () { " * n)
    yield "conditionals", main("if (%c) { " * n + "%x" + " } else { %x }" * n, X + ", %c: bool")
    yield "conditions", main("if (" * n)
    yield "lets in values", main("let %a = " * n + "%x")
    yield "lets in bodies", main("let %a = exp(%x); " * n + "%a")
    yield "lets in parentheses", main("(let %a = " * n + "%x" + "; %a)" * n)
    yield "types", f"def @main(%x: {'(' * n}float32{',)' * n}) {{ %x }}"
    yield "open types", f"def @main(%x: {'(' * n}"
    yield "types of functions", f"def @main(%x: {'fn (' * n}{') -> float32' * n}) {{ %x }}"
    yield "types of results", f"def @main(%x: {'fn () -> ' * n}float32) {{ %x }}"
    yield "projections", main("%x" + ".0" * n)
    yield "projections of tuples", main("(" * 3000 + "%x" + ",)" * 3000 + ".0" * 3000)
    yield "lists in attributes", main(f"reshape(%x, newshape={'[' * n}1{']' * n})")
    yield "comments", main("/*" * n + "%x" + "*/" * n)
    yield "comments that do not end", main("/* " * n)
    yield "signs", main("-" * n + "1")
    yield "functions that are called", main("fn () { " * 20_000 + "%x" + " }()" * 20_000)
    yield "functions with parameters that are called", main("fn (%y: float32) { " * 5_000 + "%x" + " }(1f)" * 5_000)
    yield "calls of calls", main("%x" + "()" * n)
    yield "strings that do not end", main('f("' + "\\" * n)


def many():
    """Texts with many equal parts."""
    n = 50_000
    yield "parameters", main("%x0", ", ".join(f"%x{i}: float32" for i in range(n)))
    yield "parameters of one name", main("%x", ", ".join("%x: float32" for i in range(n)))
    yield "functions of the module", "\n".join(f"def @f{i}(%x: float32) {{ %x }}" for i in range(20_000))
    yield "functions of one name", "\n".join("def @f(%x: float32) { %x }" for i in range(20_000))
    yield "fields", main(f"({', '.join(['%x'] * n)})")
    yield "fields taken", main(f"%0 = ({', '.join(['%x'] * 20_000)});\nadd(%0.19999, %0.0)")
    yield "arguments", main(f"exp({', '.join(['%x'] * n)})")
    yield "attributes", main(f"expand_dims(%x, {', '.join(['axis=0'] * n)})")
    yield "dimensions", main("%x", f"%x: Tensor[({', '.join(['1'] * n)}), float32]")
    yield "dimensions given", main(f"reshape(%x, newshape=[{', '.join(['1'] * n)}])")
    yield "dimensions added", main("expand_dims(%x, axis=0, num_newaxis=1000000000)")
    yield "mistakes", main("%y; " * n)
    yield "mistakes in lines", main("nn.rellu(%x);\n" * n)
    yield "variables that are not there", main("(" + ", ".join(f"%y{i}" for i in range(n)) + ")")
    yield "functions that are not there", main("(" + ", ".join(f"@y{i}(%x)" for i in range(n)) + ")")
    yield "operators that are not there", main("(" + ", ".join(f"o{i}(%x)" for i in range(n)) + ")")
    yield "characters of a name", main(f"%{'x' * 1_000_000}", f"%{'x' * 1_000_000}: float32")
    yield "characters of an operator", main(f"{'nn.' * 100_000}relu(%x)")
    yield "characters of a function", f"def @{'f' * 1_000_000}(%x: float32) {{ @{'g' * 1_000_000}(%x) }}"
    yield "characters of a string", main(f'reinterpret(%x, dtype="{"f" * 1_000_000}")')
    yield "digits", main("add(%x, " + "9" * 1_000_000 + "f)")
    yield "digits behind the point", main("add(%x, 0." + "9" * 1_000_000 + "f)")
    yield "digits of an exponent", main("add(%x, 1e" + "9" * 1_000_000 + "f)")
    yield "digits of a dimension", main("%x", f"%x: Tensor[({'9' * 100_000}), float32]")
    yield "digits of a reference", main("%" + "9" * 100_000)
    yield "digits of a field", main("%x." + "9" * 100_000)
    yield "digits of a constant", main(f"meta[relay.Constant][{'9' * 100_000}]")
    yield "digits of a type", main(f'cast(%x, dtype="float{"9" * 100_000}")')
    yield "blanks", " " * 10_000_000
    yield "lines", "\n" * 10_000_000
    yield "comments one after the other", main("/* */" * 1_000_000 + "%x")
    yield "lines of comments", "// \n" * 1_000_000 + main("%x")
    yield "notes of types", main("%x " + "/* ty=float32 */" * n)
    yield "versions", '#[version = "0.0.5"]\n' * n + main("%x")
    yield "references forward", main("".join(f"%{i} = exp(%{i + 1});\n" for i in range(1000)) + "%0")
    yield "a reference to itself", main("%0 = exp(%0);\n%0")


def bytes_of_no_text():
    """Bytes that are not text."""
    r = random.Random(11)
    yield "random bytes", r.randbytes(200_000)
    yield "zero bytes", bytes(1_000_000)
    yield "high bytes", b"\xff" * 1_000_000
    yield "broken characters", main("%x").encode() + b"\xc3\x28\xe2\x82" * 10_000
    yield "wide characters", main("%x").encode("utf-16")
    yield "a byte order mark and nothing", b"\xef\xbb\xbf"
    yield "nothing", b""
    yield "an archive", archive({"x.npy": b"\0" * 1000})
    yield "control characters in a name", main("%x\x1b[2J\x07", "%x\x1b[2J\x07: float32").encode()
    for i in range(6):
        text = bytearray(main("nn.conv2d(%x, %w, padding=[1, 1, 1, 1], channels=4)",
                              "%x: Tensor[(1, 4, 9, 9), float32], %w: Tensor[(4, 4, 3, 3), float32]").encode() * 20)
        for _ in range(40):
            text[r.randrange(len(text))] = r.randrange(256)
        yield f"a text with changed bytes {i}", bytes(text)


def sizes():
    """Programs with large results."""
    for k in (17, 30, 34, 47, 60):
        yield f"zeros of 2^{k}", main(f'zeros(shape=[{2**k}], dtype="float32")', "")
    yield "zeros of many large sizes", main(f'zeros(shape=[{", ".join(["1073741824"] * 20)}], dtype="float32")', "")
    yield "zeros beyond numbers", main('zeros(shape=[99999999999999999999], dtype="float32")', "")
    yield "zeros of a negative size", main('zeros(shape=[-5], dtype="float32")', "")
    yield "full of 40 GB", main("full(1f, shape=[100000, 100000])", "")
    yield "many of 100 MB", main("(" + ", ".join(f"full({i}f, shape=[5000, 5000])" for i in range(200)) + ")", "")
    yield "a sum of many of 100 MB", main("\n".join(f"%{i} = full({i}f, shape=[5000, 5000]);" for i in range(100)) +
                                          "\n%100 = add(%0, %1);\n" +
                                          "\n".join(f"%{i + 100} = add(%{i + 99}, %{i});" for i in range(1, 100)) + "\n%199", "")
    yield "a parameter of 2^40", main("%x", "%x: Tensor[(1099511627776), float32]")
    yield "parameters of 100 MB", main("%x0", ", ".join(f"%x{i}: Tensor[(5000, 5000), float32]" for i in range(100)))
    yield "an empty parameter, zero last", main("nn.relu(%x)", "%x: Tensor[(1099511627776, 1099511627776, 0), float32]")
    yield "an empty parameter, zero first", main("nn.relu(%x)", "%x: Tensor[(0, 1099511627776, 1099511627776), float32]")
    for op in ("sum(%x, axis=[2])", "argmax(%x, axis=[2])", "nn.softmax(%x, axis=2)", "mean(%x, axis=[0])", "transpose(%x, axes=[2, 1, 0])",
               "argsort(%x, axis=2)", "topk(%x, k=0, axis=2, ret_type=\"values\")", "reshape(%x, newshape=[-1])",
               "concatenate((%x, %x), axis=2)", "tile(%x, reps=[3, 1, 1])", "repeat(%x, repeats=2, axis=0)", "nn.batch_flatten(%x)",
               "strided_slice(%x, begin=[0], end=[1073741824], strides=[1], axes=[0])", "split(%x, indices_or_sections=1024, axis=0)",
               "nn.log_softmax(%x)", "nn.l2_normalize(%x, eps=1f, axis=[1])", "variance(%x, %x, axis=[2])", "squeeze(%x)",
               "take(%x, 0, axis=0)", "layout_transform(%x, src_layout=\"NCW\", dst_layout=\"NWC\")", "nn.dense(%x, %y, units=None)"):
        yield "an empty tensor in " + op, main(op, "%x: Tensor[(1073741824, 1073741824, 0), float32], %y: Tensor[(5, 0), float32]")
    yield "a large one in parts", main("split(%x, indices_or_sections=1000000000)", "%x: Tensor[(1000000000), float32]")
    yield "split into 2^60", main("split(%x, indices_or_sections=1152921504606846975)", "%x: Tensor[(2), float32]")
    yield "broadcast_to", main("broadcast_to(%x, shape=[1000000, 1000000, 3])", "%x: Tensor[(3), float32]")
    yield "an outer product", main("add(%x, %y)", "%x: Tensor[(100000, 1), float32], %y: Tensor[(1, 100000), float32]")
    yield "outer products of outer products", main(
        "%0 = expand_dims(%x, axis=0);\n%1 = expand_dims(%x, axis=1);\n%2 = add(%0, %1);\n%3 = expand_dims(%2, axis=0);\n"
        "%4 = expand_dims(%x, axis=1);\n%5 = expand_dims(%4, axis=2);\nadd(%3, %5)", "%x: Tensor[(5000), float32]")
    yield "tile", main("tile(%x, reps=[1000000000, 1000000000])")
    yield "tile with many reps", main(f"tile(%x, reps=[{', '.join(['2'] * 60)}])")
    yield "repeat", main("repeat(%x, repeats=1000000000000)")
    yield "repeat of repeat", main(chain(60, "repeat({}, repeats=2)")[0] + "%59", "%x: Tensor[(1), float32]")
    yield "concatenate doubles", main(chain(60, "concatenate(({0}, {0}))")[0] + "%59", "%x: Tensor[(1), float32]")
    yield "stack of many", main(f"stack(({', '.join(['%x'] * 20_000)}), axis=0)", "%x: Tensor[(20000), float32]")
    yield "pad", main("nn.pad(%x, 0f, pad_width=[[1000000000, 1000000000], [0, 0]])")
    yield "pad by less than nothing", main("nn.pad(%x, 0f, pad_width=[[-1000000000, 0], [0, 0]])")
    yield "pad beyond numbers", main("nn.pad(%x, 0f, pad_width=[[1152921504606846975, 1152921504606846975], [0, 0]])")
    yield "resize2d", main("image.resize2d(%x, size=[1000000, 1000000], roi=[0f, 0f, 0f, 0f])", "%x: Tensor[(1, 1, 2, 2), float32]")
    yield "upsampling", main("nn.upsampling(%x, scale_h=1000000f, scale_w=1000000f)", "%x: Tensor[(1, 1, 2, 2), float32]")
    yield "upsampling by no number", main("nn.upsampling(%x, scale_h=1e38f, scale_w=1e38f)", "%x: Tensor[(1, 1, 2, 2), float32]")
    yield "upsampling3d", main("nn.upsampling3d(%x, scale_d=1000f, scale_h=1000f, scale_w=1000f)",
                               "%x: Tensor[(1, 1, 2, 2, 2), float32]")
    yield "one_hot", main("one_hot(%x, 1f, 0f, depth=1000000000000, axis=-1, dtype=\"float32\")", "%x: Tensor[(3), int32]")
    yield "topk", main("topk(%x, k=1000000000)")
    yield "topk of less than nothing", main("topk(%x, k=-1000000000)")
    yield "sparse_to_dense", main("sparse_to_dense(%i, %v, 0f, output_shape=[1000000, 1000000])",
                                  "%i: Tensor[(2, 2), int32], %v: Tensor[(2), float32]")
    yield "strided_slice", main("strided_slice(%x, begin=[-9000000000000000000], end=[1152921504606846975], strides=[-1])")
    yield "space_to_batch_nd", main("nn.space_to_batch_nd(%x, block_shape=[1000000], paddings=[[0, 999999]])",
                                    "%x: Tensor[(1, 1, 1), float32]")
    yield "space_to_batch_nd, padded", main("nn.space_to_batch_nd(%x, block_shape=[1], paddings=[[1000000000, 1000000000]])",
                                            "%x: Tensor[(1, 1, 1), float32]")
    yield "layout_transform", main("layout_transform(%x, src_layout=\"NC\", dst_layout=\"NC1000000000c\")")
    yield "layout_transform of many blocks", main(
        f"layout_transform(%x, src_layout=\"NC\", dst_layout=\"NC{'1c' * 10000}\")")
    yield "reshape beyond numbers", main("reshape(%x, newshape=[9000000000000000000, 9000000000000000000, -1])")
    yield "reshape to many sizes", main("reshape(%x, newshape=[-1, 1152921504606846975])")
    yield "left_shift", main("left_shift(%x, 1000000000)", "%x: Tensor[(3), int32]")
    yield "take", main("take(%x, %i, axis=0)", "%x: Tensor[(2, 1000000), float32], %i: Tensor[(1000000), int32]")
    yield "dynamic sizes", main("dyn.zeros(%s, shape=None, dtype=\"float32\")", "%s: Tensor[(12), int64]")
    yield "dynamic tiles", main("dyn.tile(%x, %s, reps=None)", "%x: Tensor[(1000000), float32], %s: Tensor[(9), int64]")
    yield "dynamic sizes that are known", main("%0 = full(100000, shape=[2], dtype=\"int64\");\n"
                                               "dyn.zeros(%0, shape=None, dtype=\"float32\")", "")
    yield "a large shape of a shape", main("shape_of(zeros(shape=[1000000, 1000000], dtype=\"float32\"), dtype=\"int64\")", "")


def work():
    """Programs that compute for long."""
    big = "%x: Tensor[(10000, 10000), float32]"
    yield "dense", main("nn.dense(%x, %x, units=None)", big)
    yield "dense of quantised numbers", main("qnn.dense(%x, %x, 0, 0, 1f, 1f, units=None, out_dtype=\"int32\")",
                                             "%x: Tensor[(10000, 10000), int8]")
    yield "batch_matmul", main("nn.batch_matmul(%x, %x)", "%x: Tensor[(10, 3000, 3000), float32]")
    yield "conv2d with large weights", main("nn.conv2d(%x, %w, padding=[300, 300, 300, 300])",
                                            "%x: Tensor[(1, 4, 600, 600), float32], %w: Tensor[(4, 4, 600, 600), float32]")
    yield "conv2d_transpose with large weights", main("nn.conv2d_transpose(%x, %w)",
                                                      "%x: Tensor[(1, 4, 600, 600), float32], %w: Tensor[(4, 4, 600, 600), float32]")
    yield "conv2d_transpose with large strides", main("nn.conv2d_transpose(%x, %w, strides=[2000, 2000])",
                                                      "%x: Tensor[(1, 1, 1, 1), float32], %w: Tensor[(1, 1, 1, 1), float32]")
    yield "conv2d_transpose with the largest strides", main("nn.conv2d_transpose(%x, %w, strides=[2147483647, 2147483647])",
                                                            "%x: Tensor[(1, 1, 1, 1), float32], %w: Tensor[(1, 1, 1, 1), float32]")
    yield "deformable_conv2d", main("nn.deformable_conv2d(%x, %o, %w)", "%x: Tensor[(1, 8, 200, 200), float32], "
                                    "%o: Tensor[(1, 3200, 161, 161), float32], %w: Tensor[(8, 8, 40, 40), float32]")
    yield "max_pool2d over much", main("nn.max_pool2d(%x, pool_size=[2000, 2000])", "%x: Tensor[(1, 1, 4000, 4000), float32]")
    yield "avg_pool3d over much", main("nn.avg_pool3d(%x, pool_size=[100, 100, 100])", "%x: Tensor[(1, 1, 200, 200, 200), float32]")
    yield "a chain of 20,000 over 4 MB", main(chain(20_000, "erf({})")[0] + "%19999", "%x: Tensor[(1000000), float32]")
    yield "constants of a chain over 4 MB", main("%0 = full(1f, shape=[1000000]);\n" + "".join(
        f"%{i + 1} = erf(%{i});\n" for i in range(2000)) + "%2000", "")
    yield "products of constants", main("%0 = full(1f, shape=[5000, 5000]);\nnn.dense(%0, %0, units=None)", "")
    yield "argsort", main("argsort(%x)", "%x: Tensor[(10000000), float32]")
    yield "power", main("power(%x, 1e30f)", "%x: Tensor[(10000000), float32]")


def windows():
    """Unreasonable sizes of windows."""
    image = "%x: Tensor[(1, 4, 8, 8), float32], %w: Tensor[(4, 4, 3, 3), float32]"
    numbers = (0, -1, 2**31 - 1, 2**31, 2**60)
    for attribute in ("strides", "dilation"):
        for n in numbers:
            for op in ("conv2d", "conv2d_transpose"):
                yield f"{op}, {attribute} {n}", main(f"nn.{op}(%x, %w, {attribute}=[{n}, {n}])", image)
    for n in numbers:
        yield f"conv2d, padding {n}", main(f"nn.conv2d(%x, %w, padding=[{n}, {n}, {n}, {n}])", image)
        yield f"conv2d, groups {n}", main(f"nn.conv2d(%x, %w, groups={n})", image)
        yield f"conv2d, channels {n}", main(f"nn.conv2d(%x, %w, channels={n}, kernel_size=[{n}, {n}])", image)
        yield f"conv2d_transpose, output_padding {n}", main(f"nn.conv2d_transpose(%x, %w, output_padding=[{n}, {n}])", image)
        yield f"avg_pool2d, size {n}", main(f"nn.avg_pool2d(%x, pool_size=[{n}, {n}], padding=[{n}, {n}, {n}, {n}])", image)
        yield f"max_pool2d, strides {n}", main(f"nn.max_pool2d(%x, pool_size=[2, 2], strides=[{n}, {n}], ceil_mode=True)", image)
    yield "conv2d that pads much", main("nn.conv2d(%x, %w, padding=[20000, 20000, 20000, 20000])", image)
    yield "conv2d without data", main("nn.conv2d(%x, %w)", "%x: Tensor[(0, 4, 8, 8), float32], %w: Tensor[(4, 4, 3, 3), float32]")
    yield "conv2d without channels", main("nn.conv2d(%x, %w)", "%x: Tensor[(1, 0, 8, 8), float32], %w: Tensor[(0, 0, 3, 3), float32]")


def sharing():
    """Programs that are exponentially larger than their text."""
    n = 40
    twice = "".join(f"def @f{i}(%x: float32, Inline=1) -> float32 {{ %0 = @f{i + 1}(%x); @f{i + 1}(%0) }}\n" for i in range(n))
    yield "functions that call the next one twice", twice + f"def @f{n}(%x: float32, Inline=1) -> float32 {{ exp(%x) }}\n" + \
        main("@f0(%x)", "%x: float32")
    yield "literals that call the one before twice", main(
        "%0 = fn (%y: float32) { exp(%y) };\n" +
        "".join(f"%{i} = fn (%y: float32) {{ %{i + 1000} = %{i - 1}(%y); %{i - 1}(%{i + 1000}) }};\n" for i in range(1, n)) +
        f"%{n - 1}(%x)", "%x: float32")
    yield "bound literals that call the one before twice", main(
        "let %f0 = fn (%y: float32) { exp(%y) };\n" +
        "".join(f"let %f{i} = fn (%y: float32) {{ %f{i - 1}(%f{i - 1}(%y)) }};\n" for i in range(1, n)) + f"%f{n - 1}(%x)",
        "%x: float32")
    yield "tuples of the one before", main(chain(n, "({0}, {0})")[0] + f"%{n - 1}", "%x: float32")
    yield "lets of tuples of the one before", main("let %t0 = (%x, %x);\n" + "".join(
        f"let %t{i} = (%t{i - 1}, %t{i - 1});\n" for i in range(1, n)) + f"%t{n - 1}", "%x: float32")
    yield "tuples of the one before, and back", main(
        chain(n, "({0}, {0})")[0] + "".join(f"%{n + i} = %{n + i - 1}.0;\n" for i in range(n)) + f"%{2 * n - 1}", "%x: float32")
    yield "tuples that are handed on", "".join(
        f"def @f{i}(%x: float32) {{ %0 = @f{i + 1}(%x); (%0, %0) }}\n" for i in range(n)) + \
        f"def @f{n}(%x: float32) {{ (%x, %x) }}\n" + main("%0 = @f0(%x); %0.0", "%x: float32")
    yield "types of tuples", main("%x", f"%x: {'(' * 24}float32{', float32)' * 24}")
    yield "functions of functions", main(
        "let %f0 = fn (%y: float32) { %y };\n" +
        "".join(f"let %f{i} = fn (%y: float32) {{ (%f{i - 1}, %f{i - 1}) }};\n" for i in range(1, n)) + f"%f{n - 1}(%x)", "%x: float32")
    yield "sums of the one before", main(chain(10_000, "add({0}, {0})")[0] + "%9999")
    yield "conditionals of the one before", main(
        "".join(f"%{i} = if (%c) {{ add({b}, {b}) }} else {{ {b} }};\n" for i, b in
                enumerate(["%x"] + [f"%{i}" for i in range(999)])) + "%999", "%x: float32, %c: bool")
    yield "conditionals that call twice", "def @f(%c: bool, %x: float32) -> float32 { if (%c) { @f(%c, @f(%c, %x)) } else { %x } }\n" + \
        main("@f(True, %x)", "%x: float32")
    yield "identical sums", main("(" + ", ".join(["add(%x, %x)"] * 20_000) + ")")
    yield "sums of one with all", main("\n".join(f"%{i} = add(%x, {i}f);" for i in range(10_000)) + "\n(" +
                                       ", ".join(f"%{i}" for i in range(10_000)) + ")")


def endless():
    """Programs that never end."""
    yield "recursion", "def @main() -> float32 { @main() }"
    yield "recursion of two", "def @f() -> float32 { @main() }\ndef @main() -> float32 { @f() }"
    yield "recursion that doubles", "def @f(%x: float32) -> float32 { add(@f(%x), @f(%x)) }\n" + main("@f(%x)", "%x: float32")
    yield "recursion with values", "def @f(%x: Tensor[(1000000), float32]) -> Tensor[(1000000), float32] " \
        "{ %0 = exp(%x); %1 = @f(%0); add(%0, %1) }\n" + main("@f(%x)", "%x: Tensor[(1000000), float32]")
    yield "recursion with many values", "def @f(%x: float32) -> float32 { " + "".join(
        f"let %v{i} = exp(%x);\n" for i in range(300)) + "%0 = @f(%x);\n" + "".join(
            f"let %w{i} = add(%v{i}, %0);\n" for i in range(300)) + "%w299 }\n" + main("@f(%x)", "%x: float32")
    yield "recursion by let", main("let %f = fn (%y: float32) -> float32 { %f(%y) };\n%f(%x)", "%x: float32")
    yield "recursion marked to be inlined", "def @f(%x: float32, Inline=1) -> float32 { @g(%x) }\n" \
        "def @g(%x: float32, Inline=1) -> float32 { @f(%x) }\n" + main("@f(%x)", "%x: float32")
    yield "a loop that counts to 2^31", "def @f(%i: int32) -> int32 { %0 = less(%i, 2147483647); " \
        "if (%0) { @f(add(%i, 1)) } else { %i } }\ndef @main() { @f(0) }"
    yield "a loop that calls twice", "def @f(%i: int32) -> int32 { %0 = greater(%i, 0); " \
        "if (%0) { add(@f(subtract(%i, 1)), @f(subtract(%i, 1))) } else { %i } }\ndef @main() { @f(60) }"
    yield "a function of itself", main("let %f = fn (%y: float32) { %f };\n%f(%x)", "%x: float32")


def wide():
    """Programs with many candidates for passes."""
    n = 2000
    yield "dense layers side by side", main(
        "".join(f"%{i} = nn.dense(%x, %w{i}, units=None);\n" for i in range(n)) + f"({', '.join(f'%{i}' for i in range(n))})",
        "%x: Tensor[(1, 4), float32], " + ", ".join(f"%w{i}: Tensor[({i + 1}, 4), float32]" for i in range(n)))
    yield "convolutions side by side", main(
        "".join(f"%{i} = nn.conv2d(%x, %w{i});\n" for i in range(n)) + f"({', '.join(f'%{i}' for i in range(n))})",
        "%x: Tensor[(1, 4, 4, 4), float32], " + ", ".join(f"%w{i}: Tensor[({i % 7 + 1}, 4, {i % 3 + 1}, 1), float32]" for i in range(n)))
    yield "products side by side", main(
        "".join(f"%{i} = nn.batch_matmul(%x, %w{i});\n" for i in range(n)) + f"({', '.join(f'%{i}' for i in range(n))})",
        "%x: Tensor[(1, 4, 4), float32], " + ", ".join(f"%w{i}: Tensor[(1, {i + 1}, 4), float32]" for i in range(n)))
    yield "variables captured", main(
        "".join(f"let %v{i} = exp(%x);\n" for i in range(n)) + "let %f = fn () { (" + ", ".join(f"%v{i}" for i in range(n)) +
        ") };\n%f()", "%x: float32")
    yield "functions that capture", main(
        "".join(f"let %f{i} = fn (%y: float32) -> float32 {{ {'add(%y, %x)' if i == 0 else f'%f{i - 1}(add(%y, %x))'} }};\n"
                for i in range(n)) + f"%f{n - 1}(%x)", "%x: float32")
    yield "functions in functions that capture", main(
        "".join(f"let %v{i} = fn () {{ " for i in range(300)) + "%x" + " };\n%x".join([""] * 301), "%x: float32")
    yield "casts", main(chain(5000, "cast({0}, dtype=\"float16\")")[0] + "%4999")
    yield "transposes", main(chain(5000, "transpose({0}, axes=[1, 0])")[0] + "%4999")
    yield "reshapes", main(chain(5000, "reshape({0}, newshape=[3, 2])")[0] + "%4999")
    yield "multiplications", main(chain(5000, "multiply({0}, 2f)")[0] + "%4999")
    yield "lets", main("let %v0 = exp(%x);\n" + "".join(f"let %v{i} = add(%v{i - 1}, %v{i // 2});\n" for i in range(1, 5000)) + "%v4999")
    yield "conditionals in conditionals", main("".join(f"if (%c) {{ exp(" for i in range(1000)) + "%x" + ") } else { %x }" * 1000,
                                               "%x: float32, %c: bool")
    yield "uses of one", main("add(%x, %x)" if False else "%0 = exp(%x);\n(" + ", ".join(f"add(%0, {i}f)" for i in range(5000)) + ")")
    yield "functions in turn", "".join(f"def @f{i}(%x: float32, Inline=1) -> float32 {{ @f{i + 1}(%x) }}\n" for i in range(n)) + \
        f"def @f{n}(%x: float32, Inline=1) -> float32 {{ exp(%x) }}\n" + main("@f0(%x)", "%x: float32")
    yield "functions called by one", "".join(f"def @f{i}(%x: float32, Inline=1) -> float32 {{ exp(%x) }}\n" for i in range(n)) + \
        main("(" + ", ".join(f"@f{i}(%x)" for i in range(n)) + ")", "%x: float32")


def pipelines():
    """Pipelines, for a small program."""
    n = 25_000
    yield "nested sequentials", "seq(" * n + "InferType" + ")" * n
    yield "open sequentials", "seq(" * n
    yield "nested repeats", "repeat{times=2}(" * 60 + "InferType" + ")" * 60
    yield "nested repeats of many", "repeat{times=1000000}(" * 3 + "InferType" + ")" * 3
    yield "a repeat of 10^9", "repeat{times=1000000000}(InferType)"
    yield "a repeat beyond numbers", "repeat{times=99999999999999999999}(InferType)"
    yield "a repeat of less than nothing", "repeat{times=-1}(InferType)"
    yield "a fixpoint of 10^9", "fixpoint{limit=1000000000}(InferType)"
    yield "nested fixpoints", "fixpoint(" * 5000 + "InferType" + ")" * 5000
    yield "a fixpoint that never ends", "fixpoint{limit=1000000000}(ToANormalForm,ToGraphNormalForm)"
    yield "many passes", ",".join(["InferType"] * (n // 3))
    yield "commas", "," * n
    yield "braces", "InferType" + "{" * n
    yield "brackets", "ConvertLayout{nn.conv2d=" + "[" * n
    yield "a long name", "A" * n
    yield "a long key", "FuseOps{" + "a" * n + "=1}"
    yield "a long value", "FuseOps{max_depth=" + "9" * n + "}"
    yield "a long text", 'PrintIR{header="' + "a" * n + '"}'
    yield "a text that does not end", 'PrintIR{header="'
    yield "a long list", "RemoveUnusedFunctions{entry_functions=[" + ",".join(["main"] * (n // 2)) + "]}"
    yield "keys given many times", "FuseOps{" + ",".join(["max_depth=1"] * (n // 3)) + "}"
    yield "bytes", "\x01\x7f\x1b[2J" * 1000
    for value in ("-1", "0", "9223372036854775807", "-9223372036854775808"):
        yield f"FuseOps, max_depth {value}", f"FuseOps{{max_depth={value}}}"
        yield f"CombineParallelDense, min_num_branches {value}", f"CombineParallelDense{{min_num_branches={value}}}"
        yield f"SplitArgs, max_function_args {value}", f"SplitArgs{{max_function_args={value}}}"
    yield "FuseOps, fuse_opt_level", "FuseOps{fuse_opt_level=2147483647}"
    yield "ToMixedPrecision, missing_op_mode", "ToMixedPrecision{missing_op_mode=99}"
    yield "ConvertLayout, a layout of many letters", "ConvertLayout{nn.conv2d=[" + "NCHW" * 1000 + ",default]}"
    yield "ConvertLayout, large blocks", "ConvertLayout{nn.conv2d=[NCHW1000000000c,OIHW1000000000o]}"
    yield "ConvertLayout, blocks of nothing", "ConvertLayout{nn.conv2d=[NCHW0c,default]}"
    yield "Inline without copies", "Inline{max_nodes=0},DefuseOps{max_nodes=0}"


def npy(shape, data=b"", descr="<f4", version=1, header=None):
    text = header if header is not None else f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n"
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text.encode() + data


def archive(entries, method=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about duplicate names
        with zipfile.ZipFile(out, "w", method) as z:
            for name, data in entries.items() if isinstance(entries, dict) else entries:
                z.writestr(name, data)
    return out.getvalue()


def archives():
    """Archives of arrays, for a program with a parameter %x of shape (2, 3)."""
    good = npy("(2, 3)", bytes(24))
    packed = zipfile.ZIP_DEFLATED
    mega = bytes(1 << 26)
    yield "a bomb under another name", archive({"x.npy": good, "y.npy": mega * 4}, packed)
    yield "a bomb in place of the array", archive({"x.npy": npy("(2, 3)", mega * 4)}, packed)
    yield "a bomb of another shape", archive({"x.npy": npy("(16777216, 4)", mega * 4)}, packed)
    yield "many small bombs", archive({f"y{i}.npy": mega[:1 << 20] for i in range(100)}, packed)
    yield "one name twice", archive([("x.npy", good), ("x.npy", good)])
    yield "one name many times", archive([("x.npy", good)] * 2000)
    yield "many names", archive({f"y{i}.npy": b"" for i in range(20_000)})
    yield "a long name", archive({"x" * 60_000 + ".npy": good})
    yield "another parameter's array", archive({"z.npy": good})
    for shape in ("(0, 9223372036854775807)", "(9223372036854775807, 0)", "(1099511627776, 1099511627776)", "(-1, 3)", "(2, 3, 4)", "()",
                  "(99999999999999999999,)", "(" + "1, " * 10_000 + ")", "((((((2, 3", "2, 3", "(2, 3.5)", "(0, 3)"):
        yield f"shape {shape[:40]}", archive({"x.npy": npy(shape)})
    for descr in (">f4", "<f99999", "|O", "", "<U1000000", "[('a', '<f4')]", "<c16"):
        yield f"type {descr}", archive({"x.npy": npy("(2, 3)", bytes(24), descr)})
    yield "a header of 60,000 bytes", archive({"x.npy": npy("", header="{" + " " * 60_000)})
    yield "a header that is said to have 4 GB", archive({"x.npy": b"\x93NUMPY\2\0\xff\xff\xff\xff"})
    yield "a header of many keys", archive({"x.npy": npy("", header="{" + "'shape': (2,), " * 4_000 + "}")})
    yield "a header of no key", archive({"x.npy": npy("", header="{}")})
    yield "no array", archive({"x.npy": b"nothing"})
    yield "no bytes", archive({"x.npy": b""})
    yield "bytes of zero", bytes(100_000)
    yield "only an end", b"PK\5\6" + bytes(18)
    yield "an end of many entries", b"PK\5\6" + bytes(4) + b"\xff\xff\xff\xff" + bytes(10)
    yield "many ends", b"PK\5\6" * 10_000
    whole = archive({"x.npy": good}, packed)
    directory = whole.index(b"PK\1\2")
    for at, what in ((20, "packed size"), (24, "size"), (42, "place"), (28, "length of the name"), (30, "length of what else there is")):
        for value in (b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\0"):
            changed = bytearray(whole)
            changed[directory + at:directory + at + (4 if at not in (28, 30) else 2)] = value[:4 if at not in (28, 30) else 2]
            yield f"another {what}: {value.hex()}", bytes(changed)
    large = b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, 2**63, 2**63, 2**63, 2**64 - 8) + \
        b"PK\6\7" + struct.pack("<IQI", 0, 0, 1) + b"PK\5\6" + b"\xff" * 16 + b"\0\0"
    yield "a large end with sizes beyond numbers", large
    yield "an archive in an archive", archive({"x.npy": whole})
    r = random.Random(5)
    for i in range(10):
        changed = bytearray(whole)
        for _ in range(8):
            changed[r.randrange(len(changed))] = r.randrange(256)
        yield f"changed bytes {i}", bytes(changed)


def metadata():
    """Metadata sections."""
    def tensor(shape, size=None, code=2, bits=32, rank=None):
        return (struct.pack("<QQIIIBBH", 0xDD5E40F096B4A13F, 0, 1, 0, len(shape) if rank is None else rank, code, bits, 1) +
                b"".join(struct.pack("<q", d) for d in shape) + struct.pack("<Q", 0 if size is None else size) + bytes(size or 0))

    def section(tensors, uses=1, root=0, **more):
        nodes = [{"type_key": "Map", "keys": ["relay.Constant"], "data": [1]},
                 {"type_key": "Array", "data": [2] * uses},
                 {"type_key": "relay.Constant", "attrs": {"data": "0"}}]
        return json.dumps({"root": root, "nodes": nodes, "b64ndarrays": [base64.b64encode(t).decode() for t in tensors], **more})

    def program(text):
        return main("meta[relay.Constant][0]", "") + "\n#[metadata]\n" + text

    yield "a good one", program(section([tensor((2,), 8)]))
    yield "one tensor of 4 MB for 100,000 constants", program(section([tensor((1 << 20,), 1 << 22)], 100_000))
    for shape in ((2**62, 4), (2**40, 2**40, 0), (0, 2**63 - 1), (-1,), (2**40,), (2**60, 0)):
        yield f"shape {shape}", program(section([tensor(shape)]))
    yield "a size of 2^63", program(section([tensor((2,))[:-8] + struct.pack("<Q", 2**63)]))
    yield "a rank of 2^32", program(section([tensor((2,), 8, rank=2**32 - 1)]))
    yield "another type", program(section([tensor((2,), 8, code=9)]))
    yield "no bytes", program(section([b""]))
    yield "no base64", program(section([b"1"]).replace("MQ==", "????"))
    yield "a place that is not there", program(section([tensor((2,), 8)], root=2**63))
    yield "lists in lists", program("[" * 1_000_000)
    yield "lists in lists that end", program("[" * 500_000 + "]" * 500_000)
    yield "objects in objects", program('{"a":' * 500_000 + "1" + "}" * 500_000)
    yield "many values", program("[" + "[]," * 3_000_000 + "0]")
    yield "many keys", program("{" + ",".join(f'"k{i}":0' for i in range(300_000)) + "}")
    yield "many nodes", program(json.dumps({"root": 0, "nodes": [{"keys": ["relay.Constant"], "data": [1]}, {"data": []},
                                                                 *[{"a": {}} for _ in range(400_000)]]}))
    yield "a node of many members, over and over", program(json.dumps(
        {"root": 0, "nodes": [{"keys": ["relay.Constant"], "data": [1]}, {"data": [2] * 300_000},
                              {**{f"k{i}": 0 for i in range(300_000)}, "attrs": {"data": 0}}], "b64ndarrays": ["MQ=="]}))
    yield "a number of many digits", program('{"root": ' + "9" * 1_000_000 + "}")
    yield "a text that does not end", program('{"root": "' + "a" * 1_000_000)
    yield "no section", main("meta[relay.Constant][0]", "")
    yield "a constant that is not there", main("meta[relay.Constant][4000000000]", "") + "\n#[metadata]\n" + section([tensor((2,), 8)])
    yield "sections", program(section([tensor((2,), 8)])) * 100


def field(number, value):
    """Returns a field of a message: a number, or bytes."""
    def varint(n):
        return bytes([n & 0x7F | 0x80]) + varint(n >> 7) if n > 0x7F else bytes([n])
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def node(op, ins, outs, *attributes):
    return field(1, b"".join(field(1, i) for i in ins) + b"".join(field(2, o) for o in outs) + field(4, op) +
                 b"".join(field(5, a) for a in attributes))


def value(name, shape, element=1):
    dims = b"".join(field(1, field(1, d)) for d in shape)
    return field(1, name) + field(2, field(1, field(1, element) + field(2, dims)))


def weights(name, shape, data, element=1):
    return field(5, b"".join(field(1, d) for d in shape) + field(2, element) + field(8, name) + field(9, data))


def model(graph, output="y"):
    return field(1, 8) + field(7, graph + field(12, value(output, []))) + field(8, field(2, 17))


def models():
    """Small ONNX models that become large."""
    one, ones = struct.pack("<q", 1), struct.pack("<1000q", *[1] * 1000)
    inner = b""
    for i in range(6):
        again = node("Loop", ["n", "t", f"s{i}"], [f"r{i}"], field(1, "body") + field(6, inner) + field(20, 5))
        inner = (again if i else node("Relu", ["s0"], ["r0"])) + b"".join(
            [field(11, value(f"i{i}", [], 7)), field(11, value(f"c{i}", [], 9)), field(11, value(f"s{i}", [2])),
             field(12, value(f"c{i}", [], 9)), field(12, value(f"r{i}", [2]))])
    loop = node("Loop", ["n", "t", "x"], ["y"], field(1, "body") + field(6, inner) + field(20, 5))
    yield "loops in loops", model(loop + weights("n", [], struct.pack("<q", 60), 7) + weights("t", [], b"\1", 9) + field(11, value("x", [2])))
    size = field(1, "hidden_size") + field(3, 1) + field(20, 2)
    rnn = node("RNN", ["x", "w", "w"], ["y"], size) + weights("w", [1, 1, 1], struct.pack("<f", 1))
    yield "a state of 2^40", model(rnn + field(11, value("x", [1, 1 << 40, 1])))
    lstm = weights("w", [1, 4, 1], bytes(16)) + weights("a", [1], one, 7) + field(11, value("x0", [16384, 1, 1]))
    for i in range(20):
        lstm += node("LSTM", [f"x{i}", "w", "w"], [f"h{i}"], size) + node("Squeeze", [f"h{i}", "a"], [f"x{i + 1}"])
    yield "many steps", model(lstm, "x20")
    ranks = weights("s", [1000], ones, 7) + weights("a", [1], bytes(8), 7) + field(11, value("x", [1])) + node("Reshape", ["x", "s"], ["y0"])
    yield "many dimensions", model(ranks + b"".join(node("Unsqueeze", [f"y{i}", "a"], [f"y{i + 1}"]) for i in range(4000)), "y4000")
    axis = field(1, "axis") + field(3, 0) + field(20, 2)
    yield "one tensor 20,000 times", model(ranks + node("Concat", ["y0"] * 20_000, ["y"], axis))
    known = weights("s", [1000], ones, 7) + field(11, value("x", [1])) + node("Concat", ["s"] * 20_000, ["y"], axis)
    yield "one list 20,000 times", model(known)


    # Each function of a model is found at once, and sees only its own names.
    calls, functions = b"", b""
    for i in range(20_000):
        calls += field(1, field(1, f"y{i}") + field(2, f"y{i + 1}") + field(4, f"F{i}") + field(7, "d"))
        functions += field(25, field(1, f"F{i}") + field(4, "a") + field(5, "b") + field(7, field(1, "a") + field(2, "b") + field(4, "Relu")) +
                           field(9, field(2, 17)) + field(10, "d"))
    yield "a chain of functions", model(calls + field(11, value("y0", [2])), "y20000") + functions


def deep():
    """Programs with texts much longer than themselves, because of indentation and types."""
    yield "functions in functions", main("fn () { " * 12_000 + "%x" + " }" * 12_000)
    yield "tuples of tuples", main("(" * 8_000 + "%x" + ",)" * 8_000)


def instrumented():
    """Programs of many functions, for instruments that keep data per function."""
    yield "many functions", "\n".join(f"def @f{i}(%x: float32) {{ exp(%x) }}" for i in range(40_000))


def inputs():
    """Yields all inputs: name, files by name, and the argument lists to run."""
    everything = [["check"], ["opt", "--opt-level=9", "--passes=FoldConstant,SimplifyExpr,FuseOps,DefuseOps"], ["run"]]
    for kind in (nested, many, bytes_of_no_text, metadata):
        for name, text in kind():
            yield f"{kind.__name__}: {name}", {"x": text}, [["check"], ["opt"], ["run"]] if len(text) < 20_000 else [["check"]]
    for kind in (sizes, work, windows):
        for name, text in kind():
            yield f"{kind.__name__}: {name}", {"x": text}, everything
    for kind in (sharing, endless, wide):
        for name, text in kind():
            yield f"{kind.__name__}: {name}", {"x": text}, [
                ["check"], ["run"], ["opt", "--opt-level=9", "--passes=" + ",".join(PASSES)],
                *(["opt", "--opt-level=9", "--passes=InferType," + p] for p in PASSES if p != "InferType")]
    for name, text in deep():
        yield f"deep: {name}", {"x": text}, [["check"], ["opt"], ["opt", "--passes=InferType"]]
    for name, text in instrumented():
        yield f"instrumented: {name}", {"x": text}, [["opt", "--passes=FoldConstant", f"--{instrument}"]
                                                     for instrument in ("report=/dev/null", "stats", "time-trace=/dev/null", "remarks")]
    for name, text in pipelines():
        program = main("nn.relu(%x)")
        yield f"pipelines: {name}", {"x": program, "p": text}, [["opt", "--opt-level=9", "--passes-of=p"]]
    for name, data in models():
        yield f"models: {name}", {"x": data}, [["check"], ["opt"]]
    for name, data in archives():
        yield f"archives: {name}", {"x": main("%x"), "a": data}, [["run", "--inputs={a}"]]
