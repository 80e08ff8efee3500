// Finds faulty passes. A pipeline over a module of functions has a wrong result. Three of its passes are faulty: one
// computes a wrong value, one changes the module but reports no change, and one throws. The instruments know the module
// only through its unit_traits, and behave the same in static and run-time contexts.

#include <tutti/instrument/print_changed.hpp>
#include <tutti/instrument/time_trace.hpp>
#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>
#include <tutti/search/bisect.hpp>
#include <tutti/search/crash_reproducer.hpp>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

struct function {
    std::string name;
    std::vector<int> values{};
};
struct ir_module {
    std::vector<function> functions{};
};

template <>
struct tutti::unit_traits<function> {
    static constexpr std::string_view name = "function";
    static std::string to_text(const function& f) {
        std::string text = f.name + ":";
        for (const int value : f.values) text += " " + std::to_string(value);
        return text + "\n";
    }
};
template <>
struct tutti::unit_traits<ir_module> {
    static constexpr std::string_view name = "module", comment = ";";
    static std::vector<function>& parts(ir_module& m) { return m.functions; }
    static std::string to_text(const ir_module& m) {
        std::string text;
        for (const function& f : m.functions) text += unit_traits<function>::to_text(f);
        return text;
    }
};

// Passes must not change the sum of a function.
constexpr auto drop_zeros = tutti::make_pass<"DropZeros">([](function& f) { std::erase(f.values, 0); });
constexpr auto join_first = tutti::make_pass<"JoinFirst">([](function& f) {
    if (f.values.size() < 2) return tutti::unchanged;
    f.values[1] += f.values[0];
    f.values.erase(f.values.begin());
    return tutti::unchanged; // wrong: it changed the function
});
constexpr auto round_up = tutti::make_pass<"RoundUp">([](function& f) {
    for (int& value : f.values) value += value % 10 == 9 ? 1 : 0; // wrong: it changes the sum
});
struct check_size {
    static constexpr tutti::pass_info info{.name = "CheckSize"};
    int at_most = 3;
    static constexpr tutti::option_list<&check_size::at_most> options{"at_most"};
    void operator()(ir_module& m) const {
        if (static_cast<int>(m.functions.size()) > at_most) throw tutti::error{"CheckSize", "too many functions"};
    }
};

const auto pipeline =
    tutti::sequential(tutti::each<function>(drop_zeros, tutti::repeat(tutti::sequential(join_first, round_up), 2)),
                      check_size{.at_most = 1});

ir_module fresh() { return {{{"main", {1, 0, 2, 3}}, {"odd", {0, 4, 15, 7}}}}; }

bool is_right(const ir_module& m) {
    int sum = 0;
    for (const function& f : m.functions)
        for (const int value : f.values) sum += value;
    return sum == 32;
}

std::string all_that_is_said(auto make_context) {
    std::ostringstream out;
    const auto run = [&](const auto& passes, auto&... instrument) {
        ir_module m = fresh();
        auto ctx = make_context(instrument...);
        try {
            tutti::with(ctx, [&](auto& scope) { scope.run(passes, m); });
        } catch (const tutti::error& e) {
            out << e.what() << '\n';
        }
        return m;
    };
    using namespace tutti::instrument;

    print_changed print{{.passes = {"JoinFirst"}}, [&](std::string_view text) { out << text; }};
    crash_reproducer keep{{.file = "crash.txt", .pipeline = tutti::write_pipeline(pipeline)}};
    time_trace trace;
    run(pipeline, print, keep, trace);
    out << '\n' << std::ifstream{"crash.txt"}.rdbuf() << '\n';
    const std::string json = trace.render();
    std::size_t failed = 0;
    for (std::size_t at = json.find("\"failed\""); at != std::string::npos; at = json.find("\"failed\"", at + 1))
        ++failed;
    out << "the trace has " << failed << " passes that failed\n";

    const bisection found = bisect([&](bisect_limit<>& limit) {
        ir_module m = fresh();
        auto ctx = make_context(limit);
        tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(at<0>(pipeline.stages)), m); });
        return is_right(m);
    });
    out << "wrong from pass " << found.number << " of " << found.passes << " on: " << found.pass << '\n';
    return out.str();
}

int main() {
    const std::string said =
        all_that_is_said([](auto&... instrument) { return tutti::pass_context{tutti::instruments(instrument...)}; });
    std::cout << said;
    const bool same = said == all_that_is_said([](auto&... instrument) {
                          return tutti::runtime::pass_context<ir_module>{{.instruments = {instrument...}}};
                      });
    std::remove("crash.txt");
    std::cout << (same ? "twice the same\n" : "not the same\n");
    return same ? 0 : 1;
}
