#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/attr_table.hpp>
#include <tutti/relay/ir/data_types.hpp>
#include <tutti/relay/ir/function.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/match.hpp>
#include <tutti/relay/ir/type_text.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// Returns a description of an expression for error messages: `let at 3:14` if it was read from a text, `call of conv1`
/// if its source has a name, else `let, expression 12`. Variables and functions of the module are described by name.
///
/// Requires: the graph is well-formed.
constexpr std::string describe(const graph& g, expr_id e) {
    std::string text;
    if (g.kind(e) == expr_kind::variable)
        (text += '%') += g.variable_name(e);
    else if (g.kind(e) == expr_kind::global)
        (text += '@') += g.global_name(e);
    else if (g.kind(e) == expr_kind::constructor)
        (text += "constructor ") += g.global_name(e);
    else
        text += to_string(g.kind(e));
    if (const std::string_view name = g.source_name(e); !name.empty()) return (text += " of ") += name;
    const source_location place = g.location(e);
    text += place.line != 0 ? " at " : ", expression ";
    append_number(text, place.line != 0 ? place.line : index(e));
    if (place.line != 0) {
        text += ':';
        append_number(text, place.column);
    }
    return text;
}

namespace detail {

/// Checks that a graph can be traversed and its tables can be read. The graph's arrays may hold any bytes.
///
/// Makes one pass over the expressions, without recursion or allocation. If this pass finds a fault, `refuse` makes a
/// second pass to describe it.
class structure_scan {
    using node = graph::node;

    // Limits on the operands and the payload of a kind. There are `least` to `least + more` operands. The payload plus
    // `added` is less than `payloads`; if `none` is allowed, `added` is 1, so that `none` becomes 0.
    struct kind_rule {
        std::uint32_t least = 0;
        std::uint32_t more = 0;
        std::uint32_t added = 0;
        bool has_more = false; // the kind has further requirements; see `problem_of`
        std::uint64_t payloads = any;
    };
    static constexpr std::uint64_t any = std::uint64_t{1} << 32;
    static constexpr std::uint32_t unlimited = 0xFFFFFFFFU >> graph::count_shift;
    static constexpr std::size_t kinds = 15;

public:
    constexpr explicit structure_scan(const graph& g)
        : g_(&g)
        , types_(g.types_.size())
        , strings_(g.strings_.size())
        , lists_(g.attrs_.size())
        , tables_are_whole_(g.strings_.is_whole() && g.types_.is_whole() && g.attrs_.has_values(strings_)) {
        const auto rule = [&](expr_kind kind) -> kind_rule& { return rules_[static_cast<std::size_t>(kind)]; };
        for (const expr_kind named : {expr_kind::variable, expr_kind::global, expr_kind::constructor})
            rule(named).payloads = strings_;
        rule(expr_kind::variable).has_more = true;
        rule(expr_kind::constant).payloads = g.constants_.size();
        rule(expr_kind::op).payloads = g.ops_.size();
        rule(expr_kind::call) = {.least = 1, .more = unlimited, .added = 1, .payloads = std::uint64_t{lists_} + 1};
        rule(expr_kind::function) = {.least = 1, .more = unlimited, .has_more = true, .payloads = g.functions_.size()};
        rule(expr_kind::tuple).more = unlimited;
        rule(expr_kind::projection) = {.least = 1};
        rule(expr_kind::let) = {.least = 3, .has_more = true};
        rule(expr_kind::conditional) = {.least = 3};
        rule(expr_kind::match) = {.least = 1, .more = unlimited, .has_more = true, .payloads = lists_};
        rule(expr_kind::ref_create) = {.least = 1};
        rule(expr_kind::ref_read) = {.least = 1};
        rule(expr_kind::ref_write) = {.least = 2};
    }

    constexpr bool are_tables_whole() const { return tables_are_whole_ && ops_are_there() && sources_are_named(); }
    /// True if the expressions in [begin, end) are well-formed. Requires: `are_tables_whole()`; `end` is at most the
    /// number of expressions.
    constexpr bool are_well_formed(std::uint32_t begin, std::uint32_t end) const {
        return first_malformed(begin, end) == end;
    }

