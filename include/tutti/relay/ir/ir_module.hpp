#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/data_types.hpp>
#include <tutti/relay/ir/function.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/order.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/structure.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// A Relay program: functions sorted by name, and the data types that they use.
///
/// (The reference's IRModule; `module` alone has a meaning in C++.)
class ir_module {
public:
    struct definition {
        std::string name;
        relay::function function;
    };

    constexpr ir_module() = default;

    /// Creates a module with `f` as `main`.
    constexpr explicit ir_module(function f) { set("main", std::move(f)); }

    /// Adds a function, or replaces the function with this name.
    constexpr void set(std::string_view name, function f) {
        const std::size_t at = place(name);
        if (at != size() && definitions_[at].name == name)
            definitions_[at].function = std::move(f);
        else
            definitions_.insert(definitions_.begin() + static_cast<std::ptrdiff_t>(at),
                                {std::string(name), std::move(f)});
    }

    /// Returns the indices of definitions, sorted by the definitions' names.
    static constexpr plain_vector<std::uint32_t> order_of(std::span<const definition> definitions) {
        plain_vector<std::uint64_t> fronts; // the first 8 characters of the names, which usually decide the order
        fronts.reserve(definitions.size());
        for (const definition& d : definitions) {
            std::uint64_t front = 0;
            for (std::size_t i = 0; i < 8; ++i)
                front = front << 8 | (i < d.name.size() ? static_cast<unsigned char>(d.name[i]) : 0U);
            fronts.push_back(front);
        }
        return sorted_places(definitions.size(), [&](std::uint32_t a, std::uint32_t b) {
            return fronts[a] != fronts[b] ? fronts[a] < fronts[b] : definitions[a].name < definitions[b].name;
        });
    }

    /// Adds functions. A function with an existing name replaces the function of that name. Adding functions one by one
    /// is slower: each call moves all functions whose names sort after the new one.
    ///
    /// Requires: the names in `added` are distinct.
    /// Cost:     linear in the module, n log n in the number of added functions. An empty module takes over the memory
    ///           of `added`.
    constexpr void set(vector<definition> added) {
        plain_vector<std::uint32_t> order = order_of(added);
        set(std::move(added), std::move(order));
    }
    /// Adds functions like the overload above, without sorting. Requires: `order` equals `order_of(added)`.
    constexpr void set(vector<definition> added, plain_vector<std::uint32_t> order) {
        if (size() == 0) {
            arrange(added, order);
            definitions_ = std::move(added);
            return;
        }
        vector<definition> all;
        all.reserve(size() + added.size());
        auto old = definitions_.begin();
        for (const std::uint32_t next : order) {
            definition& d = added[next];
            while (old != definitions_.end() && old->name < d.name) all.push_back(std::move(*old++));
            if (old != definitions_.end() && old->name == d.name) ++old;
            all.push_back(std::move(d));
        }
        for (; old != definitions_.end(); ++old) all.push_back(std::move(*old));
        definitions_ = std::move(all);
    }

    /// Returns the function with this name, or null.
    constexpr const function* find(std::string_view name) const {
        const std::size_t at = place_of(name);
        return at != size() ? &definitions_[at].function : nullptr;
    }
    constexpr function* find(std::string_view name) { return const_cast<function*>(std::as_const(*this).find(name)); }

    /// Returns the index of the function with this name; `size()` if there is none.
    constexpr std::size_t place_of(std::string_view name) const {
        const std::size_t at = place(name);
        return at != size() && definitions_[at].name == name ? at : size();
    }

    /// Removes the functions for which `unwanted(definition)` is true. Calls `unwanted` once for each
    /// definition, sorted by name.
    template <class Unwanted>
    constexpr void remove_if(Unwanted&& unwanted) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < definitions_.size(); ++i) {
            if (unwanted(std::as_const(definitions_[i]))) continue;
            if (kept != i) definitions_[kept] = std::move(definitions_[i]);
            ++kept;
        }
        definitions_.erase(definitions_.begin() + static_cast<std::ptrdiff_t>(kept), definitions_.end());
    }

    /// Returns the data types of the module.
    constexpr relay::data_types& data_types() { return data_types_; }
    constexpr const relay::data_types& data_types() const { return data_types_; }

    /// Returns a module with the same data types and without functions.
    constexpr ir_module emptied() const {
        ir_module m;
        m.data_types_ = data_types_;
        return m;
    }

    constexpr std::size_t size() const { return definitions_.size(); }
    constexpr auto begin() { return definitions_.begin(); }
    constexpr auto end() { return definitions_.end(); }
    constexpr auto begin() const { return definitions_.begin(); }
    constexpr auto end() const { return definitions_.end(); }

private:
    // Moves definitions into the order `order`, in place. On return, `order` is the identity.
    static constexpr void arrange(vector<definition>& definitions, plain_vector<std::uint32_t>& order) {
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            if (order[i] == i) continue;
            definition first = std::move(definitions[i]);
            std::uint32_t to = i;
            for (std::uint32_t from = order[i]; from != i; from = order[to]) {
                definitions[to] = std::move(definitions[from]);
                order[to] = to;
                to = from;
            }
            definitions[to] = std::move(first);
            order[to] = to;
        }
    }

    /// Returns the index of the function with this name, or the index at which to insert it.
    constexpr std::size_t place(std::string_view name) const {
        return first_place(size(), [&](std::size_t i) { return definitions_[i].name < name; });
    }

    vector<definition> definitions_;
    relay::data_types data_types_;
};

