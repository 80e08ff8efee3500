// The cost of `ctx.may_apply` in nanoseconds per rewrite: without instruments, beside one with other hooks, with one that
// decides, and with `rewrite_limit`, whose texts are made for each rewrite. Each pass asks about 1,000 rewrites.

#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/runtime/pass_context.hpp>
#include <tutti/search/rewrite_limit.hpp>

#include "cpu_time.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace {

constexpr int rewrites = 1000;

struct sums {
    unsigned n = 1;
};

[[gnu::noinline]] void rewrite(sums& s, unsigned by) { s.n = s.n * 1664525U + by; }

const auto by_hand = [](sums& s) {
    for (unsigned i = 0; i < rewrites; ++i) rewrite(s, i);
};
constexpr auto asks = tutti::make_pass<"Asks">([](sums& s, auto& ctx) {
    for (unsigned i = 0; i < rewrites; ++i)
        if (ctx.may_apply("rule", [&] { return "place " + std::to_string(i); }, "main")) rewrite(s, i);
});
constexpr auto asks_with_texts = tutti::make_pass<"AsksWithTexts">([](sums& s, auto& ctx) {
    for (unsigned i = 0; i < rewrites; ++i)
        if (ctx.may_apply("rule", "place", "main")) rewrite(s, i);
});

struct only_before {
    void run_before_pass(const sums&, const tutti::pass_info&) {}
};
struct allows {
    unsigned asked = 0;
    bool should_apply(const tutti::pass_info&, const tutti::rewrite_site&) { return ++asked != 0; }
};

template <class Run>
double nanoseconds(Run&& run) {
    constexpr int times = 200;
    double best = 1e300;
    for (int round = 0; round < 7; ++round) {
        const double begin = now_ns();
        for (int i = 0; i < times; ++i) run();
        best = std::min(best, (now_ns() - begin) / (times * rewrites));
    }
    return best;
}

bool row(const char* name, double base, auto&& ctx, const auto& pass) {
    sums s;
    const double all = tutti::with(ctx, [&](auto& scope) { return nanoseconds([&] { scope.run(pass, s); }); });
    std::printf("%-50s %6.2f  %+7.2f\n", name, all, all - base);
    return s.n != 0;
}

} // namespace

int main() {
    using tutti::instruments, tutti::pass_context;
    using erased = tutti::runtime::pass_context<sums>;
    sums s;
    const double base = nanoseconds([&] { by_hand(s); });
    std::printf("%-50s %6s  %7s\n%-50s %6.2f\n", "ns per rewrite", "all", "asking", "by hand", base);
    tutti::instrument::rewrite_limit<> limit;
    allows allow;
    only_before before;
    bool good = s.n != 0;
    good &= row("static, no instrument", base, pass_context{}, asks);
    good &= row("static, an instrument with other hooks", base, pass_context{instruments(before)}, asks);
    good &= row("static, one that decides", base, pass_context{instruments(allow)}, asks_with_texts);
    good &= row("static, one that decides, and a text is made", base, pass_context{instruments(allow)}, asks);
    good &= row("static, rewrite_limit", base, pass_context{instruments(limit)}, asks);
    good &= row("erased, no instrument", base, erased{{}}, asks);
    good &= row("erased, an instrument with other hooks", base, erased{{.instruments = {before}}}, asks);
    good &= row("erased, one that decides", base, erased{{.instruments = {allow}}}, asks_with_texts);
    good &= row("erased, rewrite_limit", base, erased{{.instruments = {limit}}}, asks);
    return good && limit.count() != 0 ? 0 : 1;
}
