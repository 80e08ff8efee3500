#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/attribute_reading.hpp>
#include <tutti/relay/text/parse/attribute_reader.hpp>
#include <tutti/relay/text/parse/constant_section.hpp>
#include <tutti/relay/text/parse/cursor.hpp>
#include <tutti/relay/text/parse/diagnostics.hpp>
#include <tutti/relay/text/parse/recent_words.hpp>
#include <tutti/relay/text/parse/syntax_error.hpp>
#include <tutti/relay/text/parse_options.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Reads the attributes of operator calls, checks the number of arguments, and caches the operators' expressions.
class call_reader {
public:
    call_reader(cursor& text, attribute_reader& values, diagnostic_list& found)
        : in_(&text), reader_(&values), found_(&found) {}

    /// Starts a new graph.
    void clear() { used_.fill({}); }

    /// Returns the operator with this name, or null.
    /// Requires: the name is part of the text, and `operators` is always the same set.
    /// Cost: one comparison for a recent name, otherwise a lookup.
    const op_def* find(std::string_view name, const op_set& operators) {
        named_op& n = named_[recent_place(name)];
        if (!same_word(n.name, name)) n = {name, operators.find(name)};
        return n.op;
    }

    /// Returns the operator as an expression. Cost: constant after the first use in a graph.
    expr_id use(graph& g, const op_def& op) { return known(g, op).e; }