/// The functions of a module as a range, sorted by name.
class module_functions {
    ir_module& module_;

public:
    class iterator {
        ir_module::definition* at_;

    public:
        constexpr explicit iterator(ir_module::definition* at) : at_(at) {}
        constexpr function& operator*() const { return at_->function; }
        constexpr iterator& operator++() {
            ++at_;
            return *this;
        }
        friend constexpr bool operator==(const iterator&, const iterator&) = default;
    };

    constexpr explicit module_functions(ir_module& m) : module_(m) {}
    constexpr iterator begin() const { return iterator(module_.size() == 0 ? nullptr : &*module_.begin()); }
    constexpr iterator end() const {
        return iterator(module_.size() == 0 ? nullptr : &*module_.begin() + module_.size());
    }
};

class module_division; // relay/transform/module_division.hpp

/// Returns the error for a function that is not in the module. It suggests the nearest name.
inline error not_in_module(std::string where, const ir_module& m, std::string_view name) {
    tutti::internal::nearest_name meant(name);
    for (const auto& [known, f] : m) meant.offer(known);
    if (meant.found().empty()) return error(std::move(where), "is not in the module", "a function of the module");
    return error(std::move(where), "is not in the module; did you mean `@" + std::string(meant.found()) + "`?");
}

/// Checks that the data types of a module can be read.
constexpr void check_well_formed(const data_types& types) {
    if (!types.is_whole())
        tutti::raise(error("data types", "refer to types or names that are not in the module's table"));
}

/// Calls `check_well_formed` for a module's data types and all its functions. Errors name the function.
constexpr void check_well_formed(const ir_module& m) {
    check_well_formed(m.data_types());
    for (const ir_module::definition& d : m)
        tutti::internal::on_failure<error>([&] { check_well_formed(d.function); },
                                           [&](const error& e) { throw_within("@" + d.name + ": ", e); });
}

/// Returns the number of expressions in all functions, including unused ones.
constexpr std::uint64_t expression_count(const ir_module& m) {
    std::uint64_t count = 0;
    for (const auto& [name, f] : m) count += f.graph.size();
    return count;
}

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

namespace tutti {

enum class change;
class operator_counts;
struct unit_graph;

// The traits are declared with the types, so that every source file sees the same specialisations. Printing and
// verifying are defined in relay/unit.hpp, `transform_parts` in relay/transform/function_pass.hpp, and `fingerprint` in
// relay/ir/hash.hpp. The last two are templates, so that they are compiled where they are called.

/// Traits of a Relay function for instruments.
template <>
struct unit_traits<relay::function> {
    static constexpr std::string_view name = "function", extension = "relay", value_names = "% meta[relay.Constant][";

    /// Returns the printed form of a module with the function as `main`.
    static std::string to_text(const relay::function& f);
    /// Counts the calls of each operator; a shared expression counts once.
    static operator_counts count_operators(const relay::function& f);
    /// Returns the graph of the function's calls; see `relay::to_graph`.
    static unit_graph graph(const relay::function& f);
    /// Verifies the structure. The module's traits verify types.
    static void verify(const relay::function& f);
    /// See `relay::check_well_formed`.
    static constexpr void check_structure(const relay::function& f, std::string_view pass) {
        checked_after(pass, [&] { relay::check_well_formed(f); });
    }
    /// Returns a hash of the function's printed form and the bytes of its constants.
    template <std::same_as<relay::function> Function>
    static constexpr std::uint64_t fingerprint(const Function& f);
};

/// Traits of a Relay module for passes over functions and for instruments.
template <>
struct unit_traits<relay::ir_module> {
    static constexpr std::string_view name = "module", extension = "relay", value_names = "% meta[relay.Constant][";

    static constexpr relay::module_functions parts(relay::ir_module& m) { return relay::module_functions(m); }
    /// Calls `run` on copies of the functions, except functions that passes must skip. Then replaces all functions and
    /// infers types, like function passes of the reference. If an exception is thrown, the module is unchanged.
    template <class Context, class Run>
    static constexpr change transform_parts(relay::ir_module& m, Context& ctx, Run&& run);
    /// See `relay::module_division`, whose header defines this function.
    template <std::same_as<relay::ir_module> Module>
    static relay::module_division divide(Module& m);

    static std::string to_text(const relay::ir_module& m);
    /// Returns the printed form of one function without a version line; empty if the function does not exist.
    static std::string to_text(const relay::ir_module& m, std::string_view function);
    /// Returns the printed form, including the values of all constants. The parser can read it back.
    static std::string to_full_text(const relay::ir_module& m);
    /// Counts the calls of each operator in all functions; a shared expression counts once.
    static operator_counts count_operators(const relay::ir_module& m);
    /// Returns the graph of all functions' calls; see `relay::to_graph`.
    static unit_graph graph(const relay::ir_module& m);
    static void verify(const relay::ir_module& m);
    /// True if a module has a property that can check itself; see `tutti/relay/transform/properties.hpp`.
    template <class Property>
        requires requires(const relay::ir_module& m) { Property::holds(m); }
    static constexpr bool holds(const relay::ir_module& m, const Property&) {
        return Property::holds(m);
    }
    /// See `relay::check_well_formed`.
    static constexpr void check_structure(const relay::ir_module& m, std::string_view pass) {
        checked_after(pass, [&] { relay::check_well_formed(m); });
    }
    /// Returns a hash of the module's printed form and the bytes of its constants.
    template <std::same_as<relay::ir_module> Module>
    static constexpr std::uint64_t fingerprint(const Module& m);
};

} // namespace tutti
