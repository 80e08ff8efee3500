// The core without exceptions and RTTI. It behaves as usual, except that errors terminate the program.

#include <tutti/instrument.hpp>
#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include <boost/hana/tuple.hpp>

namespace {

struct function {
    int cost = 0;
};
struct module {
    std::array<function, 2> functions{function{5}, function{8}};
};

} // namespace

template <>
struct tutti::unit_traits<function> {
    static constexpr std::string_view name = "function";
    static std::uint64_t fingerprint(const function& f) { return static_cast<std::uint64_t>(f.cost); }
};
template <>
struct tutti::unit_traits<module> {
    static constexpr std::string_view name = "module";
    static std::array<function, 2>& parts(module& m) { return m.functions; }
    static std::string to_text(const module& m) {
        return std::to_string(m.functions[0].cost) + " " + std::to_string(m.functions[1].cost);
    }
    static void verify(const module& m) {
        if (m.functions[0].cost < 0) raise(tutti::error{"the first function", "costs less than nothing"});
    }
    static tutti::operator_counts count_operators(const module& m) {
        tutti::operator_counts counts;
        counts["step"] = m.functions[0].cost + m.functions[1].cost;
        return counts;
    }
};

namespace {

int computed = 0;

struct total {
    static constexpr std::string_view name = "Total";
    int operator()(const module& m) const {
        ++computed;
        return m.functions[0].cost + m.functions[1].cost;
    }
};
struct look {
    static constexpr tutti::pass_info info{.name = "Look"};
    tutti::change operator()(module& m, auto& ctx) const {
        ctx.count("total", ctx.template get<total>(m) + ctx.template get<total>(m));
        return tutti::unchanged;
    }
};
struct halve {
    static constexpr tutti::pass_info info{.name = "Halve", .opt_level = 1};
    int by = 2;
    static constexpr auto options = boost::hana::make_tuple(tutti::option{"by", &halve::by});

    tutti::change operator()(function& f, auto& ctx) const {
        if (f.cost < by) {
            ctx.remark(tutti::remark_kind::missed, "function", "too cheap");
            return tutti::unchanged;
        }
        f.cost /= by;
        return tutti::changed;
    }
};
struct renew { // by value
    static constexpr tutti::pass_info info{.name = "Renew"};
    using required = tutti::passes<look>;
    module operator()(module m) const {
        m.functions[1].cost += 4;
        return m;
    }
};
struct never {
    static constexpr tutti::pass_info info{.name = "Never", .opt_level = 3};
    void operator()(module& m) const { m = {}; }
};

// An instrument with every hook. The failure hooks are accepted, but never called.
struct recorder {
    std::string text;

    void enter_pass_ctx() { text += "enter\n"; }
    void exit_pass_ctx() { text += "exit\n"; }
    bool should_run(const auto&, const tutti::pass_info&) { return true; }
    void run_before_pass(const auto&, const tutti::pass_run& run) { indent(run).append(run.name).append("\n"); }
    void run_after_pass(const auto&, const tutti::pass_run& run, tutti::change what) {
        indent(run).append(what == tutti::changed     ? "changed\n"
                           : what == tutti::unchanged ? "unchanged\n"
                                                      : "unknown\n");
    }
    void pass_skipped(const tutti::pass_info& info, tutti::skip_reason why) {
        text.append(info.name).append(" skipped: ").append(to_string(why)).append("\n");
    }
    void pass_failed(const auto*, const tutti::pass_info& info, const std::exception_ptr&) {
        text.append(info.name).append(" failed\n");
    }
    void pass_counted(const tutti::pass_info& info, std::string_view name, std::int64_t n) {
        text.append(info.name).append(" ").append(name).append(" ").append(std::to_string(n)).append("\n");
    }
    void pass_remarked(const tutti::pass_info& info, const tutti::remark& said) {
        text.append(info.name).append(" ").append(said.text).append("\n");
    }
    void analysis_kept(const tutti::pass_info&, const tutti::kept_analysis& kept) {
        if (!kept.holds()) text.append(kept.name).append(" does not hold\n");
    }

    std::string& indent(const tutti::pass_run& run) {
        return text.append(static_cast<std::size_t>(run.depth) + 1, ' ');
    }
};

void show(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

} // namespace

int main(int argc, char**) {
    constexpr auto pipeline = tutti::sequential(
        look{}, tutti::sequential<"inner">(tutti::each<function>(tutti::fixpoint(halve{.by = 4}, 3)), never{}),
        renew{});
    recorder seen;
    module m;
    tutti::pass_context static_context{tutti::instruments(seen), tutti::analysis_cache{}, tutti::as_current{}};
    tutti::with(static_context, [&](auto& scope) { scope.run(pipeline, m); });
    show(seen.text + tutti::unit_traits<module>::to_text(m) + ", " + std::to_string(computed) + " computed\n\n");

    // The same passes at run time.
    using known = tutti::passes<look, halve, renew, never>;
    const tutti::runtime::registry<module> registry{known{}};
    const auto read = tutti::runtime::parse_pipeline(
        "Look, seq[inner](function(fixpoint{limit=3}(Halve{by=4})), Never), Renew", registry);
    show(tutti::write_pipeline(read) + "\n");
    recorder seen_again;
    module other;
    tutti::runtime::pass_context<module> run_time_context{{.instruments = {seen_again}}};
    tutti::with(run_time_context, [&](auto& scope) { scope.run(read, other); });
    show(seen_again.text == seen.text ? "the same\n\n" : seen_again.text);

    // A run by value, and one in a context entered with a guard.
    seen.text.clear();
    m = tutti::with(static_context, [&](auto& scope) { return scope.run(renew{}, module{m}); });
    {
        tutti::entered in{static_context};
        in.run(never{}, m);
    }
    show(seen.text + tutti::unit_traits<module>::to_text(m) + "\n\n");

    // The instruments of the library.
    tutti::instrument::timing timing;
    tutti::instrument::op_diff diff;
    tutti::instrument::statistics counted;
    tutti::instrument::remarks remarks;
    tutti::instrument::print_ir print{{.after = {"Renew"}}, show};
    tutti::instrument::callbacks skipped{.pass_skipped = [](const tutti::pass_info& info, tutti::skip_reason why) {
        show(std::string{info.name} + " skipped: " + std::string{to_string(why)} + "\n");
    }};
    tutti::pass_context ctx{tutti::analysis_cache{},
                            tutti::instruments(timing, diff, counted, remarks, print, skipped,
                                               tutti::instrument::verify{}, tutti::instrument::check_analyses{})};
    m = {};
    tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, m); });
    show(std::to_string(timing.last().size()) + " passes timed\n");
    show(diff.render() + counted.render() + remarks.render());
    std::fflush(stdout);

    if (argc > 1) tutti::runtime::parse_pipeline("Lok", registry); // a syntax error terminates the program
}
