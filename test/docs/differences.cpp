// Checks docs/differences.md: each program returns the documented values before the pass, after the pass, and after the
// pass with `as_reference`.

#include <tutti/pass/with.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/registry.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "relay/golden/rows.hpp"
#include "relay/transform/rules/values.hpp"
#include "support/catch.hpp"
#include "test_paths.hpp"

#include <cstdio>
#include <map>
#include <set>
#include <sstream>

using namespace tutti;

namespace {

/// A program of the page and the text block below it. The block names the pass, then lists values in lines that begin
/// with a word.
struct example {
    std::string program;
    std::string pass;
    std::map<std::string, std::vector<std::string>> lines{};
};

/// Returns the examples of the page. Each is a pair of code blocks: a program and its results.
std::vector<example> examples_of(const std::string& page) {
    std::vector<example> all;
    std::istringstream in(page);
    std::string block;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("```")) {
            const std::string kind = line.substr(3);
            if (kind == "relay") all.emplace_back();
            block = kind;
        } else if (block == "relay") {
            all.back().program += line + '\n';
        } else if (block == "text" && all.back().pass.empty()) {
            all.back().pass = line;
        } else if (block == "text") {
            std::istringstream words(line);
            std::string name;
            words >> name;
            for (std::string word; words >> word;) all.back().lines[name].push_back(word);
        }
    }
    return all;
}

std::vector<std::string> words_of(const kernel::tensor& t) {
    std::vector<std::string> words;
    for (std::int64_t i = 0; i < t.size(); ++i) {
        char text[32];
        std::snprintf(text, sizeof text, "%g", relay::number_at(t, i));
        words.emplace_back(text == std::string_view("-nan") ? "nan" : text);
    }
    return words;
}

/// Returns the results of the program after a pipeline.
std::vector<std::string> results(const example& e, const std::string& pipeline) {
    static const auto passes = relay::registered_passes();
    relay::ir_module m = relay::parse(e.program);
    const auto parsed = runtime::parse_pipeline("InferType," + pipeline, passes);
    runtime::pass_context<relay::ir_module> ctx{{.opt_level = 4}};
    tutti::with(ctx, [&](auto& scope) { scope.run(parsed, m); });
    relay::evaluator evaluator(std::move(m));
    std::vector<kernel::tensor> inputs;
    for (const relay::parameter& p : evaluator.parameters()) {
        std::vector<std::int64_t> shape;
        for (const relay::dim d : evaluator.types().shape(p.type)) shape.push_back(d.value());
        inputs.push_back(test::tensor_of(evaluator.types().element(p.type), std::move(shape),
                                         e.lines.at("%" + std::string(p.name))));
    }
    return words_of(evaluator.run(std::span<const kernel::tensor>(inputs))[0]);
}

} // namespace

TEST_CASE("differences.md: its programs give the documented results", "[docs]") {
    const auto all = examples_of(test::read_file(std::filesystem::path(test::data_dir) / "../../docs/differences.md"));
    std::set<std::string> shown;
    for (const example& e : all) {
        INFO(e.pass << '\n' << e.program);
        CHECK(results(e, "InferType") == e.lines.at("before"));
        CHECK(results(e, e.pass) == e.lines.at("after"));
        CHECK(e.lines.at("after") == e.lines.at("before"));
        CHECK(results(e, e.pass + "{as_reference=True}") == e.lines.at("as_reference"));
        CHECK(e.lines.at("as_reference") != e.lines.at("before"));
        shown.insert(e.pass);
    }
    // The page covers every pass that has the option `as_reference`.
    const auto passes = relay::registered_passes();
    for (const auto& known : passes.list())
        for (const auto& row : known.rows)
            if (row.name == "as_reference" && known.name != "BackwardFoldScaleAxis")
                CHECK(shown.contains(std::string(known.name)));
}

TEST_CASE("differences.md: how it is read", "[docs]") {
    const auto all = examples_of("a\n```relay\ndef\n```\nb\n```text\nA\n%x 1 2\nbefore  3\n```\n```relay\nmore\n```\n");
    REQUIRE(all.size() == 2);
    CHECK(all[0].program == "def\n");
    CHECK(all[0].pass == "A");
    CHECK(all[0].lines == std::map<std::string, std::vector<std::string>>{{"%x", {"1", "2"}}, {"before", {"3"}}});
    CHECK(all[1].pass.empty());
}
