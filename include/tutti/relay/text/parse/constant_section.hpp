#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/text/parse/diagnostics.hpp>
#include <tutti/relay/text/parse/numbering.hpp>
#include <tutti/relay/text/parse_options.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Resolves references to the `#[metadata]` section. `meta[relay.Constant][0]` refers to a constant that is not a
/// literal, and `meta[relay.attrs.ScanopAttrs][0]` to the attributes of a call.
///
/// The section is read at the first reference.
class constant_section {
public:
    constant_section(std::string_view text, metadata_content (*read)(std::string_view), diagnostic_list& found)
        : text_(text), read_(read), found_(&found) {}

    /// Starts a new graph.
    void next_definition() { nodes_.next_definition(); }

    /// Returns the expression of the constant with this number. Each graph has one expression per constant. If there is
    /// no such constant, reports an error and returns none.
    expr_id node(graph& g, std::uint32_t number, const place& at) {
        const expr_id known = nodes_.find(number);
        if (known != expr_id::none) return known;
        if (!looked_) look(at, "constants");
        if (failed_) return expr_id::none;
        const vector<tensor>& constants = content_.constants;
        if (number >= constants.size()) {
            found_->add(at, "the metadata has no constant " + std::to_string(number),
                        constants.empty() ? "" : "0 to " + std::to_string(constants.size() - 1));
            return expr_id::none;
        }
        const expr_id made = g.constant(constants[number]);
        nodes_.define(number, made);
        return made;
    }

    /// Returns the attributes with this name and number. If there are none, reports an error and returns null.
    const vector<kept_value>* kept(std::string_view name, std::uint32_t number, const place& at) {
        if (!looked_) look(at, "attributes");
        if (failed_) return nullptr;
        std::size_t count = 0;
        for (const kept_values& each : content_.attributes) {
            if (each.name != name) continue;
            count = each.calls.size();
            if (number < count) return &each.calls[number];
        }
        found_->add(at, "the metadata has no " + std::string(name) + ' ' + std::to_string(number),
                    count == 0 ? "" : "0 to " + std::to_string(count - 1));
        return nullptr;
    }

private:
    void look(const place& at, const char* what) {
        looked_ = true;
        failed_ = true;
        constexpr std::string_view head = "\n#[metadata]";
        const std::size_t begin = text_.rfind(head);
        if (begin == std::string_view::npos) {
            found_->add(at, "the text has no `#[metadata]` section with the " + std::string(what) + "' values",
                        "text that was printed with text_options::metadata");
        } else if (read_ == nullptr) {
            found_->add(at, "the " + std::string(what) + " are in the metadata section, which is not read",
                        "parse_options::metadata = relay::read_metadata, of <tutti/relay/text/metadata.hpp>");
        } else {
            try {
                content_ = read_(text_.substr(begin + head.size()));
                failed_ = false;
            } catch (const error& e) {
                source_location where{2, 1};
                for (const char c : text_.substr(0, begin)) where.line += c == '\n' ? 1 : 0;
                found_->add({where, begin + 1}, e.where().empty() ? e.problem() : e.where() + ": " + e.problem(),
                            e.expected());
            }
        }
    }

    std::string_view text_;
    metadata_content (*read_)(std::string_view);
    diagnostic_list* found_;
    metadata_content content_;
    numbering nodes_;
    bool looked_ = false;
    bool failed_ = false;
};

} // namespace tutti::relay::inline TUTTI_FORM::text
