#include "differential.hpp"

#include <tutti/base/error.hpp>
#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/testing/random_module.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/text/write_metadata.hpp>

#include "passes.hpp"
#include "pipelines.hpp"

#include <stdexcept>

namespace tutti::test {

namespace {

void check_text(const relay::ir_module& m) {
    const std::string text = relay::to_text(m, {.metadata = relay::write_metadata});
    const relay::ir_module again = relay::parse(text, {.metadata = relay::read_metadata});
    if (!relay::structural_equal(m, again)) throw std::runtime_error("what is printed is read as another program");
    if (relay::to_text(again, {.metadata = relay::write_metadata}) != text)
        throw std::runtime_error("what is read is printed in another way");
}

} // namespace

finding differential::check(std::span<const std::uint8_t> bytes) {
    choices c(bytes);
    const std::string pipeline = random_pipeline(c);
    const std::string pipelines[]{pipeline};
    return check(c, pipelines);
}

finding differential::check(choices& c, std::span<const std::string> pipelines) {
    finding found;
    try {
        relay::testing::random_module made = relay::testing::make_random_module(c);
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

std::string differential::check_after(const relay::ir_module& m, const std::string& pipeline, behaviour& before) {
    try {
        const relay::ir_module out = after_passes(m, pipeline);
        if (relay::structural_equal(m, out)) return {};
        ++rewritten_;
        relay::verify(out);
        if (pipeline.find(',') != std::string::npos) check_text(out);
        return gives_other_results(pipeline) ? before.failure(out) : before.difference(out);
    } catch (const std::exception& e) {
        return std::string("thrown: ") + e.what();
    }
}

} // namespace tutti::test
