// No pass changes the results of random programs of all element types. Environment variables set the number of
// programs and the seed:
//
// TUTTI_PROGRAMS=100000 TUTTI_SEED=1 build/test/test/test_relay_random
//
// TUTTI_FAILURES sets the number of failures after which the test stops.

#include "differential.hpp"
#include "passes.hpp"
#include "pipelines.hpp"
#include "support/catch.hpp"

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
    all.insert(all.end(), std::begin(test::other_results), std::end(test::other_results));
    return all;
}

// Returns a key that failures with the same cause share.
std::string kind(const std::string& what) { return what.substr(0, what.find_first_of("0123456789")); }

// Prints the failure of a seed, with a reduced program.
void report(std::uint64_t seed, const test::finding& first) {
    test::differential all;
    const auto check = [&](const std::vector<std::uint8_t>& bytes) {
        relay::testing::choices c(bytes);
        const std::string pipelines[]{first.pipeline};
        return all.check(c, std::span(pipelines, first.pipeline.empty() ? 0 : 1));
    };
    const auto bytes = relay::testing::reduced(relay::testing::bytes_of_seed(seed), [&](const auto& fewer) {
        return kind(check(fewer).what) == kind(first.what);
    });
    test::finding found = check(bytes);
    if (found.what.empty()) found = first;
    std::printf("seed %llu, %s: %s\n%s\n", static_cast<unsigned long long>(seed), first.pipeline.c_str(),
                found.what.c_str(), found.program.c_str());
}

} // namespace

TEST_CASE("random programs: no pass and no pipeline changes the results of programs of all element types",
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
        const auto other = relay::testing::bytes_of_seed(~seed);
        relay::testing::choices of_pipelines(other);
        for (std::size_t i = pipelines.size() - 3; i < pipelines.size(); ++i)
            pipelines[i] = test::random_pipeline(of_pipelines);
        const auto bytes = relay::testing::bytes_of_seed(seed);
        relay::testing::choices c(bytes);
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
    const relay::testing::compared_elements n = all.elements();
    std::printf(
        "%llu programs, rewritten %llu times; elements of results: %llu exact, %llu within rounding, %llu skipped\n",
        static_cast<unsigned long long>(all.programs()), static_cast<unsigned long long>(all.rewritten()),
        static_cast<unsigned long long>(n.exact), static_cast<unsigned long long>(n.within),
        static_cast<unsigned long long>(n.skipped));
    CHECK(failed == 0);
    CHECK(all.programs() == count);
    CHECK(n.skipped * 3 < n.exact + n.within); // elements are skipped if comparisons amplify rounding errors
}

TEST_CASE("random programs: every pass is run, alone and in pipelines", "[relay][random]") {
    std::set<std::string> named{"PrintIR"};
    for (const std::string& pass : all_passes()) named.insert(pass.substr(0, pass.find('{')));
    for (const std::string& name : test::registered_names()) {
        INFO(name);
        CHECK(named.erase(name) == 1);
    }
    CHECK(named.empty());
}
