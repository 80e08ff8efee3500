// What holds for each instrument of the library. A row for each header of include/tutti/instrument that has one: where a row is missing
// test/house/instruments.py fails.

#include <tutti/instrument.hpp>
#include <tutti/instrument/bisect_limit.hpp>
#include <tutti/instrument/count_allocations.hpp>
#include <tutti/instrument/crash_reproducer.hpp>
#include <tutti/instrument/dump.hpp>
#include <tutti/instrument/measured.hpp>
#include <tutti/instrument/memory.hpp>
#include <tutti/instrument/perf_counters.hpp>
#include <tutti/instrument/time_trace.hpp>

#include "catch.hpp"
#include "temporary_folder.hpp"
#include "two_layers.hpp"

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace {

// A unit that has all that instruments may ask for. What a pass runs in another context, and whether the last one fails, is part of it.
struct numbered {
    int n = 0;
    bool fails = false;
    std::function<void(numbered&)> inside{};
};

} // namespace

template <>
struct tutti::unit_traits<numbered> {
    static constexpr std::string_view name = "number";
    static std::string to_text(const numbered& u) { return "number " + std::to_string(u.n) + "\n"; }
    static std::string to_text(const numbered& u, std::string_view) { return to_text(u); }
    static tutti::operator_counts count_operators(const numbered& u) {
        tutti::operator_counts counts;
        counts["one"] = u.n;
        return counts;
    }
    static void verify(const numbered&) {}
    static std::uint64_t fingerprint(const numbered& u) { return static_cast<std::uint64_t>(u.n); }
};

namespace {

namespace instrument = tutti::instrument;

constexpr auto next = tutti::make_pass<"Next">([](numbered& u) {
    ++u.n;
    return tutti::changed;
});
constexpr auto idle = tutti::make_pass<"Idle">([](numbered&) { return tutti::unchanged; });
constexpr auto high = tutti::make_pass<"High", 9>([](numbered& u) { u.n = -1; });
constexpr auto says = tutti::make_pass<"Says">([](numbered& u, auto& ctx) {
    ctx.count("said", 1);
    ctx.remark(tutti::remark_kind::applied, "here", "it is said");
    u.n *= 2;
});
constexpr auto enters = tutti::make_pass<"Enters">([](numbered& u) {
    if (u.inside) u.inside(u);
});
constexpr auto last = tutti::make_pass<"Last">([](numbered& u) {
    if (u.fails) throw std::runtime_error{"it fails"};
});
constexpr auto inner = tutti::sequential<"Inner">(next, idle);
constexpr auto pipeline = tutti::sequential(next, high, inner, says, enters, last);

void ignore(std::string_view) {}

// Calls `check(name, make)` for each instrument.
template <class Check>
void each_instrument(Check&& check) {
    check("bisect_limit", [] { return instrument::bisect_limit{instrument::bisect_limit<>::unlimited, ignore}; });
    check("callbacks", [] {
        return instrument::callbacks{.run_before_pass = [](const auto&, const tutti::pass_info&) {},
                                     .run_after_pass = [](const auto&, const tutti::pass_info&) {}};
    });
    check("check_analyses", [] { return instrument::check_analyses{}; });
    check("crash_reproducer", [folder = temporary_folder{}, number = 0]() mutable {
        return instrument::crash_reproducer{{.file = folder.path(std::to_string(++number))}};
    });
    check("dump", [folder = temporary_folder{}, number = 0]() mutable {
        return instrument::dump{{.folder = folder.path(std::to_string(++number))}};
    });
    check("measured", [] { return instrument::measured{instrument::verify{}}; });
    check("memory", [] { return instrument::memory{}; });
    check("op_diff", [] { return instrument::op_diff{}; });
    check("perf_counters", [] { return instrument::perf_counters{}; });
    check("print_changed", [] { return instrument::print_changed{{}, ignore}; });
    check("print_ir", [] { return instrument::print_ir{{.before = {"Next"}, .after = {"Says"}}, ignore}; });
    check("print_on_failure", [] { return instrument::print_on_failure{ignore}; });
    check("remarks", [] { return instrument::remarks{}; });
    check("statistics", [] { return instrument::statistics{}; });
    check("time_trace", [] { return instrument::time_trace{}; });
    check("timing", [] { return instrument::timing{}; });
    check("verify", [] { return instrument::verify{}; });
}

// An instrument's books: whether each begin has one end.
struct books {
    int open = 0;
    bool wrong = false;

