// Finds faulty passes over the representation in three_levels.hpp. One computes a wrong value, and one fails. The
// instruments know modules, functions and loops only through unit_traits. If the argument is a file name, writes a
// report on the passes to this file.

#include <tutti/instrument/measured.hpp>
#include <tutti/instrument/print_changed.hpp>
#include <tutti/instrument/time_trace.hpp>
#include <tutti/pass.hpp>
#include <tutti/report/report.hpp>
#include <tutti/runtime.hpp>
#include <tutti/search/bisect.hpp>
#include <tutti/search/crash_reproducer.hpp>

#include "three_levels.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

namespace instrument = tutti::instrument;

// The wrong pass. It peels the first trip off a loop, but forgets the loop-invariant statements.
struct peel {
    static constexpr tutti::pass_info info{.name = "Peel"};
    tutti::change operator()(loop& l) const {
        if (l.trips < 2) return tutti::unchanged;
        --l.trips;
        l.ahead += l.each;
        return tutti::changed;
    }
};
// The pass that fails.
struct check_hot {
    static constexpr tutti::pass_info info{.name = "CheckHot"};
    std::int64_t at_most = 1;
    static constexpr tutti::option_list<&check_hot::at_most> options{"at_most"};
    void operator()(ir_module& m) const {
        std::int64_t hot = 0;
        for (const function& f : m.functions) hot += f.hot ? 1 : 0;
        if (hot > at_most) throw tutti::error{"module", std::to_string(hot) + " functions are hot", "fewer"};
    }
};

ir_module fresh() {
    return {{{"main", 3, {}}, {"blur", 1, {{"a", 8, 2, 1}, {"b", 8, 5, 0}}}, {"odd", 0, {{"c", 7, 1, 2}}}}};
}

// Returns the number of statements that run, which passes must not change. Excludes the cost of the trips.
std::int64_t work(const ir_module& m) {
    std::int64_t all = 0;
    for (const function& f : m.functions) {
        all += f.statements;
        for (const loop& l : f.loops) all += l.ahead + l.trips * (l.each + l.same);
    }
    return all;
}

const auto loops = tutti::each<function>(name_loops{}, tutti::each<loop>(unroll{.factor = 2}, peel{}), fuse_loops{});
const auto pipeline = tutti::sequential(loops, mark_hot{.at_least = 20}, check_hot{.at_most = 0});

void run(const auto& passes, ir_module& m, auto&... instruments) {
    tutti::runtime::pass_context<ir_module> ctx{{.instruments = {instruments...}}};
    tutti::with(ctx, [&](auto& scope) { scope.run(passes, m); });
}

int main(int argc, char** argv) {
    if (argc > 1) {
        instrument::report page{
            {.file = argv[1], .title = "three levels", .pipeline = tutti::write_pipeline(pipeline)}};
        ir_module shown = fresh();
        try {
            run(pipeline, shown, page);
        } catch (const tutti::error&) {} // the page shows the error
        return 0;
    }
    const std::string file = "three_levels.crash";

    // The instruments print changes, write a page with all changes, trace the time (including that of printing), and
    // write a reproducer of the failure.
    instrument::time_trace trace;
    instrument::print_changed print{{.passes = {"Peel", "FuseLoops"}},
                                    [](std::string_view text) { std::cout << text; }};
    instrument::measured printed{print, trace};
    instrument::crash_reproducer keep{{.file = file, .pipeline = tutti::write_pipeline(pipeline)}};
    instrument::report page{{.title = "three levels", .pipeline = tutti::write_pipeline(pipeline)}};
    ir_module m = fresh();
    try {
        run(pipeline, m, printed, keep, page, trace);
    } catch (const tutti::error& e) {
        std::cout << "\n" << e.what() << "\n\n";
    }
    std::ifstream kept{file};
    const std::string text{std::istreambuf_iterator<char>{kept}, {}};
    std::cout << text << '\n';

    const std::string json = trace.render();
    for (const std::string_view what :
         {"\"loop\"", "\"function\"", "\"module\"", "\"failed\"", "\"instrument print_changed\""}) {
        std::size_t count = 0;
        for (std::size_t at = json.find(what); at != std::string::npos; at = json.find(what, at + 1)) ++count;
        std::cout << what << ": " << count << " times in the trace\n";
    }

    const std::string html = page.render();
    const bool whole = html.find("2 functions are hot") != std::string::npos &&
                       html.find("blur.1 times 4: 10 each") != std::string::npos;
    std::cout << "the page has " << (whole ? "the failure\n" : "nothing\n");

    // Finds the first run of a pass that changes the amount of work.
    const instrument::bisection found = instrument::bisect([](instrument::bisect_limit<>& limit) {
        ir_module again = fresh();
        run(loops, again, limit);
        return work(again) == work(fresh());
    });
    std::cout << "wrong from pass " << found.number << " of " << found.passes << " on: " << found.pass << '\n';

    // The pipeline in the reproducer can be parsed.
    using known = tutti::passes<mark_hot, check_hot>;
    const auto rest = tutti::runtime::parse_pipeline(instrument::read_reproducer(text, ";").passes,
                                                     tutti::runtime::registry<ir_module>{known{}});
    std::remove(file.c_str());
    std::cout << "to see it again: " << tutti::write_pipeline(rest) << '\n';
}
