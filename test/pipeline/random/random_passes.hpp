#pragma once

#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Passes for random pipelines. They run over a `whole`, its parts and their pieces, and have options of all types,
// levels, and required passes over the same unit or an enclosing one. The IR of a unit is a text, to which each pass
// appends its name and options.

struct piece {
    std::string text{};
};
struct part {
    std::string text{};
    std::vector<piece> pieces{};
};
struct whole {
    std::string text{};
    std::vector<part> parts{};
};

template <>
struct tutti::unit_traits<piece> {
    static constexpr std::string_view name = "piece";
};
template <>
struct tutti::unit_traits<part> {
    static constexpr std::string_view name = "part";
    static std::vector<piece>& parts(part& p) { return p.pieces; }
};
template <>
struct tutti::unit_traits<whole> {
    static constexpr std::string_view name = "whole";
    static std::vector<part>& parts(whole& w) { return w.parts; }
    static std::uint64_t fingerprint(const whole& w) { return w.text.size(); }
};

namespace random_pipelines {

enum class shade : std::uint8_t { dark, light, none };

// A pass with a name and a level, over one type of unit or any type.
template <tutti::fixed_string Name, int Level, class Unit, class... Required>
struct plain {
    static constexpr tutti::pass_info info{.name = Name.view(), .opt_level = Level};
    using required = tutti::passes<Required...>;

    void operator()(Unit& unit) const { unit.text.append(Name.view()).append(" "); }
};
// A pass that changes the unit only the first few times, and reports whether it changed it.
template <tutti::fixed_string Name, int Level, class Unit, class... Required>
struct bounded {
    static constexpr tutti::pass_info info{.name = Name.view(), .opt_level = Level};
    using required = tutti::passes<Required...>;

    tutti::change operator()(Unit& unit) const {
        if (unit.text.size() % 4 == 0) return tutti::unchanged;
        unit.text.append(Name.view()).append(" ");
        return tutti::changed;
    }
};
template <tutti::fixed_string Name, class... Unit>
struct over_several {
    static constexpr tutti::pass_info info{.name = Name.view()};

    template <class U>
        requires(std::same_as<U, Unit> || ...)
    void operator()(U& unit) const {
        unit.text.append(Name.view()).append(" ");
    }
};

using A = plain<"A", 0, whole>;
using B = plain<"B", 1, whole, A>;
using C = plain<"C", 3, whole, B>;
using D = bounded<"D", 1, whole>;
using E = plain<"E", 4, whole, C, D>;
using T = over_several<"T", whole, part>;
using U = plain<"U", 2, whole, T>;
using PA = plain<"PA", 0, part>;
using PB = plain<"PB", 1, part, PA>;
using PC = plain<"PC", 2, part, A>;
using PD = plain<"PD", 3, part, C, PB>;
using PT = bounded<"PT", 0, part, T, D>;
using QA = plain<"QA", 1, piece>;
using QB = bounded<"QB", 2, piece, QA>;
using QC = plain<"QC", 0, piece, PB>;
using QD = plain<"QD", 3, piece, A, PA, QA>;

// A pass that takes its unit by value.
struct V {
    static constexpr tutti::pass_info info{.name = "V", .opt_level = 1};
    using required = tutti::passes<D>;
    whole operator()(whole unit) const {
        unit.text += "V ";
        return unit;
    }
};

} // namespace random_pipelines

template <>
inline constexpr std::array tutti::option_words<random_pipelines::shade>{
    tutti::option_word<random_pipelines::shade>{"dark", random_pipelines::shade::dark},
    tutti::option_word<random_pipelines::shade>{"light one", random_pipelines::shade::light}};

namespace random_pipelines {

// A pass with options of each single-valued type.
template <tutti::fixed_string Name, class Unit, class... Required>
struct values {
    static constexpr tutti::pass_info info{.name = Name.view()};
    using required = tutti::passes<Required...>;

    bool flag = false;
    std::int8_t small = -3;
    std::uint64_t large = 7;
    double wide = 0.5;
    float narrow = 1;
    shade colour = shade::dark;
    std::string word = "some word";
    tutti::int_from<1, 9> count = 2;
    static constexpr tutti::option_list<&values::flag, &values::small, &values::large, &values::wide, &values::narrow,
                                        &values::colour, &values::word, &values::count>
        options{"flag", "small", "large", "wide", "narrow", "colour", "word", "count"};

    void operator()(Unit& unit) const {
        unit.text.append(Name.view()).append("/").append(std::to_string(flag)).append("/");
        unit.text.append(std::to_string(small)).append("/").append(std::to_string(large)).append("/");
        unit.text.append(std::to_string(wide)).append("/").append(std::to_string(narrow)).append("/");
        unit.text.append(std::to_string(static_cast<int>(colour))).append("/").append(word).append("/");
        unit.text.append(std::to_string(count)).append(" ");
    }
};
using O = values<"O", whole>;
using PO = values<"PO", part, A>;

// A pass with list options.
struct N {
    static constexpr tutti::pass_info info{.name = "N", .opt_level = 2};
    using required = tutti::passes<A, D>;

    std::vector<std::int64_t> numbers{1, 2};
    std::vector<std::string> words{};
    std::map<std::string, int> by_name{{"a", 1}, {"b", 2}};
    std::map<std::string, std::vector<std::string>> lists{};
    static constexpr tutti::option_list<&N::numbers, &N::words, &N::by_name, &N::lists> options{"numbers", "words",
                                                                                                "by_name", "lists"};

