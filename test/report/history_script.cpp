#include <tutti/report/history_script.hpp>

#include "support/catch.hpp"

TEST_CASE("report_history_script: nothing in it ends the script, makes markup of text, or loads anything",
          "[instrument][report]") {
    const std::string_view script = tutti::instrument::report_history_script;
    CHECK_FALSE(script.empty());
    for (const std::string_view bad : {"</script", "<!--", "innerHTML", "outerHTML", "insertAdjacentHTML", "eval(",
                                       "fetch(", "XMLHttp", "import(", "https:"})
        CHECK(script.find(bad) == std::string_view::npos);
}
