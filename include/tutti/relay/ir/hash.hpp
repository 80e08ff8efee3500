#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/match.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/structure.hpp>
#include <tutti/relay/ir/tensor_value.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// Returns the hashes of a table's types, indexed by type. The hashes do not depend on ids.
constexpr plain_vector<std::uint64_t> hashes_of(const type_table& types) {
    plain_vector<std::uint64_t> hashes(types.size(), 0);
    for (std::uint32_t i = 0; i < types.size(); ++i) {
        const type_id t{i};
        std::uint64_t hash = static_cast<std::uint64_t>(types.kind(t));
        if (types.kind(t) == type_kind::tensor) {
            hash = hash_combine(hash, static_cast<std::uint64_t>(types.element(t)));
            for (const dim d : types.shape(t)) hash = hash_combine(hash, static_cast<std::uint64_t>(d.bits()));
        } else {
            const bool variable = types.kind(t) == type_kind::variable;
            if (variable || types.kind(t) == type_kind::data) hash = hash_combine(hash, hash_of(types.name(t)));
            if (variable) hash = hash_combine(hash, types.number(t));
            for (const type_id m : types.members(t)) hash = hash_combine(hash, hashes[index(m)]);
        }
        hashes[i] = hash;
    }
    return hashes;
}

/// Returns a hash of a module's data types. Equal data types have equal hashes.
constexpr std::uint64_t hash_of_types(const data_types& defined) {
    if (defined.empty()) return 0;
    const auto hashes = hashes_of(defined.types());
    std::uint64_t hash = defined.size();
    const auto mix = [&](std::string_view name, std::span<const type_id> parts) {
        hash = hash_combine(hash_combine(hash, hash_of(name)), parts.size());
        for (const type_id p : parts) hash = hash_combine(hash, hashes[index(p)]);
    };
    for (std::uint32_t t = 0; t < defined.size(); ++t) {
        mix(defined.name(t), defined.params(t));
        hash = hash_combine(hash, defined.constructors_of(t));
    }
    for (std::uint32_t c = 0; c < defined.constructor_count(); ++c) mix(defined.constructor_name(c), defined.fields(c));
    return hash;
}

/// Returns the hashes of a graph's attribute lists, indexed by list. The hashes do not depend on ids.
constexpr plain_vector<std::uint64_t> hashes_of(const attr_table& attrs, const string_table& strings) {
    plain_vector<std::uint64_t> hashes(attrs.size(), 0);
    for (std::uint32_t i = 0; i < attrs.size(); ++i) {
        std::uint64_t hash = 0;
        for (const attr_value& v : attrs[attrs_id{i}]) {
            hash = hash_combine(hash, static_cast<std::uint64_t>(v.kind) << 32 | v.count);
            hash = hash_combine(hash, v.kind == attr_kind::string ? hash_of(strings[v.string()])
                                                                  : static_cast<std::uint64_t>(v.bits));
        }
        hashes[i] = hash;
    }
    return hashes;
}

/// Hashes the expressions of a graph, users before operands, and numbers them in that order. Expressions that a
/// `comparison` would pair get the same number. `Op` is `op_def`, which this layer only declares. `hash_value` hashes
/// constants.
template <class Op, std::uint64_t (*hash_value)(const kernel::tensor&) = value_hash>
class hasher {
public:
    constexpr hasher(const graph& g, const equality_options& options)
        : g_(&g)
        , options_(options)
        , number_(g.size(), unknown)
        , types_(hashes_of(g.types()))
        , attrs_(hashes_of(g.attrs(), g.strings())) {}

    constexpr std::uint64_t run(expr_id root) {
        open_.push_back(root);
        while (!open_.empty()) {
            const expr_id e = open_.back();
            open_.pop_back();
            meet(e);
        }
        return hash_finish(state_);
    }

private:
    static constexpr std::uint32_t unknown = 0xFFFFFFFFU;

    constexpr void meet(expr_id e) {
        const expr_kind kind = g_->kind(e);
        mix(static_cast<std::uint64_t>(kind) << 32 | g_->operand_count(e));
        if (options_.inferred_types) mix_type(g_->type(e));
        std::uint32_t& number = number_[index(e)];
        switch (kind) {
        case expr_kind::global:
        case expr_kind::constructor:
        case expr_kind::constant:
        case expr_kind::op:
            if (number == unknown) {
                number = static_cast<std::uint32_t>(leaves_.size());
                leaves_.push_back(leaf(kind, e));
            }
            mix(leaves_[number]);
            return;
        case expr_kind::variable:
            if (number == unknown) number_variable(e, !options_.map_free_variables);
            mix(number);
            return;
        default:
            break;
        }
        const bool met = number != unknown;
        if (!met) number = count_++;
        mix(number);
        if (met) return;
        mix_payload(kind, e);
        for (std::size_t i = g_->operand_count(e); i-- > 0;) open_.push_back(g_->operand(e, i));
    }

    constexpr std::uint64_t leaf(expr_kind kind, expr_id e) const {
        if (kind == expr_kind::global || kind == expr_kind::constructor) return hash_of(g_->global_name(e));
        if (kind == expr_kind::constant) return hash_value(g_->constant_value(e));
        return hash_of(static_cast<const Op&>(g_->op_definition(e)).name);
    }