    /// Reads attributes up to the closing bracket. False if no attributes follow.
    /// Throws: `syntax_error`.
    bool read_attributes(graph& g) {
        in_->skip_blank();
        if (!is_kind(in_->peek(), letter)) return false;
        const cursor start = *in_;
        std::string_view name = in_->dotted_name();
        kept_name_ = {};
        if (name == "meta" && read_kept(start.here())) return true;
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

    /// Returns the attributes read last, for a call of `op` that begins at `call`, and reports errors in them. If the
    /// call refers to attributes in the metadata section, takes them from `section`.
    attrs_id attributes(graph& g, const op_def& op, const place& call, constant_section* section = nullptr) {
        if (!kept_name_.empty() && !take_kept(g, op, section)) return attrs_id::none;
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

    /// Returns the attributes read last, with their names, for a call of a function. Returns none unless
    /// `attrs_type_key="…"`, which marks the attributes of such calls, is among them.
    attrs_id named_attributes(graph& g) {
        plain_vector<attr_value> all;
        bool has_key = false;
        for (const named_values& each : std::span(given_).first(kept_name_.empty() ? count_ : 0)) {
            has_key = has_key || (each.name == "attrs_type_key" && each.values[0].kind == attr_kind::string);
            all.push_back(attr_value::of(g.strings().add(each.name)));
            all.append(each.values.all());
        }
        return has_key ? g.attrs().add(all.all()) : attrs_id::none;
    }

    /// True if an earlier call of `op` without attributes was valid.
    bool has_defaults(const op_def& op) const {
        const entry& k = used_[place_of(op)];
        return k.op == &op && k.has_defaults && k.defaults != attrs_id::none;
    }

    /// Returns the attributes of a call that is written without attributes.
    attrs_id no_attributes(graph& g, const op_def& op, const place& call) {
        if (op.attributes.empty()) return attrs_id::none;
        kept_name_ = {};
        entry& k = known(g, op);
        if (!k.has_defaults) {
            count_ = 0;
            k.has_defaults = true;
            k.defaults = attributes(g, op, call);
        }
        if (k.defaults == attrs_id::none) { // reports the missing attributes of this call too
            count_ = 0;
            attributes(g, op, call);
        }
        return k.defaults;
    }

    /// Reports a wrong number of arguments.
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
    // Reads `[relay.attrs.ScanopAttrs][0])` after `meta`, a reference to all attributes of the call.
    bool read_kept(const place& at) {
        const cursor start = *in_;
        if (!in_->take('[')) return false;
        const std::string_view name = in_->dotted_name();
        if (!name.starts_with("relay.attrs.")) {
            *in_ = start;
            return false;
        }
        if (!in_->take(']') || !in_->take('[')) in_->unexpected("`meta[relay.attrs.…][0]`");
        in_->skip_blank();
        kept_number_ = in_->ordinal();
        if (kept_number_ == cursor::none) in_->unexpected("a number");
        if (!in_->take(']')) in_->unexpected("`]`");
        if (!in_->take(')')) in_->unexpected("`)`: these are all attributes");
        kept_name_ = name;
        count_ = 0;
        at_ = at;
        return true;
    }

    // Takes the attributes from the section as if the call contained them. If they are missing, reports an error and
    // returns false.
    bool take_kept(graph& g, const op_def& op, constant_section* section) {
        if (op.kept_as != kept_name_) {
            found_->add(at_, std::string(op.name) + " has no attributes " + std::string(kept_name_),
                        op.kept_as.empty() ? "attributes `name=value`" : std::string(op.kept_as));
            return false;
        }
        const vector<kept_value>* kept = section == nullptr ? nullptr : section->kept(kept_name_, kept_number_, at_);
        if (kept == nullptr) return false;
        for (const kept_value& each : *kept) {
            next(each.name, at_);
            const attr_field* field = nullptr;
            for (const attr_field& f : op.attributes)
                if (f.name == each.name) field = &f;
            if (field == nullptr) continue; // reported by the attribute check
            plain_vector<attr_value>& values = given_[count_ - 1].values;
            if (is_node(*field)) {
                if (!take_text(g, each.node, values)) return false;
            } else if (field->type == attr_type::string || field->type == attr_type::dtype) {
                values.push_back(attr_value::of(g.strings().add(each.value)));
            } else if (!take_text(g, each.value, values)) {
                return false;
            }
        }
        return true;
    }

    // Parses the value of an attribute from a separate text.
    bool take_text(graph& g, std::string_view text, plain_vector<attr_value>& values) {
        cursor own(text);
        bool good = true;
        try {
            attribute_reader(own).read(g, values);
        } catch (const syntax_error&) {
            good = false;
        }
        if (!good || !own.at_end())
            found_->add(at_, "the metadata has no value for the attribute `" + std::string(given_[count_ - 1].name) +
                                 "` of " + std::string(kept_name_) + ' ' + std::to_string(kept_number_));
        return good && own.at_end();
    }

    struct entry {
        const op_def* op = nullptr;
        expr_id e = expr_id::none;
        bool has_defaults = false;
        attrs_id defaults = attrs_id::none;
    };

    struct named_op {
        std::string_view name;
        const op_def* op = nullptr;
    };

    void attribute(graph& g, std::string_view name, const place& at) {
        next(name, at);
        reader_->read(g, given_[count_ - 1].values);
    }

    // Makes room for the values of another attribute.
    void next(std::string_view name, const place& at) {
        if (given_.size() == count_) {
            given_.emplace_back();
            places_.push_back({});
        }
        given_[count_].name = name;
        given_[count_].values.clear();
        places_[count_] = at;
        ++count_;
    }

    std::size_t place_of(const op_def& op) const {
        return (reinterpret_cast<std::uintptr_t>(&op) * 0x9E3779B97F4A7C15U >> 32) % used_.size();
    }

    // Returns the operator's entry. A new entry replaces the entry of another operator in the same slot.
    entry& known(graph& g, const op_def& op) {
        entry& k = used_[place_of(op)];
        if (k.op != &op) [[unlikely]]
            k = {&op, g.op(op)};
        return k;
    }

    cursor* in_;
    attribute_reader* reader_;
    diagnostic_list* found_;
    std::array<entry, 64> used_{};
    std::array<named_op, recent_words> named_{}; // recent lookups
    vector<named_values> given_;                 // the first `count_` are valid; the others keep their memory
    plain_vector<place> places_;
    std::size_t count_ = 0;
    place at_;
    std::string_view kept_name_; // the name of the referenced attributes in the section, if any
    std::uint32_t kept_number_ = 0;
};

} // namespace tutti::relay::inline TUTTI_FORM::text
