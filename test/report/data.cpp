#include <tutti/report/data.hpp>

#include "support/catch.hpp"

#include <nlohmann/json.hpp>

using tutti::instrument::report_data;

namespace {

nlohmann::json events_of(const report_data& data) { return nlohmann::json::parse("[" + data.events() + "]"); }

// Reconstructs the texts of all versions as the page does.
std::vector<std::string> texts_of(const report_data& data) {
    std::vector<std::string> words, texts;
    std::vector<std::vector<std::uint64_t>> versions;
    for (const auto& e : events_of(data)) {
        if (e[0] == "s") {
            const std::size_t first = words.size();
            for (std::size_t i = 1; i < e.size(); ++i) words.push_back(e[i].is_string() ? std::string(e[i]) : "");
            for (std::size_t i = 1; i < e.size(); ++i) {
                if (e[i].is_string()) continue;
                std::string text = words[e[i][0]];
                for (std::size_t n = 1, at = 0; n < e[i].size(); ++n) {
                    at = text.find("%#", at);
                    const std::string number = std::to_string(std::uint64_t(e[i][n]));
                    text.replace(at + 1, 1, number);
                    at += number.size();
                }
                words[first + i - 1] = text;
            }
        }
        if (e[0] != "v") continue;
        const std::vector<std::uint64_t> old = e[1] == -1 ? std::vector<std::uint64_t>{} : versions[e[1]];
        std::vector<std::uint64_t> made;
        std::size_t from = 0;
        for (std::size_t i = 2; i < e.size(); ++i) {
            const std::size_t first = e[i][0], gone = e[i][1];
            while (from < first) made.push_back(old[from++]);
            from += gone;
            for (std::size_t k = 2; k < e[i].size(); ++k) made.push_back(e[i][k]);
        }
        while (from < old.size()) made.push_back(old[from++]);
        versions.push_back(made);
        std::string text;
        for (const std::uint64_t n : made) text += std::string(n % 64, ' ') + words[n / 64] + "\n";
        texts.push_back(text);
    }
    return texts;
}

} // namespace

TEST_CASE("report_data: measured operations", "[instrument][report]") {
    report_data data;
    data.add_operation({.program = "net", .kind = "nn.conv2d", .name = "<layer>", .calls = 3, .nanoseconds = 1500});
    CHECK(events_of(data).dump() == R"([["p","net","nn.conv2d","<layer>",3,1500]])");
    CHECK(data.events().find('<') == std::string::npos);
}

TEST_CASE("report_data: texts are reconstructed from differences, and each line is stored once",
          "[instrument][report]") {
    report_data data;
    const std::string one = "a\n  b %1 = c(%0)\n%#\n%01 %\n\nd %123456789012\n",
                      two = "a\n  b %7 = c(%6)\nnew\n\nd %123456789012\n";
    const auto first = data.add_version(one, report_data::none);
    const auto second = data.add_version(two, first.number);
    const auto again = data.add_version(one, second.number);
    CHECK(first.fresh);
    CHECK(second.fresh);
    CHECK_FALSE(again.fresh);
    CHECK(again.number == first.number);
    CHECK(data.add_version("", second.number).fresh);
    CHECK(texts_of(data) == std::vector<std::string>{one, two, ""});
    std::size_t patterns = 0;
    for (std::size_t at = 0; (at = data.events().find("c(%#)", at)) != std::string::npos; ++at) ++patterns;
    CHECK(patterns == 1);
}

TEST_CASE("report_data: lines with other numbers match", "[instrument][report]") {
    report_data data;
    const std::string one = "a\n  %0 = a\n  %1 = b %0\n  %2 = c %1\n  d %2\n",
                      two = "a\n  %0 = a\n  %1 = c %0\n  d %1\n";
    const auto first = data.add_version(one, report_data::none);
    data.clear();
    const auto second = data.add_version(two, first.number);
    CHECK(events_of(data).back().dump() == R"(["m",[2,2,2,1]])");
    data.clear();
    CHECK(data.add_version(one, second.number).number == first.number);
    data.add_version("a\n  %0 = x\n", second.number); // no line has other numbers
    CHECK(events_of(data).back()[0] == "v");
    // Other names.
    data.clear();
    data.add_version("f v1\ng v1\n", data.add_version("f v2\ng v2\n", first.number, "v").number, "v");
    CHECK(events_of(data).back().dump() == R"(["m"])");
}

