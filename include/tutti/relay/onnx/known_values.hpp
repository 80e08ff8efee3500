#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::onnx {

using kernel::dtype;
using kernel::tensor;

/// An element of a small tensor, which may be known during import.
struct known_number {
    std::int64_t integer = 0; ///< also holds a bool, or the bits of a uint64
    double real = 0;          ///< holds an element of a floating-point type
    bool known = true;
};

/// The known elements of a small tensor of known shape. Shape arithmetic uses these.
struct known_values {
    /// Limit on the number of elements. Larger tensors are not shapes.
    static constexpr std::int64_t most = 1024;

    dtype type = dtype::int64;
    plain_vector<std::int64_t> shape;
    plain_vector<known_number> numbers;

    std::size_t size() const { return numbers.size(); }
    bool complete() const {
        for (const known_number& n : numbers)
            if (!n.known) return false;
        return true;
    }
    /// Returns the integers as a list. Unknown elements become `?`.
    dims integers() const {
        dims all;
        for (const known_number& n : numbers) all.push_back(n.known ? dim(clamped(n.integer)) : dim::any());
        return all;
    }

    /// Limits a number to the range of `dim`. The limits of int64 mean "to the end" and are out of this range.
    static constexpr std::int64_t clamped(std::int64_t n) {
        constexpr std::int64_t most_held = (std::int64_t{1} << 60) - 1;
        return n > most_held ? most_held : n < -most_held ? -most_held : n;
    }
};

/// Returns the elements of a tensor. Requires: there are at most `known_values::most` elements.
inline known_values known_values_of(const tensor& t) {
    known_values k;
    k.type = t.type();
    k.shape.append(t.shape());
    k.numbers.resize(static_cast<std::size_t>(t.size()));
    kernel::with_element_type(t.type(), [&]<class T>(std::type_identity<T>) {
        const T* const from = t.data<T>();
        for (std::size_t i = 0; i < k.size(); ++i) {
            if constexpr (requires { static_cast<std::int64_t>(from[i]); })
                if (!kernel::is_floating(k.type)) k.numbers[i].integer = static_cast<std::int64_t>(from[i]);
            if (!kernel::is_floating(k.type)) continue;
            if constexpr (kernel::is_half<T>)
                k.numbers[i].real = static_cast<float>(from[i]);
            else
                k.numbers[i].real = static_cast<double>(from[i]);
        }
    });
    return k;
}

/// Returns a tensor with this type, shape and numbers. Requires: all numbers are known.
inline tensor tensor_of(const known_values& k) {
    vector<std::int64_t> shape(k.shape.begin(), k.shape.end());
    tensor t(k.type, std::move(shape));
    kernel::with_element_type(k.type, [&]<class T>(std::type_identity<T>) {
        T* to = t.mutable_data<T>();
        for (const known_number& n : k.numbers) {
            if constexpr (kernel::is_half<T>)
                *to++ = T(static_cast<float>(n.real));
            else if constexpr (std::is_same_v<T, bool>)
                *to++ = n.integer != 0;
            else if constexpr (std::is_floating_point_v<T>)
                *to++ = static_cast<T>(n.real);
            else
                *to++ = static_cast<T>(n.integer);
        }
    });
    return t;
}

} // namespace tutti::relay::inline TUTTI_FORM::onnx
