#include <tutti/search/crash_reproducer.hpp>

#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/registry.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"
#include "support/temporary_folder.hpp"
#include "support/two_layers.hpp"

#include <csignal>
#include <cstdlib>
#include <memory>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tutti::instrument;

namespace {
struct book {
    std::vector<plan> plans{};
};
struct owner {
    std::unique_ptr<int> value = std::make_unique<int>(1);
};
} // namespace

template <>
struct tutti::unit_traits<book> {
    static std::vector<plan>& parts(book& b) { return b.plans; }
    static std::string to_text(const book& b) {
        std::string text;
        for (const plan& p : b.plans) text += unit_traits<plan>::to_text(p) + "--\n";
        return text;
    }
};
template <>
struct tutti::unit_traits<owner> {
    static constexpr std::string_view comment = "#";
    static std::string to_text(const owner& o) { return std::to_string(*o.value); }
    static std::string to_full_text(const owner& o) { return "all of " + std::to_string(*o.value); }
};

namespace {

// Runs passes. Returns the content of the reproducer's file.
template <class Layer, class Unit>
std::string left_by(const auto& passes, Unit unit, const setup& how = {}) {
    const temporary_folder folder;
    crash_reproducer keep{{.file = folder.path("crash"), .pipeline = tutti::write_pipeline(passes)}};
    auto ctx = Layer::template context<Unit>(how, keep);
    Layer::with(ctx, [&](auto& scope) {
        try {
            scope.run(passes, unit);
        } catch (const tutti::error&) {}
    });
    CHECK(folder.files().size() == (keep.failed() ? 1 : 0));
    return folder.read("crash");
}

// Runs passes in a process that one of them kills. Checks that the process did not exit normally, and returns the
// content of the reproducer's file.
template <class Layer>
std::string left_by_death(const auto& passes) {
    const temporary_folder folder;
    const pid_t child = fork();
    if (child == 0) {
        const rlimit no_core{0, 0}, seconds{1, 1};
        setrlimit(RLIMIT_CORE, &no_core);
        setrlimit(RLIMIT_CPU, &seconds);
        close(STDERR_FILENO); // hides sanitizer reports
        for (const int signal : {SIGSEGV, SIGBUS, SIGABRT}) std::signal(signal, SIG_DFL);
        crash_reproducer keep{{.file = folder.path("crash"), .pipeline = tutti::write_pipeline(passes)}};
        auto ctx = Layer::template context<plan>({}, keep);
        plan p{{"scan"}};
        Layer::with(ctx, [&](auto& scope) { scope.run(passes, p); });
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK_FALSE((WIFEXITED(status) && WEXITSTATUS(status) == 0));
    return folder.read("crash");
}

// Volatile, so that the optimiser does not know these values.
int* volatile nowhere = nullptr;
volatile bool for_ever = true;
[[gnu::noinline]] int deeper(int n) { // NOLINT(misc-no-recursion)
    volatile char room[4096];
    room[static_cast<std::size_t>(n) % sizeof room] = 1;
    return for_ever ? deeper(n + 1) + room[0] : n;
}

} // namespace

TEMPLATE_TEST_CASE("crash_reproducer: writes the failed pipeline, and nothing if nothing failed",
                   "[instrument][crash_reproducer]", static_layer, erased_layer) {
    CHECK(left_by<TestType>(tutti::sequential(add_sort, drop_first), plan{{"scan"}}) == "no file");
    CHECK(left_by<TestType>(
              tutti::sequential(add_sort, tutti::sequential<"Inner">(drop_first, throw_it, add_sort), drop_first),
              plan{{"scan"}}) == "// reproducer: ThrowIt\n// passes: seq[Inner](ThrowIt,AddSort),DropFirst\n"
                                 "// failed: ThrowIt: cannot\nsort\n");
    CHECK(left_by<TestType>(throw_it, plan{{"scan"}}) ==
          "// reproducer: ThrowIt\n// passes: ThrowIt\n// failed: ThrowIt: cannot\nscan\n");
}

TEMPLATE_TEST_CASE("crash_reproducer: reaches passes inside of adaptors and parts through their wrappers",
                   "[instrument][crash_reproducer]", static_layer, erased_layer) {
    CHECK(left_by<TestType>(tutti::sequential(add_sort, tutti::repeat(tutti::sequential(add_sort, throw_it), 2)),
                            plan{}) ==
          "// reproducer: repeat\n// passes: repeat(AddSort,ThrowIt)\n// failed: ThrowIt: cannot\nsort\n");
    const auto touch = tutti::make_pass<"Touch">([](book&) {});
    CHECK(left_by<TestType>(tutti::sequential(touch, tutti::each<plan>(throw_it), touch), book{{{}, {{"scan"}}}}) ==
          "// reproducer: each\n// passes: each(ThrowIt),Touch\n// failed: ThrowIt: cannot\n--\nscan\n--\n");
}

TEMPLATE_TEST_CASE("crash_reproducer: the file survives a crash of the process", "[instrument][crash_reproducer]",
                   static_layer, erased_layer) {
    const auto null = tutti::make_pass<"Null">([](plan&) { *nowhere = 1; });
    const auto aborts = tutti::make_pass<"Aborts">([](plan&) { std::abort(); });
    const auto recurses = tutti::make_pass<"Recurses">([](plan& p) { p.steps.resize(std::size_t(deeper(0)) % 2); });
    const auto loops = tutti::make_pass<"Loops">([](plan&) {
        while (for_ever) {}
    });
    const auto file = [](std::string pass) {
        return "// reproducer: " + pass + "\n// passes: " + pass + ",DropFirst\nscan\nsort\n";
    };
    CHECK(left_by_death<TestType>(tutti::sequential(add_sort, null, drop_first)) == file("Null"));
    CHECK(left_by_death<TestType>(tutti::sequential(add_sort, aborts, drop_first)) == file("Aborts"));
    CHECK(left_by_death<TestType>(tutti::sequential(add_sort, recurses, drop_first)) == file("Recurses"));
    CHECK(left_by_death<TestType>(tutti::sequential(add_sort, loops, drop_first)) == file("Loops"));
}

TEMPLATE_TEST_CASE("crash_reproducer: takes the full text, and needs no copy of the unit",
                   "[instrument][crash_reproducer]", static_layer, erased_layer) {
    const temporary_folder folder;
    crash_reproducer keep{{.file = folder.path("crash"), .options = "--opt-level=3"}};
    auto ctx = TestType::template context<owner>({}, keep);
    const auto next = tutti::make_pass<"Next">([](owner o) {
        ++*o.value;
        return o;
    });
    const auto fails = tutti::make_pass<"Fails">([](owner o) {
        if (*o.value == 2) throw 1;
        return o;
    });
    TestType::with(ctx, [&](auto& scope) {
        CHECK_THROWS_AS(scope.run(tutti::sequential(next, fails), owner{}), int);
        static_cast<void>(scope.run(next, owner{})); // does not remove the file
    });
    TestType::with(ctx, [&](auto& scope) { return scope.run(next, owner{}); });
    CHECK(folder.read("crash") == "# reproducer: Fails\n# passes: Fails\n# options: --opt-level=3\n"
                                  "# failed: an exception without a message\nall of 2\n");
}

TEMPLATE_TEST_CASE("crash_reproducer: goes where nothing has failed in the end", "[instrument][crash_reproducer]",
                   static_layer, erased_layer) {
    const auto tries = tutti::make_pass<"Tries">([](plan& p, auto& ctx) {
        try {
            ctx.run(throw_it, p);
        } catch (const tutti::error&) {}
    });
    CHECK(left_by<TestType>(tutti::sequential(tries, add_sort), plan{{"scan"}}) == "no file");
}

TEST_CASE("crash_reproducer: running its content fails in the same way", "[instrument][crash_reproducer]") {
    using list = tutti::passes<std::remove_const_t<decltype(add_sort)>, std::remove_const_t<decltype(drop_first)>,
                               std::remove_const_t<decltype(throw_it)>>;
    const tutti::runtime::registry<plan> known{list{}};
    const auto run = [&](std::string_view text, plan p) {
        const auto pipeline = tutti::runtime::parse_pipeline(text, known);
        return left_by<erased_layer>(pipeline, p);
    };
    const std::string first = run("AddSort,DropFirst,seq[Inner,1](AddSort,ThrowIt),DropFirst", plan{{"scan"}});
    const reproducer r = read_reproducer(first);
    CHECK(r.passes == "seq[Inner,1](ThrowIt),DropFirst");
    plan again;
    for (std::size_t at = 0; at < r.unit.size(); at = r.unit.find('\n', at) + 1)
        again.steps.push_back(r.unit.substr(at, r.unit.find('\n', at) - at));
    CHECK(run(r.passes, again) == first);
}

TEST_CASE("crash_reproducer: reaches passes that another pass runs through the name of that pass",
          "[instrument][crash_reproducer]") {
    constexpr auto both = tutti::sequential<"Both">(drop_first, throw_it);
    using list = tutti::passes<std::remove_const_t<decltype(add_sort)>, std::remove_const_t<decltype(both)>>;
    const tutti::runtime::registry<plan> known{list{}};
    const auto pipeline = tutti::runtime::parse_pipeline("AddSort,Both,AddSort", known);
    CHECK(left_by<erased_layer>(pipeline, plan{{"scan"}}) ==
          "// reproducer: Both\n// passes: Both,AddSort\n// failed: ThrowIt: cannot\nscan\nsort\n");
}

TEST_CASE("crash_reproducer: says before any pass runs that its file cannot be written",
          "[instrument][crash_reproducer]") {
    CHECK_THROWS_WITH(crash_reproducer({.file = "/nowhere/crash"}),
                      "/nowhere/crash: cannot be written: No such file or directory");
}
