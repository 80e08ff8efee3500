#include <tutti/instrument/remarks.hpp>

#include <tutti/pass.hpp>

#include "support/catch.hpp"

using tutti::remark_kind;
using tutti::instrument::remarks;

namespace {
constexpr auto fuse = tutti::make_pass<"FuseOps">([](int& n, auto& ctx) {
    ctx.remark(remark_kind::applied, "main:1", "two operators became one");
    ctx.remark(remark_kind::missed, "main:3", "the result is used twice");
    ++n;
});
constexpr auto fold =
    tutti::make_pass<"FoldConstant">([](int&, auto& ctx) { ctx.remark(remark_kind::note, "", "done"); });

void run(auto& instrument) {
    tutti::pass_context ctx{tutti::instruments(instrument)};
    int n = 1;
    tutti::with(ctx, [&](auto& scope) {
        scope.run(fuse, n);
        scope.run(fold, n);
    });
}
} // namespace

TEST_CASE("remarks: keeps remarks by pass, kind and location", "[instrument][remarks]") {
    remarks all;
    run(all);
    CHECK(all.render() == "FuseOps: applied: main:1: two operators became one\n"
                          "FuseOps: missed: main:3: the result is used twice\n"
                          "FoldConstant: note: done\n");
    REQUIRE(all.list().size() == 3);
    CHECK(all.list()[1].kind == remark_kind::missed);
    CHECK(all.list()[1].where == "main:3");
    all.clear();
    CHECK(all.render().empty());
}

TEST_CASE("remarks: selects some kinds, or some passes", "[instrument][remarks]") {
    remarks missed{{.kinds = {remark_kind::missed, remark_kind::note}}}, folding{{.passes = {"FoldConstant"}}};
    run(missed);
    run(folding);
    CHECK(missed.render() == "FuseOps: missed: main:3: the result is used twice\nFoldConstant: note: done\n");
    CHECK(folding.render() == "FoldConstant: note: done\n");
}

TEST_CASE("remarks: writes each immediately, if given a writer", "[instrument][remarks]") {
    std::string text;
    remarks written{{.kinds = {remark_kind::missed}}, [&](std::string_view line) { text += line; }};
    run(written);
    CHECK(text == "FuseOps: missed: main:3: the result is used twice\n");
    CHECK(written.list().empty());
}
