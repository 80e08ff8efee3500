#include <tutti/base/vector.hpp>

#include "support/catch.hpp"

#include <utility>
#include <vector>

namespace {

constexpr int total(const tutti::vector<int>& values) {
    int sum = 0;
    for (const int value : values) sum += value;
    return sum;
}

constexpr int filled_and_copied() {
    tutti::vector<int> values(2, 3);
    values.push_back(4);
    tutti::vector<int> copy;
    copy = values;
    values = {100};
    return total(copy) + total(std::move(values));
}

static_assert(filled_and_copied() == 110 && total({}) == 0 && total({1, 2}) == 3);

} // namespace

TEST_CASE("vector: converts from and to std::vector", "[vector]") {
    CHECK(filled_and_copied() == 110);
    const std::vector<int> given{1, 2, 3};
    CHECK(total(given) == 6);
    const tutti::vector<int> kept = given;
    const std::vector<int> back = kept;
    CHECK(back == given);
}
