// Wrong rewrites planted into ResNet-18, a recurrent network and random programs are found by `bisect_rewrites`, which
// names the pass, the rule and the place. An environment variable sets the number of wrong rewrites:
//
//     TUTTI_PLANTED=100 build/random/test/test_relay_random "planted rewrites*"

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/synthetic.hpp>
#include <tutti/relay/model/lstm.hpp>
#include <tutti/relay/model/resnet.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/passes.hpp>
#include <tutti/relay/testing/random_module.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/text/write_metadata.hpp>
#include <tutti/relay/transform/rewrite/pattern_rules.hpp>
#include <tutti/relay/transform/rewrite/scalar_constant.hpp>
#include <tutti/relay/transform/rule_pass.hpp>
#include <tutti/search/bisect_rewrites.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace tutti;
using instrument::bisect_limit;
using instrument::named_rewrite;
using instrument::rewrite_limit;

namespace {

/// The wrong rewrite: a rule of a pass, and the location of the expression. The rule of all other places is right.
struct {
    std::string pass{}, rule{}, where{};
    relay::expr_id (*call)(relay::rewriter&, relay::expr_id) = nullptr; // the rule as it is
    relay::expr_id (*site)(relay::rule_site&) = nullptr;
} planted;

bool is_here(const relay::graph& g, relay::expr_id e) {
    const relay::source_location at = g.location(e);
    return planted.where.ends_with(":" + std::to_string(at.line) + ":" + std::to_string(at.column));
}

relay::expr_id wrong_call(relay::rewriter& r, relay::expr_id call) {
    const relay::expr_id made = planted.call(r, call);
    if (made == relay::expr_id::none || !is_here(r.from(), call)) return made;
    const relay::dtype element = relay::element_of(r.from(), r.from().arguments(call)[0]);
    return relay::add({&r.to(), made}, relay::scalar_constant(r.to(), element, 1)).id;
}
relay::expr_id wrong_site(relay::rule_site& s) {
    const relay::expr_id made = planted.site(s);
    if (made == relay::expr_id::none || !is_here(s.from(), s.root())) return made;
    relay::tensor one(s.element(), {});
    kernel::number(1.0).put(one, 0);
    return s.call<relay::op::add>({made, s.constant(std::move(one))});
}

/// A pass with the rules of `P`. One rule may be wrong at one place.
template <class P>
struct with_planted {
    static constexpr pass_info info = P::info;
    using required = passes<relay::infer_type>;

    void operator()(relay::ir_module& m, auto& ctx) const {
        const auto given = P::rules();
        if constexpr (requires { given.kernels; }) {
            std::vector<relay::rewrite_rule> rules(given.rules.begin(), given.rules.end());
            for (relay::rewrite_rule& each : rules)
                if (info.name == planted.pass && each.name == planted.rule)
                    planted.site = std::exchange(each.replace, &wrong_site);
            run(m, ctx, relay::pattern_rules{rules, given.kernels});
        } else {
            std::vector<relay::call_rule> rules(given.begin(), given.end());
            for (relay::call_rule& each : rules)
                if (info.name == planted.pass && each.name() == planted.rule)
                    planted.call = std::exchange(each.replace, &wrong_call);
            run(m, ctx, std::span<const relay::call_rule>(rules));
        }
    }

private:
    static void run(relay::ir_module& m, auto& ctx, const auto& rules) {
        relay::transform_functions(m, ctx, info, [&](const relay::function& f, const relay::pass_notes& notes) {
            return relay::apply_rules(f, rules, {false, notes});
        });
    }
};

const auto pipeline =
    sequential(relay::infer_type{}, with_planted<relay::simplify_inference>{}, relay::fold_constant{},
               with_planted<relay::canonicalize_ops>{}, relay::defuse_ops{}, with_planted<relay::simplify_expr>{},
               with_planted<relay::fold_explicit_padding>{}, with_planted<relay::div_to_mul>{},
               with_planted<relay::fast_math>{}, relay::eliminate_common_subexpr{}, relay::fuse_ops{});

relay::ir_module after(relay::ir_module m, auto&... instruments) {
    pass_context ctx{opt_level<4>, tutti::instruments(instruments...)};
    with(ctx, [&](auto& scope) { scope.run(pipeline, m); });
    return m;
}

/// A program with inputs, whose expressions have locations.
struct subject {
    std::string name;
    relay::ir_module program;
    std::vector<relay::tensor> inputs;
    std::vector<relay::tensor> results{};

    subject(std::string called, const relay::ir_module& m, std::vector<relay::tensor> given = {})
        : name(std::move(called))
        , program(
              relay::parse(relay::to_text(m, {.metadata = relay::write_metadata}), {.metadata = relay::read_metadata}))
        , inputs(std::move(given)) {
        relay::infer_types(program);
        if (inputs.empty()) {
            const relay::evaluator e(program);
            for (const relay::parameter& p : e.parameters())
                inputs.push_back(relay::synthetic_input(p.name, e.types(), p.type));
        }
        results = evaluated(after(program));
    }

