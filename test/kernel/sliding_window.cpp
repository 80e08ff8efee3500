#include <tutti/kernel/sliding_window.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::tensor;

namespace {

using sizes = std::vector<std::int64_t>;

tensor slid(const tensor& data, std::int64_t axis, const sizes& window, const sizes& strides) {
    return test::made([](auto&... a) { kernel::sliding_window(a...); }, data, axis, window, strides);
}

} // namespace

TEST_CASE("sliding_window: each place of the window has its elements", "[kernel][sliding_window]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < test::rounds(50); ++round) {
        const tensor data = random.filled<float>({random.integer(0, 2), random.integer(1, 6), random.integer(1, 6)});
        const std::int64_t axis = random.integer(0, 1) == 0 ? 1 : -2;
        const sizes window{random.integer(1, data.shape()[1]), random.integer(1, data.shape()[2])};
        const sizes strides{random.integer(1, 3), random.integer(1, 3)};
        const std::vector<double> x = test::values(data);
        const std::int64_t down = (data.shape()[1] - window[0]) / strides[0] + 1;
        const std::int64_t right = (data.shape()[2] - window[1]) / strides[1] + 1;
        std::vector<double> expected;
        for (std::int64_t n = 0; n < data.shape()[0]; ++n)
            for (std::int64_t i = 0; i < down; ++i)
                for (std::int64_t j = 0; j < right; ++j)
                    for (std::int64_t h = 0; h < window[0]; ++h)
                        for (std::int64_t w = 0; w < window[1]; ++w)
                            expected.push_back(x[static_cast<std::size_t>(
                                (n * data.shape()[1] + i * strides[0] + h) * data.shape()[2] + j * strides[1] + w)]);
        CHECK(test::difference(slid(data, axis, window, strides), {data.shape()[0], down, right, window[0], window[1]},
                               expected, 0) == "");
    }
}

TEST_CASE("sliding_window: an error names mismatched operands", "[kernel][sliding_window]") {
    const tensor data(dtype::int8, {2, 3, 4});
    const auto error = [&](std::int64_t axis, const sizes& window, const sizes& strides) {
        return test::error_of([&] { slid(data, axis, window, strides); });
    };
    CHECK(error(1, {4, 4}, {1, 1}) ==
          "kernel::sliding_window: windows of (4, 4) that slide by (1, 1) over data (2, 3, 4) int8; expected positive "
          "numbers for each of 2 axes, and no window longer than its axis");
    CHECK(error(1, {3}, {1}).find("each of 2 axes") != std::string::npos);
    CHECK(error(1, {3, 4}, {1}).find("each of 2 axes") != std::string::npos);
    CHECK(error(2, {0}, {1}).find("positive numbers") != std::string::npos);
    CHECK(error(2, {1}, {-1}).find("positive numbers") != std::string::npos);
    CHECK(error(3, {}, {}).find("axis 3 of a tensor of rank 3") != std::string::npos);
    CHECK(slid(data, 2, {4}, {INT64_MAX}).size() == 24);
}
