#pragma once

#include <tutti/error.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/attribute_reading.hpp>
#include <tutti/relay/text/parse/attribute_reader.hpp>
#include <tutti/relay/text/parse/cursor.hpp>
#include <tutti/relay/text/parse/diagnostics.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::relay::text {

/// What calls of operators need beside their arguments: the operator as an expression, its attributes, the
/// number of its arguments.
class call_reader {
public:
    call_reader(cursor& text, attribute_reader& values, diagnostic_list& found)
        : in_(&text), reader_(&values), found_(&found) {}

    /// Begins another graph.
    void clear() { used_.fill({}); }

    /// The operator as an expression. Cost: constant but for the first use in a graph.
    expr_id use(graph& g, const op_def& op) { return known(g, op).e; }

    /// Whether attributes follow; then they are read, up to the closing bracket.
    ///
    /// Throws: `syntax_error`.
    bool read_attributes(graph& g) {
        in_->skip_blank();
        if (!is_kind(in_->peek(), letter)) return false;
        const cursor start = *in_;
        std::string_view name = in_->dotted_name();
        if (!in_->take('=')) {
            *in_ = start;
            return false;
        }
        for (count_ = 0;;) {
            attribute(g, name, count_ == 0 ? start.here() : at_);
            if (in_->take(')')) return true;
            if (!in_->take(',')) in_->unexpected("`,` or `)`");
            in_->skip_blank();
            at_ = in_->here();
            name = in_->dotted_name();
            if (name.empty()) in_->unexpected("an attribute `name=value`; arguments come before attributes");
            if (!in_->take('=')) in_->unexpected("`=` and the attribute's value");
        }
    }

    /// The attributes that were read last, for a call of `op` that begins at `call`. What is wrong with them
    /// is noted.
    attrs_id attributes(graph& g, const op_def& op, const place& call) {
        try {
            return relay::read_attributes(g, op, std::span(given_).first(count_));
        } catch (const error& e) {
            place at = call;
            for (std::size_t i = 0; i < count_; ++i)
                if (e.where().ends_with('`' + std::string(given_[i].name) + '`')) at = places_[i];
            const std::string& problem = e.problem();
            found_->add(at, e.where() + (problem.starts_with("is ") ? " " : ": ") + problem,
                        problem.ends_with('?') ? std::string() : e.expected());
            return attrs_id::none;
        }
    }

    /// The attributes of a call that gives none.
    attrs_id no_attributes(graph& g, const op_def& op, const place& call) {
        if (op.attributes.empty()) return attrs_id::none;
        entry& k = known(g, op);
        if (!k.has_defaults) {
            count_ = 0;
            k.has_defaults = true;
            k.defaults = attributes(g, op, call);
        }
        if (k.defaults == attrs_id::none) { // what is missing is missing here, too
            count_ = 0;
            attributes(g, op, call);
        }
        return k.defaults;
    }

    /// Notes if `op` takes another number of arguments.
    void check_arity(const op_def& op, std::size_t given, const place& call) {
        if (given == op.arguments.size()) return;
        std::string problem(op.name);
        problem += " takes " + std::to_string(op.arguments.size());
        problem += op.arguments.size() == 1 ? " argument" : " arguments";
        for (std::size_t i = 0; i < op.arguments.size(); ++i) {
            problem += i == 0 ? " (" : ", ";
            problem += op.arguments[i];
        }
        if (!op.arguments.empty()) problem += ')';
        problem += ", not " + std::to_string(given);
        found_->add(call, std::move(problem));
    }

private:
    struct entry {
        const op_def* op = nullptr;
        expr_id e = expr_id::none;
        bool has_defaults = false;
        attrs_id defaults = attrs_id::none;
    };

    void attribute(graph& g, std::string_view name, const place& at) {
        if (given_.size() == count_) {
            given_.emplace_back();
            places_.push_back({});
        }
        given_[count_].name = name;
        given_[count_].values.clear();
        places_[count_] = at;
        reader_->read(g, given_[count_].values);
        ++count_;
    }

    // The operator's entry; of two operators at the same place, that of the one that was used last.
    entry& known(graph& g, const op_def& op) {
        entry& k = used_[(reinterpret_cast<std::uintptr_t>(&op) * 0x9E3779B97F4A7C15U >> 32) % used_.size()];
        if (k.op != &op) k = {&op, g.op(op)};
        return k;
    }

    cursor* in_;
    attribute_reader* reader_;
    diagnostic_list* found_;
    std::array<entry, 64> used_{};
    std::vector<named_values> given_; // the first `count_` of them; kept for their memory
    plain_vector<place> places_;
    std::size_t count_ = 0;
    place at_;
};

} // namespace tutti::relay::text
