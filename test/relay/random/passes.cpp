#include "passes.hpp"

#include <tutti/cache/cached.hpp>
#include <tutti/instrument/check_properties.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/registry.hpp>
#include <tutti/relay/transform/module_division.hpp>
#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/pass_context.hpp>

namespace tutti::test {

namespace {

const runtime::registry<relay::ir_module>& known() {
    static const auto all = relay::registered_passes();
    return all;
}

} // namespace

relay::ir_module after_passes(relay::ir_module m, const std::string& pipeline) {
    const auto passes = runtime::parse_pipeline("InferType," + pipeline, known());
    runtime::pass_context<relay::ir_module> ctx{{.opt_level = 4}};
    tutti::with(ctx, [&](auto& scope) { scope.run(passes, m); });
    return m;
}

relay::ir_module after_cached_passes(relay::ir_module m, const std::string& pipeline, result_cache& cache,
                                     std::string& refused) {
    const runtime::any_pass<relay::ir_module> passes =
        tutti::cached(cache, runtime::parse_pipeline("InferType," + pipeline, known()));
    runtime::pass_context<relay::ir_module> ctx{{.opt_level = 4}};
    try {
        tutti::with(ctx, [&](auto& scope) { scope.run(passes, m); });
    } catch (const error& e) {
        constexpr std::string_view begin = "cached, pass ";
        if (!e.where().starts_with(begin)) throw;
        refused = e.where().substr(begin.size());
    }
    return m;
}

relay::ir_module after_rewrites(relay::ir_module m, const std::string& pipeline,
                                const std::function<bool(const asked_rewrite&)>& may_apply) {
    struct decides {
        const std::function<bool(const asked_rewrite&)>& may;
        std::size_t number = 0;

        bool should_apply(const pass_info& info, const rewrite_site& site) {
            return may({std::string(info.name), std::string(site.rule), std::string(site.part), std::string(site.where),
                        ++number});
        }
    } decide{may_apply};
    const auto passes = runtime::parse_pipeline("InferType," + pipeline, known());
    runtime::pass_context<relay::ir_module> ctx{{.opt_level = 4, .instruments = {decide}}};
    tutti::with(ctx, [&](auto& scope) { scope.run(passes, m); });
    return m;
}

namespace {

struct keeps_types : relay::to_a_normal_form {
    static constexpr pass_info info{.name = "KeepsTypes", .opt_level = 1};
    using breaks = properties<>;
};
struct gives_normal_form : relay::to_graph_normal_form {
    static constexpr pass_info info{.name = "GivesNormalForm", .opt_level = 1};
    using gives = properties<relay::in_a_normal_form>;
    using breaks = properties<>;
};

} // namespace

relay::ir_module with_checked_properties(relay::ir_module m, const std::string& pipeline, bool planted) {
    static const auto with_planted = [] {
        auto all = relay::registered_passes();
        all.add(keeps_types{});
        all.add(gives_normal_form{});
        return all;
    }();
    const auto passes = runtime::parse_pipeline("InferType," + pipeline, planted ? with_planted : known());
    instrument::check_properties checks{instrument::claimed_passes<relay::ir_module>(passes)};
    runtime::pass_context<relay::ir_module> ctx{{.opt_level = 4, .instruments = {checks}}};
    tutti::with(ctx, [&](auto& scope) { scope.run(passes, m); });
    return m;
}

std::vector<std::string> registered_names() {
    std::vector<std::string> names;
    for (const auto& pass : known().list()) names.emplace_back(pass.name);
    return names;
}

} // namespace tutti::test
