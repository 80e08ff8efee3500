#pragma once

#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tutti::test {

/// Kinds of values that a parameter of a rule's program takes.
enum class value_kind {
    edge,     ///< corner cases: wrap-around, ±0, ±inf, NaN, subnormals, values outside the range of other types
    tame,     ///< values whose pairwise products are exact, including ±0, ±inf and NaN
    small,    ///< a few values of both signs, for weights
    positive, ///< powers of two from 0.25 to 4; integers from 1 to 3
};

/// Converts a number to an element, rounded to the type if necessary.
template <class T>
T element_from(double x) {
    if constexpr (kernel::is_half<T>)
        return T(static_cast<float>(x));
    else if constexpr (std::is_same_v<T, bool>)
        return x != 0;
    else if constexpr (std::is_integral_v<T>)
        return static_cast<T>(static_cast<std::int64_t>(x));
    else
        return static_cast<T>(x);
}

/// Returns the element that a word names: a number, or lowest, max, min (the smallest normal number), subnormal, inf,
/// -inf, nan or -0.
template <class T>
T element_called(std::string_view word) {
    using limits = std::numeric_limits<T>;
    constexpr bool half = kernel::is_half<T>;
    if constexpr (std::is_integral_v<T>) {
        if (word == "lowest") return limits::lowest();
        if (word == "max") return limits::max();
        if (word == "-0" || word == "nan") return T{0};
        if (word == "inf" || word == "-inf" || word == "min" || word == "subnormal") return T{1};
    } else {
        constexpr double inf = std::numeric_limits<double>::infinity();
        if (word == "lowest" && half) return element_from<T>(-65504);
        if (word == "max" && half) return element_from<T>(65504);
        if (word == "min" && half) return element_from<T>(6.103515625e-05);
        if (word == "subnormal" && half) return element_from<T>(5.9604644775390625e-08);
        if constexpr (!half) {
            if (word == "lowest") return limits::lowest();
            if (word == "max") return limits::max();
            if (word == "min") return limits::min();
            if (word == "subnormal") return limits::denorm_min();
        }
        if (word == "-0") return element_from<T>(-0.0);
        if (word == "inf") return element_from<T>(inf);
        if (word == "-inf") return element_from<T>(-inf);
        if (word == "nan") return element_from<T>(std::numeric_limits<double>::quiet_NaN());
    }
    return element_from<T>(std::stod(std::string(word)));
}

/// Returns the words for all values of a kind.
inline std::vector<std::string> words_of(kernel::dtype type, value_kind kind) {
    const bool floating = kernel::is_floating(type);
    if (type == kernel::dtype::boolean) return {"0", "1"};
    switch (kind) {
    case value_kind::edge:
        if (!floating)
            return {"0",  "1",  "-1",  "lowest", "max", "2",   "3",     "-2",    "7",    "100",
                    "99", "50", "127", "128",    "255", "256", "32767", "65535", "-128", "16777217"};
        return {"0",   "-0",    "1",        "-1",      "inf",  "-inf",  "nan",   "lowest",     "max",       "min",
                "2",   "-0.5",  "1.5",      "-2.5",    "0.1",  "-7",    "255.5", "-128.5",     "subnormal", "65504",
                "300", "1e-05", "0.333333", "70000.5", "3e-8", "1e-30", "1e+30", "2147483648", "9.3e+18",   "-1e+20"};
    case value_kind::tame:
        if (!floating) return {"0", "1", "-1", "2", "3", "-2", "7", "5"};
        return {"0",    "-0",  "1",    "-1",  "inf", "-inf",     "nan",  "2",
                "-0.5", "1.5", "-2.5", "0.1", "-7",  "0.333333", "12.7", "-0.01"};
    case value_kind::small:
        if (!floating) return {"1", "2", "-1", "3", "-2"};
        return {"1", "-0.5", "2", "0.25", "-1.5", "0.7", "-3"};
    case value_kind::positive:
        break;
    }
    if (!floating) return {"1", "2", "3"};
    return {"1", "0.5", "2", "0.25", "4"};
}

/// Returns a tensor whose elements are every `step`-th of these words, from `start` on. The words repeat cyclically.
inline kernel::tensor tensor_of(kernel::dtype type, std::vector<std::int64_t> shape, std::span<const std::string> words,
                                std::size_t start = 0, std::size_t step = 1) {
    kernel::tensor t(type, std::move(shape));
    kernel::with_element_type(type, [&]<class T>(std::type_identity<T>) {
        std::vector<T> values;
        for (const std::string& word : words) values.push_back(element_called<T>(word));
        std::size_t at = start;
        T* const to = t.mutable_data<T>();
        for (std::int64_t i = 0; i < t.size(); ++i, at += step) to[i] = values[at % values.size()];
    });
    return t;
}

} // namespace tutti::test