    /// Reads and checks the operands of calls. It is faster than `gradual_check::operands` if there are many calls.
    class call_reader {
        const node* nodes_;
        const expr_id* operands_;
        std::uint32_t all_operands_, types_, lists_;

    public:
        constexpr explicit call_reader(const structure_scan& scan)
            : nodes_(scan.g_->nodes_.data())
            , operands_(scan.g_->operands_.data())
            , all_operands_(static_cast<std::uint32_t>(scan.g_->operands_.size()))
            , types_(scan.types_)
            , lists_(scan.lists_) {}

        /// Returns the operands of a call, the callee first, or an empty span if the call is malformed. Does not check
        /// that the operands precede the call.
        constexpr std::span<const expr_id> operands(expr_id call) const {
            const node& n = nodes_[index(call)];
            const std::uint32_t count = n.head >> graph::count_shift;
            const bool good = std::uint64_t{n.first} + count <= all_operands_ && index(n.type) + 1 <= types_ &&
                              n.payload + 1 <= lists_;
            return good ? std::span(operands_ + n.first, count) : std::span<const expr_id>();
        }
    };

    /// Throws the error of the first malformed table or expression. Requires: there is one.
    [[noreturn, gnu::cold, gnu::noinline]] void refuse() const {
        if (!g_->strings_.is_whole()) throw error("strings", "do not lie within the graph's table");
        if (!g_->types_.is_whole()) throw error("types", "refer to types that do not come before them");
        if (!g_->attrs_.is_whole()) throw error("attributes", "do not lie within the graph's table");
        if (!ops_are_there()) throw error("operators", "have no description");
        if (!sources_are_named()) throw error("sources", "have names that are not in the graph's table");
        for (std::uint32_t i = 0; i < g_->size(); ++i) check(i);
        throw error("attributes",
                    "are lists without all their elements, or with strings that are not in the graph's table");
    }

private:
    constexpr bool ops_are_there() const {
        bool all = true;
        for (const auto& known : g_->ops_) all &= known.definition != nullptr;
        return all;
    }

    constexpr bool sources_are_named() const {
        bool all = true;
        for (const source_location& l : g_->locations_) all &= l.column != 0 || l.line <= strings_;
        return all;
    }

    constexpr std::uint32_t first_malformed(std::uint32_t begin, std::uint32_t end) const {
        const node* const nodes = g_->nodes_.data();
        const expr_id* const operands = g_->operands_.data();
        const auto all = static_cast<std::uint32_t>(g_->operands_.size());
        const std::uint32_t types = types_;
        for (std::uint32_t i = begin; i < end; ++i) {
            const node& n = nodes[i];
            const std::uint32_t kind = n.head & graph::kind_mask;
            if (kind >= kinds) return i;
            const kind_rule& rule = rules_[kind];
            const std::uint32_t count = n.head >> graph::count_shift;
            if (count - rule.least > rule.more) return i;
            if (n.payload + rule.added >= rule.payloads) return i;
            if (index(n.type) + 1 > types) return i;
            if (count != 0) {
                if (std::uint64_t{n.first} + count > all) return i;
                const expr_id* const own = operands + n.first;
                std::uint32_t greatest = index(own[0]); // unrolled, because most calls have at most three operands
                if (count > 1) greatest = greater(greatest, index(own[1]));
                if (count > 2) greatest = greater(greatest, index(own[2]));
                for (std::uint32_t k = 3; k < count; ++k) greatest = greater(greatest, index(own[k]));
                if (greatest >= i) return i;
            }
            if (rule.has_more && problem_of(expr_id{i}) != nullptr) return i;
        }
        return end;
    }

    // Returns the problem of an expression whose kind has requirements beyond valid ids, or null if it has no problem.
    constexpr const char* problem_of(expr_id e) const {
        switch (g_->kind(e)) {
        case expr_kind::variable:
            return is_type(g_->annotation(e)) ? nullptr : "is declared with a type that is not in the graph's table";
        case expr_kind::let:
            return is_variable(g_->operand(e, 0)) ? nullptr : "binds something other than a variable";
        case expr_kind::function:
            return problem_of_function(e);
        case expr_kind::match:
            return problem_of_match(e);
        default:
            return nullptr;
        }
    }

