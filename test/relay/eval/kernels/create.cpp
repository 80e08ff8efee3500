#include <tutti/relay/eval/kernels/create.hpp>

#include "support.hpp"

#include <vector>

using test::dtype;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::create_kernels<>;

} // namespace

TEST_CASE("kernels/create: tensors of one value have the shape and type that the attributes say", "[relay][eval]") {
    const test::call_row rows[]{
        {"full(3.5f, shape=[2])", {}, {2}, {3.5, 3.5}},
        {R"(full(3.5f, shape=[], dtype="int8"))", {}, {}, {3}},
        {R"(ones(shape=[1, 2], dtype="bool"))", {}, {1, 2}, {1, 1}},
        {R"(zeros(shape=[2, 0], dtype="int64"))", {}, {2, 0}, {}},
        {R"(zeros(shape=[2], dtype="float16"))", {}, {2}, {0, 0}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/create: the shape and type of one argument, one value everywhere", "[relay][eval]") {
    for (int i = static_cast<int>(dtype::boolean); i <= static_cast<int>(dtype::float64); ++i) {
        const auto type = static_cast<dtype>(i);
        const tensor x(type, {2, 3});
        const test::call_row rows[]{
            {"zeros_like(%a)", {x}, {2, 3}, std::vector<double>(6, 0)},
            {"ones_like(%a)", {x}, {2, 3}, std::vector<double>(6, 1)},
            {"full_like(%a, 7)", {x}, {2, 3}, std::vector<double>(6, type == dtype::boolean ? 1 : 7)},
        };
        test::check(kernels, rows);
    }
    const test::call_row none[]{{"ones_like(%a)", {tensor(dtype::float32, {0, 2})}, {0, 2}, {}}};
    test::check(kernels, none);
}

TEST_CASE("kernels/create: arange converts its numbers to the type that the attribute says", "[relay][eval]") {
    const test::call_row rows[]{{R"(arange(1, 8, 3, dtype="int32"))", {}, {3}, {1, 4, 7}}};
    test::check(kernels, rows);
}
