// Passes over an intermediate representation of three levels: a module has functions, a function has loops. A pipeline
// transforms all of them. It is made three times: written out, of a literal, and of a text at run time.

#include <tutti/instrument.hpp>
#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The IR. Of statements it only knows how many there are.

struct loop {
    std::string name;
    std::int64_t trips = 1;                     // how often it goes round
    std::int64_t each = 0, same = 0, ahead = 0; // in it; in it, but the same each time; once, ahead of it
};
struct function {
    std::string name;
    std::int64_t statements = 0; // outside of loops
    std::vector<loop> loops{};
    bool hot = false;
};
struct ir_module {
    std::vector<function> functions{};
};

// What the library may know of each level: its name in the text of a pipeline, and what its parts are.
template <>
struct tutti::unit_traits<loop> {
    static constexpr std::string_view name = "loop";
};
template <>
struct tutti::unit_traits<function> {
    static constexpr std::string_view name = "function";
    static std::vector<loop>& parts(function& f) { return f.loops; }
};
template <>
struct tutti::unit_traits<ir_module> {
    static constexpr std::string_view name = "module";
    static std::vector<function>& parts(ir_module& m) { return m.functions; }
};

// An analysis of a function: how many statements run in a call; going round is one. It counts how often it is computed.
struct cost {
    static constexpr std::string_view name = "Cost";
    std::int64_t operator()(const function& f, auto& ctx) const {
        ctx.count("costs computed");
        std::int64_t all = f.statements;
        for (const loop& l : f.loops) all += l.ahead + l.trips * (1 + l.each + l.same);
        return all;
    }
};

// Two passes over a loop. The first runs what is the same each time once, ahead of all others.
struct hoist {
    static constexpr tutti::pass_info info{.name = "Hoist"};
    tutti::change operator()(loop& l, auto& ctx) const {
        if (l.same == 0) return tutti::unchanged;
        ctx.count("statements hoisted", l.same);
        l.ahead += std::exchange(l.same, 0);
        return tutti::changed;
    }
};

// The second repeats what is in a loop, which then goes round less often. Its data member is an option, with a name.
struct unroll {
    static constexpr tutti::pass_info info{.name = "Unroll"};
    std::int64_t factor = 4;
    static constexpr tutti::members<&unroll::factor> options{"factor"};
    tutti::change operator()(loop& l, auto& ctx) const {
        if (l.trips % factor != 0) {
            ctx.remark(tutti::remark_kind::missed, l.name, [&] { return std::to_string(l.trips) + " trips"; });
            return tutti::unchanged;
        }
        l.trips /= factor;
        l.each *= factor;
        l.same *= factor;
        return tutti::changed;
    }
};

// Three passes over a function. The first asks for the cost and says it.
struct measure {
    static constexpr tutti::pass_info info{.name = "Measure"};
    tutti::change operator()(function& f, auto& ctx) const {
        ctx.count("costs asked for");
        const std::int64_t all = ctx.template get<cost>(f);
        ctx.remark(tutti::remark_kind::note, f.name, [&] { return "cost " + std::to_string(all); });
        return tutti::unchanged;
    }
};

// The second changes a function, but not what it costs: if that is known it stays so.
struct name_loops {
    static constexpr tutti::pass_info info{.name = "NameLoops"};
    using preserves = tutti::analyses<cost>;
    tutti::change operator()(function& f) const {
        for (std::size_t i = 0; i < f.loops.size(); ++i) f.loops[i].name = f.name + '.' + std::to_string(i);
        return f.loops.empty() ? tutti::unchanged : tutti::changed;
    }
};

// The third makes one loop of two neighbours that go round equally often; a fixpoint goes on until there are none. It
// preserves nothing: the cost of a function that it has changed is computed anew when it is asked for.
struct fuse_loops {
    static constexpr tutti::pass_info info{.name = "FuseLoops"};
    tutti::change operator()(function& f, auto& ctx) const {
        for (std::size_t i = 1; i < f.loops.size(); ++i) {
            loop &into = f.loops[i - 1], &from = f.loops[i];
            if (into.trips != from.trips) continue;
            ctx.remark(tutti::remark_kind::applied, into.name, [&] { return "has taken in " + from.name; });
            into.each += from.each;
            into.same += from.same;
            into.ahead += from.ahead;
            f.loops.erase(f.loops.begin() + static_cast<std::ptrdiff_t>(i));
            return tutti::changed;
        }
        return tutti::unchanged;
    }
};

// A pass over the module. It may ask for analyses of functions. That of main is not there any more: where a loop was
// changed, what is known of all functions is dropped, since whose loop it is cannot be seen.
struct mark_hot {
    static constexpr tutti::pass_info info{.name = "MarkHot"};
    std::int64_t at_least = 1000;
    static constexpr tutti::members<&mark_hot::at_least> options{"at_least"};
    void operator()(ir_module& m, auto& ctx) const {
        for (function& f : m.functions) {
            ctx.count("costs asked for");
            f.hot = ctx.template get<cost>(f) >= at_least;
            if (f.hot) ctx.remark(tutti::remark_kind::applied, f.name, "is hot");
        }
    }
};

// An instrument. Its hook takes functions, so it is not called for loops and modules.
struct function_watch {
    std::string seen{};
    void run_after_pass(const function& f, const tutti::pass_info& info, tutti::change what) {
        seen.append(info.name).append(what == tutti::changed ? " changed " : " left ").append(f.name).append("\n");
    }
};

// The pipeline, written out.
constexpr auto written_out = tutti::sequential(
    tutti::each<function>(measure{}, name_loops{}, measure{}, tutti::each<loop>(hoist{}, unroll{.factor = 2}),
                          measure{}, tutti::fixpoint(fuse_loops{}, 5), measure{}),
    mark_hot{.at_least = 50});

// The same as a text that the compiler reads. The list has what may be named: passes, and the two kinds of parts.
using all_passes = tutti::passes<hoist, unroll, measure, name_loops, fuse_loops, mark_hot,
                                 tutti::each_adaptor<function>, tutti::each_adaptor<loop>>;
constexpr auto from_literal =
    tutti::pipeline<"function(Measure,NameLoops,Measure,loop(Hoist,Unroll{factor=2}),Measure,"
                    "fixpoint{limit=5}(FuseLoops),Measure),MarkHot{at_least=50}">(all_passes{});
static_assert(std::same_as<decltype(from_literal), decltype(written_out)>);

// Runs a pipeline over a module in a context that is made with three instruments; gives all that they have to say.
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
    // A static context keeps analyses if it has an analysis_cache; one whose options are values does anyway.
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