    constexpr const char* problem_of_function(expr_id e) const {
        for (const expr_id p : g_->params(e))
            if (!is_variable(p)) return "has a parameter that is not a variable";
        if (!is_type(g_->result_annotation(e))) return "declares a result type that is not in the graph's table";
        if (const type_id list = g_->type_params(e); list != type_id::none) {
            bool good = is_type(list) && g_->types_.kind(list) == type_kind::tuple;
            if (good)
                for (const type_id t : g_->types_.fields(list))
                    good = good && g_->types_.kind(t) == type_kind::variable;
            if (!good) return "has type parameters that are not variables";
        }
        if (!is_list(g_->function_attributes(e))) return "has attributes that are not in the graph's tables";
        std::span<const attr_value> rest = g_->attrs_[g_->function_attributes(e)];
        while (!rest.empty()) {
            if (rest.front().kind != attr_kind::string || rest.size() == 1)
                return "has attributes that do not alternate names and values";
            rest = rest.subspan(1 + extent(rest.subspan(1)));
        }
        return nullptr;
    }

    // Checks that patterns have the form described in match.hpp, and that there is an operand for each variable bound
    // by a pattern and for each clause. Returns the problem, or null.
    constexpr const char* problem_of_match(expr_id e) const {
        const attrs_id list = g_->patterns(e);
        if (list == attrs_id::none || !is_list(list) || g_->attrs_[list].empty() ||
            g_->attrs_[list].front().kind != attr_kind::boolean)
            return "has patterns that are not in the graph's tables";
        std::span<const attr_value> rest = g_->attrs_[list].subspan(1);
        std::size_t operands = 1;
        while (!rest.empty()) {
            const auto pattern = rest.first(extent(rest));
            rest = rest.subspan(pattern.size());
            ++operands;
            for (std::size_t i = 0; i < pattern.size(); ++i) {
                const attr_value& v = pattern[i];
                const bool name = v.kind == attr_kind::string && i != 0 && pattern[i - 1].kind == attr_kind::list &&
                                  pattern[i - 1].count != 0;
                const bool variable = v.kind == attr_kind::boolean && v.boolean();
                if (variable) ++operands;
                if (!name && !variable && v.kind != attr_kind::none && v.kind != attr_kind::list)
                    return "has a malformed pattern";
            }
        }
        if (operands != g_->operand_count(e)) return "has different numbers of clauses and patterns";
        bool variables = true;
        for_each_bound(*g_, e, [&](std::size_t i) { variables = variables && is_variable(g_->operand(e, i)); });
        return variables ? nullptr : "binds something other than a variable";
    }

    // Throws if an expression is malformed. Requires: earlier expressions, strings and types are well-formed.
    constexpr void check(std::uint32_t i) const {
        const node& n = g_->nodes_[i];
        const std::uint32_t number = n.head & graph::kind_mask;
        if (number >= kinds) refuse_number(i, "has an unknown kind");
        const expr_id e{i};
        const auto kind = static_cast<expr_kind>(number);
        const kind_rule& rule = rules_[number];
        const std::uint32_t count = n.head >> graph::count_shift;
        const bool is_named =
            kind == expr_kind::variable || kind == expr_kind::global || kind == expr_kind::constructor;
        if (is_named && n.payload >= rule.payloads) refuse_number(i, "has a name that is not in the graph's table");
        if (count - rule.least > rule.more) refuse_at(e, "has a wrong number of operands");
        if (count != 0 && (n.first > g_->operands_.size() || count > g_->operands_.size() - n.first))
            refuse_at(e, "has operands that are not in the graph's list");
        for (const expr_id o : g_->operands(e))
            if (index(o) >= i)
                refuse_at(e, "has an operand that does not come before it", "operands before their users");
        if (!is_type(n.type)) refuse_at(e, "has a type that is not in the graph's table");
        if (n.payload + rule.added >= rule.payloads)
            refuse_at(e, kind == expr_kind::call    ? "has attributes that are not in the graph's tables"
                         : kind == expr_kind::match ? "has patterns that are not in the graph's tables"
                                                    : "refers to something that is not in the graph's tables");
        if (kind == expr_kind::call && !is_list(g_->call_attributes(e)))
            refuse_at(e, "has attributes that are not in the graph's tables");
        if (const char* const problem = problem_of(e); problem != nullptr) refuse_at(e, problem);
    }

