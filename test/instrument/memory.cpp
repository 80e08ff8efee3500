#include <tutti/instrument/memory.hpp>

#include <tutti/instrument/print_changed.hpp>
#include <tutti/instrument/timing.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"
#include "support/plan_unit.hpp"
#include "support/two_layers.hpp"

// test/instrument/count_allocations.cpp makes this program count allocations.

using tutti::instrument::memory;

namespace {

void* volatile kept = nullptr;
void use_and_free(std::size_t bytes) {
    kept = ::operator new(bytes);
    ::operator delete(kept);
}

// A unit that owns a block. A pass that drops the block has a negative balance.
struct store {
    void* block = nullptr;
    void keep(std::size_t bytes) { block = ::operator new(bytes); }
    void drop() {
        ::operator delete(block);
        block = nullptr;
    }
};

constexpr auto keeps = tutti::make_pass<"Keeps">([](store& s) { s.keep(1000); });
constexpr auto works = tutti::make_pass<"Works">([](store&) {
    use_and_free(500);
    use_and_free(700);
});
constexpr auto drops = tutti::make_pass<"Drops">([](store& s) { s.drop(); });
constexpr auto around = tutti::make_pass<"Around">([](store& s, auto& ctx) {
    use_and_free(5000);
    ctx.run(works, s);
    use_and_free(100);
});

// An instrument that allocates in each call of a hook and keeps the memory.
struct greedy {
    std::vector<std::string> all{};
    void run_before_pass(const auto&, const tutti::pass_info& info) { all.push_back(std::string(3000, info.name[0])); }
    void run_after_pass(const auto&, const tutti::pass_info& info) { all.push_back(std::string(9000, info.name[0])); }
};

const char* const expected = "sequential: 7500 bytes in 6 allocations, 0 live, peak 6000\n"
                             "\tKeeps: 1000 bytes in 1 allocations, +1000 live, peak 1000\n"
                             "\tAround: 6300 bytes in 4 allocations, 0 live, peak 5000\n"
                             "\t\tWorks: 1200 bytes in 2 allocations, 0 live, peak 700\n"
                             "\tDrops: 200 bytes in 1 allocations, -1000 live, peak 200\n";
constexpr auto all = tutti::sequential(keeps, around, tutti::make_pass<"Drops">([](store& s) {
                                           use_and_free(200);
                                           s.drop();
                                       }));

} // namespace

TEMPLATE_TEST_CASE("memory: counts the allocations of passes exactly", "[instrument][memory]", static_layer,
                   erased_layer) {
    memory used;
    auto ctx = TestType::template context<store>({}, used);
    for (int i = 0; i < 2; ++i) {
        store s;
        TestType::with(ctx, [&](auto& scope) { scope.run(all, s); });
        CHECK(used.render() == expected);
    }
}

TEMPLATE_TEST_CASE("memory: excludes allocations of instruments, wherever they are in the list", "[instrument][memory]",
                   static_layer, erased_layer) {
    memory used;
    greedy first, last;
    auto ctx = TestType::template context<store>({}, first, used, last);
    store s;
    TestType::with(ctx, [&](auto& scope) { scope.run(all, s); });
    CHECK(used.render() == expected);
    CHECK(first.all.size() == 10);
}

TEMPLATE_TEST_CASE("memory: stays right after a pass that failed", "[instrument][memory]", static_layer, erased_layer) {
    memory used;
    tutti::instrument::timing beside;
    auto ctx = TestType::template context<store>({}, used, beside);
    const auto fails = tutti::make_pass<"Fails">([](store& s) {
        s.keep(10);
        throw 1;
    });
    store s;
    TestType::with(ctx, [&](auto& scope) {
        CHECK_THROWS_AS(scope.run(tutti::sequential(works, fails), s), int);
        scope.run(drops, s);
    });
    REQUIRE(used.entries().size() == 4);
    CHECK(used.entries()[2].pass == "Fails");
    CHECK(used.entries()[2].live == 10);
    CHECK(used.entries()[3].live == -10);
}

TEMPLATE_TEST_CASE("memory: counts passes over parts", "[instrument][memory]", static_layer, erased_layer) {
    memory used;
    auto ctx = TestType::template context<module>({}, used);
    module m{{{}, {}}};
    const auto grow = tutti::make_pass<"Grow">([](function& f) { f.loops.resize(f.loops.size() + 10); });
    TestType::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(tutti::each<function>(grow)), m); });
    REQUIRE(used.entries().size() == 4);
    CHECK(used.entries()[1].live == std::int64_t(20 * sizeof(loop)));
    CHECK(used.entries()[3].pass == "Grow");
    CHECK(used.entries()[3].peak == std::int64_t(10 * sizeof(loop)));
}