    void operator()(whole& unit) const {
        unit.text += "N/";
        for (const std::int64_t each : numbers) unit.text.append(std::to_string(each)).append(";");
        for (const std::string& each : words) unit.text.append(each).append(";");
        for (const auto& [key, value] : by_name) unit.text.append(key).append("=").append(std::to_string(value));
        for (const auto& [key, value] : lists) {
            unit.text.append(key).append("=");
            for (const std::string& each : value) unit.text.append(each).append(";");
        }
        unit.text += ' ';
    }
};

struct is_short {
    static constexpr std::string_view name = "short";
    bool operator()(const auto& unit) const { return unit.text.size() < 12; }
};

template <class Inner>
struct twice_pass;
struct twice_adaptor {
    static constexpr std::string_view name = "twice", label = "";
    template <class Inner>
    static constexpr twice_pass<Inner> make(Inner inner) {
        return {static_cast<Inner&&>(inner)};
    }
};
// A user-defined adaptor with a level.
template <class Inner>
struct twice_pass {
    static constexpr tutti::pass_info info{.name = "twice", .opt_level = 1, .kind = tutti::pass_kind::adaptor};
    using adaptor = twice_adaptor;
    using members = tutti::passes<Inner>;

    Inner inner;
    bool again = true;
    static constexpr tutti::option_list<&twice_pass::again> options{"again"};

    void each_member(auto&& f) const { f(inner); }
    auto with_inner(auto other) const { return twice_pass<decltype(other)>{other, again}; }
    tutti::change operator()(auto& unit, auto& ctx) const {
        const tutti::change first = ctx.run_member(inner, unit);
        return again ? first | ctx.run_member(inner, unit) : first;
    }
};

inline constexpr tutti::passes<A, B, C, D, E, T, U, V, PA, PB, PC, PD, PT, QA, QB, QC, QD, O, PO, N, twice_adaptor,
                               tutti::only_if_adaptor<is_short>>
    run_time_passes{};
// The list of passes for pipeline literals, which must include the adaptors for parts.
template <class... P>
consteval tutti::passes<P..., tutti::each_adaptor<part>, tutti::each_adaptor<piece>> with_parts(tutti::passes<P...>) {
    return {};
}
inline constexpr auto literal_passes = with_parts(run_time_passes);

// Settings of a run.
struct setting {
    int level;
    std::vector<std::string_view> disabled{}, required{};
    std::string_view refused{}; // the pass that an instrument skips
};

// Records all events.
class recorder {
    std::string* text_;
    std::string_view refused_;

    void write(std::string_view what, const tutti::pass_info& info, std::string_view more = {}) {
        text_->append(what).append(" ").append(info.name).append(more).append("\n");
    }

public:
    recorder(std::string& text, std::string_view refused) : text_(&text), refused_(refused) {}

    bool should_run(const auto&, const tutti::pass_info& info) {
        write("should_run", info);
        return info.name != refused_;
    }
    void run_before_pass(const auto& unit, const tutti::pass_info& info) { write("before", info, unit.text); }
    void run_after_pass(const auto& unit, const tutti::pass_info& info, tutti::change what) {
        write(what == tutti::unchanged ? "unchanged" : what == tutti::changed ? "changed" : "after", info, unit.text);
    }
    void pass_skipped(const tutti::pass_info& info, tutti::skip_reason why) {
        write("skipped", info, tutti::to_string(why));
    }
};

// Runs a pipeline. Returns the events and the resulting unit.
template <class Context>
std::string outcome(Context& ctx, const auto& pipeline, std::string& events) {
    whole unit{.text{}, .parts = {{.text = "p ", .pieces = {{"q "}, {}}}, {}}};
    tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, unit); });
    events += unit.text;
    for (const part& each : unit.parts) {
        events.append("\n").append(each.text);
        for (const piece& one : each.pieces) events.append("\n ").append(one.text);
    }
    return std::move(events);
}
std::string in_static_context(const auto& pipeline, const setting& s, const auto& level) {
    std::string events;
    recorder record{events, s.refused};
    tutti::pass_context ctx{level, tutti::disable(s.disabled), tutti::require(s.required), tutti::instruments(record)};
    return outcome(ctx, pipeline, events);
}
std::string in_erased_context(const auto& pipeline, const setting& s) {
    std::string events;
    recorder record{events, s.refused};
    tutti::runtime::pass_context<whole> ctx{
        tutti::runtime::context_options<whole>{.opt_level = s.level,
                                               .disabled = {s.disabled.begin(), s.disabled.end()},
                                               .required = {s.required.begin(), s.required.end()},
                                               .instruments = {record},
                                               .check_names = false}};
    return outcome(ctx, pipeline, events);
}

const tutti::runtime::registry<whole>& known();

// These functions are not templates, so that the comparison is compiled once.
void check_written(std::string_view text, const std::string& literal);
void check_events(const char* where, std::string_view text, const setting& s, const std::string& events);

// Compares a pipeline literal with the same text parsed at run time, in both kinds of contexts. If `Level` is 0 or
// more, also tests a context with this level in its type.
template <tutti::fixed_string Text, int Level>
void check(const setting& s) {
    const auto literal = tutti::pipeline<Text>(literal_passes);
    check_written(Text.view(), tutti::write_pipeline(literal));
    check_events("static", Text.view(), s, in_static_context(literal, s, tutti::opt_level(s.level)));
    if constexpr (Level >= 0) { // slow to compile, so not done for all texts
        check_events("static in a run-time context", Text.view(), s, in_erased_context(literal, s));
        check_events("erased", Text.view(), s, in_erased_context(tutti::runtime::any_pass<whole>{literal}, s));
        std::string all;
        recorder record{all, s.refused};
        tutti::pass_context ctx{tutti::opt_level<Level>, tutti::instruments(record)};
        check_events("static level", Text.view(), {.level = Level, .refused = s.refused}, outcome(ctx, literal, all));
    }
}

} // namespace random_pipelines
