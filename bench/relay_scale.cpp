// The cost per call of the basic steps, as programs grow from 10^3 to 10^7 calls of two operands. Programs are a chain
// (as deep as it is long) and a balanced tree. The targets are on the right: per call, 150 ns for InferType, 30 ns for
// a copy, 5 ns for destruction, and 64 bytes. "growth" is the cost at the last size divided by the cost at 10^5. Its
// limit is 1.3.
//
// The arguments are the largest number of calls (default 10^7, which takes 4 GiB), and a prefix of the rows to measure
// (default: all rows).
//
// On a comparable machine, for a call of two operands, MLIR 19 clones in 205-519 ns, destroys in 77-121 ns, and uses
// 176-267 bytes. The reference infers types in 13,000 ns.

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/transform/passes/dead_code_elimination.hpp>
#include <tutti/relay/transform/passes/eliminate_common_subexpr.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/passes/fuse_ops.hpp>
#include <tutti/relay/transform/passes/to_a_normal_form.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

#include "cpu_time.hpp"
#include "freed_memory.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/resource.h>

namespace relay = tutti::relay;

namespace {

relay::expr operand(relay::builder& b, bool constant, std::string_view name) {
    if (!constant) return b.variable(name, {16, 16});
    return b.constant(1.0f);
}

/// Returns the chain `add(add(add(x, y), y), y) …`.
relay::ir_module chain(std::size_t calls, bool constant) {
    relay::builder b;
    const relay::expr x = operand(b, constant, "x");
    const relay::expr y = operand(b, constant, "y");
    relay::expr last = x;
    for (std::size_t i = 0; i < calls; ++i) last = relay::add(last, y);
    if (constant) return relay::ir_module(b.function({}, last));
    return relay::ir_module(b.function({x, y}, last));
}

/// Returns the balanced tree `add(add(add(x, y), add(x, y)), add(add(x, y), add(x, y))) …`.
relay::ir_module tree(std::size_t calls, bool constant) {
    relay::builder b;
    const relay::expr x = operand(b, constant, "x");
    const relay::expr y = operand(b, constant, "y");
    std::vector<relay::expr> level((calls + 1) / 2);
    for (relay::expr& e : level) e = relay::add(x, y);
    while (level.size() > 1) {
        std::vector<relay::expr> next;
        next.reserve(level.size() / 2 + 1);
        for (std::size_t i = 0; i + 1 < level.size(); i += 2) next.push_back(relay::add(level[i], level[i + 1]));
        if (level.size() % 2 != 0) next.push_back(level.back());
        level = std::move(next);
    }
    if (constant) return relay::ir_module(b.function({}, level.front()));
    return relay::ir_module(b.function({x, y}, level.front()));
}

using shape = relay::ir_module (*)(std::size_t calls, bool constant);

struct measure {
    const char* name;
    double target; // at the largest size; 0 is none
    double (*run)(shape, std::size_t calls);
};

template <class Pass>
int apply(const Pass& pass, relay::ir_module& m) {
    tutti::pass_context ctx{tutti::opt_level<3>};
    tutti::with(ctx, [&](auto& scope) { scope.run(pass, m); });
    return 0;
}

relay::ir_module typed(shape s, std::size_t calls, bool constant = false) {
    relay::ir_module m = s(calls, constant);
    relay::infer_types(m);
    return m;
}

/// Returns the program with a let for each call. Half of the lets are unused unless `all_needed`.
relay::ir_module bound(shape s, std::size_t calls, bool all_needed) {
    relay::ir_module m = typed(s, all_needed ? calls : calls / 2);
    if (!all_needed) {
        relay::function& f = *m.find("main");
        relay::graph& g = f.graph;
        relay::expr_id body = g.body(f.root);
        const std::vector<relay::expr_id> params(g.params(f.root).begin(), g.params(f.root).end());
        relay::expr last{&g, params[0]};
        for (std::size_t i = 0; i < calls / 2; ++i) {
            const relay::expr variable{&g, g.variable("unused")};
            last = relay::add(last, {&g, params[1]});
            body = g.let(variable.id, last.id, body);
        }
        f.root = g.function(params, body);
    }
    relay::to_a_normal_form{}(m);
    relay::infer_types(m);
    return m;
}

relay::function half_replaced(const relay::function& f) {
    bool replace = false;
    return relay::rewriter(f).rewrite([&](relay::rewriter& r, relay::expr_id e) {
        if (r.from().kind(e) != relay::expr_kind::call || !(replace = !replace)) return r.rebuild(e);
        return relay::subtract(relay::argument(r, e, 0), relay::argument(r, e, 1)).id;
    });
}

double eliminate_dead_code(const relay::ir_module& m, std::size_t calls) {
    return ns(
        calls, [&] { return m; }, [](relay::ir_module& given) { return apply(relay::dead_code_elimination{}, given); });
}

constexpr std::array measures{
    measure{"build", 0,
            [](shape s, std::size_t n) { return ns(n, [] { return 0; }, [&](int) { return s(n, false); }); }},
    measure{"rewriter, half of them replaced", 0,
            [](shape s, std::size_t n) {
                const relay::ir_module m = s(n, false);
                return ns(n, [] { return 0; }, [&](int) { return half_replaced(*m.find("main")); });
            }},
    measure{"InferType", 150,
            [](shape s, std::size_t n) {
                const relay::ir_module m = s(n, false);
                return ns(
                    n, [&] { return m; },
                    [](relay::ir_module& given) {
                        relay::infer_types(given);
                        return 0;
                    });
            }},
    measure{"copy", 30,
            [](shape s, std::size_t n) {
                const relay::ir_module m = typed(s, n);
                return ns(n, [] { return 0; }, [&](int) { return m; });
            }},
    measure{"destroy", 5,
            [](shape s, std::size_t n) {
                const relay::ir_module m = typed(s, n);
                return ns(
                    n, [&] { return std::optional(m); },
                    [](std::optional<relay::ir_module>& given) {
                        given.reset();
                        return 0;
                    });
            }},
    measure{"structural_equal, of a copy", 0,
            [](shape s, std::size_t n) {
                const relay::ir_module m = typed(s, n);
                const relay::ir_module other = m;
                return ns(n, [] { return 0; }, [&](int) { return relay::structural_equal(m, other); });
            }},
    measure{"structural_equal, walked over", 0,
            [](shape s, std::size_t n) {
                const relay::ir_module m = typed(s, n);
                relay::ir_module other = m;
                other.find("main")->graph.types().tuple({}); // rules out the shortcut for copies
                return ns(n, [] { return 0; }, [&](int) { return relay::structural_equal(m, other); });
            }},
    measure{"structural_hash", 0,
            [](shape s, std::size_t n) {
                const relay::ir_module m = typed(s, n);
                return ns(n, [] { return 0; }, [&](int) { return relay::structural_hash(m); });
            }},
    measure{"verify_structure", 0,
            [](shape s, std::size_t n) {
                const relay::ir_module m = typed(s, n);
                return ns(
                    n, [] { return 0; },
                    [&](int) {
                        relay::verify_structure(m);
                        return 0;
                    });
            }},
    measure{"verify, types inferred again", 0,
            [](shape s, std::size_t n) {
                const relay::ir_module m = typed(s, n);
                return ns(
                    n, [] { return 0; },
                    [&](int) {
                        relay::verify(m);
                        return 0;
                    });
            }},
    measure{"FoldConstant, nothing to fold", 0,
            [](shape s, std::size_t n) {
                const relay::ir_module m = typed(s, n);
                return ns(
                    n, [&] { return m; }, [](relay::ir_module& given) { return apply(relay::fold_constant{}, given); });
            }},
    measure{"FoldConstant, everything folds", 0,
            [](shape s, std::size_t n) {
                const relay::ir_module m = typed(s, n, true);
                return ns(
                    n, [&] { return m; }, [](relay::ir_module& given) { return apply(relay::fold_constant{}, given); });
            }},
    measure{"EliminateCommonSubexpr", 120,
            [](shape s, std::size_t n) {
                const relay::ir_module m = typed(s, n);
                return ns(
                    n, [&] { return m; },
                    [](relay::ir_module& given) { return apply(relay::eliminate_common_subexpr{}, given); });
            }},
    measure{"FuseOps", 400,
            [](shape s, std::size_t n) {
                const relay::ir_module m = typed(s, n);
                return ns(
                    n, [&] { return m; },
                    [](relay::ir_module& given) { return apply(relay::fuse_ops{.fuse_opt_level = 2}, given); });
            }},
    measure{"ToANormalForm", 0,
            [](shape s, std::size_t n) {
                const relay::ir_module m = typed(s, n);
                return ns(
                    n, [&] { return m; },
                    [](relay::ir_module& given) {
                        relay::to_a_normal_form{}(given);
                        return 0;
                    });
            }},
    measure{"DeadCodeElimination, all needed", 80,
            [](shape s, std::size_t n) { return eliminate_dead_code(bound(s, n, true), n); }},
    measure{"DeadCodeElimination, half needed", 80,
            [](shape s, std::size_t n) { return eliminate_dead_code(bound(s, n, false), n); }},
    measure{"print", 0,
            [](shape s, std::size_t n) {
                const relay::ir_module m = typed(s, n);
                return ns(n, [] { return 0; }, [&](int) { return relay::to_text(m); });
            }},
    measure{"bytes, as built", 64,
            [](shape s, std::size_t n) {
                const double before = bytes_in_use();
                const relay::ir_module m = typed(s, n);
                return (bytes_in_use() - before) / static_cast<double>(n);
            }},
    measure{"bytes, as copied", 64,
            [](shape s, std::size_t n) {
                const relay::ir_module m = typed(s, n);
                const double before = bytes_in_use();
                const relay::ir_module copy = m;
                return (bytes_in_use() - before) / static_cast<double>(n);
            }},
};

void table(const char* name, shape s, std::size_t most, std::string_view begin) {
    constexpr std::size_t growth_from = 100'000;
    std::printf("%-32s", name);
    for (std::size_t n = 1000; n <= most; n *= 10) std::printf(" %9zu", n);
    std::printf("    growth    target\n");
    for (const measure& m : measures) {
        if (!std::string_view(m.name).starts_with(begin)) continue;
        std::printf("%-32s", m.name);
        double early = 0, last = 0;
        for (std::size_t n = 1000; n <= most; n *= 10) {
            last = m.run(s, n);
            if (n <= growth_from) early = last;
            std::printf(" %9.1f", last);
            std::fflush(stdout);
        }
        std::printf(" %9.2f", last / early);
        if (m.target > 0) std::printf("  <= %5.0f%s", m.target, last <= m.target ? "" : " missed");
        std::printf("\n");
    }
}

} // namespace

int main(int count, char** given) {
    const std::size_t most = count > 1 ? std::strtoull(given[1], nullptr, 10) : 10'000'000;
    const std::string_view begin = count > 2 ? given[2] : "";
    keep_freed_memory(); // excludes page faults
    rlimit stack{};
    getrlimit(RLIMIT_STACK, &stack);
    std::printf("ns or bytes a call; stack of %zu KiB\n\n", static_cast<std::size_t>(stack.rlim_cur) / 1024);
    table("chain", chain, most, begin);
    std::printf("\n");
    table("balanced tree", tree, most, begin);
}
