#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <boost/hana/unpack.hpp>

namespace tutti::relay::inline TUTTI_FORM {

/// An attribute without a default. It must be given, and is always printed.
template <class T>
struct required {
    T value{};

    constexpr required() = default;
    template <class U = T>
        requires(!std::is_same_v<std::remove_cvref_t<U>, required> && std::is_convertible_v<U, T>)
    constexpr required(U&& v) : value(std::forward<U>(v)) {}
    /// Converts a list of numbers: `.axes = {0, 2, 3, 1}`.
    constexpr required(std::initializer_list<dim> numbers)
        requires std::is_constructible_v<T, dims>
        : value(dims(numbers)) {}
    constexpr operator const T&() const { return value; }

    friend constexpr bool operator==(const required&, const required&) = default;
    friend constexpr bool operator==(const required& a, const T& b) { return a.value == b; }
};

/// One number or a list of numbers: `2` or `[3, 5]`.
struct one_or_more {
    dims numbers{};
    bool is_list = false;

    constexpr one_or_more() = default;
    constexpr one_or_more(std::int64_t number) : numbers{number} {}
    constexpr one_or_more(dims list) : numbers(std::move(list)), is_list(true) {}

    friend constexpr bool operator==(const one_or_more&, const one_or_more&) = default;
};

/// Types of attributes. A list of numbers may contain `?` and int64 literals.
enum class attr_type : std::uint8_t {
    boolean,
    integer, ///< std::int64_t
    number,  ///< dim: an integer, an int64 literal or `?`
    floating,
    string,
    dtype,
    numbers,        ///< a list of numbers
    floatings,      ///< a list of floating-point numbers
    lists,          ///< a list of lists of numbers
    number_or_list, ///< `one_or_more`
};

/// The properties of an attribute, independent of its C++ type.
struct attr_field {
    std::string_view name;
    attr_type type = attr_type::boolean;
    /// True if the attribute has no default: it must be given, and is always printed.
    bool required = false;
    /// True if the attribute may be None.
    bool optional = false;
    /// The default. A list is followed by its elements. For a string, only the kind is used; `text` holds the value.
    std::array<attr_value, 5> standard{};
    std::string_view text{};

    /// Returns the default's values, or none if the attribute is required.
    constexpr std::span<const attr_value> standard_values() const {
        return {standard.data(), required ? 0 : extent({standard.data(), standard.size()})};
    }
};

/// The attributes of an operator that has none.
struct no_attributes {};

// An attributes structure is an aggregate. Its member initialisers are the defaults, and it describes its members
// (tutti/base/described.hpp):
//
//     struct softmax_attributes {
//         std::int64_t axis = -1;
//         static constexpr tutti::option_list<&softmax_attributes::axis> options{"axis"};
//     };
//
// A member's type is one for which `detail::attr_facts` is specialised, or std::optional (for None) or `required` of
// such a type. The code below uses only the description of the members: a single function reads, prints or compares the
// attributes of every operator, given the operator's array of `attr_field`s. A string member is a view into the graph,
// valid until another string is added.

namespace detail {

template <attr_type Type>
struct is_attr_type {
    static constexpr attr_type type = Type;
    static constexpr bool required = false;
    static constexpr bool optional = false;
};
/// Properties of an attribute by its C++ type.
template <class T>
struct attr_facts;
template <class T>
struct attr_facts<required<T>> : attr_facts<T> {
    static constexpr bool required = true;
};
template <class T>
struct attr_facts<std::optional<T>> : attr_facts<T> {
    static constexpr bool optional = true;
};
template <>
struct attr_facts<bool> : is_attr_type<attr_type::boolean> {};
template <>
struct attr_facts<std::int64_t> : is_attr_type<attr_type::integer> {};
template <>
struct attr_facts<dim> : is_attr_type<attr_type::number> {};
template <>
struct attr_facts<double> : is_attr_type<attr_type::floating> {};
template <>
struct attr_facts<std::string_view> : is_attr_type<attr_type::string> {};
template <>
struct attr_facts<dtype> : is_attr_type<attr_type::dtype> {};
template <>
struct attr_facts<dims> : is_attr_type<attr_type::numbers> {};
template <>
struct attr_facts<vector<double>> : is_attr_type<attr_type::floatings> {};
template <>
struct attr_facts<vector<dims>> : is_attr_type<attr_type::lists> {};
template <>
struct attr_facts<one_or_more> : is_attr_type<attr_type::number_or_list> {};

/// Writes values to a list.
struct attr_writer {
    graph* g;
    plain_vector<attr_value>* out;

