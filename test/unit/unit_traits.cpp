#include <tutti/unit/unit_traits.hpp>

#include "support/catch.hpp"

#include <array>
#include <string>
#include <vector>

namespace {

// An IR with three levels, in which loops can contain loops.
struct loop {
    std::vector<loop> inner{};
};
struct block {
    std::array<loop, 2> loops{};
};
struct program {
    std::vector<block> blocks{};
};
struct bare {};

} // namespace

template <>
struct tutti::unit_traits<loop> {
    static std::vector<loop>& parts(loop& l) { return l.inner; }
};
template <>
struct tutti::unit_traits<block> {
    static constexpr std::string_view name = "block";
    struct all {
        block& of;
        auto begin() const { return of.loops.begin(); }
        auto end() const { return of.loops.end(); }
    };
    static all parts(block& b) { return {b}; }
    static void verify(const block&) {}
};
template <>
struct tutti::unit_traits<program> {
    static std::vector<block>& parts(program& p) { return p.blocks; }
    static std::string to_text(const program& p) { return std::to_string(p.blocks.size()) + " blocks"; }
    static std::uint64_t fingerprint(const program& p) { return p.blocks.size(); }
};

namespace {

static_assert(tutti::internal::has_text<program> && !tutti::internal::has_full_text<program> &&
              tutti::internal::has_fingerprint<program>);
static_assert(!tutti::internal::has_operators<program> && !tutti::internal::is_verified<program> &&
              tutti::internal::is_verified<block>);
static_assert(!tutti::internal::has_text<bare> && !tutti::internal::has_fingerprint<bare> &&
              !tutti::internal::is_verified<bare>);
static_assert(!tutti::internal::has_text<int> && !tutti::internal::has_parts<int>);

static_assert(tutti::internal::has_parts<program> && tutti::internal::has_parts<block> &&
              tutti::internal::has_parts<loop> && !tutti::internal::has_parts<bare>);
static_assert(std::same_as<tutti::internal::part_of<program>, block> &&
              std::same_as<tutti::internal::part_of<block>, loop>);
static_assert(std::same_as<tutti::levels_of<program>, tutti::units<program, block, loop>>);
static_assert(std::same_as<tutti::levels_of<loop>, tutti::units<loop>>);
static_assert(std::same_as<tutti::levels_of<bare>, tutti::units<bare>>);
static_assert(tutti::levels_of<program>::contains<loop> && !tutti::levels_of<block>::contains<program>);

static_assert(tutti::internal::unit_name<block>() == "block" && tutti::internal::unit_name<program>().empty());

} // namespace

TEST_CASE("unit_traits: has the given functions, and reports which", "[pass][unit_traits]") {
    program p{{{}, {}}};
    CHECK(tutti::unit_traits<program>::to_text(p) == "2 blocks");
    CHECK(tutti::unit_traits<program>::fingerprint(p) == 2);
}

TEST_CASE("unit_traits: parts are references into the unit", "[pass][unit_traits]") {
    program p{{{}, {}}};
    for (block& b : tutti::unit_traits<program>::parts(p))
        for (loop& l : tutti::unit_traits<block>::parts(b)) l.inner.emplace_back();
    CHECK(p.blocks[1].loops[0].inner.size() == 1);
}
