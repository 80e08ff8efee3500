#include <tutti/pass/on_limit.hpp>

#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/make_pass.hpp>
#include <tutti/pipeline/literal.hpp>
#include <tutti/pipeline/writing.hpp>

#include "support/catch.hpp"

TEST_CASE("on_limit: is an option of fixpoint, in text too", "[pass]") {
    constexpr auto next = tutti::make_pass<"Next">([](int& n) { ++n; });
    CHECK(tutti::write_pipeline(tutti::fixpoint(next)) == "fixpoint(Next)");
    CHECK(tutti::write_pipeline(tutti::fixpoint(next, 5, tutti::on_limit::silent)) ==
          "fixpoint{limit=5,on_limit=silent}(Next)");
    constexpr auto read = tutti::pipeline<"fixpoint{on_limit=fail}(fixpoint{on_limit=warn}())">(tutti::passes<>{});
    CHECK(tutti::write_pipeline(read) == "fixpoint{on_limit=fail}(fixpoint())");
}
