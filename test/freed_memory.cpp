#include <tutti/freed_memory.hpp>

#include "catch.hpp"

#include <cstddef>
#include <memory>

#ifdef __GLIBC__
#include <malloc.h>
#endif

TEST_CASE("freed_memory: a large array is freed and still the process's", "[freed_memory]") {
    const bool keeps = tutti::keep_freed_memory();
#ifdef __GLIBC__
    if (!keeps || mallinfo2().arena == 0) { // glibc does not count a sanitizer's allocator
        WARN("this is not glibc's allocator: it does as it likes");
        return;
    }
    constexpr std::size_t size = std::size_t{100} << 20; // larger than any block that glibc keeps
    {
        const std::unique_ptr<char[]> large(new char[size]);
        asm volatile("" : : "r"(large.get()) : "memory"); // a use
        CHECK(mallinfo2().hblks == 0);                    // not a separate mapping
    }
    CHECK(mallinfo2().fordblks >= size);
#else
    CHECK_FALSE(keeps);
#endif
}
