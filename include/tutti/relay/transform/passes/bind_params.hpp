#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/function.hpp>
#include <tutti/relay/ir/tensor_value.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

// Maps the name of a parameter to its value, or to null if the parameter stays.
class parameter_values {
public:
    virtual constexpr const tensor* operator()(std::string_view name) = 0;

protected:
    constexpr ~parameter_values() = default;
};

template <class ValueOf>
class parameter_values_of final : public parameter_values {
public:
    constexpr explicit parameter_values_of(ValueOf& value_of) : value_of_(&value_of) {}
    constexpr const tensor* operator()(std::string_view name) override { return (*value_of_)(name); }

private:
    ValueOf* value_of_;
};

TUTTI_CONSTEXPR function bind_values(const function& f, parameter_values& values);

} // namespace detail

/// Replaces parameters by constants. `value_of(name)` returns a pointer to a parameter's value, or null to keep the
/// parameter.
///
/// Expressions that depend on replaced parameters lose their types.
///
/// Cost:   linear in the function; the constants share the tensors' elements.
/// Throws: `tutti::error` if a value does not have its parameter's type, or if two parameters have a value's name.
template <class ValueOf>
constexpr function bind_params(const function& f, ValueOf value_of) {
    detail::parameter_values_of<ValueOf> values(value_of);
    return detail::bind_values(f, values);
}

/// Replaces parameters by the constants that `values` holds under their names. Ignores names without a parameter.
///
/// Example: `*m.find("main") = relay::bind_params_by_name(*m.find("main"), weights);`
TUTTI_INLINE function bind_params_by_name(const function& f, const std::map<std::string, tensor, std::less<>>& values);

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/passes/bind_params.ipp>
#endif
