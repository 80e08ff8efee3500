#include <tutti/freed_memory.hpp>

#include "catch.hpp"

#include <cstddef>
#include <memory>

#ifdef __GLIBC__
#include <malloc.h>
#endif

TEST_CASE("freed_memory: a large array is freed and still the process's", "[freed_memory]") {
    if (!tutti::keep_freed_memory()) {
        WARN("this C library, or a sanitizer's, does as it likes");
        return;
    }
#ifdef __GLIBC__
    constexpr std::size_t size = std::size_t{100} << 20; // larger than any that glibc keeps by itself
    {
        const std::unique_ptr<char[]> large(new char[size]);
        asm volatile("" : : "r"(large.get()) : "memory"); // it is used
        CHECK(mallinfo2().hblks == 0);                    // none of its own from the system
    }
    CHECK(mallinfo2().fordblks >= size);
#endif
}
