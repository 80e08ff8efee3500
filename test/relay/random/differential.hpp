#pragma once

#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/testing/behaviour.hpp>
#include <tutti/relay/testing/choices.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tutti::test {

using relay::testing::behaviour;
using relay::testing::choices;
using relay::testing::compared_elements;

/// A failure, or none if `what` is empty.
struct finding {
    std::string what;
    std::string pipeline; // empty if the program itself is at fault
    std::string program;
};

/// Compares random programs before and after passes.
class differential {
public:
    /// Generates a program and a pipeline from these bytes, and compares the program before and after the pipeline.
    finding check(std::span<const std::uint8_t> bytes);
    /// Generates a program, and compares it before and after each of these pipelines.
    finding check(choices& c, std::span<const std::string> pipelines);

    std::uint64_t programs() const { return programs_; }
    std::uint64_t rewritten() const { return rewritten_; }
    const compared_elements& elements() const { return elements_; }

private:
    std::string check_after(const relay::ir_module& m, const std::string& pipeline, behaviour& before);

    std::uint64_t programs_ = 0;
    std::uint64_t rewritten_ = 0;
    compared_elements elements_;
};

} // namespace tutti::test
