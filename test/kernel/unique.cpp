#include <tutti/kernel/unique.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::tensor;
using kernel::unique_order;
using test::error_of;

namespace {

std::array<tensor, 5> found(const tensor& data, unique_order order) {
    std::array<tensor, 5> all;
    kernel::unique(data, order, {&all[0], &all[1], &all[2], &all[3], &all[4]});
    return all;
}

constexpr bool counts_in_constant_evaluation() {
    tensor values, places, inverse, number, counts;
    kernel::unique(tensor({3}, {5, 2, 5}), unique_order::ascending, {&values, &places, &inverse, &number, &counts});
    return values.elements<int>()[1] == 5 && number.elements<int>()[0] == 2 && counts.elements<int>()[1] == 2;
}

} // namespace

TEST_CASE("unique: counts in constant evaluation", "[kernel][unique]") {
    static_assert(counts_in_constant_evaluation());
    CHECK(counts_in_constant_evaluation());
}

TEST_CASE("unique: has each element once", "[kernel][unique]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 100; ++round) {
        const std::int64_t n = random.integer(0, 12);
        const tensor t = test::any_data(random, {n});
        const std::vector<double> x = test::values(t);
        const auto order = random.integer(0, 1) == 0 ? unique_order::ascending : unique_order::first_occurrence;
        std::vector<double> once;
        for (const double v : x)
            if (std::find(once.begin(), once.end(), v) == once.end()) once.push_back(v);
        if (order == unique_order::ascending) std::sort(once.begin(), once.end());
        std::vector<double> values(x.size(), 0), places(x.size(), static_cast<double>(n)), inverse, counts(x.size(), 0);
        for (std::size_t i = 0; i < once.size(); ++i) {
            values[i] = once[i];
            places[i] = static_cast<double>(std::find(x.begin(), x.end(), once[i]) - x.begin());
            counts[i] = static_cast<double>(std::count(x.begin(), x.end(), once[i]));
        }
        for (const double v : x)
            inverse.push_back(static_cast<double>(std::find(once.begin(), once.end(), v) - once.begin()));
        const auto all = found(t, order);
        INFO(kernel::text(t));
        CHECK(all[0].type() == t.type());
        CHECK(test::difference(all[0], {n}, values, 0) == "");
        CHECK(test::difference(all[1], {n}, places, 0) == "");
        CHECK(test::difference(all[2], {n}, inverse, 0) == "");
        CHECK(test::difference(all[3], {1}, {static_cast<double>(once.size())}, 0) == "");
        CHECK(test::difference(all[4], {n}, counts, 0) == "");
    }
}

TEST_CASE("unique: NaN is equal to nothing, the zeros are equal", "[kernel][unique]") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto all = found(tensor({4}, {nan, 0.F, nan, -0.F}), unique_order::ascending);
    CHECK(test::difference(all[2], {4}, {1, 0, 2, 0}, 0) == "");
    CHECK(test::difference(all[3], {1}, {3}, 0) == "");
    CHECK(error_of([] { found(tensor::scalar(1), unique_order::ascending); }) ==
          "kernel::unique: data is () int32; expected a vector of fewer than 2^31 elements");
}
