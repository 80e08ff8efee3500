#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/debug/computed_values.hpp>
#include <tutti/relay/debug/numeric_difference.hpp>
#include <tutti/relay/ir/located_error.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace tutti::relay::inline TUTTI_FORM {

/// A summary of a tensor's elements. Minimum, maximum and mean cover only the finite elements.
struct value_summary {
    std::int64_t elements = 0, nans = 0, infinities = 0;
    double least = 0, greatest = 0, mean = 0;

    constexpr std::int64_t finite() const { return elements - nans - infinities; }
};

/// Returns the summary of a tensor.
///
/// Cost: one pass over the elements. Only narrow elements need an allocation.
inline value_summary summary_of(const kernel::tensor& t) {
    if (kernel::is_narrow(t.type())) return summary_of(kernel::widened(t));
    value_summary all{.elements = t.size()};
    double sum = 0;
    bool any = false;
    kernel::with_element_type(t.type(), [&]<class T>(std::type_identity<T>) {
        using wide = kernel::compute_type<T>;
        const T* const values = t.data<T>();
        for (std::int64_t i = 0; i < t.size(); ++i) {
            const auto x = static_cast<double>(static_cast<wide>(values[i]));
            if (std::isnan(x)) {
                ++all.nans;
            } else if (std::isinf(x)) {
                ++all.infinities;
            } else {
                all.least = any && all.least < x ? all.least : x;
                all.greatest = any && all.greatest > x ? all.greatest : x;
                sum += x;
                any = true;
            }
        }
    });
    if (any) all.mean = sum / static_cast<double>(all.finite());
    return all;
}

/// Returns the summary of a tensor as text: "(2, 3) float32, from 0.5 to 2, mean 1.25, 1 nan, 2 inf".
inline std::string summary_text(const kernel::tensor& t) {
    const value_summary s = summary_of(t);
    std::string text = kernel::text(t);
    if (s.finite() != 0)
        text += ", from " + detail::digits(s.least) + " to " + detail::digits(s.greatest) + ", mean " +
                detail::digits(s.mean);
    if (s.nans != 0) text += ", " + std::to_string(s.nans) + " nan";
    if (s.infinities != 0) text += ", " + std::to_string(s.infinities) + " inf";
    return text;
}

/// Returns the column headings of `trace_line`.
inline std::string trace_heading() {
    return "value                                    type                                  least      greatest  "
           "        mean     nan     inf\n";
}

/// Returns a line of a table with the place, type, minimum, maximum and mean of a value, and the numbers of NaNs and
/// infinities.
inline std::string trace_line(const computed_value& v) {
    const value_summary s = summary_of(*v.value);
    std::string line = place_of(v);
    const auto fill_to = [&](std::size_t column) { line.append(line.size() < column ? column - line.size() : 1, ' '); };
    fill_to(41);
    line += kernel::text(*v.value);
    fill_to(70);
    const bool none = s.finite() == 0;
    for (const double x : {s.least, s.greatest, s.mean}) {
        const std::string text = none ? "-" : detail::digits(x);
        line.append(text.size() < 14 ? 14 - text.size() : 1, ' ').append(text);
    }
    for (const std::int64_t n : {s.nans, s.infinities}) {
        const std::string text = std::to_string(n);
        line.append(text.size() < 8 ? 8 - text.size() : 1, ' ').append(text);
    }
    return line + '\n';
}

/// The error for a NaN or an infinity that first occurs in the result of an operator.
class not_finite_error : public located_error {
public:
    using located_error::located_error;
};

/// Checks that an operator computed neither a NaN from inputs without NaN, nor an infinity from finite inputs.
///
/// Throws: `not_finite_error` with the operator, the element, and the range of the inputs.
/// Cost:   one pass over the result, and one over the inputs if the result has a NaN or an infinity.
inline void check_finite(const computed_value& v) {
    const value_summary made = summary_of(*v.value);
    if (made.finite() == made.elements) return;
    bool nan_before = false;
    bool infinity_before = false;
    std::string inputs;
    for (const tensor* each : v.call->inputs) {
        const value_summary s = summary_of(*each);
        nan_before = nan_before || s.nans != 0;
        infinity_before = infinity_before || s.infinities != 0;
        inputs += inputs.empty() ? "" : ", ";
        inputs += s.finite() == 0 ? "none is finite"
                                  : "from " + detail::digits(s.least) + " to " + detail::digits(s.greatest);
    }
    const bool makes_nan = made.nans != 0 && !nan_before;
    const bool makes_infinity = made.infinities != 0 && !infinity_before && !nan_before;
    if (!makes_nan && !makes_infinity) return;
    const detail::real_elements elements(*v.value);
    std::size_t first = 0;
    while (makes_nan ? !std::isnan(elements[first]) : !std::isinf(elements[first])) ++first;
    const auto place = static_cast<std::int64_t>(first);
    std::string where = "@" + std::string(v.function) + ": " + std::string(v.op);
    if (!v.source.empty()) where += " of " + std::string(v.source);
    if (!v.name.empty()) where += ", %" + std::string(v.name);
    if (v.where.line != 0) where += " at " + std::to_string(v.where.line) + ':' + std::to_string(v.where.column);
    std::string problem = v.results == 1 ? "" : "result " + std::to_string(v.result) + ", ";
    problem += "element " + detail::place_text(v.value->shape(), place) + " is " +
               detail::element_text(*v.value, place) + ", and no input has " +
               (makes_nan ? "a NaN" : "an infinity or a NaN") + " (" + std::to_string(made.nans) + " of " +
               std::to_string(made.elements) + " elements are NaN, " + std::to_string(made.infinities) +
               " infinite; inputs " + inputs + ")";
    throw not_finite_error(error(std::move(where), std::move(problem)), v.where);
}

} // namespace tutti::relay::inline TUTTI_FORM