    template <class T>
    constexpr void visit(std::string_view, const T& value) {
        write(value);
    }
    constexpr void write(bool value) { out->push_back(attr_value::of(value)); }
    constexpr void write(std::int64_t value) { out->push_back(attr_value::of(dim(value))); }
    constexpr void write(dim value) { out->push_back(attr_value::of(value)); }
    constexpr void write(double value) { out->push_back(attr_value::of(value)); }
    constexpr void write(dtype value) { out->push_back(attr_value::of(value)); }
    constexpr void write(std::string_view value) { out->push_back(attr_value::of(g->strings().add(value))); }
    constexpr void write(const dims& values) {
        out->push_back(attr_value::list(values.size()));
        for (const dim d : values) write(d);
    }
    template <class T>
    constexpr void write(const vector<T>& values) {
        out->push_back(attr_value::list(values.size()));
        for (const T& value : values) write(value);
    }
    constexpr void write(const one_or_more& value) {
        if (value.is_list)
            write(value.numbers);
        else
            write(value.numbers[0]);
    }
    template <class T>
    constexpr void write(const std::optional<T>& value) {
        if (value)
            write(*value);
        else
            out->push_back({});
    }
    template <class T>
    constexpr void write(const required<T>& value) {
        write(value.value);
    }
};

/// Reads values from the front of a list. The functions, one for each kind of value, are not inlined, because every
/// operator calls some of them.
struct attr_reader {
    const graph* g;
    std::span<const attr_value> rest;

    template <class T>
    constexpr void visit(std::string_view, T& value) {
        read(value);
    }
    constexpr attr_value next() {
        const attr_value v = rest.front();
        rest = rest.subspan(1);
        return v;
    }

    [[gnu::noinline]] constexpr void read(bool& value) { value = next().boolean(); }
    [[gnu::noinline]] constexpr void read(std::int64_t& value) { value = next().number().value(); }
    [[gnu::noinline]] constexpr void read(dim& value) { value = next().number(); }
    [[gnu::noinline]] constexpr void read(double& value) { value = next().floating(); }
    [[gnu::noinline]] constexpr void read(dtype& value) { value = next().element(); }
    [[gnu::noinline]] constexpr void read(std::string_view& value) { value = g->strings()[next().string()]; }
    [[gnu::noinline]] constexpr void read(dims& values) {
        values = {};
        for (std::uint32_t n = next().count; n != 0; --n) values.push_back(next().number());
    }
    template <class T>
    [[gnu::noinline]] constexpr void read(vector<T>& values) {
        values = {};
        for (std::uint32_t n = next().count; n != 0; --n) {
            T value{};
            read(value);
            values.push_back(std::move(value));
        }
    }
    [[gnu::noinline]] constexpr void read(one_or_more& value) {
        value = {};
        value.is_list = rest.front().kind == attr_kind::list;
        if (value.is_list)
            read(value.numbers);
        else
            value.numbers.push_back(next().number());
    }
    template <class T>
    [[gnu::noinline]] constexpr void read(std::optional<T>& value) {
        if (rest.front().kind == attr_kind::none) {
            next();
            value.reset();
        } else {
            read(value.emplace());
        }
    }
    template <class T>
    [[gnu::noinline]] constexpr void read(required<T>& value) {
        read(value.value);
    }
};

/// Fills in the properties of one attribute after another.
struct attr_describer {
    attr_field* next;

