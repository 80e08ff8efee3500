// expect-error: tutti::cached(cache, pass): a unit must have a fingerprint, and be written as bytes and restored
#include <tutti/cache/cached.hpp>
#include <tutti/cache/memory_cache.hpp>
#include <tutti/pass.hpp>

struct a {
    static constexpr tutti::pass_info info{.name = "A"};
    void operator()(int& n) const { ++n; }
};

void run(int& n) {
    tutti::memory_cache kept;
    tutti::with(tutti::pass_context{}, [&](auto& scope) { scope.run(tutti::cached(kept, a{}), n); });
}
