#include <tutti/relay/eval/blocked_kernels/integer_elementwise.hpp>

#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/ir/builder.hpp>

#include "../../../kernel/support.hpp"
#include "../repeated.hpp"
#include "support/catch.hpp"

#include <vector>

namespace relay = tutti::relay;
using relay::expr;
using relay::kernels::blocked;
using test::dtype;
using test::tensor;

TEST_CASE("blocked_kernels/integer_elementwise: calls agree with the reference, for every type", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor wide = random.filled<std::int64_t>({2, 5, 40}, -1e5, 1e5);
    const tensor other = random.filled<std::int64_t>({5, 1}, -1e5, 1e5);
    const tensor along = random.filled<std::int64_t>({5}, -1e5, 1e5);
    for (const dtype type : {dtype::int8, dtype::uint8, dtype::int16, dtype::uint16, dtype::int32, dtype::int64,
                             dtype::float32, dtype::uint32}) {
        const tensor x = test::converted(wide, type);
        const tensor y = test::converted(other, type);
        const tensor z = test::converted(along, type);
        INFO(tutti::kernel::name(type));
        const auto check = [](const std::vector<tensor>& operands, auto build) {
            test::repeated call(operands, build);
            for (int round = 0; round < 2; ++round) CHECK(call.difference(blocked(), operands, 0) == "");
        };
        check({x, y}, [](const std::vector<expr>& e) { return relay::add(e[0], e[1]); });
        check({x, y}, [](const std::vector<expr>& e) { return relay::subtract(e[1], e[0]); });
        check({x, y}, [](const std::vector<expr>& e) { return relay::multiply(e[0], e[1]); });
        check({x, y}, [](const std::vector<expr>& e) { return relay::maximum(e[0], e[1]); });
        check({x, y}, [](const std::vector<expr>& e) { return relay::minimum(e[1], e[0]); });
        check({x, z}, [](const std::vector<expr>& e) { return relay::nn::bias_add(e[0], e[1], {.axis = 1}); });
        check({x}, [](const std::vector<expr>& e) { return relay::nn::relu(e[0]); });
        check({x}, [](const std::vector<expr>& e) { return relay::clip(e[0], {.a_min = -3, .a_max = 90}); });
        check({x}, [](const std::vector<expr>& e) { return relay::clip(e[0], {.a_min = 1000, .a_max = 2000}); });
        for (const dtype to : {dtype::int8, dtype::int32, dtype::float32, dtype::float64})
            check({x}, [to](const std::vector<expr>& e) { return relay::cast(e[0], {.dtype = to}); });
    }
}
