#include <tutti/instrument/run_totals.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

using tutti::instrument::run_totals;
using tutti::instrument::time_histogram;

namespace {

run_totals random_totals(std::mt19937& random) {
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    const auto word = [&] { return std::string(1, static_cast<char>('A' + below(5))); };
    run_totals made;
    made.add_runs(below(3));
    for (unsigned i = below(6); i > 0; --i) {
        run_totals::pass_entry each{.pass = word(), .calls = below(9), .inclusive = below(1000)};
        each.self.add(below(100'000), below(3));
        made.add(each);
    }
    for (unsigned i = below(6); i > 0; --i)
        made.add(run_totals::count_entry{word(), word(), static_cast<std::int64_t>(below(9)) - 4});
    for (unsigned i = below(6); i > 0; --i)
        made.add(run_totals::remark_entry{word(), tutti::remark_kind(below(3)), word(), 1 + below(3)});
    return made;
}
run_totals merged(run_totals a, const run_totals& b) {
    a.merge(b);
    return a;
}

} // namespace

TEST_CASE("time_histogram: buckets are narrow and cover all times", "[instrument][totals]") {
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i + 1 < time_histogram::most_buckets; ++i) {
        const std::int64_t begin = time_histogram::begin_of(i), end = time_histogram::begin_of(i + 1);
        REQUIRE(begin < end);
        REQUIRE(time_histogram::bucket_of(begin) == i);
        REQUIRE(time_histogram::bucket_of(end - 1) == i);
        if (begin >= 64) REQUIRE(static_cast<double>(end - begin) <= 0.032 * static_cast<double>(begin));
        last = i;
    }
    CHECK(last == time_histogram::most_buckets - 2);
    CHECK(time_histogram::bucket_of(INT64_MAX) == time_histogram::most_buckets - 1);
    CHECK(time_histogram::bucket_of(-5) == 0);
}

TEST_CASE("time_histogram: sums are exact, quantiles are those of the buckets", "[instrument][totals]") {
    time_histogram times;
    CHECK(times.mean() == 0);
    CHECK(times.quantile(0.5) == 0);
    for (std::int64_t i = 1; i <= 1000; ++i) times.add(i * 1000);
    CHECK(times.count() == 1000);
    CHECK(times.sum() == 500'500'000);
    CHECK(times.mean() == 500'500);
    CHECK((times.least() == 1000 && times.most() == 1'000'000));
    for (const double share : {0.1, 0.5, 0.9, 0.99})
        CHECK(static_cast<double>(times.quantile(share)) == Approx(share * 1'000'000).epsilon(0.03));
    time_histogram few;
    few.add(7, 3);
    CHECK(few.quantile(0.5) == 7);
    CHECK(few.buckets() == std::vector{time_histogram::bucket{7, 3}});
}

TEST_CASE("run_totals: the order of merging does not matter", "[instrument][totals]") {
    std::mt19937 random{7};
    for (int i = 0; i < 200; ++i) {
        const run_totals a = random_totals(random), b = random_totals(random), c = random_totals(random);
        REQUIRE(merged(a, b) == merged(b, a));
        REQUIRE(merged(merged(a, b), c) == merged(a, merged(b, c)));
        REQUIRE(merged(a, {}) == a);
        REQUIRE(merged({}, a) == a);
        REQUIRE(to_json(merged(a, b)) == to_json(merged(b, a)));
    }
}

TEST_CASE("run_totals: sums stay at the limits of their types", "[instrument][totals]") {
    run_totals all;
    run_totals::pass_entry each{.pass = "A", .calls = 1, .inclusive = INT64_MAX};
    each.self.add(INT64_MAX, 3);
    all.add(each);
    all.add(each);
    CHECK(all.passes().front().inclusive == INT64_MAX);
    CHECK(all.passes().front().self.sum() == INT64_MAX);
    for (int i = 0; i < 2; ++i) all.add(run_totals::count_entry{"A", "n", INT64_MIN});
    CHECK(all.counts().front().count == INT64_MIN);
}

TEST_CASE("run_totals: as JSON", "[instrument][totals]") {
    CHECK(to_json(run_totals{}) ==
          "{\"tutti_profile\":1,\"runs\":0,\n\"passes\":[],\n\"counts\":[],\n\"remarks\":[]}\n");
    run_totals all;
    all.add_runs(2);
    run_totals::pass_entry fuse{.pass = "Fuse\"Ops", .calls = 2, .inclusive = 81};
    fuse.self.add(30);
    fuse.self.add(40);
    all.add(fuse);
    all.add(run_totals::count_entry{"FuseOps", "fused", 6});
    all.add(run_totals::remark_entry{"FuseOps", tutti::remark_kind::missed, "used\ntwice", 1});
    CHECK(to_json(all) ==
          "{\"tutti_profile\":1,\"runs\":2,\n\"passes\":[\n"
          "{\"pass\":\"Fuse\\\"Ops\",\"calls\":2,\"inclusive_ns\":81,\"self_ns\":70,\"least_ns\":30,\"most_ns\":40,"
          "\"self\":[[30,1],[40,1]]}],\n\"counts\":[\n"
          "{\"pass\":\"FuseOps\",\"name\":\"fused\",\"count\":6}],\n\"remarks\":[\n"
          "{\"pass\":\"FuseOps\",\"kind\":\"missed\",\"text\":\"used\\u000atwice\",\"count\":1}]}\n");
}
