// Passes over an intermediate representation with three levels. A module has functions, and a function has loops. A
// pipeline transforms all levels. It is built three times: directly, from a literal, and from text at run time. The
// representation and its passes are in three_levels.hpp. The example three_levels_wrong.cpp finds faulty passes.

#include "three_levels.hpp"

#include <tutti/instrument.hpp>
#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>

#include <concepts>
#include <iostream>
#include <string>
#include <string_view>

// An instrument. Its hook takes functions, so it is not called for loops and modules.
struct function_watch {
    std::string seen{};
    void run_after_pass(const function& f, const tutti::pass_info& info, tutti::change what) {
        seen.append(info.name).append(what == tutti::changed ? " changed " : " left ").append(f.name).append("\n");
    }
};

// The pipeline, built directly.
constexpr auto written_out = tutti::sequential(
    tutti::each<function>(measure{}, name_loops{}, measure{}, tutti::each<loop>(hoist{}, unroll{.factor = 2}),
                          measure{}, tutti::fixpoint(fuse_loops{}, 5), measure{}),
    mark_hot{.at_least = 50});

// The same pipeline, parsed from text at compile time. The list has the passes and the two kinds of parts that the text
// may name.
using all_passes = tutti::passes<hoist, unroll, measure, name_loops, fuse_loops, mark_hot,
                                 tutti::each_adaptor<function>, tutti::each_adaptor<loop>>;
constexpr auto from_literal =
    tutti::pipeline<"function(Measure,NameLoops,Measure,loop(Hoist,Unroll{factor=2}),Measure,"
                    "fixpoint{limit=5}(FuseLoops),Measure),MarkHot{at_least=50}">(all_passes{});
static_assert(std::same_as<decltype(from_literal), decltype(written_out)>);

// Runs a pipeline over a module in a context with three instruments. Returns the output of the instruments.
std::string run(const auto& pipeline, auto make_context) {
    ir_module m{
        {{"main", 3, {}}, {"blur", 1, {{"", 8, 2, 1}, {"", 8, 5, 0}, {"", 8, 1, 1}}}, {"odd", 0, {{"", 7, 1, 0}}}}};
    function_watch watch;
    tutti::instrument::statistics counted;
    tutti::instrument::remarks said;
    auto ctx = make_context(watch, counted, said);
    tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, m); });
    return watch.seen + '\n' + said.render() + '\n' + counted.render();
}

int main() try {
    // A static context keeps analyses only if it has an analysis_cache. A run-time context always keeps them.
    const auto at_compile_time = [](auto&... instrument) {
        return tutti::pass_context{tutti::analysis_cache{}, tutti::instruments(instrument...)};
    };
    const auto at_run_time = [](auto&... instrument) {
        return tutti::runtime::pass_context<ir_module>{{.instruments = {instrument...}}};
    };
    const std::string text = "function(Measure,NameLoops,Measure,loop(Hoist,Unroll{factor=2}),Measure,"
                             "fixpoint{limit=5}(FuseLoops),Measure),MarkHot{at_least=50}";
    const auto from_text = tutti::runtime::parse_pipeline(text, tutti::runtime::registry<ir_module>{all_passes{}});
    const std::string output = run(written_out, at_compile_time);
    std::cout << output << '\n' << tutti::write_pipeline(from_text) << '\n';

    const bool same = run(from_literal, at_compile_time) == output && run(from_text, at_run_time) == output &&
                      tutti::write_pipeline(written_out) == text && tutti::write_pipeline(from_literal) == text &&
                      tutti::write_pipeline(from_text) == text;
    std::cout << (same ? "three times the same\n" : "not the same\n");
    return same ? 0 : 1;
} catch (const tutti::error& e) {
    std::cout << e.what() << '\n';
    return 1;
}
