"""Edits of the pipeline on the command line: --insert-before, --insert-after, --replace, --without, --start-from, --stop-after."""

import re

from driver import RELU, WRONG_USAGE, Driver, main

PIPELINE = 'PrintIR{header=a},fixpoint{limit=1}(PrintIR{header=b},InferType),seq[tail](PrintIR{header=c})'


class Edits(Driver):
    def printed(self, *options, command="opt", stdin=RELU):
        """Returns the headers that the edited pipeline prints, in order."""
        said = self.run_tutti(command, "--passes=" + PIPELINE, *options, stdin=stdin)[1]
        return "".join(re.findall(r"^PrintIR\((\w*)\):$", said, re.MULTILINE))

    def test_edits_of_all_passes_of_a_name_or_one(self):
        self.assertEqual(self.printed(), "abc")
        self.assertEqual(self.printed("--insert-before=PrintIR:PrintIR{header=x}"), "xaxbxc")
        self.assertEqual(self.printed("--insert-after=PrintIR#2:PrintIR{header=x},PrintIR{header=y}"), "abxyc")
        self.assertEqual(self.printed("--insert-after=tail:PrintIR{header=x}"), "abcx")
        self.assertEqual(self.printed("--replace=PrintIR#3:PrintIR{header=x}"), "abx")
        self.assertEqual(self.printed("--replace=fixpoint:"), "ac")
        self.assertEqual(self.printed("--without=PrintIR#1"), "bc")
        self.assertEqual(self.printed("--without", "tail"), "ab")
        self.assertEqual(self.printed("--start-from=InferType"), "c")
        self.assertEqual(self.printed("--stop-after=PrintIR#2"), "ab")
        self.assertEqual(self.printed('--replace="PrintIR"#3:PrintIR{header=x}'), "abx")

    def test_points_are_filled(self):
        passes = "--passes=PrintIR{header=a},point(p),fixpoint{limit=1}(point(p),PrintIR{header=b})"
        def printed(*options):
            said = self.run_tutti("opt", passes, *options, stdin=RELU)[1]
            return "".join(re.findall(r"^PrintIR\((\w*)\):$", said, re.MULTILINE))

        self.assertEqual(printed(), "ab")
        self.assertEqual(printed("--fill=p:PrintIR{header=x}"), "axxb")
        self.assertEqual(printed("--fill=p:PrintIR{header=x}", "--fill=p:PrintIR{header=y}"), "axyxyb")
        self.assertEqual(self.refused("opt", passes, "--fill=q:InferType", stdin=RELU, code=WRONG_USAGE),
                         "tutti opt: error: --fill: q: no such point in the pipeline; did you mean p?\n")
        self.assertEqual(self.refused("opt", "--passes=InferType", "--fill=p:InferType", stdin=RELU, code=WRONG_USAGE),
                         "tutti opt: error: --fill: p: the pipeline has no points\n")
        self.assertEqual(self.refused("opt", passes, "--fill=p", stdin=RELU, code=WRONG_USAGE),
                         "tutti opt: error: --fill: `p` has no passes; expected POINT:PIPELINE, such as after-simplify:FuseOps\n")

    def test_a_pipeline_is_frozen_as_a_header(self):
        header = ('#pragma once\n\n#include <tutti/pipeline/literal.hpp>\n#include <tutti/relay/passes.hpp>\n\n'
                  'inline const auto pipeline = tutti::pipeline<"InferType,FuseOps{fuse_opt_level=2}">(tutti::relay::passes);\n')
        passes = ["--passes=InferType,FoldConstant", "--replace=FoldConstant:FuseOps{fuse_opt_level=2}"]
        self.assertEqual(self.run_tutti("opt", *passes, "--freeze=-", stdin="no program"), (header, ""))
        path = str(self.folder / "tuned.hpp")
        self.assertEqual(self.run_tutti("opt", *passes, "--freeze", path), ("", ""))
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), header.replace("pipeline =", "tuned ="))
        kept = self.file("// reproducer: tutti\n// passes: InferType,FuseOps{fuse_opt_level=2}\n" + RELU)
        self.assertEqual(self.run_tutti("opt", kept, "--freeze=-")[0], header)
        self.assertEqual(self.refused("opt", "--passes=InferType", "--freeze=a-b.hpp", code=WRONG_USAGE),
                         "tutti opt: error: --freeze: `a-b` is not an identifier; expected a name such as tuned or mine::tuned\n")
        self.assertIn("--freeze requires --passes", self.refused("opt", "--freeze=-", stdin=RELU, code=WRONG_USAGE))

    def test_edits_apply_in_the_order_of_the_command_line(self):
        insert, without = "--insert-before=PrintIR:PrintIR{header=x}", "--without=PrintIR#1"
        self.assertEqual(self.printed(insert, without), "axbxc")
        self.assertEqual(self.printed(without, insert), "xbxc")
        self.assertEqual(self.printed(without, insert, without), "bxc")
        self.assertEqual(self.printed("--start-from=fixpoint", "--stop-after=fixpoint"), "b")

    def test_edits_of_other_commands(self):
        self.assertEqual(self.printed("--without=PrintIR#1", command="run"), "bc")
        said = self.refused("bisect", "--passes=InferType", "--without=InferType", "--check=crash", stdin=RELU, code=WRONG_USAGE)
        self.assertIn("there are no passes", said)

    def test_a_reproducer_can_be_edited(self):
        path = self.file("// reproducer: tutti\n// passes: " + PIPELINE + "\n" + RELU)
        said = self.run_tutti("opt", path, "--without=fixpoint")[1]
        self.assertEqual(re.findall(r"^PrintIR\((\w*)\):$", said, re.MULTILINE), ["a", "c"])

    def test_wrong_edits_are_refused(self):
        def refused(*options):
            return self.refused("opt", "--passes=" + PIPELINE, *options, stdin=RELU, code=WRONG_USAGE)

        self.assertEqual(refused("--without=PrintI"), "tutti opt: error: --without: PrintI: no such pass in the pipeline; did you mean PrintIR?\n")
        self.assertEqual(refused("--insert-after=FuseOps:InferType"),
                         "tutti opt: error: --insert-after: FuseOps: no such pass in the pipeline; expected one of PrintIR, fixpoint, InferType, tail\n")
        self.assertEqual(refused("--without=PrintIR#4"),
                         "tutti opt: error: --without: PrintIR#4: the pipeline has 3 such passes; expected PrintIR#1 to PrintIR#3\n")
        self.assertEqual(refused("--start-from=PrintIR"),
                         "tutti opt: error: --start-from: PrintIR: the pipeline has 3 such passes; expected PrintIR#1 to PrintIR#3\n")
        self.assertEqual(refused("--replace=PrintIR"),
                         "tutti opt: error: --replace: `PrintIR` has no passes; expected PASS:PIPELINE, such as InferType:FuseOps\n")
        self.assertEqual(refused("--insert-before=InferType:FuseOp,InferType"),
                         "--insert-before:1:11: error: FuseOp: no such pass; did you mean FuseOps?\n"
                         "InferType:FuseOp,InferType\n          ^~~~~~\n")
        self.assertEqual(self.refused("opt", "--without=InferType", stdin=RELU, code=WRONG_USAGE),
                         "tutti opt: error: --without requires --passes; `tutti opt --help` shows the usage\n")
        self.assertIn("--disabled-pass: fixpoint: no such pass",
                      self.refused("opt", "--passes=fixpoint(InferType)", "--replace=fixpoint:InferType", "--disabled-pass=fixpoint",
                                   stdin=RELU, code=WRONG_USAGE))


main()
