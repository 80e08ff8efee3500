#include <tutti/search/reproducer.hpp>

#include "support/catch.hpp"

using namespace tutti::instrument;

namespace {
bool same(const reproducer& a, const reproducer& b) {
    return a.pass == b.pass && a.passes == b.passes && a.options == b.options && a.failure == b.failure &&
           a.unit == b.unit && a.version == b.version;
}
} // namespace

TEST_CASE("reproducer: is a text that begins with comments", "[instrument][reproducer]") {
    const reproducer r{"FuseOps", "FuseOps{max_depth=4},InferType", "--opt-level=3", "it cannot", "def @main\n"};
    CHECK(to_text(r) == "// reproducer: FuseOps\n// passes: FuseOps{max_depth=4},InferType\n"
                        "// options: --opt-level=3\n// failed: it cannot\ndef @main\n");
    CHECK(to_text({.pass = "A", .passes = "A,B", .unit = "x", .version = "0.1.0"}) ==
          "// reproducer: A\n// passes: A,B\n// version: 0.1.0\nx\n");
    CHECK(to_text({.pass = "A", .unit = "x"}, ";") == "; reproducer: A\n; passes: \nx\n");
}

TEST_CASE("reproducer: reads back its own output", "[instrument][reproducer]") {
    for (const reproducer& r :
         {reproducer{"A", "A,B", "", "", "x\n"}, reproducer{"A", "A,B", "-x", "no", "x\n", "0.1.0"},
          reproducer{"A", "P{header=\"a\nb\n\"},B", "-x\n-y", "no\n", "// x\ny\n"}, reproducer{"", "", "", "", "\n"}})
        for (const std::string_view comment : {"//", "#", ";;"}) {
            CHECK(is_reproducer(to_text(r, comment), comment));
            CHECK(same(read_reproducer(to_text(r, comment), comment), r));
        }
    CHECK_FALSE(is_reproducer("def @main"));
    CHECK_FALSE(is_reproducer("// passes: A"));
    CHECK_FALSE(is_reproducer("# reproducer: A"));
    CHECK(read_reproducer("// reproducer: A").pass == "A");
}
