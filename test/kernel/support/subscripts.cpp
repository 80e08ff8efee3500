#include <tutti/kernel/support/subscripts.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kernel = tutti::kernel;

namespace {

/// Returns the labels of the result, or the error. The label "1" is the last axis of an ellipsis.
std::string result_of(std::string_view equation, std::vector<std::size_t> ranks) {
    kernel::subscripts read(equation);
    if (read.operands() != ranks.size()) return "parts";
    for (std::size_t i = 0; i < ranks.size(); ++i) static_cast<void>(read.operand(i, ranks[i]));
    const kernel::extents labels = read.result();
    if (!read.problem().empty()) return std::string(read.problem());
    std::string text;
    for (const std::int64_t label : labels)
        text += static_cast<char>(label < 26 ? 'A' + label : label < 52 ? 'a' + label - 26 : '1' + label - 52);
    return text;
}

constexpr bool reads_in_constant_evaluation() {
    kernel::subscripts read("ij,jk->ik");
    const bool same = read.operand(0, 2)[1] == read.operand(1, 2)[0];
    const kernel::extents result = read.result();
    return same && result.size() == 2 && result[1] == 36 && read.problem().empty();
}

} // namespace

TEST_CASE("subscripts: reads in constant evaluation", "[kernel][subscripts]") {
    static_assert(reads_in_constant_evaluation());
    CHECK(reads_in_constant_evaluation());
}

TEST_CASE("subscripts: the result has the letters that are said, or those that occur once", "[kernel][subscripts]") {
    CHECK(result_of("ij, jk -> ki", {2, 2}) == "ki");
    CHECK(result_of("ba,bZ", {2, 2}) == "Za");
    CHECK(result_of("...i,i...", {3, 2}) == "21");
    CHECK(result_of("i...->...", {3}) == "21");
    CHECK(result_of("...->...", {0}) == "");
    CHECK(result_of(",ij->", {0, 2}) == "");
    CHECK(result_of("ii", {2}) == "");
    CHECK(result_of("", {0}) == "");
}

TEST_CASE("subscripts: reports errors", "[kernel][subscripts]") {
    CHECK(result_of("ij", {3}) == "a part does not have a letter for each axis of its operand");
    CHECK(result_of("...ij", {1}) == "a part does not have a letter for each axis of its operand");
    CHECK(result_of("...", {33}) == "a part does not have a letter for each axis of its operand");
    CHECK(result_of("i..j", {3}) == "a part has a dot outside its one ellipsis");
    CHECK(result_of("i.j->i", {2}) == "a part has a dot outside its one ellipsis");
    CHECK(result_of("......->", {2}) == "a part has a dot outside its one ellipsis");
    CHECK(result_of("i1", {2}) == "a character is not a letter");
    CHECK(result_of("i->->i", {1}) == "a character is not a letter");
    CHECK(result_of("ij->k", {2}) == "a letter of the result is not in the operands, or is in the result twice");
    CHECK(result_of("ij->ii", {2}) == "a letter of the result is not in the operands, or is in the result twice");
    CHECK(result_of("...i->i", {3}) == "the result lacks the ellipsis of the operands");
    CHECK(result_of("abcdefghijklmnopqrst,uvwxyzABCDEFGHIJKLMN", {20, 20}) == "the result has more than 32 axes");
    CHECK(result_of("i,j", {1}) == "parts");
}

TEST_CASE("subscripts: a size of 1 is repeated", "[kernel][subscripts]") {
    std::int64_t size = 1;
    CHECK(kernel::join_label(size, std::int64_t{1}));
    CHECK(kernel::join_label(size, std::int64_t{4}));
    CHECK(kernel::join_label(size, std::int64_t{1}));
    CHECK(size == 4);
    CHECK_FALSE(kernel::join_label(size, std::int64_t{3}));
    size = 0;
    CHECK(kernel::join_label(size, std::int64_t{1}));
    CHECK(size == 0);
}