    static constexpr std::uint32_t greater(std::uint32_t a, std::uint32_t b) { return a < b ? b : a; }
    constexpr bool is_type(type_id t) const { return t == type_id::none || index(t) < types_; }
    constexpr bool is_list(attrs_id a) const {
        return a == attrs_id::none || (index(a) < lists_ && (tables_are_whole_ || are_values(g_->attrs_[a], strings_)));
    }
    constexpr bool is_variable(expr_id e) const { return g_->kind(e) == expr_kind::variable; }

    [[noreturn, gnu::cold, gnu::noinline]] static void refuse_number(std::uint32_t i, std::string_view problem) {
        std::string where = "expression ";
        append_number(where, i);
        throw error(std::move(where), std::string(problem));
    }
    [[noreturn, gnu::cold, gnu::noinline]] void refuse_at(expr_id e, std::string problem,
                                                          std::string_view expected = {}) const {
        relay::refuse_at(*g_, e, error(describe(*g_, e), std::move(problem), std::string(expected)));
    }

    const graph* g_;
    std::uint32_t types_, strings_, lists_;
    bool tables_are_whole_;
    kind_rule rules_[kinds]{};
};

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_root() {
    throw error("root", "is not an expression of the graph");
}
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_root(const graph& g, expr_id root) {
    refuse_at(g, root, error(describe(g, root), "is not a function"));
}

} // namespace detail

/// Checks a graph expression by expression, for code that visits the expressions in order anyway. Checking all of them
/// reports the same errors as `check_well_formed`.
class gradual_check {
    const graph* g_;
    detail::structure_scan scan_;

public:
    /// Checks the root and the graph's tables.
    constexpr gradual_check(const graph& g, expr_id root) : g_(&g), scan_(g) {
        if (index(root) >= g.size()) detail::refuse_root();
        if (!scan_.are_tables_whole() || !scan_.are_well_formed(index(root), index(root) + 1)) scan_.refuse();
    }
    /// Checks that the root is a function.
    constexpr void check_function(expr_id root) const {
        if (g_->kind(root) != expr_kind::function) detail::refuse_root(*g_, root);
    }
    constexpr detail::structure_scan::call_reader calls() const { return detail::structure_scan::call_reader(scan_); }
    /// Checks one expression and returns its operands. Requires: earlier expressions are well-formed.
    constexpr std::span<const expr_id> operands(expr_id e) const {
        if (!scan_.are_well_formed(index(e), index(e) + 1)) scan_.refuse();
        return g_->operands(e);
    }
    /// Checks an expression and all later ones. Requires: earlier expressions are well-formed.
    constexpr void check_from(expr_id e) const {
        if (!scan_.are_well_formed(index(e), g_->size())) scan_.refuse();
    }
};

/// Checks that a graph can be read: ids lie in its tables, operands precede their users, their number and kinds are
/// right, and the root is in the graph. Code that prints, draws, hashes, compares or counts calls this first and then
/// relies on it. `verify_structure` checks more.
///
/// The arrays of the graph may hold any bytes.
///
/// Cost:   one pass over the graph, about 2 ns an expression; no recursion, no allocation.
/// Throws: `tutti::error` that names the expression; a `located_error` if it was read from a text.
constexpr void check_well_formed(const graph& g, expr_id root) { gradual_check(g, root).check_from(expr_id{0}); }
/// Checks the graph of a function, and that its root is a function expression.
constexpr void check_well_formed(const function& f) {
    check_well_formed(f.graph, f.root);
    if (f.graph.kind(f.root) != expr_kind::function) detail::refuse_root(f.graph, f.root);
}

} // namespace tutti::relay::inline TUTTI_FORM