    constexpr void mix_payload(expr_kind kind, expr_id e) {
        switch (kind) {
        case expr_kind::call:
            mix_attributes(g_->call_attributes(e));
            break;
        case expr_kind::projection:
            mix(g_->field(e));
            break;
        case expr_kind::let:
            bind(g_->operand(e, 0));
            break;
        case expr_kind::match:
            mix_attributes(g_->patterns(e));
            for_each_bound(*g_, e, [&](std::size_t i) { bind(g_->operand(e, i)); });
            break;
        case expr_kind::function:
            mix_type(g_->result_annotation(e));
            mix_attributes(g_->function_attributes(e));
            for (const expr_id p : g_->params(e)) bind(p);
            break;
        default:
            break;
        }
    }

    constexpr void bind(expr_id variable) {
        if (number_[index(variable)] == unknown) number_variable(variable, false);
    }
    constexpr void number_variable(expr_id variable, bool by_name) {
        number_[index(variable)] = count_++;
        mix_type(g_->annotation(variable));
        if (by_name || options_.names) mix(hash_of(g_->variable_name(variable)));
    }

    constexpr void mix_type(type_id t) { mix(t == type_id::none ? 0 : types_[index(t)]); }
    constexpr void mix_attributes(attrs_id a) { mix(a == attrs_id::none ? 0 : attrs_[index(a)]); }
    constexpr void mix(std::uint64_t value) { state_ = hash_combine(state_, value); }

    const graph* g_;
    equality_options options_;
    plain_vector<std::uint32_t> number_; // indexed by expression; for a leaf, its index in `leaves_`
    plain_vector<std::uint64_t> types_;
    plain_vector<std::uint64_t> attrs_;
    plain_vector<std::uint64_t> leaves_;
    plain_vector<expr_id> open_;
    std::uint32_t count_ = 0;
    std::uint64_t state_ = 0;
};

} // namespace detail

/// Returns a hash of an expression. Expressions that are `structural_equal` under the same options have equal hashes,
/// in any graph and any run of a program.
///
/// Requires: `op_def` is a complete type, as after including any header of relay/op.
/// Cost:     linear in the graph and the constants; no recursion.
/// Throws:   `tutti::error` if the graph is malformed; see `check_well_formed`.
template <class Op = op_def>
constexpr std::uint64_t structural_hash(const graph& g, expr_id root, const equality_options& options = {}) {
    check_well_formed(g, root);
    return detail::hasher<Op>(g, options).run(root);
}
template <class Op = op_def>
constexpr std::uint64_t structural_hash(const function& f, const equality_options& options = {}) {
    return structural_hash<Op>(f.graph, f.root, options);
}
template <class Op = op_def>
constexpr std::uint64_t structural_hash(const ir_module& m, const equality_options& options = {}) {
    check_well_formed(m);
    std::uint64_t hash = m.size() + detail::hash_of_types(m.data_types());
    for (const auto& [name, f] : m) {
        hash = hash_combine(hash, hash_of(std::string_view(name)));
        hash = hash_combine(hash, detail::hasher<Op>(f.graph, options).run(f.root));
    }
    return hash;
}

namespace detail {

template <class Op>
constexpr std::uint64_t fingerprint_of(const function& f) {
    return hasher<Op, value_fingerprint>(f.graph, {.names = true, .inferred_types = true}).run(f.root);
}

} // namespace detail

/// Returns the hashes of a graph's attribute lists, indexed by list.
constexpr plain_vector<std::uint64_t> attribute_hashes(const graph& g) {
    return detail::hashes_of(g.attrs(), g.strings());
}

/// Returns a hash of everything in a function's printed form, and of the bytes of its constants. Names, inferred types
/// and sharing count; source locations do not. `unit_traits` detects changes by this hash.
///
/// Cost:   linear in the graph, its tables and the bytes of the constants; no recursion.
/// Throws: `tutti::error` if the function is malformed; see `check_well_formed`.
template <class Op = op_def>
constexpr std::uint64_t fingerprint_of(const function& f) {
    check_well_formed(f);
    return detail::fingerprint_of<Op>(f);
}
template <class Op = op_def>
constexpr std::uint64_t fingerprint_of(const ir_module& m) {
    check_well_formed(m);
    std::uint64_t hash = m.size() + detail::hash_of_types(m.data_types());
    for (const auto& [name, f] : m) {
        hash = hash_combine(hash, hash_of(std::string_view(name)));
        hash = hash_combine(hash, detail::fingerprint_of<Op>(f));
    }
    return hash;
}

} // namespace tutti::relay::inline TUTTI_FORM

namespace tutti {

template <std::same_as<relay::function> Function>
constexpr std::uint64_t unit_traits<relay::function>::fingerprint(const Function& f) {
    return relay::fingerprint_of(f);
}
template <std::same_as<relay::ir_module> Module>
constexpr std::uint64_t unit_traits<relay::ir_module>::fingerprint(const Module& m) {
    return relay::fingerprint_of(m);
}

} // namespace tutti
