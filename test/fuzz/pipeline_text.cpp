// A fuzz target for pipelines in text form: any text is a pipeline or an error, and a written pipeline is read back as
// a pipeline of the same length that is written in the same way.

#include <tutti/pass/make_pass.hpp>
#include <tutti/runtime/parse_pipeline.hpp>

#include "support/described_passes.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace runtime = tutti::runtime;

namespace {

// A registry with every kind of entry: options of every type, names with spaces, a sequential.
runtime::registry<int> every_kind() {
    runtime::registry<int> all{constant_passes};
    all.add<convert_layout>().add(tutti::make_pass<"a b">([](int n) { return n; }));
    return all.add<decltype(tutti::sequential<"Both", 1>(double_it{}, add_amount{}))>();
}

void require(bool holds) {
    if (!holds) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto known = every_kind();
    const std::string text{reinterpret_cast<const char*>(data), size};
    try {
        const auto pipeline = runtime::parse_pipeline(text, known);
        const std::string written = tutti::write_pipeline(pipeline);
        const auto again = runtime::parse_pipeline(written, known);
        require(tutti::write_pipeline(again) == written);
        require(again.passes().size() == pipeline.passes().size());
    } catch (const runtime::pipeline_error& e) {
        require(e.position() <= size);
        require(std::string_view{e.what()}.starts_with("pipeline:"));
    }
    return 0;
}
