#include <tutti/report/diff_script.hpp>

#include "support/catch.hpp"

TEST_CASE("report_diff_script: nothing in it ends the script, makes markup of text, or loads anything",
          "[instrument][report]") {
    const std::string_view script = tutti::instrument::report_diff_script;
    CHECK_FALSE(script.empty());
    for (const std::string_view bad : {"</script", "<!--", "innerHTML", "outerHTML", "insertAdjacentHTML", "eval(",
                                       "fetch(", "XMLHttp", "import(", "https:"})
        CHECK(script.find(bad) == std::string_view::npos);
}
