#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/text/parse/diagnostics.hpp>
#include <tutti/relay/text/parse/frame.hpp>
#include <tutti/relay/text/parse/syntax_error.hpp>
#include <tutti/relay/text/parse_options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tutti::relay::inline TUTTI_FORM::text {

/// The open constructs of a function, and the function's graph.
class open_expressions {
public:
    open_expressions(const parse_limits& limits, diagnostic_list& found) : limits_(&limits), found_(&found) {}

protected:
    struct open_let {
        expr_id variable;
        expr_id value;
        source_location where;
    };

    /// Starts a new function.
    void clear() {
        graph_.clear();
        frames_.clear();
        values_.clear();
        lets_.clear();
        patterns_.clear();
    }

    /// Sets the last expression, which begins at `start_`.
    void made(expr_id e) {
        value_ = e;
        graph_.set_location(e, start_.where);
    }

    template <class T>
    static std::uint32_t height(const plain_vector<T>& stack) {
        return static_cast<std::uint32_t>(stack.size());
    }

    void push(const frame& f) {
        if (frames_.size() >= limits_->nesting) {
            found_->add(f.at, "expressions are nested too deeply",
                        "at most " + std::to_string(limits_->nesting) + " at a time");
            throw too_much{};
        }
        frames_.push_back(f);
    }

    /// Closes `f`, the innermost frame, and drops its values.
    void leave(const frame& f) {
        values_.shorten(f.values);
        frames_.pop_back();
    }

    std::span<const expr_id> operands(const frame& f) {
        check_count(values_.size() - f.values, f.at);
        return values_.part(f.values, values_.size() - f.values);
    }

    void check_count(std::size_t count, const place& at) {
        constexpr std::size_t most = (std::size_t{1} << 24) - 2; // a graph stores the count in 24 bits
        if (count <= std::min(limits_->operands, most)) return;
        found_->add(at, "there are " + std::to_string(count) + " operands",
                    "at most " + std::to_string(std::min(limits_->operands, most)));
        throw too_much{};
    }

    const parse_limits* limits_;
    diagnostic_list* found_;
    graph graph_;
    plain_vector<frame> frames_;
    plain_vector<expr_id> values_;
    plain_vector<open_let> lets_;
    plain_vector<attr_value> patterns_; // patterns of the open matches
    expr_id value_ = expr_id::none;     // the last expression; `start_` is its place
    place start_;
};

} // namespace tutti::relay::inline TUTTI_FORM::text
