#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/text/parse/cursor.hpp>
#include <tutti/relay/text/parse/data_type_reader.hpp>
#include <tutti/relay/text/parse/declared_names.hpp>
#include <tutti/relay/text/parse/diagnostics.hpp>
#include <tutti/relay/text/parse/function_parser.hpp>
#include <tutti/relay/text/parse/syntax_error.hpp>
#include <tutti/relay/text/parse/text_parts.hpp>
#include <tutti/relay/text/parse_options.hpp>
#include <tutti/relay/text/parser.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace text {

/// Parses a text: its version line and its definitions, up to the metadata.
class module_parser {
public:
    module_parser(std::string_view text, const parse_options& options)
        : module_parser(text, {text, 1}, options, true) {}

    /// Parses a part of a text.
    module_parser(std::string_view text, const text_part& part, const parse_options& options)
        : module_parser(text, part, options, false) {}

    module_parser(const module_parser&) = delete;
    module_parser& operator=(const module_parser&) = delete;

    ir_module read() {
        try {
            if (!read_parts())
                for (bool more = guarded([&] { return version(); }); more;)
                    more = guarded([&] { return definition(); });
            check_names();
        } catch (const too_much&) { // found_ has the errors
        }
        if (!found_.empty()) throw parse_error(options_->source, found_.take());
        ir_module m;
        m.set(std::move(defined_), std::move(order_));
        m.data_types() = std::move(read_types_).sorted();
        return m;
    }

private:
    module_parser(std::string_view text, const text_part& part, const parse_options& options, bool whole)
        : options_(&options)
        , text_(text)
        , in_(text, part.text, part.line)
        , found_(text, whole ? options.limits.diagnostics : 1)
        , known_(part.text)
        , types_(in_, found_, known_, options.limits.nesting)
        , functions_(in_, part.text, options, known_, found_) {}

    // Parses the parts of the text in parallel. Returns true if all parts consist of valid functions only. For such
    // parts, parallel and sequential parsing agree. Otherwise returns false and keeps nothing.
    bool read_parts() {
        const std::size_t most = options_->executor.concurrency();
        if (most < 2 || text_.size() < least_part) return false;
        const plain_vector<text_part> parts = parts_of(text_, most * 8, least_part, options_->executor);
        if (parts.size() < 2) return false;
        vector<ir_module::definition> read(parts.back().before + parts.back().definitions);
        plain_vector<place> places(read.size());
        bool good = true;
        for_each_index(options_->executor, parts.size(), [&](std::size_t i) {
            if (!__atomic_load_n(&good, __ATOMIC_RELAXED)) return;
            module_parser part(text_, parts[i], *options_);
            part.room_ = std::span(read).subspan(parts[i].before, parts[i].definitions);
            if (part.reads_functions(i == 0))
                std::copy(part.places_.begin(), part.places_.end(), places.begin() + parts[i].before);
            else
                __atomic_store_n(&good, false, __ATOMIC_RELAXED);
        });
        if (!good) return false;
        defined_ = std::move(read);
        places_ = std::move(places);
        return true;
    }
    // Parses the functions of a part. True if all are valid and there is one for each line that begins with `def `.
    bool reads_functions(bool first) {
        try {
            if (first) version();
            for (in_.skip_blank(); !in_.at_end(); in_.skip_blank())
                if (!in_.at_definition() || in_.peek() != 'd' || !definition()) return false;
        } catch (const syntax_error&) {
            return false;
        } catch (const skipped&) {
            return false;
        } catch (const too_much&) {
            return false;
        }
        return found_.empty() && places_.size() == room_.size();
    }
    void define(std::string_view name, const place& at, function f) {
        ir_module::definition made{std::string(name), std::move(f)};
        if (places_.size() < room_.size())
            room_[places_.size()] = std::move(made);
        else
            defined_.push_back(std::move(made));
        places_.push_back(at);
    }
    static constexpr std::size_t least_part = std::size_t{1} << 16; // smallest size worth a thread

