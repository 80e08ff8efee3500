#include <tutti/pipeline/words.hpp>

#include "support/catch.hpp"

#include <string>

namespace {

std::string elements_of(std::string_view list) {
    std::string text;
    const bool done = tutti::internal::for_each_element(list, [&](std::string_view word) {
        text.append(word).append(";");
        return word != "stop";
    });
    return done ? text : "no list";
}

} // namespace

static_assert(tutti::detail::word_length("ab,c") == 2 && tutti::detail::word_length("") == 0 &&
              tutti::detail::word_length("(a") == 0);
static_assert(tutti::detail::word_length(R"("a,\"b" c)") == 7 &&
              tutti::detail::word_length("\"a\\\"") == std::string_view::npos);
static_assert(tutti::internal::same_word("\"a\"", "a") && !tutti::internal::same_word("a", "ab") &&
              tutti::internal::stands_for("\"\"", ""));

TEST_CASE("write_word: quotes texts that are not one word", "[pass][words]") {
    const auto [text, word] = GENERATE(table<std::string, std::string>({
        {"plain-word.2", "plain-word.2"},
        {"", R"("")"},
        {"a b", R"("a b")"},
        {"a,b", R"("a,b")"},
        {R"(say "\")", R"("say \"\\\"")"},
        {"grün", "grün"},
    }));
    std::string written;
    tutti::internal::write_word(text, written);
    CHECK(written == word);
    CHECK(tutti::internal::stands_for(written, text));
    CHECK(!tutti::internal::stands_for(written, text + "x"));
    CHECK(tutti::internal::same_word(written, word));
    CHECK(!tutti::internal::same_word(written, "other"));
}

TEST_CASE("read_word: a word is its characters, or those between its quotes", "[pass][words]") {
    std::string text;
    tutti::internal::read_word("plain", text);
    tutti::internal::read_word(R"(" \"q\\")", text);
    CHECK(text == "plain \"q\\");
}

TEST_CASE("for_each_element: the words of a list, as they are written", "[pass][words]") {
    CHECK(elements_of("[]") == "");
    CHECK(elements_of("[ a , \"b, c\",d]") == "a;\"b, c\";d;");
    CHECK(elements_of("a") == "no list");
    CHECK(elements_of("[a,stop,b]") == "no list");
    CHECK(elements_of("[(]") == "no list");
    CHECK(elements_of("[\"a]") == "no list");
}
