#pragma once

/// Checks for tests of passes over any unit that has a text form.
///
/// ```
/// using namespace tutti::testing;
/// CHECK(check_pass(push_down_filters{}, query{"filter(scan)"}, query{"scan(filter)"}));
/// CHECK(check_pass_text(pipeline, parse(text), "CHECK-LABEL: query 2\nCHECK: [[X:%\\d+]] = scan\nCHECK-NOT: filter"));
/// if (const outcome o = match_text(text, pattern); !o) std::cerr << o; // without a test framework
/// ```
///
/// The checks need no test framework. For programs of the tensor-graph IR, use <tutti/relay/testing.hpp>.

#include <tutti/testing/check_pass.hpp>
#include <tutti/testing/line_pattern.hpp>
#include <tutti/testing/match_text.hpp>
#include <tutti/testing/outcome.hpp>
