#include <tutti/pass/adaptors.hpp>
#include <tutti/pipeline/edit.hpp>
#include <tutti/pipeline/writing.hpp>
#include <tutti/runtime/edit.hpp>

#include "archetypes/pass.hpp"
#include "support/catch.hpp"
#include "support/described_passes.hpp"
#include "support/two_layers.hpp"

#include <string>

namespace {

namespace edit = tutti::edit;

template <class Layer, class Pipelines>
struct both {
    using layer = Layer;
    using pipelines = Pipelines;
};
struct erased_pipelines {
    static auto make(const auto&... pass) { return tutti::runtime::sequential<int>{{pass...}}; }
};
struct static_pipelines {
    static auto make(const auto&... pass) { return tutti::sequential(pass...); }
};

using all_static = both<static_layer, static_pipelines>;
using static_in_run_time_context = both<erased_layer, static_pipelines>;
using all_at_run_time = both<erased_layer, erased_pipelines>;

// The text of a pipeline, and what instruments see of it.
template <class Layer>
std::string observed(const auto& pipeline) {
    std::string text;
    full_recorder seen{"", text, recording::hooks_and_passes};
    auto context = Layer::template context<int>(setup{.opt_level = 2}, seen);
    int n = 1;
    Layer::with(context, [&](auto& scope) { scope.run(pipeline, n); });
    return text + tutti::write_pipeline(pipeline) + " makes " + std::to_string(n);
}

template <class Layer, tutti::fixed_string First, tutti::fixed_string Second>
void edit_laws(const auto& pipeline, const auto& first) {
    const auto same = [](const auto& a, const auto& b) { CHECK(observed<Layer>(a) == observed<Layer>(b)); };
    const double_it other{};
    // Inserting a pass and removing it changes nothing.
    constexpr tutti::fixed_string times = "times";
    const auto extra = times_adaptor::make(other);
    same(edit::remove<times>(edit::insert_before<First>(pipeline, extra)), pipeline);
    same(edit::remove<times>(edit::insert_after<First>(pipeline, extra)), pipeline);
    // Replacing a pass by itself, or by nothing.
    same(edit::replace<First>(pipeline, first), pipeline);
    same(edit::replace<First>(pipeline), edit::remove<First>(pipeline));
    same(edit::replace<First>(pipeline, other, first), edit::insert_before<First>(pipeline, other));
    same(edit::replace<First>(pipeline, first, other), edit::insert_after<First>(pipeline, other));
    // Several passes at once, or one after another.
    same(edit::insert_before<First>(pipeline, other, extra),
         edit::insert_before<First>(edit::insert_before<First>(pipeline, other), extra));
    // Edits of different passes can be exchanged.
    same(edit::remove<Second>(edit::insert_after<First>(pipeline, extra)),
         edit::insert_after<First>(edit::remove<Second>(pipeline), extra));
    // Starting and stopping at the same pass keeps that pass.
    same(edit::stop_after<Second>(edit::start_from<Second>(pipeline)),
         edit::start_from<Second>(edit::stop_after<Second>(pipeline)));
}

} // namespace

TEMPLATE_TEST_CASE("laws: edits of pipelines keep them", "[laws][edit]", all_static, static_in_run_time_context,
                   all_at_run_time) {
    using Layer = typename TestType::layer;
    using Pipelines = typename TestType::pipelines;
    const add_amount add{.amount = 3};
    const convert_layout layout{};
    edit_laws<Layer, "AddAmount", "ConvertLayout">(Pipelines::make(add, layout, add), add);
    edit_laws<Layer, "AddAmount", "ConvertLayout">(
        Pipelines::make(tutti::fixpoint(tutti::sequential(add, layout), 2), tutti::sequential<"Tail", 1>(add)), add);
    edit_laws<Layer, "AddAmount", "Tail">(
        Pipelines::make(add, tutti::sequential<"Tail", 1>(tutti::repeat(layout, 2)), tutti::repeat(add, 2)), add);
    edit_laws<Layer, "AddAmount", "repeat">(
        Pipelines::make(tutti::resolve(tutti::sequential(layout, add)), tutti::repeat(add, 3)), add);
}
