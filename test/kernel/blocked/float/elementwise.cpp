#include <tutti/kernel/blocked/float/elementwise.hpp>

#include <tutti/kernel/elementwise.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>

namespace kernel = tutti::kernel;
namespace blocked = tutti::kernel::blocked;
using test::tensor;

TEST_CASE("blocked/elementwise: vectorised functions agree with scalar ones, for any number of elements",
          "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    struct function {
        const char* name;
        kernel::detail::unary_loop<float> loop;
        void (*plain)(const tensor&, tensor&);
        double low;
    };
    for (const auto& [name, loop, plain, low] :
         {function{"exp", blocked::exp_loop, kernel::exp, -9}, function{"log", blocked::log_loop, kernel::log, 0.01},
          function{"tanh", blocked::tanh_loop, kernel::tanh, -9},
          function{"sigmoid", blocked::sigmoid_loop, kernel::sigmoid, -9},
          function{"erf", blocked::erf_loop, kernel::erf, -9}})
        for (std::int64_t size = 0; size < 70; size += 1 + size / 5) {
            const tensor x = random.filled<float>({size}, low, 3);
            INFO(name << " of " << size);
            const tensor expected = test::made(*plain, x);
            bool known = false;
            const tensor got = test::made([&](tensor& out) { known = blocked::map(name, loop, x, out); });
            CHECK(known);
            CHECK(test::difference(got, {size}, test::values(expected), 1e-6) == "");
            if (size == 0) continue;
            tensor in_place(kernel::dtype::float32, {size});
            std::copy_n(x.data<float>(), size, in_place.mutable_data<float>());
            loop(in_place.data<float>(), in_place.mutable_data<float>(), size, nullptr);
            CHECK(test::difference(in_place, {size}, test::values(got), 0) == "");
        }
    tensor out;
    CHECK(!blocked::map("exp", blocked::exp_loop, tensor(kernel::dtype::float64, {2}), out));
}