    template <class Member>
    constexpr void visit(std::string_view name, const Member& standard) {
        using facts = attr_facts<Member>;
        attr_field& f = *next++;
        f.name = name;
        f.type = facts::type;
        f.required = facts::required;
        f.optional = facts::optional;
        if constexpr (!facts::required) note(f, standard);
    }

private:
    template <class T>
    static constexpr void note(attr_field& f, const T& value) {
        f.standard[0] = attr_value::of(value);
    }
    static constexpr void note(attr_field& f, std::int64_t value) { f.standard[0] = attr_value::of(dim(value)); }
    static constexpr void note(attr_field& f, std::string_view value) {
        f.standard[0].kind = attr_kind::string;
        f.text = value;
    }
    /// Requires: at most four numbers.
    template <class T>
    static constexpr void note_list(attr_field& f, const T& values) {
        f.standard[0] = attr_value::list(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) f.standard[i + 1] = attr_value::of(values[i]);
    }
    static constexpr void note(attr_field& f, const dims& values) { note_list(f, values); }
    static constexpr void note(attr_field& f, const vector<double>& values) { note_list(f, values); }
    template <class T>
    static constexpr void note(attr_field& f, const vector<T>&) {
        f.standard[0] = attr_value::list(0);
    }
    template <class T>
    static constexpr void note(attr_field& f, const std::optional<T>& value) {
        if (value) note(f, *value);
    }
};

template <auto... Members>
constexpr std::size_t count_members(const option_list<Members...>&) {
    return sizeof...(Members);
}
template <class List>
constexpr std::size_t count_members(const List& list) {
    return boost::hana::unpack(list, [](const auto&... options) { return sizeof...(options); });
}

template <class Visitor, class Attributes, auto... Members>
constexpr void visit_members(Visitor& visitor, Attributes& attributes, const option_list<Members...>& list) {
    const std::string_view* name = list.names;
    (visitor.visit(*name++, attributes.*Members), ...);
}
template <class Visitor, class Attributes, class List>
constexpr void visit_members(Visitor& visitor, Attributes& attributes, const List& list) {
    boost::hana::unpack(list, [&](const auto&... options) { (visitor.visit(options.name, options(attributes)), ...); });
}

/// Calls `visitor.visit(name, member)` for each attribute, in order.
template <class Visitor, class Attributes>
constexpr void visit_attributes([[maybe_unused]] Visitor visitor, [[maybe_unused]] Attributes& attributes) {
    if constexpr (tutti::internal::describes_options<std::remove_const_t<Attributes>>)
        visit_members(visitor, attributes, tutti::internal::options_of<std::remove_const_t<Attributes>>::list);
    else
        static_assert(std::is_empty_v<Attributes>,
                      "tutti::relay: an attributes structure must describe its members; give it a static member "
                      "`options`, see tutti/base/described.hpp");
}

template <class Attributes>
constexpr std::size_t count_attributes() {
    if constexpr (tutti::internal::describes_options<Attributes>)
        return count_members(tutti::internal::options_of<Attributes>::list);
    else
        return 0;
}

template <class Attributes>
constexpr auto describe_attributes() {
    std::array<attr_field, count_attributes<Attributes>()> fields;
    Attributes standard{}; // not const: GCC 12 would reject the constant evaluation
    visit_attributes(attr_describer{fields.data()}, standard);
    return fields;
}

} // namespace detail

/// The properties of the attributes in the order of declaration.
template <class Attributes>
inline constexpr auto attribute_fields = detail::describe_attributes<Attributes>();

/// Stores the attributes in the graph. Cost: linear in their number.
template <class Attributes>
constexpr attrs_id add_attributes(graph& g, const Attributes& attributes) {
    if constexpr (std::is_empty_v<Attributes>) return attrs_id::none;
    plain_vector<attr_value> values;
    detail::visit_attributes(detail::attr_writer{&g, &values}, attributes);
    return g.attrs().add(values.all());
}

/// Returns the attributes stored under this id. `attrs_id::none` stands for the defaults.
template <class Attributes>
[[gnu::noinline]] constexpr Attributes get_attributes(const graph& g, attrs_id id) {
    Attributes attributes{};
    if (id != attrs_id::none) detail::visit_attributes(detail::attr_reader{&g, g.attrs()[id]}, attributes);
    return attributes;
}

/// True if the attribute's value is a separate node in a metadata section. This holds for lists, and for values that
/// may be None or `?`.
constexpr bool is_node(const attr_field& f) {
    const bool plain = f.type == attr_type::boolean || f.type == attr_type::integer || f.type == attr_type::floating ||
                       f.type == attr_type::string || f.type == attr_type::dtype;
    return f.optional || !plain;
}

/// Returns a mask of the attributes to print: bit i is set if attribute i is required or differs from its default.
constexpr std::uint64_t printed_attributes(const graph& g, std::span<const attr_field> fields, attrs_id id) {
    std::span<const attr_value> rest = g.attrs()[id];
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < fields.size() && !rest.empty(); ++i) {
        const std::span<const attr_value> given = rest.first(extent(rest));
        rest = rest.subspan(given.size());
        const attr_field& f = fields[i];
        const bool same = !f.required && (f.standard[0].kind == attr_kind::string && given[0].kind == attr_kind::string
                                              ? g.strings()[given[0].string()] == f.text
                                              : same_elements(given, f.standard_values()));
        if (!same) bits |= std::uint64_t{1} << i;
    }
    return bits;
}

} // namespace tutti::relay::inline TUTTI_FORM
