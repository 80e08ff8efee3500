// Evaluates the reference's programs with synthetic inputs, and compares the results with those of the reference.

#include "numeric.hpp"

#include <tutti/base/error.hpp>
#include <tutti/kernel/elementwise.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/op/invocation.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"
#include "test_paths.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>

using namespace tutti;

namespace {

struct greater_or_second {
    constexpr auto operator()(auto a, decltype(a) b) const { return a > b ? a : b; }
};
struct lesser_or_second {
    constexpr auto operator()(auto a, decltype(a) b) const { return a < b ? a : b; }
};
struct greater_or_zero {
    constexpr auto operator()(auto x) const { return x > 0 ? x : decltype(x){0}; }
};
struct sign_or_zero {
    template <class T>
    constexpr T operator()(T x) const {
        return x > T{0} ? T{1} : x < T{0} ? static_cast<T>(-1) : T{0};
    }
};

/// Kernels that drop NaN where the reference's compiled code does. The library's kernels propagate NaN. See
/// docs/differences.md.
struct dropping_nan {
    template <class Op>
    static bool pairs(const relay::invocation& c) {
        kernel::detail::arithmetic("pairs", kernel::detail::pair_loops<Op>, c.input(0), c.input(1), c.result());
        return true;
    }
    template <class Op>
    static bool each(const relay::invocation& c) {
        kernel::detail::map_any("each", kernel::detail::arithmetic_loops<Op>, c.input(0), c.result());
        return true;
    }
    static constexpr relay::kernel_table table{
        std::array{relay::kernel_row{&relay::definition<relay::op::maximum>, &pairs<greater_or_second>},
                   relay::kernel_row{&relay::definition<relay::op::minimum>, &pairs<lesser_or_second>},
                   relay::kernel_row{&relay::definition<relay::op::nn::relu>, &each<greater_or_zero>},
                   relay::kernel_row{&relay::definition<relay::op::sign>, &each<sign_or_zero>}}};
};

/// Returns the largest error of the outputs of a row. Throws if an output is missing or has the wrong type.
double error_of(const test::numeric_row& row, const relay::kernel_set& kernels = relay::kernels::blocked()) {
    relay::evaluator e(relay::parse(test::read_file(row.program),
                                    {.source = row.program.filename().string(), .metadata = &relay::read_metadata}),
                       kernels);
    const auto inputs = test::synthetic_inputs(e);
    const auto results = e.run(std::span<const relay::tensor>(inputs));
    const auto expected = test::numeric_outputs(test::read_file(row.values));
    if (results.size() != expected.size() || expected.size() != row.outputs)
        throw std::runtime_error("another number of outputs");
    double largest = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto values = test::elements_of(results[i]);
        if (test::type_line(results[i]) != expected[i].type || expected[i].values.empty() ||
            expected[i].values.size() > values.size())
            throw std::runtime_error("output " + std::to_string(i) + " is " + test::type_line(results[i]) + ", not " +
                                     expected[i].type);
        largest = std::max(largest, test::largest_error(values, expected[i].values));
    }
    return largest;
}

/// Rows in which the reference's compiler simplified `x - x` or `x * 0` to 0, even if x is NaN.
constexpr std::string_view simplified_by_the_reference[]{"random.85", "random.186", "random.209", "random.288"};

/// Rows in which a NaN reaches an operator that drops it in the reference. Our results contain NaN. With the kernels of
/// `dropping_nan`, our results match the reference.
constexpr std::string_view nan_dropped_by_the_reference[]{"random.24",  "random.34",  "random.38",  "random.78",
                                                          "random.132", "random.190", "random.198", "random.205",
                                                          "random.251", "random.255", "random.272"};

bool is_in(std::span<const std::string_view> ids, std::string_view id) {
    return std::ranges::find(ids, id) != ids.end();
}

/// Evaluates all rows of a folder and prints their errors.
void check_all(const std::filesystem::path& folder) {
    std::map<std::string, std::size_t> causes;
    std::size_t count = 0;
    std::size_t good = 0;
    std::size_t nan_kept = 0;
    double largest = 0;
    for (const test::numeric_row& row : test::numeric_rows(folder)) {
        ++count;
        INFO(row.id);
        try {
            double e = error_of(row);
            if (is_in(nan_dropped_by_the_reference, row.id)) {
                ++nan_kept;
                CHECK(e == std::numeric_limits<double>::infinity());
                e = error_of(row, relay::kernel_set(dropping_nan::table, relay::kernels::reference()));
            }
            std::printf("%s\t%.3g\n", row.id.c_str(), e);
            const bool known = is_in(simplified_by_the_reference, row.id);
            CHECK((known ? e > 1 : e <= 1e-4));
            if (!known) largest = std::max(largest, e);
            if (known || e <= 1e-4) ++good;
        } catch (const std::exception& e) {
            std::printf("%s\t%s\n", row.id.c_str(), e.what());
            ++causes[e.what()];
        }
    }
    for (const auto& [cause, times] : causes) std::printf("%zu times: %s\n", times, cause.c_str());
    std::printf("%zu of %zu rows are as they should be; the largest error is %.3g\n", good, count, largest);
    std::printf("%zu rows agree where kernels drop NaN as the reference does\n", nan_kept);
    CHECK(count > 50);
    CHECK(good == count);
}

} // namespace

TEST_CASE("numeric rows: our programs give the reference's results", "[relay][golden]") {
    check_all(std::filesystem::path(test::data_dir) / "golden");
}

TEST_CASE("numeric rows: the programs give the reference's results", "[relay][golden][shared]") {
    check_all(std::filesystem::path(test::shared_dir) / "golden");
}

TEST_CASE("largest_error: is relative to the largest value, and infinite if only one is not finite",
          "[relay][golden]") {
    using values = std::vector<double>;
    CHECK(test::largest_error(values{1, 2, 5}, values{1, 2, 4}) == 0.25);
    CHECK(test::largest_error(values{1, 2, 5}, values{1, 2}) == 0);
    CHECK(test::largest_error(values{1}, values{0}) == 1);
    CHECK(test::largest_error(values{NAN}, values{1}) > 1e300);
    CHECK(test::largest_error(values{1}, values{INFINITY}) > 1e300);
    CHECK(test::largest_error(values{NAN, INFINITY}, values{NAN, INFINITY}) == 0);
}

TEST_CASE("numeric_outputs: reads types and values", "[relay][golden]") {
    const auto read = test::numeric_outputs("# 2 float32\n1\n-2.5e-3\n#  float32\n3\n");
    REQUIRE(read.size() == 2);
    CHECK(read[0].type == "2 float32");
    CHECK(read[0].values == std::vector<double>{1, -2.5e-3});
    CHECK(read[1].type == " float32");
    CHECK(test::type_line(kernel::tensor::scalar(1.F)) == " float32");
    CHECK_THROWS(test::numeric_outputs("1\n"));
}
