// Uses parts of the core on which compilers and standard libraries disagreed, and prints the results.

#include <tutti/instrument.hpp>
#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

struct number {
    double value = 0;
};
template <>
struct tutti::unit_traits<number> {
    static std::string to_text(const number& n) { return std::to_string(n.value) + "\n"; }
};

namespace {

struct scale {
    double factor = 2;
    static constexpr tutti::pass_info info{.name = "Scale", .opt_level = 1};
    static constexpr tutti::option_list<&scale::factor> options{"factor"};
    void operator()(number& n) const { n.value *= factor; }
};
struct shift {
    static constexpr tutti::pass_info info{.name = "Shift"};
    using required = tutti::passes<scale>;
    number operator()(number n, auto& ctx) const {
        ctx.count("shifted");
        ctx.remark(tutti::remark_kind::applied, "number", "shifted");
        return {n.value + 1};
    }
};
struct observer {
    int before = 0, changed = 0, failed = 0;
    bool should_run(const number&, const tutti::pass_info&) { return true; }
    void run_before_pass(const number&, const tutti::pass_run&) { ++before; }
    void run_after_pass(const number&, const tutti::pass_info&, tutti::change) { ++changed; }
    void pass_failed(const number*, const tutti::pass_info&, const std::exception_ptr&) { ++failed; }
};
struct half {
    double operator()(const number& n) const { return n.value / 2; }
};

void print(std::string_view about, const number& n, const observer& o) {
    std::printf("%.*s: %g, %d before, %d after, %d failed\n", static_cast<int>(about.size()), about.data(), n.value,
                o.before, o.changed, o.failed);
}

} // namespace

int main() {
    const double least = 2;
    const auto pipeline = tutti::sequential(
        shift{}, tutti::only_if([least](const number& n) { return n.value > least; }, scale{.factor = 10}),
        tutti::fixpoint(tutti::make_pass<"Half">([](number& n, auto& ctx) { n.value = ctx.template get<half>(n); }),
                        2));

    observer seen;
    tutti::instrument::timing timing;
    tutti::instrument::statistics statistics;
    tutti::pass_context fixed{tutti::opt_level<3>, tutti::analysis_cache{},
                              tutti::instruments(seen, timing, statistics)};
    number n{1};
    tutti::with(fixed, [&](auto& scope) { scope.run(pipeline, n); });
    print("static", n, seen);

    tutti::runtime::registry<number> known{tutti::passes<scale, shift>{}};
    observer again;
    tutti::runtime::pass_context<number> ctx{{.opt_level = 3, .instruments = {again}}};
    const auto read = tutti::runtime::parse_pipeline("Shift,repeat{times=2}(Scale{factor=2.5e-1})", known);
    const number result = tutti::with(ctx, [&](auto& scope) { return scope.run(read, number{1}); });
    print("run time", result, again);
    std::printf("%s\n", tutti::write_pipeline(read).c_str());
    return 0;
}
