// A fuzz target for passes. Generates a valid program and a pipeline from the bytes, runs the pipeline, verifies the
// program, and compares its results before and after.

#include "../relay/random/differential.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static tutti::test::differential all;
    const tutti::test::finding found = all.check({data, size});
    if (found.what.empty()) return 0;
    std::fprintf(stderr, "%s\n%s\n%s\n", found.what.c_str(), found.pipeline.c_str(), found.program.c_str());
    std::abort();
}
