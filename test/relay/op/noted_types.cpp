// The type relations agree with the reference. Every type that is noted in a golden text (`/* ty=T */`) is inferred
// from the types of the parameters.

#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parser.hpp>

#include "../golden.hpp"
#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

using namespace tutti;
using namespace tutti::relay;

namespace {

std::vector<type_id> types_of(const graph& g) {
    std::vector<type_id> types;
    for (std::uint32_t e = 0; e < g.size(); ++e) types.push_back(g.type(expr_id{e}));
    return types;
}

std::string described(const graph& g, expr_id e) {
    const op_def* op = g.called_op(e);
    return op != nullptr ? std::string(op->name) : "expression " + std::to_string(index(e));
}

struct tally {
    std::size_t files = 0;
    std::size_t types = 0;
    std::map<std::string, std::size_t> unread; // number of files that cannot be parsed, by cause

    // Infers the types of a program, and compares them with the types noted in its text.
    void read(const std::string& text) {
        ir_module m;
        try {
            m = parse(text, {.metadata = &read_metadata});
        } catch (const parse_error& e) {
            ++unread[e.problem()];
            return;
        }
        std::vector<std::vector<type_id>> noted;
        for (const auto& d : m) noted.push_back(types_of(d.function.graph));
        REQUIRE_NOTHROW(infer_types(m));
        ++files;
        std::size_t n = 0;
        for (const auto& d : m) {
            const graph& g = d.function.graph;
            const std::vector<type_id>& types_there = noted[n++];
            for (std::uint32_t e = 0; e < types_there.size(); ++e) {
                if (types_there[e] == type_id::none) continue;
                ++types;
                if (g.type(expr_id{e}) == types_there[e]) continue;
                FAIL_CHECK(described(g, expr_id{e}) << ": " << to_text(g.types(), g.type(expr_id{e})) << ", noted "
                                                    << to_text(g.types(), types_there[e]));
            }
        }
    }
};

} // namespace

TEST_CASE("noted_types: inferred types are the reference's", "[relay][noted_types][shared]") {
    tally found;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(tutti::test::shared_dir) / "golden")) {
        if (entry.path().extension() != ".relay") continue;
        const std::string text = tutti::test::file_text(entry.path().string());
        if (text.find("/* ty=") == std::string::npos) continue;
        INFO(entry.path());
        found.read(text);
    }
    std::string unread;
    std::size_t count = 0;
    for (const auto& [cause, files] : found.unread) {
        unread += "\n  " + std::to_string(files) + " not read: " + cause;
        count += files;
    }
    WARN(found.types << " types in " << found.files << " of " << found.files + count << " files" << unread);
    CHECK(found.files >= 2200);
    CHECK(count <= 3);
}
