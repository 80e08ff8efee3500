#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// An attribute as written: its name and its value. A list is stored as one entry, followed by its elements.
struct named_values {
    std::string_view name;
    plain_vector<attr_value> values;
};

namespace detail {

/// Converts an attribute's values to the attribute's type. The text format has fewer kinds of values than there are
/// attribute types. For example, it writes an element type as a string, and 1.0 as `1f` or `1`.
class attr_normaliser {
public:
    constexpr attr_normaliser(const graph& g, std::span<const attr_value> given, plain_vector<attr_value>& out)
        : g_(&g), rest_(given), out_(&out) {}

    /// Appends the converted values to the output. False if the given values are of the wrong kind.
    constexpr bool take(const attr_field& f) {
        if (f.optional && !rest_.empty() && rest_.front().kind == attr_kind::none) {
            pass();
            return rest_.empty();
        }
        return take(f.type) && rest_.empty();
    }

private:
    constexpr bool take(attr_type type) {
        if (rest_.empty()) return false;
        switch (type) {
        case attr_type::boolean:
            return take_boolean();
        case attr_type::integer:
            return take_integer();
        case attr_type::number:
            return take_if(attr_kind::number);
        case attr_type::floating:
            return take_floating();
        case attr_type::string:
            return take_if(attr_kind::string);
        case attr_type::dtype:
            return take_dtype();
        case attr_type::numbers:
            return take_list(attr_type::number);
        case attr_type::floatings:
            return take_list(attr_type::floating);
        case attr_type::lists:
            return take_lists();
        case attr_type::number_or_list:
            return take_if(attr_kind::number) || take_list(attr_type::number);
        }
        return false;
    }

    constexpr void pass() { put(rest_.front()); }
    constexpr void put(attr_value value) {
        out_->push_back(value);
        rest_ = rest_.subspan(1);
    }
    constexpr bool take_if(attr_kind kind) {
        if (rest_.front().kind != kind) return false;
        pass();
        return true;
    }

    constexpr bool take_boolean() {
        const attr_value v = rest_.front();
        if (v.kind == attr_kind::number && !v.number().is_any() && (v.number().value() & ~std::int64_t{1}) == 0) {
            put(attr_value::of(v.number().value() == 1));
            return true;
        }
        return take_if(attr_kind::boolean);
    }
    constexpr bool take_integer() {
        const attr_value v = rest_.front();
        if (v.kind != attr_kind::number || v.number().is_any()) return false;
        put(attr_value::of(dim(v.number().value())));
        return true;
    }
    constexpr bool take_floating() {
        const attr_value v = rest_.front();
        if (v.kind == attr_kind::number && !v.number().is_any()) {
            put(attr_value::of(static_cast<double>(v.number().value())));
            return true;
        }
        return take_if(attr_kind::floating);
    }
    constexpr bool take_dtype() {
        const attr_value v = rest_.front();
        if (v.kind != attr_kind::string) return take_if(attr_kind::dtype);
        const std::string_view text = g_->strings()[v.string()];
        const dtype named = kernel::dtype_named(text);
        if (named == dtype::none && !text.empty() && text != kernel::name(dtype::none)) return false;
        put(attr_value::of(named));
        return true;
    }
    constexpr bool take_list(attr_type element) {
        if (rest_.front().kind != attr_kind::list) return false;
        const std::uint32_t count = rest_.front().count;
        pass();
        for (std::uint32_t i = 0; i < count; ++i) {
            if (rest_.empty()) return false;
            if (!(element == attr_type::floating ? take_floating() : take_if(attr_kind::number))) return false;
        }
        return true;
    }
    constexpr bool take_lists() {
        if (rest_.front().kind != attr_kind::list) return false;
        const std::uint32_t count = rest_.front().count;
        pass();
        for (std::uint32_t i = 0; i < count; ++i)
            if (rest_.empty() || !take_list(attr_type::number)) return false;
        return true;
    }

