#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/hana/accessors.hpp>
#include <boost/hana/adapt_struct.hpp>
#include <boost/hana/first.hpp>
#include <boost/hana/length.hpp>
#include <boost/hana/second.hpp>
#include <boost/hana/unpack.hpp>

#include <tutti/relay/ir/graph.hpp>

namespace tutti::relay {

/// An attribute that has no default: it must be given, and is always printed.
template <class T>
struct required {
    T value{};

    constexpr required() = default;
    constexpr required(T v) : value(std::move(v)) {}
    constexpr operator const T&() const { return value; }

    friend constexpr bool operator==(const required&, const required&) = default;
};

/// What is known of an attribute whatever its type.
struct attr_field {
    std::string_view name;
    bool required = false;
};

/// The attributes of an operator without any.
struct no_attributes {};

}  // namespace tutti::relay

BOOST_HANA_ADAPT_STRUCT(tutti::relay::no_attributes);

namespace tutti::relay {

// An attributes structure is an aggregate whose member initialisers are the defaults, described once, outside any namespace:
//
//     struct softmax_attributes { std::int64_t axis = -1; };
//     BOOST_HANA_ADAPT_STRUCT(softmax_attributes, axis);
//
// Its members are of type bool, std::int64_t, double, std::string_view, dtype, dims, dim, std::optional of one of them (None), or
// `required` of one. Everything below derives from that description. A string is a view into the graph: it is valid until one is
// added to the graph.

namespace detail {

constexpr void encode(graph&, std::vector<attr_value>& out, bool value) { out.push_back(attr_value::of(value)); }
constexpr void encode(graph&, std::vector<attr_value>& out, std::int64_t value) { out.push_back(attr_value::of(dim(value))); }
constexpr void encode(graph&, std::vector<attr_value>& out, dim value) { out.push_back(attr_value::of(value)); }
constexpr void encode(graph&, std::vector<attr_value>& out, double value) { out.push_back(attr_value::of(value)); }
constexpr void encode(graph&, std::vector<attr_value>& out, dtype value) { out.push_back(attr_value::of(value)); }
constexpr void encode(graph& g, std::vector<attr_value>& out, std::string_view value) {
    out.push_back(attr_value::of(g.strings().add(value)));
}
constexpr void encode(graph&, std::vector<attr_value>& out, const dims& value) {
    out.push_back(attr_value::list(value.size()));
    for (const dim d : value) out.push_back(attr_value::of(d));
}
template <class T>
constexpr void encode(graph& g, std::vector<attr_value>& out, const std::optional<T>& value) {
    if (value) encode(g, out, *value);
    else out.push_back({});
}
template <class T>
constexpr void encode(graph& g, std::vector<attr_value>& out, const required<T>& value) {
    encode(g, out, value.value);
}

/// Reads values off the front of a list.
struct attr_reader {
    const graph* g;
    std::span<const attr_value> rest;

    constexpr attr_value next() {
        const attr_value v = rest.front();
        rest = rest.subspan(1);
        return v;
    }

    constexpr void read(bool& value) { value = next().boolean(); }
    constexpr void read(std::int64_t& value) { value = next().number().value(); }
    constexpr void read(dim& value) { value = next().number(); }
    constexpr void read(double& value) { value = next().floating(); }
    constexpr void read(dtype& value) { value = next().element(); }
    constexpr void read(std::string_view& value) { value = g->strings()[next().string()]; }
    constexpr void read(dims& value) {
        value = {};
        for (std::uint32_t n = next().count; n != 0; --n) value.push_back(next().number());
    }
    template <class T>
    constexpr void read(std::optional<T>& value) {
        if (rest.front().kind == attr_kind::none) {
            next();
            value.reset();
        } else {
            read(value.emplace());
        }
    }
    template <class T>
    constexpr void read(required<T>& value) {
        read(value.value);
    }
};

template <class T>
inline constexpr bool is_required = false;
template <class T>
inline constexpr bool is_required<required<T>> = true;

/// Calls `f(name, accessor)` for each attribute in the order of declaration; an accessor gives the member of a structure.
template <class Attributes, class F>
constexpr void for_each_attribute(F&& f) {
    boost::hana::unpack(boost::hana::accessors<Attributes>(), [&](auto... a) {
        (f(std::string_view(boost::hana::first(a).c_str()), boost::hana::second(a)), ...);
    });
}

template <class Attributes>
constexpr auto describe_fields() {
    std::array<attr_field, decltype(boost::hana::length(boost::hana::accessors<Attributes>()))::value> fields;
    std::size_t i = 0;
    for_each_attribute<Attributes>([&](std::string_view name, auto get) {
        using member = std::remove_cvref_t<decltype(get(std::declval<Attributes&>()))>;
        fields[i++] = {name, is_required<member>};
    });
    return fields;
}

}  // namespace detail

/// The attributes' names, in the order of declaration.
template <class Attributes>
inline constexpr auto attribute_fields = detail::describe_fields<Attributes>();

/// Keeps the attributes in the graph. Cost: linear in their number.
template <class Attributes>
constexpr attrs_id add_attributes(graph& g, const Attributes& attributes) {
    if (attribute_fields<Attributes>.empty()) return attrs_id::none;
    std::vector<attr_value> values;
    detail::for_each_attribute<Attributes>([&](std::string_view, auto get) { detail::encode(g, values, get(attributes)); });
    return g.attrs().add(values);
}

/// The attributes that were kept under that id. `attrs_id::none` gives the defaults.
template <class Attributes>
constexpr Attributes get_attributes(const graph& g, attrs_id id) {
    Attributes attributes{};
    if (id == attrs_id::none) return attributes;
    detail::attr_reader reader{&g, g.attrs()[id]};
    detail::for_each_attribute<Attributes>([&](std::string_view, auto get) { reader.read(get(attributes)); });
    return attributes;
}

/// Which attributes are to be printed: bit i is set if the i-th is required or differs from its default.
template <class Attributes>
constexpr std::uint64_t printed_attributes(const graph& g, attrs_id id) {
    const Attributes given = get_attributes<Attributes>(g, id);
    const Attributes standard{};
    std::uint64_t bits = 0;
    std::size_t i = 0;
    detail::for_each_attribute<Attributes>([&](std::string_view, auto get) {
        if (attribute_fields<Attributes>[i].required || !(get(given) == get(standard))) bits |= std::uint64_t{1} << i;
        ++i;
    });
    return bits;
}

}  // namespace tutti::relay
