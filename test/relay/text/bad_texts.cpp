// Parses the malformed texts bad/NAME.relay. The errors to expect are in bad/NAME.expected.

#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parser.hpp>

#include "../golden.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

using namespace tutti;

namespace {

std::vector<std::filesystem::path> bad_texts() {
    std::vector<std::filesystem::path> found;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(test::data_dir) / "../relay/text/bad"))
        if (entry.path().extension() == ".relay") found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
}

std::string complaint_about(const std::string& text, const std::string& name) {
    try {
        relay::parse(text, {.source = name, .metadata = relay::read_metadata});
    } catch (const relay::parse_error& e) {
        return e.what();
    }
    return "(nothing is wrong)";
}

} // namespace

TEST_CASE("bad texts: each is refused with its expected diagnostic", "[relay][text][bad]") {
    const auto texts = bad_texts();
    CHECK(texts.size() >= 30);
    for (std::filesystem::path text : texts) {
        const std::string name = text.filename().string();
        INFO(name);
        const std::string said = complaint_about(test::file_text(text.string()), name);
        CHECK(said == test::file_text(text.replace_extension(".expected").string()));
    }
}

TEST_CASE("bad texts: a text that is right, and an expectation without text, would be noticed", "[relay][text][bad]") {
    CHECK(complaint_about("def @main(%x: float32) { %x }", "x") == "(nothing is wrong)");
    CHECK_THROWS(test::file_text(std::string(test::data_dir) + "/../relay/text/bad/no_such_text.expected"));
}
