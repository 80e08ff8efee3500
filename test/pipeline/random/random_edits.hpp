#pragma once

#include <tutti/runtime/edit.hpp>

#include "random_passes.hpp"

#include <string>
#include <string_view>

namespace random_pipelines {

// Compares an edited literal with the same edit at run time, and with the text of the result. `edit` takes a pipeline of
// either kind.
void check_edited(std::string_view text, const setting& s, const std::string& written,
                  const tutti::runtime::sequential<whole>& at_run_time, const std::string& events);

template <tutti::fixed_string Text>
void check_edit(const setting& s, const auto& edit) {
    const auto literal = edit(tutti::pipeline<Text>(literal_passes));
    check_edited(Text.view(), s, tutti::write_pipeline(literal),
                 edit(tutti::runtime::parse_pipeline(Text.view(), known())),
                 in_static_context(literal, s, tutti::opt_level(s.level)));
}

} // namespace random_pipelines
