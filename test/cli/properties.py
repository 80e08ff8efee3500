"""Properties that passes state: a pipeline whose order cannot work is refused before anything runs."""

from driver import RELU, WRONG_USAGE, Driver, main


class Properties(Driver):
    def problem(self, *options):
        """Returns the message for a refused pipeline. No program is read."""
        return self.refused("opt", *options, stdin="no program", code=WRONG_USAGE)

    def test_the_pass_is_shown_in_the_text(self):
        self.assertEqual(self.problem("--passes=InferType,ToANormalForm,ToMixedPrecision"),
                         "pipeline:1:25: error: ToMixedPrecision needs typed, which ToANormalForm breaks; expected a pass that gives "
                         "typed between them, or another order\n"
                         "InferType,ToANormalForm,ToMixedPrecision\n"
                         "                        ^~~~~~~~~~~~~~~~\n")

    def test_the_body_of_a_loop_must_work_again(self):
        self.assertIn("error: ToMixedPrecision needs typed, which ToANormalForm breaks",
                      self.problem("--passes=InferType,repeat{times=2}(ToMixedPrecision,ToANormalForm)"))

    def test_the_edited_pipeline_is_checked(self):
        passes = "--passes=InferType,ToANormalForm,InferType,ToMixedPrecision"
        self.run_tutti("opt", passes, stdin=RELU)
        self.assertIn("1:25: error: ToMixedPrecision needs typed", self.problem(passes, "--without=InferType#2"))
        self.run_tutti("opt", "--passes=ToANormalForm,ToMixedPrecision", "--insert-before=ToMixedPrecision:InferType", stdin=RELU)

    def test_options_decide_which_passes_count(self):
        passes = "--passes=InferType,ToANormalForm,ToMixedPrecision"
        self.run_tutti("opt", passes, "--disabled-pass=ToANormalForm", stdin=RELU)
        self.run_tutti("opt", passes, "--opt-level=0", stdin=RELU)
        self.problem(passes, "--opt-level=0", "--required-pass=ToANormalForm")

    def test_check_properties_accepts_what_passes_state(self):
        self.run_tutti("opt", "--passes=InferType,ToANormalForm,FuseOps,ToGraphNormalForm", "--instrument=check_properties", stdin=RELU)


main()
