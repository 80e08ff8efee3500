#include <tutti/report/page.hpp>

#include "support/catch.hpp"

using tutti::instrument::report_page_begin;
using tutti::instrument::report_page_data;

TEST_CASE("report_page: titles and pipelines are escaped", "[instrument][report]") {
    const std::string page = report_page_begin("</title><script>\x01\"&", "A{text=\"</code><b>\"}");
    CHECK(page.starts_with("<!doctype html>\n"));
    CHECK(page.find("<title>&lt;/title&gt;&lt;script&gt; &quot;&amp; - passes</title>") != std::string::npos);
    CHECK(page.find("<code>A{text=&quot;&lt;/code&gt;&lt;b&gt;&quot;}</code>") != std::string::npos);
    CHECK(page.find("default-src 'none'") != std::string::npos);
    CHECK(page.find(" onclick=") == std::string::npos);
}

TEST_CASE("report_page: without them", "[instrument][report]") {
    const std::string page = report_page_begin("", "");
    CHECK(page.find("<title>Passes</title>") != std::string::npos);
    CHECK(page.find("id=\"pipeline\"") == std::string::npos);
    CHECK(page.size() < 64'000);
}

TEST_CASE("report_page: data are no script that runs", "[instrument][report]") {
    CHECK(report_page_data("[\"x\"]") == "<script type=\"application/json\" class=\"data\">[\n[\"x\"]\n]</script>\n");
}
