#include "passes.hpp"

#include <tutti/cache/cached.hpp>
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

std::vector<std::string> registered_names() {
    std::vector<std::string> names;
    for (const auto& pass : known().list()) names.emplace_back(pass.name);
    return names;
}

} // namespace tutti::test
