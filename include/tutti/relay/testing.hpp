#pragma once

/// A kit for testing passes over the tensor-graph IR.
///
/// ```
/// namespace testing = tutti::relay::testing;
/// CHECK(testing::check_pass(my_pass{}, "def @main(%x: int32) { add(%x, 0) }", "def @main(%x: int32) -> int32 { %x }"));
/// CHECK(testing::check_pass_keeps(my_pass{}, "def @main(%x: int32) { add(%x, 1) }"));
/// CHECK(testing::check_pass_text(my_pass{}, program, "CHECK: [[X:%\\d+]] = exp(%x)\nCHECK-NEXT: add([[X]], [[X]])"));
/// CHECK(testing::check_values(my_pass{}, {.programs = 1000})); // random programs compute the same before and after
/// testing::random_module made = testing::make_random_module(7); // a program from a seed, and the inputs of its main
/// ```
///
/// Including only <tutti/relay/testing/check_pass.hpp> compiles far faster, because the random programs use all
/// operators and the evaluator.

#include <tutti/relay/testing/behaviour.hpp>
#include <tutti/relay/testing/check_pass.hpp>
#include <tutti/relay/testing/check_values.hpp>
#include <tutti/relay/testing/choices.hpp>
#include <tutti/relay/testing/dynamic_steps.hpp>
#include <tutti/relay/testing/elementwise_steps.hpp>
#include <tutti/relay/testing/made_up_tensor.hpp>
#include <tutti/relay/testing/network_steps.hpp>
#include <tutti/relay/testing/noise.hpp>
#include <tutti/relay/testing/noisy_evaluation.hpp>
#include <tutti/relay/testing/pattern_steps.hpp>
#include <tutti/relay/testing/program_maker.hpp>
#include <tutti/relay/testing/quantized_steps.hpp>
#include <tutti/relay/testing/random_module.hpp>
#include <tutti/relay/testing/shape_steps.hpp>
#include <tutti/testing.hpp>