TEST_CASE("report_data: the content of a text cannot end the script around it", "[instrument][report]") {
    report_data data;
    data.add_version("</script><!-- \"q\" \\ & \x01 \xff\n", report_data::none);
    CHECK(data.events().find('<') == std::string::npos);
    CHECK(texts_of(data) == std::vector<std::string>{"</script><!-- \"q\" \\ &   \xEF\xBF\xBD\n"});
}

TEST_CASE("report_data: runs, remarks and counts", "[instrument][report]") {
    report_data data;
    const tutti::pass_info outer{.name = "Outer", .kind = tutti::pass_kind::sequential}, inner{.name = "In\"ner"};
    CHECK(data.begin(report_data::none, outer, "module", 10, 0) == 0);
    CHECK(data.begin(0, inner, "", 12, report_data::none) == 1);
    data.add_count(1, "folded", 2);
    data.add_count(1, "folded", 3);
    data.add_count(1, "seen", 1);
    data.add_remark(1, {tutti::remark_kind::missed, "main:3", "<why>"});
    tutti::operator_counts operators{{"add", -1}};
    data.end(1, 20, {.what = tutti::changed, .operators = &operators});
    data.skip(0, inner, tutti::skip_reason::opt_level);
    data.add_count(0, "whole", 1);
    data.end(0, 30, {.failed = true, .failure = "because"});
    data.leave();
    CHECK(data.runs() == 3);
    CHECK(events_of(data) == nlohmann::json::parse(R"([
        ["b",-1,"Outer",1,"module",10,0],["b",0,"In\"ner",0,"",12,-1],["r",1,"missed","main:3","<why>"],
        ["e",1,20,0,3,-1,"",["add",-1],["folded",5,"seen",1]],["k",0,"In\"ner","opt_level"],
        ["e",0,30,1,1,-1,"because",[],["whole",1]],["x"]])"));
    data.clear();
    CHECK(data.events().empty());
}

TEST_CASE("report_data: a graph has its nodes and edges, and one that is too large its size", "[instrument][report]") {
    tutti::unit_graph g;
    g.add({.label = "a", .type = "t", .text = "x\n  y", .group = "input"});
    g.add({.label = "b"});
    g.edges.push_back({0, 1, ".0"});
    report_data data{{.nodes = 2}};
    const std::uint32_t version = data.add_version("x", report_data::none).number;
    data.add_graph(version, g);
    g.add({.label = "c"});
    data.add_graph(version, g);
    const auto events = events_of(data);
    const auto& drawn = events[events.size() - 2];
    CHECK(drawn[0] == "g");
    CHECK(drawn[4].size() == 2);
    CHECK(drawn[4][0].size() == 8 + 2);
    CHECK(drawn[4][0][3] == 1);
    CHECK(drawn[5][0].size() == 3);
    CHECK(events.back() == nlohmann::json::parse(R"(["g",0,3])"));
}

TEST_CASE("report_data: data over the limit is omitted, with one note", "[instrument][report]") {
    report_data data{{.bytes = 100}};
    CHECK(data.add_version(std::string(200, 'x'), report_data::none).fresh);
    data.clear();
    CHECK(data.add_version("other", 0).number == report_data::none);
    data.add_remark(0, {tutti::remark_kind::note, "", "r"});
    CHECK(events_of(data) ==
          nlohmann::json::parse(
              R"([["n","Texts, graphs and remarks are omitted from here on: the data exceed 100 bytes."]])"));
}