    // Calls `f`. An error outside a function's block skips the remainder of the definition.
    template <class F>
    bool guarded(F&& f) {
        try {
            return f();
        } catch (const syntax_error& e) {
            found_.add(e.at, e.problem, e.expected);
        } catch (const skipped&) {}
        while (!in_.at_end() && !in_.at_definition()) in_.next_line();
        return true;
    }

    bool version() {
        if (!in_.take('#')) return true;
        if (!in_.take('[') || !in_.take_word("version") || !in_.take('=')) in_.unexpected("`#[version = \"0.0.5\"]`");
        in_.skip_blank();
        const place at = in_.here();
        std::string given;
        if (in_.peek() != '"') in_.unexpected("`\"0.0.5\"`");
        in_.string(given);
        if (given != "0.0.5") found_.add(at, "the text's version is " + given, "0.0.5");
        if (!in_.take(']')) in_.unexpected("`]`");
        return true;
    }

    // Parses a definition. Returns false at the end of the text and at the metadata.
    bool definition() {
        in_.skip_blank();
        if (in_.at_end()) return false;
        const place at = in_.here();
        if (in_.take('#')) {
            if (!in_.take('[') || !in_.take_word("metadata") || !in_.take(']')) in_.unexpected("`#[metadata]`");
            return false;
        }
        const bool is_extern = in_.take_word("extern");
        if (in_.take_word("type")) {
            types_.read(read_types_, is_extern);
            return true;
        }
        if (is_extern) in_.unexpected("`type`");
        if (!in_.take_word("def")) return program(at);
        if (!in_.take('@')) in_.unexpected("`@` and the function's name");
        const std::string_view name = in_.name();
        if (name.empty()) in_.unexpected("a function's name, which begins with a letter");
        define(name, at, functions_.definition(at));
        return true;
    }

    bool program(const place& at) {
        if (in_.take_word("import"))
            throw syntax_error{at, "a definition with `import` is not supported", "`def @name(…) {…}` or `type T {…}`"};
        if (!places_.empty() || !expression_begins()) in_.unexpected("`def @name(…) {…}`");
        define("main", at, functions_.program(at));
        return true;
    }

    bool expression_begins() {
        const char c = in_.peek();
        if (!is_kind(c, letter)) return c == '%' || c == '(' || c == '{' || is_kind(c, digit);
        const cursor start = in_;
        const std::string_view word = in_.dotted_name();
        const bool call = in_.take('(');
        in_ = start;
        if (known_.constructors.has(word) || word == "match" || word == "if") return true;
        return call || word == "fn" || word == "let" || word == "free_var" || word == "meta";
    }

    void check_names() {
        order_ = ir_module::order_of(defined_);
        for (std::size_t i = 1; i < order_.size(); ++i) {
            const std::string& name = defined_[order_[i]].name;
            if (name == defined_[order_[i - 1]].name)
                found_.add(places_[order_[i]], "the function `@" + name + "` is defined already, in line " +
                                                   std::to_string(places_[order_[i - 1]].where.line));
        }
    }

    const parse_options* options_;
    std::string_view text_;
    cursor in_;
    diagnostic_list found_;
    declarations known_;
    data_types read_types_;
    data_type_reader types_;
    function_parser functions_;
    vector<ir_module::definition> defined_;
    std::span<ir_module::definition> room_; // destination for the definitions of a part
    plain_vector<place> places_;            // positions of the definitions
    plain_vector<std::uint32_t> order_;     // indices of the definitions, sorted by name
};

} // namespace text

TUTTI_INLINE ir_module parse(std::string_view text, const parse_options& options) {
    constexpr std::size_t most = std::size_t{1} << 31; // for larger texts, 32-bit ids might not suffice
    const std::size_t limit = std::min(options.limits.characters, most);
    if (text.size() > limit)
        throw parse_error(options.source, {{.where = {1, 1},
                                            .problem = "the text has " + std::to_string(text.size()) + " characters",
                                            .expected = "at most " + std::to_string(limit)}});
    return text::module_parser(text, options).read();
}

} // namespace tutti::relay::inline TUTTI_FORM
