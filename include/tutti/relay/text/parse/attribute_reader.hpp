#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/text/parse/cursor.hpp>
#include <tutti/relay/text/parse/number_reader.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Reads attribute values: `[1, 1]`, `1e-05f`, `"NCHW"`, `True`, `None`, `?`.
///
/// Cost: linear in the text; no recursion.
class attribute_reader {
public:
    explicit attribute_reader(cursor& text) : in_(&text) {}

    /// Appends the value that follows. A list precedes its elements. Throws: `syntax_error`.
    void read(graph& g, plain_vector<attr_value>& out) {
        lists_.clear();
        for (;;) {
            if (in_->take('[')) {
                lists_.push_back(out.size());
                out.push_back(attr_value::list(0));
                if (!in_->take(']')) continue;
                lists_.pop_back();
            } else {
                out.push_back(single(g));
            }
            while (!lists_.empty()) {
                ++out[lists_.back()].count;
                if (in_->take(',')) break;
                if (!in_->take(']')) in_->unexpected("`,` or `]`");
                lists_.pop_back();
            }
            if (lists_.empty()) return;
        }
    }

private:
    attr_value single(graph& g) {
        in_->skip_blank();
        const place at = in_->here();
        if (in_->at_number()) {
            const number_text n = in_->number();
            if (n.floating || n.suffix.starts_with('f')) return floating(n, at);
            return attr_value::of(read_dim(n, at));
        }
        switch (in_->peek()) {
        case '"':
            in_->string(characters_);
            return attr_value::of(g.strings().add(characters_));
        case '?':
            in_->pass(1);
            return attr_value::of(dim::any());
        default:
            if (in_->take_word("True")) return attr_value::of(true);
            if (in_->take_word("False")) return attr_value::of(false);
            if (in_->take_word("None")) return {};
            if (in_->take_word("meta")) return attr_value::of(g.strings().add(constant_reference()));
            in_->unexpected("a value: a number, a string, True, False, None or a list `[1, 2]`");
        }
    }

    // Reads `[relay.Constant][0]` as text, without looking up the constant.
    std::string constant_reference() {
        if (!in_->take('[') || !in_->take_word("relay.Constant") || !in_->take(']') || !in_->take('['))
            in_->unexpected("`meta[relay.Constant][0]`");
        in_->skip_blank();
        const std::uint32_t number = in_->ordinal();
        if (number == cursor::none || !in_->take(']')) in_->unexpected("a number and `]`");
        return "meta[relay.Constant][" + std::to_string(number) + ']';
    }

    attr_value floating(const number_text& n, place at) const {
        if (!n.suffix.empty() && n.suffix != "f" && n.suffix != "f32" && n.suffix != "f64" && n.suffix != "f16")
            throw syntax_error{at, "unknown suffix of the number " + quoted(n), "`f` or none"};
        return attr_value::of(read_floating<double>(n, at, dtype::float64));
    }

    cursor* in_;
    std::string characters_;
    plain_vector<std::size_t> lists_; // indices of the open lists
};

} // namespace tutti::relay::inline TUTTI_FORM::text
