#include <tutti/relay/text/parse/recent_words.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <string>

using namespace tutti::relay::text;

TEST_CASE("recent_words: words of any length are the same if all their characters are", "[relay][text][recent_words]") {
    CHECK(same_word("", ""));
    for (std::size_t length = 1; length < 40; ++length) {
        const std::string word(length, 'a');
        CHECK(same_word(word, std::string(length, 'a')));
        CHECK(!same_word(word, word + 'a'));
        for (std::size_t i = 0; i < length; ++i) {
            std::string other = word;
            other[i] = 'b';
            CHECK(!same_word(word, other));
        }
    }
}

TEST_CASE("recent_words: a word has a place in the table", "[relay][text][recent_words]") {
    for (std::size_t length = 1; length < 400; ++length)
        CHECK(recent_place(std::string(length, '\xff')) < recent_words);
    CHECK(recent_place("add") == recent_place("add"));
    CHECK(recent_place("x") != recent_place("y"));
}
