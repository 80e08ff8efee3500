#include <tutti/kernel/einsum.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::tensor;
using test::error_of;
using test::shape_t;

namespace {

tensor einsum(const std::vector<tensor>& operands, std::string_view equation) {
    std::vector<const tensor*> parts;
    for (const tensor& t : operands) parts.push_back(&t);
    tensor out;
    kernel::einsum(parts, equation, out);
    return out;
}

constexpr bool multiplies_in_constant_evaluation() {
    const tensor a({2, 2}, {1, 2, 3, 4});
    const tensor* const parts[]{&a, &a};
    tensor out;
    kernel::einsum(parts, "ij,jk->ik", out);
    return out.elements<int>()[0] == 7 && out.elements<int>()[3] == 22;
}

/// Computes the result's element at an index, letter by letter. Does not support ellipses.
double naive(const std::vector<tensor>& operands, const std::vector<std::string>& parts, const std::string& result,
             const std::map<char, std::int64_t>& sizes, const shape_t& index) {
    std::string letters;
    shape_t counts;
    for (const auto& [letter, size] : sizes)
        if (result.find(letter) == std::string::npos) {
            letters += letter;
            counts.push_back(size);
        }
    double sum = 0;
    test::for_each_index(counts, [&](const shape_t& summed) {
        double product = 1;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            shape_t at;
            for (std::size_t d = 0; d < parts[i].size(); ++d) {
                const std::size_t kept = result.find(parts[i][d]);
                const std::int64_t where = kept != std::string::npos ? index[kept] : summed[letters.find(parts[i][d])];
                at.push_back(operands[i].shape()[d] == 1 ? 0 : where);
            }
            product *= test::elements_of(operands[i])(at);
        }
        sum += product;
    });
    return sum;
}

} // namespace

TEST_CASE("einsum: multiplies in constant evaluation", "[kernel][einsum]") {
    static_assert(multiplies_in_constant_evaluation());
    CHECK(multiplies_in_constant_evaluation());
}

TEST_CASE("einsum: is the sum of products that the equation says", "[kernel][einsum]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    static constexpr dtype types[]{dtype::float32, dtype::float64, dtype::int32, dtype::int64, dtype::uint64};
    for (int round = 0; round < 150; ++round) {
        std::map<char, std::int64_t> sizes;
        for (const char letter : std::string("abcd"))
            sizes[letter] = random.integer(random.integer(0, 9) == 0 ? 0 : 1, 4);
        const dtype type = types[static_cast<std::size_t>(random.integer(0, 4))];
        std::vector<std::string> parts;
        std::vector<tensor> operands;
        std::string equation;
        std::map<char, std::int64_t> used;
        for (std::int64_t n = random.integer(1, 3); n != 0; --n) {
            std::string part;
            shape_t shape;
            for (std::int64_t d = random.integer(0, 3); d != 0; --d) {
                part += static_cast<char>('a' + random.integer(0, 3));
                shape.push_back(random.integer(0, 5) == 0 ? 1 : sizes[part.back()]);
                std::int64_t& size = used.try_emplace(part.back(), 1).first->second;
                if (shape.back() != 1) size = shape.back();
            }
            equation += (parts.empty() ? "" : ",") + part;
            parts.push_back(part);
            operands.push_back(test::any_data(random, type, shape, 25)); // sums of 256 products are exact in float32
        }
        std::string result;
        for (const auto& [letter, size] : used)
            if (random.integer(0, 1) == 0)
                result.insert(static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(result.size()))), 1,
                              letter);
        equation += "->" + result;
        shape_t shape;
        for (const char letter : result) shape.push_back(used[letter]);
        INFO(equation << " of " << kernel::text(operands[0]));
        CHECK(test::difference_from(einsum(operands, equation), type, shape, [&](const shape_t& index) {
                  const double sum = naive(operands, parts, result, used, index);
                  return type == dtype::float32 ? static_cast<double>(static_cast<float>(sum)) : sum;
              }) == "");
    }
}

TEST_CASE("einsum: elements of narrow types are summed in wide ones, and integers wrap", "[kernel][einsum]") {
    const tensor a({2, 2}, {100, 100, 1, 2});
    tensor narrow(dtype::int8, {2, 2});
    for (std::size_t i = 0; i < 4; ++i)
        narrow.mutable_elements<std::int8_t>()[i] = static_cast<std::int8_t>(a.elements<int>()[i]);
    CHECK(test::difference(einsum({narrow, narrow}, "ij,ij->i"), {2}, {20000 % 256, 5}, 0) == "");
    CHECK(einsum({narrow}, "ii->i").type() == dtype::int8);
    CHECK(test::difference(einsum({tensor({2}, {1.F, 2.F}), tensor({3}, {1.F, 2.F, 3.F})}, "i,j"), {2, 3},
                           {1, 2, 3, 2, 4, 6}, 0) == "");
    CHECK(test::difference(
              einsum({tensor({2, 1, 2}, {1, 2, 3, 4}), tensor({3, 2}, {1, 1, 2, 2, 3, 3})}, "...i,...i->..."), {2, 3},
              {3, 6, 9, 7, 14, 21}, 0) == "");
}

TEST_CASE("einsum: refuses mismatched operands", "[kernel][einsum]") {
    const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});
    CHECK(error_of([&] { einsum({x}, "ij,jk->ik"); }) ==
          "kernel::einsum: the equation \"ij,jk->ik\" for 1 tensors; expected a part for each tensor");
    CHECK(
        error_of([&] { einsum({x, x}, "ij,jk->ik"); }) ==
        "kernel::einsum: the equation \"ij,jk->ik\" for a tensor (2, 3) int32; expected sizes that agree along each letter");
    CHECK(error_of([&] {
              einsum({x}, "i");
          }).starts_with("kernel::einsum: the equation \"i\": a part does not have a letter"));
    CHECK(error_of([&] { einsum({x, tensor({2}, {1.F, 2.F})}, "ij,i"); }).ends_with("expected the same element type"));
    CHECK(error_of([&] { einsum({tensor::scalar(true)}, ""); }).ends_with("an integer or floating-point type"));
    CHECK(error_of([&] { einsum({}, ""); }).ends_with("a part for each tensor"));
    const tensor wide(dtype::int8, {1 << 17});
    CHECK(error_of([&] { einsum({wide, wide, wide}, "i,j,k->"); }).ends_with("fewer than 2^48 products"));
}
