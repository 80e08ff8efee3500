// No pass changes what random programs of all element types compute. How many, and from which seed, the environment may say:
//
//     TUTTI_PROGRAMS=100000 TUTTI_SEED=1 build/test/test/test_relay_random
//
// TUTTI_FAILURES says after how many failures to end.

#include <tutti/relay/text/parser.hpp>

#include "catch.hpp"
#include "differential.hpp"
#include "passes.hpp"
#include "pipelines.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace tutti;

namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* const said = std::getenv(name);
    return said == nullptr ? otherwise : std::strtoull(said, nullptr, 10);
}

std::vector<std::string> all_passes() {
    std::vector<std::string> all{std::begin(test::single_passes), std::end(test::single_passes)};
    all.emplace_back(test::other_results);
    return all;
}

// What failures of one cause have in common.
std::string kind(const std::string& what) { return what.substr(0, what.find_first_of("0123456789")); }

// A failure of a seed, with its program as small as it gets.
void report(std::uint64_t seed, const test::finding& first) {
    test::differential all;
    const auto check = [&](const std::vector<std::uint8_t>& bytes) {
        test::choices c(bytes);
        const std::string pipelines[]{first.pipeline};
        return all.check(c, std::span(pipelines, first.pipeline.empty() ? 0 : 1));
    };
    const auto bytes = test::reduced(test::bytes_of_seed(seed),
                                     [&](const auto& fewer) { return kind(check(fewer).what) == kind(first.what); });
    test::finding found = check(bytes);
    if (found.what.empty()) found = first;
    std::printf("seed %llu, %s: %s\n%s\n", static_cast<unsigned long long>(seed), first.pipeline.c_str(),
                found.what.c_str(), found.program.c_str());
}

} // namespace

TEST_CASE("random programs: no pass and no pipeline changes what programs of all element types compute",
          "[relay][random]") {
    const std::uint64_t first = from_environment("TUTTI_SEED", 1);
    const std::uint64_t count = from_environment("TUTTI_PROGRAMS", 1000);
    test::differential all;
    std::vector<std::string> pipelines = all_passes();
    pipelines.resize(pipelines.size() + 3);
    std::uint64_t failed = 0;
    std::map<std::string, std::uint64_t> causes;
    const std::uint64_t most_failures = from_environment("TUTTI_FAILURES", count);
    for (std::uint64_t seed = first; seed < first + count && failed < most_failures; ++seed) {
        const auto other = test::bytes_of_seed(~seed);
        test::choices of_pipelines(other);
        for (std::size_t i = pipelines.size() - 3; i < pipelines.size(); ++i)
            pipelines[i] = test::random_pipeline(of_pipelines);
        const auto bytes = test::bytes_of_seed(seed);
        test::choices c(bytes);
        const test::finding found = all.check(c, pipelines);
        if (!found.what.empty()) {
            ++failed;
            const std::string cause = found.pipeline + ": " + kind(found.what);
            if (causes[cause]++ == 0) report(seed, found);
        }
        if (count > 5000 && (seed - first + 1) % 1000 == 0)
            std::fprintf(stderr, "%llu programs, %llu failed\n", static_cast<unsigned long long>(seed - first + 1),
                         static_cast<unsigned long long>(failed));
    }
    for (const auto& [cause, times] : causes)
        std::printf("%llu: %s\n", static_cast<unsigned long long>(times), cause.c_str());
    const test::compared_elements n = all.elements();
    std::printf(
        "%llu programs, rewritten %llu times; elements of results: %llu exact, %llu within rounding, %llu skipped\n",
        static_cast<unsigned long long>(all.programs()), static_cast<unsigned long long>(all.rewritten()),
        static_cast<unsigned long long>(n.exact), static_cast<unsigned long long>(n.within),
        static_cast<unsigned long long>(n.skipped));
    CHECK(failed == 0);
    CHECK(all.programs() == count);
    CHECK(n.skipped * 4 < n.exact + n.within);
}

namespace {

std::string difference(const std::string& before, const std::string& after) {
    const relay::ir_module m =
        relay::parse("def @main(%x: Tensor[(4), float32], %n: Tensor[(4), int8]) { " + before + " }");
    const relay::ir_module other =
        relay::parse("def @main(%x: Tensor[(4), float32], %n: Tensor[(4), int8]) { " + after + " }");
    test::behaviour b(m, {kernel::tensor({4}, {0.1F, -0.3F, 1e6F, 0.7F}),
                          kernel::tensor({4}, {std::int8_t{1}, std::int8_t{-2}, std::int8_t{127}, std::int8_t{-128}})});
    return b.difference(other);
}

} // namespace

TEST_CASE("random programs: what rounding does is no difference, and what it does not do is one", "[relay][random]") {
    CHECK(difference("add(add(%x, 0.1f), 0.7f)", "add(%x, add(0.1f, 0.7f))").empty());
    CHECK(difference("multiply(%x, 3f)", "divide(%x, 0.33333334f)").empty());
    CHECK(difference("less(subtract(%x, %x), 0f)", "less(add(%x, negative(%x)), 0f)").empty());
    CHECK(difference("nn.relu(%x)", "maximum(%x, 0f)").empty());
    CHECK_FALSE(difference("multiply(%x, 3f)", "multiply(%x, 3.001f)").empty());
    CHECK_FALSE(difference("nn.relu(%x)", "multiply(nn.relu(%x), 1.0000001f)").empty());
    CHECK_FALSE(difference("less(%x, 0f)", "less_equal(%x, -0.5f)").empty());
    CHECK_FALSE(difference("add(%n, 1i8)", "add(%n, 2i8)").empty());
    CHECK_FALSE(difference("%x", "(%x, %x)").empty());
    CHECK_FALSE(difference("%x", "cast(%x, dtype=\"float64\")").empty());
}

TEST_CASE("random programs: every pass is run, alone and in pipelines", "[relay][random]") {
    std::set<std::string> named{"PrintIR", std::string(test::other_results)};
    for (const std::string_view pass : test::single_passes) named.insert(std::string(pass.substr(0, pass.find('{'))));
    for (const std::string& name : test::registered_names()) {
        INFO(name);
        CHECK(named.erase(name) == 1);
    }
    CHECK(named.empty());
}

TEST_CASE("random programs: a failure is made smaller, and still fails", "[relay][random]") {
    const auto fails = [](const std::vector<std::uint8_t>& bytes) {
        return std::ranges::count(bytes, 7) == 2 && !bytes.empty() && bytes.back() != 0;
    };
    CHECK(test::reduced({1, 2, 7, 3, 4, 7, 5, 9}, fails) == std::vector<std::uint8_t>{7, 7});
}
