#include <tutti/instrument/support/numbered_lines.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

using tutti::internal::key_table;
using tutti::internal::numbered_lines;

namespace {

// Returns each name as `name=value`, and the lines separated by `|`.
std::string values(std::string_view text, std::string_view prefixes = "%") {
    const numbered_lines read{text, prefixes};
    std::string out;
    for (std::size_t i = 0; i < read.size(); ++i) {
        for (std::size_t n = read.firsts[i]; n < read.firsts[i + 1]; ++n)
            out += std::string{read.name(n)} + "=" + std::to_string(read.name_values[n]) + " ";
        out += "|";
    }
    return out;
}

} // namespace

TEST_CASE("numbered_lines: a name is a prefix, letters, and a number", "[instrument][numbered_lines]") {
    CHECK(values("").empty());
    CHECK(values("a") == "|");
    CHECK(values("\n\nb\n") == "|||");
    CHECK(values("%1 %x12 %1.0 %x1_ %x % 5 a%2 %%3") == "%1=0 %x12=1 %1=0 %2=2 %3=3 |");
    CHECK(values("%1 v[2] w2 v2", "v[ w") == "v[2=0 w2=1 |");
    CHECK(values("v1 av1 v1", "v") == "v1=0 v1=0 |");
    CHECK(values("%1", "").find('%') == std::string::npos);
}

TEST_CASE("numbered_lines: a name at the beginning of a line defines a value, once more if it had one",
          "[instrument][numbered_lines]") {
    CHECK(values("%0 = a\n%1 = b %0\n%0 = c %0\nd %0\n") == "%0=0 |%1=1 %0=0 |%0=2 %0=2 |%0=2 |");
    CHECK(values("f(%0, %1)\n  let %0: t = a\n%1(%0)\n") == "%0=0 %1=1 |%0=0 |%1=1 %0=0 |");
    CHECK(values("f(%0)\n}\nf(%0)\n  }\nf(%0)\n") == "%0=0 ||%0=1 ||%0=1 |");
}

TEST_CASE("numbered_lines: lines with other numbers have the same pattern", "[instrument][numbered_lines]") {
    const numbered_lines read{"%1 = f %20\n%3 = f %4\n%3 = g %4\n%x3 = f %4\n", "%"};
    CHECK(read.patterns[0] == read.patterns[1]);
    CHECK(read.hashes[0] != read.hashes[1]);
    CHECK(read.patterns[1] != read.patterns[2]);
    CHECK(read.patterns[1] != read.patterns[3]);
    CHECK(read.line(0) == "%1 = f %20");
    CHECK(read.line(3) == "%x3 = f %4");
    CHECK(read.stem(7) == "%");
    CHECK(read.number(1) == "20");
}

TEST_CASE("numbered_lines: hashes tell lines apart by operands and by users", "[instrument][numbered_lines]") {
    const numbered_lines read{"%0 = a\n%1 = b\n%2 = f %0\n%3 = f %1\n%4 = f %0\n%5 = g %3\n", "%"};
    const auto used = read.hash_used(nullptr), users = read.hash_users(nullptr);
    CHECK(used[2] == used[4]);
    CHECK(used[2] != used[3]);
    CHECK(users[2] == users[4]);
    CHECK(users[2] != users[3]);
    const auto nearby = read.hash_used(&read.patterns);
    CHECK(nearby[2] == nearby[4]);
    CHECK(nearby[2] != nearby[3]);
}

TEST_CASE("key_table: finds numbers by keys", "[instrument][numbered_lines]") {
    key_table table;
    CHECK(table.find(1) == key_table::none);
    for (std::uint64_t i = 0; i < 1000; ++i) table.set(i * 64, i);
    for (std::uint64_t i = 0; i < 1000; ++i) table.set(i * 64, i + 1);
    bool all = true;
    for (std::uint64_t i = 0; i < 1000; ++i) all = all && table.find(i * 64) == i + 1;
    CHECK(all);
    CHECK(table.find(5) == key_table::none);
    table.clear();
    CHECK(table.find(64) == key_table::none);
}
