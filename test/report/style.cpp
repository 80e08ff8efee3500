#include <tutti/report/style.hpp>

#include "support/catch.hpp"

TEST_CASE("report_style: for light and dark, narrow screens and paper, and nothing from elsewhere",
          "[instrument][report]") {
    const std::string_view css = tutti::instrument::report_style;
    for (const std::string_view query : {"prefers-color-scheme: dark", "max-width: 860px", "@media print"})
        CHECK(css.find(query) != std::string_view::npos);
    for (const std::string_view outside : {"url(", "@import", "</style", "http"})
        CHECK(css.find(outside) == std::string_view::npos);
}
