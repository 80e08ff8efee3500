#include <tutti/kernel/blocked/float/lines.hpp>

#include <tutti/kernel/softmax.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
namespace blocked = tutti::kernel::blocked;
using test::shape_t;
using test::tensor;

namespace {

tensor softmax(const tensor& data, bool logarithm, bool& known) {
    return test::made([&](tensor& out) { known = blocked::softmax(data, -1, logarithm, out); });
}

} // namespace

TEST_CASE("blocked/lines: softmax of lines of any length agrees with the plain one", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = test::rounds(60); round > 0; --round) {
        const shape_t shape{random.integer(1, 3), random.integer(1, round % 10 == 0 ? 3000 : 70)};
        const tensor data = random.filled<float>(shape, -20, 20);
        bool known[2]{};
        const tensor plain = test::made(kernel::softmax, data, std::int64_t{-1});
        const tensor logarithm = test::made(kernel::log_softmax, data, std::int64_t{-1});
        INFO(kernel::text(data));
        CHECK(test::difference(softmax(data, false, known[0]), shape, test::values(plain), 1e-6) == "");
        CHECK(test::difference(softmax(data, true, known[1]), shape, test::values(logarithm), 1e-6) == "");
        CHECK((known[0] && known[1]));
    }
}

TEST_CASE("blocked/lines: softmax of NaN and infinities", "[kernel][blocked]") {
    for (const std::int64_t length : {2, 16, 37})
        for (const std::int64_t at : {std::int64_t{0}, length - 1})
            for (const float x : {NAN, INFINITY, -INFINITY}) {
                tensor data(kernel::dtype::float32, {1, length});
                data.mutable_elements<float>()[static_cast<std::size_t>(at)] = x;
                const std::vector<double> expected = test::values(test::made(kernel::softmax, data, std::int64_t{-1}));
                bool known = false;
                INFO(x << " at " << at << " of " << length);
                CHECK(test::difference(softmax(data, false, known), {1, length}, expected, 1e-6) == "");
            }
    tensor nothing({2}, {-INFINITY, -INFINITY});
    bool known = false;
    CHECK(std::isnan(softmax(nothing, false, known).elements<float>()[0]));
}

TEST_CASE("blocked/lines: layer_norm agrees with the plain one", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = test::rounds(60); round > 0; --round) {
        const std::int64_t n = random.integer(1, round % 10 == 0 ? 3000 : 70);
        const shape_t shape{random.integer(1, 3), n};
        const tensor data = random.filled<float>(shape, -2, 3);
        const tensor gamma = random.filled<float>({n});
        const tensor beta = random.filled<float>({n});
        const kernel::norm_options options{
            .axis = -1, .epsilon = 1e-3, .center = random.integer(0, 1) != 0, .scale = random.integer(0, 1) != 0};
        const tensor expected = test::made([&](tensor& out) { kernel::layer_norm(data, gamma, beta, options, out); });
        bool known = false;
        const tensor got =
            test::made([&](tensor& out) { known = blocked::layer_norm(data, gamma, beta, options, out); });
        INFO(kernel::text(data));
        CHECK(known);
        CHECK(test::difference(got, shape, test::values(expected), 2e-5) == "");
    }
}

TEST_CASE("blocked/lines: leaves other axes, types, and operands that do not fit", "[kernel][blocked]") {
    tensor out;
    const tensor data(kernel::dtype::float32, {2, 3});
    const tensor wide(kernel::dtype::float64, {2, 3});
    CHECK(!blocked::softmax(data, 0, false, out));
    CHECK(!blocked::softmax(wide, 1, false, out));
    CHECK(!blocked::softmax(tensor(kernel::dtype::float32, {2, 0}), 1, false, out));
    CHECK(!blocked::layer_norm(data, tensor(kernel::dtype::float32, {2}), tensor(kernel::dtype::float32, {3}),
                               {.axis = 1}, out));
}
