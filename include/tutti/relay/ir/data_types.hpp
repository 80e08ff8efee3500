#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/order.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/string_table.hpp>
#include <tutti/relay/ir/type_table.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// The data types of a module and their constructors. After parsing, the types are sorted by name.
///
/// Types and constructors are numbered in the order of definition. Their types belong to the table `types()`.
class data_types {
public:
    static constexpr std::uint32_t none = intern_index::absent;

    /// Starts the definition of a type. `params` are type variables in `types()`.
    constexpr void define(std::string_view name, std::span<const type_id> params) {
        definitions_.push_back({names_.add(name), params_.size(), params.size(), constructors_.size(), 0});
        params_.append(params);
        by_name_.find_or_add(hash_of(name), [&](std::uint32_t i) { return this->name(i) == name; }, [] {});
    }
    /// Adds a constructor with fields of these types to the type that was defined last.
    constexpr void add_constructor(std::string_view name, std::span<const type_id> fields) {
        constructors_.push_back(
            {names_.add(name), static_cast<std::uint32_t>(definitions_.size() - 1), fields_.size(), fields.size()});
        fields_.append(fields);
        ++definitions_.back().constructors;
        constructors_by_name_.find_or_add(
            hash_of(name), [&](std::uint32_t i) { return constructor_name(i) == name; }, [] {});
    }

    /// Returns the same types, sorted by name.
    constexpr data_types sorted() const {
        data_types made;
        if (empty()) return made;
        made.types_ = types_;
        for (const std::uint32_t t :
             sorted_places(size(), [&](std::uint32_t a, std::uint32_t b) { return name(a) < name(b); })) {
            made.define(name(t), params(t));
            for (std::uint32_t c = 0; c < constructors_of(t); ++c)
                made.add_constructor(constructor_name(first_constructor(t) + c), fields(first_constructor(t) + c));
        }
        return made;
    }

    constexpr bool empty() const { return definitions_.empty(); }
    /// The number of types, and the number of constructors of all types.
    constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(definitions_.size()); }
    constexpr std::uint32_t constructor_count() const { return static_cast<std::uint32_t>(constructors_.size()); }

    /// Returns the type or constructor with this name, or `none`. Requires: names are unique.
    constexpr std::uint32_t find(std::string_view name) const {
        return by_name_.find(hash_of(name), [&](std::uint32_t i) { return this->name(i) == name; });
    }
    constexpr std::uint32_t find_constructor(std::string_view name) const {
        return constructors_by_name_.find(hash_of(name), [&](std::uint32_t i) { return constructor_name(i) == name; });
    }

    constexpr std::string_view name(std::uint32_t type) const { return names_[definitions_[type].name]; }
    constexpr std::span<const type_id> params(std::uint32_t type) const {
        return params_.part(definitions_[type].first_param, definitions_[type].params);
    }
    /// The first constructor of a type, and the number of its constructors.
    constexpr std::uint32_t first_constructor(std::uint32_t type) const {
        return static_cast<std::uint32_t>(definitions_[type].first_constructor);
    }
    constexpr std::uint32_t constructors_of(std::uint32_t type) const { return definitions_[type].constructors; }

    constexpr std::string_view constructor_name(std::uint32_t c) const { return names_[constructors_[c].name]; }
    /// Returns the type of a constructor's values.
    constexpr std::uint32_t made_by(std::uint32_t c) const { return constructors_[c].type; }
    constexpr std::span<const type_id> fields(std::uint32_t c) const {
        return fields_.part(constructors_[c].first_field, constructors_[c].fields);
    }

    /// True if every type and constructor lies within the tables, whatever bytes these hold.
    constexpr bool is_whole() const {
        if (!types_.is_whole() || !names_.is_whole()) return false;
        const auto lies_in = [](std::size_t first, std::size_t count, std::size_t size) {
            return first <= size && count <= size - first;
        };
        for (const definition& d : definitions_)
            if (index(d.name) >= names_.size() || !lies_in(d.first_param, d.params, params_.size()) ||
                !lies_in(d.first_constructor, d.constructors, constructors_.size()))
                return false;
        for (const constructor& c : constructors_)
            if (index(c.name) >= names_.size() || c.type >= definitions_.size() ||
                !lies_in(c.first_field, c.fields, fields_.size()))
                return false;
        const auto are_types = [&](const plain_vector<type_id>& ids) {
            for (const type_id t : ids)
                if (index(t) >= types_.size()) return false;
            return true;
        };
        return are_types(params_) && are_types(fields_);
    }

    constexpr type_table& types() { return types_; }
    constexpr const type_table& types() const { return types_; }

    /// Adds the function type of constructor `c` to another table and returns it: `fn [A](A, List[A]) -> List[A]`.
    constexpr type_id constructor_type(std::uint32_t c, type_table& to) const {
        const std::uint32_t type = made_by(c);
        plain_vector<type_id> variables;
        for (const type_id p : params(type)) variables.push_back(to.import(types_, p));
        plain_vector<type_id> parts;
        for (const type_id f : fields(c)) parts.push_back(to.import(types_, f));
        const type_id made = to.data(name(type), variables.all());
        const type_id function = to.function(parts.all(), made);
        return variables.empty() ? function : to.generic(variables.all(), function);
    }

    /// True if `a` and `b` define the same types in the same order with the same names.
    friend constexpr bool operator==(const data_types& a, const data_types& b) {
        if (a.size() != b.size() || a.constructor_count() != b.constructor_count()) return false;
        if (a.empty()) return true;
        type_table common;
        const auto same = [&](std::span<const type_id> x, std::span<const type_id> y) {
            if (x.size() != y.size()) return false;
            for (std::size_t i = 0; i < x.size(); ++i)
                if (common.import(a.types_, x[i]) != common.import(b.types_, y[i])) return false;
            return true;
        };
        for (std::uint32_t i = 0; i < a.size(); ++i)
            if (a.name(i) != b.name(i) || a.constructors_of(i) != b.constructors_of(i) ||
                !same(a.params(i), b.params(i)))
                return false;
        for (std::uint32_t c = 0; c < a.constructor_count(); ++c)
            if (a.constructor_name(c) != b.constructor_name(c) || !same(a.fields(c), b.fields(c))) return false;
        return true;
    }

private:
    struct definition {
        string_id name;
        std::size_t first_param;
        std::size_t params;
        std::size_t first_constructor;
        std::uint32_t constructors;
    };
    struct constructor {
        string_id name;
        std::uint32_t type;
        std::size_t first_field;
        std::size_t fields;
    };

    plain_vector<definition> definitions_;
    plain_vector<constructor> constructors_;
    plain_vector<type_id> params_;
    plain_vector<type_id> fields_;
    string_table names_;
    intern_index by_name_;
    intern_index constructors_by_name_;
    type_table types_;
};

} // namespace tutti::relay::inline TUTTI_FORM
