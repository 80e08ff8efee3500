#pragma once

#include <tutti/relay/eval/lowering.hpp>
#include <tutti/relay/op/infer.hpp>

#include "programs.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace tutti::test {

/// A program with these definitions that is lowered without kernels and without a memory plan.
struct lowered {
    explicit lowered(std::string_view definitions) : module(tutti::test::program(definitions)) {
        relay::infer_types(module);
        program = relay::detail::lower(module, "main", {}, {.plan = false});
    }

    const relay::detail::code& main() const { return program.codes[program.entry]; }

    /// Returns the number of steps with this opcode.
    std::size_t count(relay::detail::opcode what) const {
        std::ptrdiff_t n = 0;
        for (const relay::detail::code& c : program.codes)
            n += std::ranges::count(c.steps, what, &relay::detail::step::what);
        return static_cast<std::size_t>(n);
    }

    relay::ir_module module;
    relay::detail::program program;
};

} // namespace tutti::test
