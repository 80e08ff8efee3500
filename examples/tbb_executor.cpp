// Runs passes over the parts of a unit in parallel, on an executor that uses another library, oneTBB.

#include <tutti/pass.hpp>
#include <tutti/pass/parallel.hpp>

#include <iostream>
#include <string>
#include <vector>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

// The interface that tutti needs from a scheduler. Each call of f is a lane that takes work until none is left, so each
// call becomes a task.
struct tbb_executor {
    static unsigned concurrency() { return static_cast<unsigned>(tbb::this_task_arena::max_concurrency()); }
    static void bulk(std::size_t count, tutti::bulk_function f) {
        tbb::parallel_for(std::size_t{0}, count, [f](std::size_t i) { f(i); }, tbb::simple_partitioner{});
    }
};
static_assert(tutti::executor<tbb_executor>);

struct shader {
    std::string name;
    int instructions = 0;
};
struct library {
    std::vector<shader> shaders{};
};

template <>
struct tutti::unit_traits<library> {
    static std::vector<shader>& parts(library& l) { return l.shaders; }
};

constexpr auto shorten = tutti::make_pass<"Shorten">([](shader& s) {
    while (s.instructions > 100) s.instructions /= 2;
    return tutti::changed;
});

int main() {
    tbb_executor threads;
    tutti::pass_context ctx{tutti::on(threads)};
    library l{{{"water", 720}, {"grass", 90}, {"sky", 410}}};
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::each<shader>(shorten), l); });
    for (const shader& s : l.shaders) std::cout << s.name << ": " << s.instructions << '\n';
}
