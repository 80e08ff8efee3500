#include <tutti/kernel/blocked/integer/elementwise.hpp>

#include <tutti/kernel/bias_add.hpp>
#include <tutti/kernel/elementwise.hpp>
#include <tutti/parallel/thread_pool.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace kernel = tutti::kernel;
namespace blocked = tutti::kernel::blocked;
using kernel::dtype;
using kernel::tensor;
using test::shape_t;

namespace {

constexpr dtype small_types[]{dtype::int8, dtype::uint8, dtype::int16, dtype::uint16, dtype::int32};

dtype any_small_type(test::random_source& random) { return small_types[random.integer(0, 4)]; }

// Returns random integers of the type, including its smallest and largest.
tensor small_integers(test::random_source& random, const shape_t& shape, dtype type) {
    const auto range = kernel::values_of(type);
    tensor wide(dtype::int64, shape);
    for (std::int64_t& x : wide.mutable_elements<std::int64_t>()) {
        x = random.integer(range.least, range.greatest);
        if (random.integer(0, 9) == 0) x = random.integer(0, 1) == 0 ? range.least : range.greatest;
    }
    return test::converted(wide, type);
}

shape_t any_shape(test::random_source& random) {
    if (random.integer(0, 19) == 0) // large enough for several threads
        return {random.integer(20, 40), random.integer(20, 40), random.integer(20, 40)};
    shape_t shape(static_cast<std::size_t>(random.integer(0, 4)));
    for (std::int64_t& d : shape) d = random.integer(0, 9) == 0 ? 0 : random.integer(1, 9);
    if (!shape.empty() && random.integer(0, 9) == 0) shape.back() *= random.integer(1, 70);
    return shape;
}

// Returns a shape that broadcasts to `shape`.
shape_t part_of(test::random_source& random, const shape_t& shape) {
    shape_t part(shape.begin() + random.integer(0, static_cast<std::int64_t>(shape.size())), shape.end());
    if (random.integer(0, 1) == 0) part = shape;
    for (std::int64_t& d : part)
        if (random.integer(0, 2) == 0) d = 1;
    return part;
}

struct operation {
    const char* name;
    bool (*own)(std::string_view, const tensor&, const tensor&, tensor&, tutti::executor_ref);
    void (*reference)(const tensor&, const tensor&, tensor&);
    kernel::block_operation block;
};
const operation operations[]{
    {"add", blocked::combine_integers<blocked::integer_sum>, kernel::add, blocked::integer_block<blocked::integer_sum>},
    {"subtract", blocked::combine_integers<blocked::integer_difference>, kernel::subtract,
     blocked::integer_block<blocked::integer_difference>},
    {"multiply", blocked::combine_integers<blocked::integer_product>, kernel::multiply,
     blocked::integer_block<blocked::integer_product>},
    {"maximum", blocked::combine_integers<blocked::greater_integer>, kernel::maximum,
     blocked::integer_block<blocked::greater_integer>},
    {"minimum", blocked::combine_integers<blocked::lesser_integer>, kernel::minimum,
     blocked::integer_block<blocked::lesser_integer>},
};

const float* carried(const tensor& t) { return static_cast<const float*>(t.memory()); }

} // namespace

TEST_CASE("blocked/integer_elementwise: pairs make the reference's integers, on any number of threads",
          "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tutti::thread_pool pool(3);
    for (int round = test::rounds(600); round > 0; --round) {
        const operation& op = operations[random.integer(0, 4)];
        const dtype type = any_small_type(random);
        const shape_t shape = any_shape(random);
        tensor a = small_integers(random, shape, type);
        tensor b = small_integers(random, part_of(random, shape), type);
        if (random.integer(0, 1) == 0) std::swap(a, b);
        INFO(op.name << " of " << kernel::text(a) << " and " << kernel::text(b));
        bool known = false;
        const tensor got = test::made([&](tensor& out) {
            known = op.own(op.name, a, b, out, round % 2 == 0 ? tutti::executor_ref(pool) : tutti::executor_ref());
        });
        CHECK(known);
        CHECK(test::identical(got, test::made(op.reference, a, b)));
    }
}

TEST_CASE("blocked/integer_elementwise: a bias along any axis", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tutti::thread_pool pool(3);
    for (int round = test::rounds(200); round > 0; --round) {
        shape_t shape = any_shape(random);
        if (shape.empty()) shape.push_back(3);
        const auto rank = static_cast<std::int64_t>(shape.size());
        const std::int64_t axis = random.integer(-rank, rank - 1);
        const dtype type = any_small_type(random);
        const tensor data = small_integers(random, shape, type);
        const tensor bias =
            small_integers(random, {shape[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)]}, type);
        INFO(kernel::text(data) << " along " << axis);
        tensor got;
        CHECK(blocked::bias_add_integers(data, bias, axis, got,
                                         round % 2 == 0 ? tutti::executor_ref(pool) : tutti::executor_ref()));
        CHECK(test::identical(got, test::made(kernel::bias_add, data, bias, axis)));
    }
}

