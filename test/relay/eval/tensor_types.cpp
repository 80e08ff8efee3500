#include <tutti/relay/eval/tensor_types.hpp>

#include "support/catch.hpp"

namespace relay = tutti::relay;
namespace eval = tutti::relay::detail;
using relay::dim;
using relay::dtype;
using tutti::kernel::tensor;

TEST_CASE("tensor_types: a tensor is of a type if dimensions and element type agree", "[relay][eval]") {
    relay::type_table types;
    const auto known = types.tensor(std::vector<dim>{2, 3}, dtype::float32);
    const auto unknown = types.tensor(std::vector<dim>{dim::any(), 3}, dtype::float32);
    const tensor t(dtype::float32, {2, 3});
    CHECK(eval::is_of(t, types, known));
    CHECK(eval::is_of(t, types, unknown));
    CHECK(eval::is_of(tensor(dtype::float32, {7, 3}), types, unknown));
    CHECK_FALSE(eval::is_of(tensor(dtype::float32, {2, 4}), types, unknown));
    CHECK_FALSE(eval::is_of(tensor(dtype::float32, {2}), types, known));
    CHECK_FALSE(eval::is_of(tensor(dtype::int32, {2, 3}), types, known));
    CHECK_FALSE(eval::is_of(tensor(), types, types.tensor({}, dtype::float32)));

    CHECK(eval::type_said(t) == "Tensor[(2, 3), float32]");
    CHECK(eval::type_said(tensor::scalar(true)) == "bool");
    CHECK(eval::type_said(tensor()) == "an empty tensor");

    CHECK(eval::bytes_of(types, known) == 24);
    CHECK(eval::bytes_of(types, unknown) == 0);
    CHECK(eval::bytes_of(types, types.tuple(std::vector{known})) == 0);
    const dim many = std::int64_t{1} << 40;
    CHECK(eval::bytes_of(types, types.tensor(std::vector<dim>{many}, dtype::float32)) == std::size_t{4} << 40);
    CHECK(eval::bytes_of(types, types.tensor(std::vector<dim>{many, many}, dtype::float32)) == 0);
    CHECK(eval::bytes_of(types, types.tensor(std::vector<dim>{many, many, 0}, dtype::float32)) == 0);
}
