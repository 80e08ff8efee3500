// Passes and instruments for a custom intermediate representation, the plan of a query. The example shows passes with
// options, a pass that requires another, an instrument, and pipelines in constant evaluation and from text.

#include <tutti/instrument.hpp>
#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>

#include <boost/hana/tuple.hpp>

// The IR is a list of steps that process rows. Any movable type can be a unit, and needs no base class.

enum class op : unsigned char { scan, filter, sort, limit };

struct step {
    op what{};
    std::int64_t number = 0; // rows to scan, percentage that a filter keeps, or limit
    bool operator==(const step&) const = default;
};
struct plan {
    std::array<step, 8> steps{};
    std::size_t size = 0;

    constexpr plan& then(op what, std::int64_t number = 0) {
        steps.at(size++) = {what, number};
        return *this;
    }
    constexpr void erase(std::size_t at) {
        std::copy(steps.begin() + at + 1, steps.begin() + size, steps.begin() + at);
        steps[--size] = {};
    }
    bool operator==(const plan&) const = default;
};

// Returns the number of rows that all steps process. The rows of a sort count ten times.
constexpr std::int64_t cost(const plan& p) {
    std::int64_t rows = 0, all = 0;
    for (std::size_t i = 0; i < p.size; ++i) {
        const auto [what, number] = p.steps[i];
        all += what == op::sort ? 10 * rows : rows;
        rows = what == op::scan     ? number
               : what == op::filter ? rows * number / 100
               : what == op::limit  ? std::min(rows, number)
                                    : rows;
    }
    return all;
}

// Functions of a plan that the library's instruments use. Each of them is optional.
template <>
struct tutti::unit_traits<plan> {
    static constexpr std::array<std::string_view, 4> names{"scan", "filter", "sort", "limit"};

    static std::string to_text(const plan& p) {
        std::string text;
        for (std::size_t i = 0; i < p.size; ++i) {
            text += (i == 0 ? "" : " | ") + std::string(names[static_cast<std::size_t>(p.steps[i].what)]);
            if (p.steps[i].what != op::sort) text += ' ' + std::to_string(p.steps[i].number);
        }
        return text + '\n';
    }
    static void verify(const plan& p) {
        for (std::size_t i = 0; i < p.size; ++i)
            if ((p.steps[i].what == op::scan) != (i == 0))
                throw tutti::error("step " + std::to_string(i), "is no place for a scan");
    }
};

// Moves filters before sorts. Filters do not move across a limit, since that would keep different rows.
struct push_down_filters {
    static constexpr tutti::pass_info info{.name = "PushDownFilters", .opt_level = 1};

    constexpr void operator()(plan& p) const {
        for (std::size_t end = 1; end < p.size; ++end)
            for (std::size_t i = end; p.steps[i].what == op::filter && p.steps[i - 1].what == op::sort; --i)
                std::swap(p.steps[i], p.steps[i - 1]);
    }
};

// Merges adjacent filters. Requires push_down_filters, which moves filters together.
struct merge_filters {
    static constexpr tutti::pass_info info{.name = "MergeFilters", .opt_level = 2};
    using required = tutti::passes<push_down_filters>;

    constexpr void operator()(plan& p) const {
        for (std::size_t i = 1; i < p.size; ++i) {
            if (p.steps[i].what != op::filter || p.steps[i - 1].what != op::filter) continue;
            p.steps[i - 1].number = p.steps[i - 1].number * p.steps[i].number / 100;
            p.erase(i--);
        }
    }
};

// Appends a limit to a plan. The data member is an option. Its description makes it available in pipelines from text.
struct limit_rows {
    static constexpr tutti::pass_info info{.name = "LimitRows"};
    std::int64_t at_most = 100;

    static constexpr auto options = boost::hana::make_tuple(tutti::option{"at_most", &limit_rows::at_most});

    constexpr plan operator()(plan p) const { return p.then(op::limit, at_most); }
};

using all_passes = tutti::passes<push_down_filters, merge_filters, limit_rows>;

// A custom instrument. It is a plain type with two of the hooks that are listed at tutti::instrument_of.
struct cost_watch {
    void run_after_pass(const plan& p, const tutti::pass_info& info) {
        std::cout << info.name << ": the plan costs " << cost(p) << '\n';
    }
    void pass_skipped(const tutti::pass_info& info, tutti::skip_reason why) {
        std::cout << info.name << ": not run, " << to_string(why) << '\n';
    }
};

constexpr plan query = plan{}.then(op::scan, 1000).then(op::sort).then(op::filter, 50).then(op::filter, 10);

// Passes also run in constant evaluation. MergeFilters requires PushDownFilters.
constexpr auto optimise = tutti::sequential(merge_filters{}, limit_rows{.at_most = 10});
constexpr plan optimised =
    tutti::with(tutti::pass_context{}, [](auto& scope) { return scope.run(optimise, plan{query}); });
static_assert(optimised == plan{}.then(op::scan, 1000).then(op::filter, 5).then(op::sort).then(op::limit, 10));
static_assert(cost(optimised) < cost(query) / 6);

int main() try {
    std::cout << "as written: " << tutti::unit_traits<plan>::to_text(query);
    plan p = query;
    cost_watch watch;
    tutti::instrument::timing timing;
    tutti::pass_context ctx{tutti::opt_level<1>, tutti::instruments(watch, timing, tutti::instrument::verify{})};
    tutti::with(ctx, [&](auto& scope) {
        scope.run(tutti::sequential(push_down_filters{}, optimise), p); // MergeFilters is above the level
        std::cout << timing.render();
    });

    // Runs the same passes by name. The pipeline, its options and the instruments are known only at run time.
    const tutti::runtime::registry<plan> known{all_passes{}};
    const auto pipeline = tutti::runtime::parse_pipeline("MergeFilters, LimitRows{at_most=20}", known);
    std::cout << tutti::write_pipeline(pipeline) << '\n';
    tutti::instrument::print_ir print{{.after = {"all"}}, [](std::string_view text) { std::cout << text; }};
    tutti::runtime::pass_context<plan> at_run_time{{.opt_level = 3, .instruments = {watch, print}}};
    p = query;
    tutti::with(at_run_time, [&](auto& scope) { scope.run(pipeline, p); });

    tutti::runtime::parse_pipeline("MergeFilter", known);
} catch (const tutti::error& e) {
    std::cout << e.what() << '\n';
}
