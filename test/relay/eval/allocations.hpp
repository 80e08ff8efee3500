#pragma once

#include <atomic>
#include <cstddef>

namespace tutti::test {

/// How often the program has allocated: evaluator.cpp, which every program with this is made of, replaces `operator new` by one that
/// counts.
inline std::atomic<std::size_t> allocations{0};

} // namespace tutti::test
