#pragma once

#include <tutti/error.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/registry.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/text/write_metadata.hpp>
#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "behaviour.hpp"
#include "choices.hpp"
#include "pipelines.hpp"
#include "random_module.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
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
    finding check(std::span<const std::uint8_t> bytes) {
        choices c(bytes);
        const std::string pipeline = random_pipeline(c);
        const std::string pipelines[]{pipeline};
        return check(c, pipelines);
    }

    /// The same for pipelines that are given.
    finding check(choices& c, std::span<const std::string> pipelines) {
        finding found;
        try {
            random_module made = make_random_module(c);
            relay::infer_types(made.program);
            found.program = relay::to_text(made.program, {.type_comments = false, .metadata_note = false});
            relay::verify(made.program);
            check_text(made.program);
            behaviour before(made.program, std::move(made.inputs));
            ++programs_;
            const compared_elements n = before.count();
            elements_.exact += n.exact;
            elements_.within += n.within;
            elements_.skipped += n.skipped;
            for (const std::string& pipeline : pipelines) {
                found.pipeline = pipeline;
                found.what = check_after(made.program, pipeline, before);
                if (!found.what.empty()) return found;
            }
        } catch (const std::exception& e) {
            found.what = e.what();
        }
        return found;
    }

    /// The pipeline run over the module, at level 4.
    relay::ir_module after(relay::ir_module m, const std::string& pipeline) const {
        const auto passes = runtime::parse_pipeline("InferType," + pipeline, known_);
        runtime::pass_context<relay::ir_module> ctx{{.opt_level = 4}};
        tutti::with(ctx, [&](auto& scope) { scope.run(passes, m); });
        return m;
    }

    const runtime::registry<relay::ir_module>& known() const { return known_; }
    std::uint64_t programs() const { return programs_; }
    std::uint64_t rewritten() const { return rewritten_; }
    std::uint64_t refused() const { return refused_; }
    const compared_elements& elements() const { return elements_; }

private:
    static void check_text(const relay::ir_module& m) {
        const std::string text = relay::to_text(m, {.metadata = relay::write_metadata});
        const relay::ir_module again = relay::parse(text, {.metadata = relay::read_metadata});
        if (!relay::structural_equal(m, again)) throw std::runtime_error("what is printed is read as another program");
        if (relay::to_text(again, {.metadata = relay::write_metadata}) != text)
            throw std::runtime_error("what is read is printed in another way");
    }

    std::string check_after(const relay::ir_module& m, const std::string& pipeline, behaviour& before) {
        try {
            const relay::ir_module out = after(m, pipeline);
            if (relay::structural_equal(m, out)) return {};
            ++rewritten_;
            relay::verify(out);
            if (pipeline.find(',') != std::string::npos) check_text(out);
            if (pipeline.find(other_results) != std::string::npos) return {};
            return before.difference(out);
        } catch (const std::exception& e) {
            if (may_refuse(pipeline, e.what())) return {};
            return std::string("thrown: ") + e.what();
        }
    }

    /// A layout that is desired, and that a convolution's sizes do not allow, is the one thing that a pass may object to.
    bool may_refuse(std::string_view pipeline, std::string_view said) {
        const bool may = pipeline.find("NCHW4c") != std::string_view::npos && said.ends_with("blocks that divide it");
        refused_ += may ? 1 : 0;
        return may;
    }

    runtime::registry<relay::ir_module> known_ = relay::registered_passes();
    std::uint64_t programs_ = 0;
    std::uint64_t rewritten_ = 0;
    std::uint64_t refused_ = 0;
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
