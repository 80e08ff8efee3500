#pragma once

#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/testing/program_maker.hpp>
#include <tutti/relay/text/printer.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tutti::test {

/// Generates programs of three random steps out of `steps`. Verifies and evaluates each program. Returns the printed
/// programs.
template <std::size_t N>
std::string programs_of(const relay::testing::step (&steps)[N], int programs = 60) {
    std::string all;
    for (int seed = 1; seed <= programs; ++seed) {
        const std::vector<std::uint8_t> bytes = relay::testing::bytes_of_seed(static_cast<std::uint64_t>(seed));
        relay::testing::choices c(bytes);
        relay::testing::program_maker m(c, {});
        m.values.push_back(m.param(c.of(relay::testing::all_types), m.any_shape(1, 4)));
        for (int i = 0; i < 3; ++i) c.of(steps)(m);
        const std::vector<relay::testing::value> results{m.values.back(), m.values.front()};
        relay::ir_module program(m.finish(m.tuple(results)));
        relay::infer_types(program);
        relay::verify(program);
        all += relay::to_text(program);
        relay::evaluator e(program);
        if (e.run(m.inputs()).size() != results.size()) all += "a different number of results";
    }
    return all;
}

} // namespace tutti::test