    std::vector<relay::tensor> evaluated(const relay::ir_module& m) const {
        relay::evaluator e(m);
        const auto all = e.run(std::span<const relay::tensor>(inputs));
        return {all.begin(), all.end()};
    }
    /// True if a program computes the results of the right pipeline, up to rounding.
    bool is_right(const relay::ir_module& m) const {
        const auto others = evaluated(m);
        for (std::size_t r = 0; r < results.size(); ++r)
            for (std::int64_t i = 0; i < results[r].size(); ++i) {
                const double a = relay::number_at(results[r], i), b = relay::number_at(others[r], i);
                if (!(std::abs(a - b) <= 1e-3 * std::max(1e-3, std::abs(a))) && !(std::isnan(a) && std::isnan(b)))
                    return false;
            }
        return true;
    }
};

/// Returns the places of the planted passes' rewrites that have a location of their own.
std::vector<named_rewrite> places(const relay::ir_module& m) {
    struct lists {
        std::vector<named_rewrite> all{};
        bool should_apply(const pass_info& info, const rewrite_site& site) {
            const bool located = site.where.find_first_of("0123456789") != std::string_view::npos &&
                                 site.where.find(' ') == std::string_view::npos;
            constexpr std::string_view changed = "SimplifyInference CanonicalizeOps SimplifyExpr FoldExplicitPadding "
                                                 "DivToMul FastMath";
            if (located && changed.find(info.name) != std::string_view::npos)
                all.push_back(
                    {std::string(info.name), std::string(site.rule), std::string(site.where), std::string(site.part)});
            return true;
        }
    } listed;
    after(m, listed);
    return listed.all;
}

/// Plants a wrong rewrite and searches for it. Returns the number of checks; 0 if the results stay right.
std::size_t search(const subject& s, const named_rewrite& wrong) {
    planted.pass = wrong.pass;
    planted.rule = wrong.rule;
    planted.where = wrong.where;
    const instrument::rewrite_bisection found =
        instrument::bisect_rewrites([&](bisect_limit<>& passes, rewrite_limit<>& rewrites) {
            return s.is_right(after(s.program, passes, rewrites));
        });
    planted = {};
    if (!found.failed) return 0;
    INFO(s.name << ": planted " << to_text(wrong) << ", found " << found.pass << " " << to_text(found.what));
    CHECK(found.what.pass == wrong.pass);
    CHECK(found.what.rule == wrong.rule);
    CHECK(found.what.where == wrong.where);
    std::printf("%-12s %-55s rewrite %3zu of %3zu, pass %2zu of %2zu: %2zu checks\n", s.name.c_str(),
                to_text(wrong).c_str(), found.rewrite, found.rewrites, found.number, found.passes, found.tries);
    return found.tries;
}

std::size_t wanted() {
    const char* const said = std::getenv("TUTTI_PLANTED");
    return said == nullptr ? 20 : static_cast<std::size_t>(std::strtoull(said, nullptr, 10));
}

} // namespace

TEST_CASE("planted rewrites: bisecting names the wrong rewrite in networks and random programs", "[relay][random]") {
    const std::size_t total = wanted();
    std::size_t checks = 0, count = 0;
    std::set<std::string> rules;
    std::map<std::string, std::size_t> times; // by rule
    // Plants at most `most` rewrites, and at most `per_rule` of each rule.
    const auto plant = [&](const subject& s, std::size_t most, std::size_t per_rule) {
        if (!s.is_right(s.program)) return; // passes change its results, because it amplifies rounding
        const std::vector<named_rewrite> all = places(s.program);
        std::size_t done = 0;
        for (std::size_t i = all.size(); i-- > 0 && done < most && count < total;) {
            std::size_t& used = times[all[i].pass + all[i].rule];
            if (used >= per_rule) continue;
            const std::size_t tries = search(s, all[i]);
            if (tries == 0) continue;
            ++used;
            ++done;
            ++count;
            checks += tries;
            rules.insert(all[i].pass + ", " + all[i].rule);
        }
    };
    plant({"ResNet-18", relay::model::resnet({.image_shape = {3, 32, 32}, .classes = 10})}, total / 4, 3);
    plant({"LSTM", relay::model::lstm()}, total / 4, 2);
    for (std::uint64_t seed = 1; count < total && seed < 3000; ++seed) {
        relay::testing::random_module made = relay::testing::make_random_module(seed);
        relay::infer_types(made.program);
        try {
            plant({"seed " + std::to_string(seed), made.program, {made.inputs.begin(), made.inputs.end()}}, 1,
                  std::max<std::size_t>(2, total / 10));
        } catch (const error&) { // it cannot be evaluated
        }
    }
    std::printf("%zu wrong rewrites of %zu rules found in %zu checks, %.1f each\n", count, rules.size(), checks,
                static_cast<double>(checks) / static_cast<double>(count));
    CHECK(count == total);
    CHECK(rules.size() >= (total >= 20 ? 10U : 2U));
}
