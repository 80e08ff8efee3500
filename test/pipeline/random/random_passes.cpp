#include "random_edits.hpp"

#include <cstddef>

namespace runtime = tutti::runtime;

namespace random_pipelines {

namespace {

std::string described(const setting& s) {
    std::string text = "level " + std::to_string(s.level);
    for (const std::string_view name : s.disabled) text.append(", disabled ").append(name);
    for (const std::string_view name : s.required) text.append(", required ").append(name);
    if (!s.refused.empty()) text.append(", refused ").append(s.refused);
    return text;
}

// Returns the first line in which two texts differ, and a few lines before it. Empty if the texts are equal.
std::string difference(const std::string& a, const std::string& b) {
    if (a == b) return {};
    std::size_t at = 0;
    while (at < a.size() && at < b.size() && a[at] == b[at]) ++at;
    std::size_t from = at;
    for (int lines = 0; from > 0 && (a[from - 1] != '\n' || ++lines < 6);) --from;
    const auto line = [&](const std::string& text) {
        return text.substr(from,
                           text.find('\n', at) == std::string::npos ? std::string::npos : text.find('\n', at) - from);
    };
    return line(a) + "\n--- but at run time ---\n" + line(b);
}

} // namespace

const runtime::registry<whole>& known() {
    static const runtime::registry<whole> all{run_time_passes};
    return all;
}

void check_written(std::string_view text, const std::string& literal) {
    INFO(text);
    const auto read = runtime::parse_pipeline(text, known());
    const std::string written = tutti::write_pipeline(read);
    CHECK(literal == written);
    CHECK(tutti::write_pipeline(runtime::parse_pipeline(written, known())) == written);
}

void check_events(const char* where, std::string_view text, const setting& s, const std::string& events) {
    INFO(text << "\n" << described(s) << "\n" << where);
    const auto read = runtime::parse_pipeline(text, known());
    const std::string at_run_time = in_erased_context(read, s);
    CHECK(difference(events, at_run_time) == "");
    const auto again = runtime::parse_pipeline(tutti::write_pipeline(read), known());
    CHECK(difference(in_erased_context(again, s), at_run_time) == "");
}

void check_edited(std::string_view text, const setting& s, const std::string& written,
                  const runtime::sequential<whole>& at_run_time, const std::string& events) {
    INFO(text << "\n" << written);
    CHECK(tutti::write_pipeline(at_run_time) == written);
    CHECK(difference(events, in_erased_context(at_run_time, s)) == "");
    const auto again = runtime::parse_pipeline(written, known());
    CHECK(tutti::write_pipeline(again) == written);
    CHECK(difference(events, in_erased_context(again, s)) == "");
}

} // namespace random_pipelines