    const graph* g_;
    std::span<const attr_value> rest_;
    plain_vector<attr_value>* out_;
};

/// Describes the values that an attribute accepts, such as "a list of integers or None".
constexpr std::string what_is_expected(const attr_field& f) {
    const auto of_type = [](attr_type type) -> std::string_view {
        switch (type) {
        case attr_type::boolean:
            return "True or False";
        case attr_type::integer:
        case attr_type::number:
            return "an integer";
        case attr_type::floating:
            return "a number";
        case attr_type::string:
            return "a string";
        case attr_type::dtype:
            return "an element type such as \"float32\"";
        case attr_type::numbers:
            return "a list of integers";
        case attr_type::floatings:
            return "a list of numbers";
        case attr_type::lists:
            return "a list of lists of integers";
        case attr_type::number_or_list:
            return "an integer or a list of integers";
        }
        return "";
    };
    std::string text(of_type(f.type));
    if (f.optional) text += " or None";
    return text;
}

/// Describes the given value, such as "a list".
constexpr std::string what_was_given(const graph& g, std::span<const attr_value> values) {
    if (values.empty()) return "no value";
    switch (values.front().kind) {
    case attr_kind::none:
        return "None";
    case attr_kind::boolean:
        return values.front().boolean() ? "True" : "False";
    case attr_kind::number:
        break;
    case attr_kind::floating:
        return "a floating-point number";
    case attr_kind::string:
        return '"' + std::string(g.strings()[values.front().string()]) + '"';
    case attr_kind::dtype:
        return "an element type";
    case attr_kind::list:
        return "a list";
    }
    std::string text;
    append_dim(text, values.front().number());
    return text;
}

[[noreturn, gnu::cold, gnu::noinline]] inline void
refuse_attribute(const op_def& op, std::string_view attribute, std::string_view problem, std::string_view expected) {
    std::string where(op.name);
    where += ", attribute `";
    where += attribute;
    where += '`';
    throw error(std::move(where), std::string(problem), std::string(expected));
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_unknown_attribute(const op_def& op,
                                                                            std::string_view attribute) {
    tutti::internal::nearest_name meant(attribute);
    std::string all;
    for (const attr_field& f : op.attributes) {
        meant.offer(f.name);
        if (!all.empty()) all += ", ";
        all += f.name;
    }
    std::string problem = "there is no such attribute";
    if (!meant.found().empty()) problem += "; did you mean `" + std::string(meant.found()) + "`?";
    refuse_attribute(op, attribute, std::move(problem), all.empty() ? "no attributes" : "one of " + all);
}

} // namespace detail

/// Appends the default of an attribute. Requires: the attribute has a default.
constexpr void append_default(graph& g, plain_vector<attr_value>& out, const attr_field& f) {
    if (f.standard[0].kind == attr_kind::string) {
        out.push_back(attr_value::of(g.strings().add(f.text)));
    } else {
        out.append(f.standard_values());
    }
}

/// Stores a call's attributes in the graph. They are given by name, in any order. Missing attributes get their
/// defaults. Attributes that repeat arguments are ignored.
///
/// Throws: `tutti::error` that names the operator, the attribute and the expected value if an attribute is unknown,
///         given twice, of the wrong kind, or required and missing.
constexpr attrs_id read_attributes(graph& g, const op_def& op, std::span<const named_values> given) {
    if (op.attributes.empty() && given.empty()) return attrs_id::none;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const std::string_view name = given[i].name;
        bool known = false;
        for (const attr_field& f : op.attributes) known = known || f.name == name;
        for (const std::string_view said : op.repeated) known = known || said == name;
        if (!known) detail::refuse_unknown_attribute(op, name);
        for (const named_values& before : given.first(i))
            if (before.name == name) detail::refuse_attribute(op, name, "is given twice", "once");
    }
    plain_vector<attr_value> values;
    for (const attr_field& f : op.attributes) {
        const named_values* found = nullptr;
        for (const named_values& each : given)
            if (found == nullptr && each.name == f.name) found = &each;
        if (found == nullptr) {
            if (f.required) detail::refuse_attribute(op, f.name, "is missing", detail::what_is_expected(f));
            append_default(g, values, f);
        } else if (!detail::attr_normaliser(g, found->values.all(), values).take(f)) {
            detail::refuse_attribute(op, f.name, detail::what_was_given(g, found->values.all()),
                                     detail::what_is_expected(f));
        }
    }
    return g.attrs().add(values.all());
}

} // namespace tutti::relay::inline TUTTI_FORM
