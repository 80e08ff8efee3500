#include <tutti/instrument/check_analyses.hpp>

#include <tutti/pass.hpp>

#include "support/catch.hpp"

#include <vector>

namespace {

using numbers = std::vector<int>;

struct total {
    static constexpr std::string_view name = "Total";
    int operator()(const numbers& all) const {
        int sum = 0;
        for (const int n : all) sum += n;
        return sum;
    }
};
struct opaque {
    int value;
};
struct unnamed {
    opaque operator()(const numbers& all) const { return {static_cast<int>(all.size())}; }
};

struct asks {
    static constexpr tutti::pass_info info{.name = "Asks"};
    tutti::change operator()(numbers& all, auto& ctx) const {
        static_cast<void>(ctx.template get<total>(all));
        static_cast<void>(ctx.template get<unnamed>(all));
        return tutti::unchanged;
    }
};
struct honest {
    static constexpr tutti::pass_info info{.name = "Honest"};
    void operator()(numbers& all) const { all.push_back(2); }
};
struct preserving {
    static constexpr tutti::pass_info info{.name = "Preserving"};
    using preserves = tutti::analyses<total>;
    void operator()(numbers& all) const { all.push_back(0); }
};
struct liar {
    static constexpr tutti::pass_info info{.name = "Liar"};
    using preserves = tutti::all_analyses;
    void operator()(numbers& all) const { all.push_back(1); }
};
struct silent_liar {
    static constexpr tutti::pass_info info{.name = "SilentLiar"};
    tutti::change operator()(numbers& all) const { return all.push_back(1), tutti::unchanged; }
};

std::string complaint(const auto& pass) {
    tutti::instrument::check_analyses check;
    tutti::pass_context ctx{tutti::analysis_cache{}, tutti::instruments(check)};
    numbers all{1};
    try {
        tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(asks{}, pass), all); });
    } catch (const tutti::error& e) {
        return e.where() + ": " + e.problem();
    }
    return {};
}

} // namespace

TEST_CASE("check_analyses: blames the pass that keeps an outdated result", "[instrument][check_analyses]") {
    CHECK(complaint(honest{}).empty());
    CHECK(complaint(preserving{}).empty());
    CHECK(complaint(liar{}) == "after Liar: the analysis Total is stale: computing it again gives another result");
    CHECK(complaint(silent_liar{}) ==
          "after SilentLiar: the analysis Total is stale: computing it again gives another result");
}
