#include <tutti/base/digest.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <set>
#include <string>

TEST_CASE("digest: depends on every byte, their order and their division", "[base][digest]") {
    std::set<std::uint64_t> seen, low;
    const std::string text(100, 'a');
    for (std::size_t i = 0; i <= text.size(); ++i) {
        std::string other = text;
        if (i < text.size()) other[i] = 'b';
        seen.insert(tutti::digest_of(other).high);
        low.insert(tutti::digest_of(other).low);
        if (i != text.size()) seen.insert(tutti::digest_of(text.substr(0, i)).high);
    }
    CHECK(seen.size() == 201);
    CHECK(low.size() == 101);
    tutti::digester one, two, three;
    one.add("ab"), one.add("c");
    two.add("a"), two.add("bc");
    three.add("c"), three.add("ab");
    CHECK_FALSE(one.value() == two.value());
    CHECK_FALSE(one.value() == three.value());
}

TEST_CASE("digest: numbers and digests are parts of a digest", "[base][digest]") {
    constexpr auto of = [](std::uint64_t a, std::uint64_t b) {
        tutti::digester all;
        all.add(a);
        all.add(tutti::digest{b, 1});
        return all.value();
    };
    static_assert(of(1, 2) == of(1, 2));
    static_assert(!(of(1, 2) == of(2, 1)));
    CHECK((of(1, 2) < of(2, 1)) != (of(2, 1) < of(1, 2)));
    std::set<std::uint64_t> seen;
    for (std::uint64_t i = 0; i < 1000; ++i) seen.insert(of(i, ~i).low);
    CHECK(seen.size() == 1000);
}
