#pragma once

#include <tutti/relay/ir/ir_module.hpp>

#include "behaviour.hpp"
#include "choices.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tutti::test {

/// What was wrong: nothing if `what` is empty.
struct finding {
    std::string what;
    std::string pipeline; // empty if it is the program's own
    std::string program;
};

/// Random programs before and after passes.
class differential {
public:
    /// Makes the program of these bytes, and runs it through a pipeline that they say, too.
    finding check(std::span<const std::uint8_t> bytes);
    /// The same for pipelines that are given.
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

/// The bytes of a failure with as much taken out as it takes and still fails at the same pipeline, after so many tries at most.
template <class Fails>
std::vector<std::uint8_t> reduced(std::vector<std::uint8_t> bytes, Fails fails, int tries = 400) {
    for (std::size_t size = bytes.size() / 2; size != 0 && tries > 0; size /= 2) {
        for (std::size_t at = 0; at + size <= bytes.size() && tries > 0;) {
            std::vector<std::uint8_t> fewer = bytes;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at),
                        fewer.begin() + static_cast<std::ptrdiff_t>(at + size));
            --tries;
            if (fails(fewer))
                bytes = std::move(fewer);
            else
                at += size;
        }
    }
    for (std::size_t i = 0; i < bytes.size() && tries > 0; ++i) {
        if (bytes[i] == 0) continue;
        std::vector<std::uint8_t> simpler = bytes;
        simpler[i] = 0;
        --tries;
        if (fails(simpler)) bytes = std::move(simpler);
    }
    return bytes;
}

} // namespace tutti::test