    void run_before_pass(const numbered&, const tutti::pass_info&) { ++open; }
    void run_after_pass(const numbered&, const tutti::pass_info&) { wrong = wrong || --open < 0; }
    void pass_failed(const numbered*, const tutti::pass_info&, const std::exception_ptr&) {
        wrong = wrong || --open < 0;
    }
};

// Stands where an instrument of the library does not. Apiece, since threads are not to meet.
struct only_sees {
    void run_before_pass(const numbered&, const tutti::pass_info&) {}
};

// What others see, and what comes out, of a pipeline in a context: with those instruments in front of it and those behind.
template <class Layer>
class observed {
public:
    static std::string run(hook bad, bool fails, auto& front, auto& back) {
        std::string text;
        throwing_recorder sees{"R", text, bad, recording::hooks_and_passes};
        full_recorder sees_inside{"Inside", text, recording::hooks_and_passes};
        books first;
        numbered u{1, fails, [&](numbered& it) {
                       auto context = Layer::template context<numbered>({}, front, sees_inside, back);
                       Layer::with(context, [&](auto& scope) { scope.run(inner, it); });
                   }};
        auto context = Layer::template context<numbered>({}, first, front, sees, back);
        try {
            Layer::with(context, [&](auto& scope) { scope.run(pipeline, u); });
        } catch (const std::exception& e) {
            text += e.what();
        }
        text += " " + std::to_string(u.n) + (first.open != 0 || first.wrong ? " the books are wrong\n" : "\n");
        return text;
    }
};

constexpr hook bad_hooks[]{hook::none, hook::enter, hook::exit, hook::should_run, hook::before, hook::after};

} // namespace

// The instrument is one and the same all the time: it goes on when something was thrown, and when it is in a context in a context.
TEMPLATE_TEST_CASE("laws: no instrument changes the unit or what others see, whatever fails", "[laws][instrument]",
                   static_layer, erased_layer) {
    using layer = observed<TestType>;
    only_sees nothing, nothing_else;
    each_instrument([&](std::string_view name, auto&& make) {
        auto it = make();
        for (const hook bad : bad_hooks) {
            for (const bool fails : {false, true}) {
                INFO(name << ", hook " << static_cast<int>(bad) << (fails ? ", a pass fails" : ""));
                const std::string without = layer::run(bad, fails, nothing, nothing_else);
                CHECK(layer::run(bad, fails, it, nothing) == without);
                CHECK(layer::run(bad, fails, nothing, it) == without);
                CHECK(without.find("wrong") == std::string::npos);
            }
        }
    });
}

TEST_CASE("laws: one that changes what others see is found", "[laws][instrument]") {
    struct refuses {
        bool should_run(const numbered&, const tutti::pass_info& info) { return info.name != "Idle"; }
    } it;
    only_sees nothing;
    using layer = observed<static_layer>;
    CHECK(layer::run(hook::none, false, it, nothing) != layer::run(hook::none, false, nothing, nothing));
}

TEST_CASE("laws: instruments of threads with contexts of their own do not meet", "[laws][instrument]") {
    each_instrument([&](std::string_view name, auto&& make) {
        auto here = make();
        auto there = make();
        std::string seen[2];
        const auto work = [](auto& it, std::string& text) {
            only_sees nothing;
            for (int i = 0; i < 10; ++i) {
                text += observed<static_layer>::run(hook::none, i % 2 != 0, it, nothing);
                text += observed<erased_layer>::run(hook::none, i % 2 != 0, it, nothing);
            }
        };
        std::thread other{[&] { work(there, seen[1]); }};
        work(here, seen[0]);
        other.join();
        INFO(name);
        CHECK(seen[0] == seen[1]);
        CHECK_FALSE(seen[0].empty());
    });
}