TEST_CASE("blocked/integer_elementwise: clip and relu, by bounds within the type and beyond", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tutti::thread_pool pool(3);
    int left = 0;
    for (int round = test::rounds(400); round > 0; --round) {
        const tutti::executor_ref on = round % 2 == 0 ? tutti::executor_ref(pool) : tutti::executor_ref();
        const dtype type = any_small_type(random);
        const auto range = kernel::values_of(type);
        const tensor data = small_integers(random, any_shape(random), type);
        const auto bound = [&] {
            if (random.integer(0, 9) == 0) return std::numeric_limits<double>::quiet_NaN();
            if (random.integer(0, 9) == 0) return random.real(-1e20, 1e20);
            return random.real(static_cast<double>(range.least), static_cast<double>(range.greatest)) *
                   random.real(0.5, 1.5);
        };
        const double low = bound();
        const double high = bound();
        INFO(kernel::text(data) << " from " << low << " to " << high);
        tensor got;
        if (blocked::clip_integers(data, low, high, got, on))
            CHECK(test::identical(got, test::made(kernel::clip, data, low, high)));
        else
            ++left;
        CHECK(blocked::relu_integers(data, got, on));
        CHECK(test::identical(got, test::made(kernel::relu, data)));
    }
    CHECK(left < test::rounds(400) / 4);
    tensor none;
    CHECK(!blocked::clip_integers(tensor(dtype::int8, {2}), 128, 200, none)); // the bounds would wrap in int8
    CHECK(!blocked::clip_integers(tensor(dtype::uint8, {2}), -3, -1, none));
}

TEST_CASE("blocked/integer_elementwise: operations on blocks of int32, also in place", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const operation& op : operations)
        for (std::int64_t n = 0; n < 70; ++n) {
            INFO(op.name << " of " << n);
            const tensor a = small_integers(random, {n}, dtype::int32);
            const tensor b = small_integers(random, {n}, dtype::int32);
            const tensor one = small_integers(random, {}, dtype::int32);
            tensor got(dtype::int32, {n});
            const auto copied = [&](const tensor& t) {
                if (n != 0) std::memcpy(got.mutable_memory(), t.memory(), static_cast<std::size_t>(n) * 4);
                return static_cast<float*>(got.mutable_memory());
            };
            float* to = copied(a);
            op.block.two(to, carried(b), to, n);
            CHECK(test::identical(got, test::made(op.reference, a, b)));
            to = copied(b);
            op.block.two(carried(a), to, to, n);
            CHECK(test::identical(got, test::made(op.reference, a, b)));
            to = copied(a);
            op.block.by_one(to, *carried(one), to, n);
            CHECK(test::identical(got, test::made(op.reference, a, one)));
            float parameters[2];
            CHECK(blocked::clip_parameters(-1e9, 1e300, parameters));
            to = copied(a);
            blocked::integer_clip_block.one(to, to, n, parameters);
            CHECK(test::identical(got, test::made(kernel::clip, a, -1e9, 1e300)));
        }
    float parameters[2];
    CHECK(!blocked::clip_parameters(3e9, 4e9, parameters));
}

TEST_CASE("blocked/integer_elementwise: declines unsupported operands", "[kernel][blocked]") {
    tensor out;
    const auto sum = [&](const tensor& a, const tensor& b) {
        return blocked::combine_integers<blocked::integer_sum>("add", a, b, out);
    };
    for (const dtype type : {dtype::float32, dtype::boolean, dtype::int64, dtype::uint32, dtype::none}) {
        const tensor t = type == dtype::none ? tensor{} : tensor(type, {3});
        CHECK(!sum(t, t));
        CHECK(!blocked::relu_integers(t, out));
        CHECK(!blocked::clip_integers(t, 0, 1, out));
        CHECK(!blocked::bias_add_integers(t, t, 0, out));
    }
    const tensor bytes(dtype::int8, {3});
    CHECK(!sum(bytes, tensor(dtype::uint8, {3})));
    CHECK(!sum(bytes, tensor(dtype::int8, {2})));
    CHECK(!blocked::bias_add_integers(bytes, bytes, 1, out));
    CHECK(!blocked::bias_add_integers(bytes, bytes, -2, out));
    CHECK(!blocked::bias_add_integers(bytes, tensor(dtype::int8, {2}), 0, out));
    // Broadcasts along every other axis.
    CHECK(!sum(tensor(dtype::int8, {2, 2, 2, 2, 2, 2, 2, 2}), tensor(dtype::int8, {2, 1, 2, 1, 2, 1, 2, 1})));
    CHECK(out.empty());
}
