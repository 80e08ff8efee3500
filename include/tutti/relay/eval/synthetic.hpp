#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/kernel/cast.hpp>
#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_table.hpp>
#include <tutti/relay/ir/type_text.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// Returns the i-th number for a name's hash: a multiple of 2^-24 in [0, 1).
constexpr float synthetic_unit(std::uint64_t hash, std::uint64_t i) {
    return static_cast<float>(hash_finish(hash + i + 0x9E3779B97F4A7C15U) >> 40) * 0x1p-24F;
}

constexpr std::uint64_t synthetic_hash(std::string_view name) {
    std::uint64_t hash = 0xCBF29CE484222325U; // FNV-1a
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    return hash;
}

} // namespace detail

/// Returns a synthetic tensor for a parameter. It depends only on the name (without `%`), element type, shape and seed.
///
/// Integers are from 0 to 15. Other values are computed in float32; their range depends on the parameter's name:
///   - `…_gamma`, `…_moving_var`, `…_var`: [0.5, 1.5)
///   - `…_beta`, `…_moving_mean`, `…_mean`, `…_bias`: [-0.1, 0.1)
///   - `…weight` with two or more dimensions: ±sqrt(3 / n), where n is the product of all dimensions but the first
///   - others: [-1, 1)
///
/// Requires: no dimension is negative.
/// Source:   FNV-1a for the name's hash, and SplitMix64 of this hash and the element's index.
inline tensor synthetic_input(std::string_view name, dtype element, std::span<const std::int64_t> shape,
                              std::uint64_t seed = 0) {
    tensor made;
    if (kernel::is_narrow(element)) {
        kernel::cast(synthetic_input(name, kernel::wide_type(element), shape, seed), element, made);
        return made;
    }
    made.reset(element, shape);
    const std::uint64_t hash = detail::synthetic_hash(name) ^ hash_finish(seed);
    const auto ends_in = [&](auto... ends) { return (name.ends_with(ends) || ...); };
    float scale = 2;
    float offset = -1;
    float factor = 1;
    if (kernel::is_integer(element)) {
        scale = 16;
        offset = 0;
    } else if (ends_in("_gamma", "_moving_var", "_var")) {
        scale = 1;
        offset = 0.5F;
    } else if (ends_in("_beta", "_moving_mean", "_mean", "_bias")) {
        factor = 0.1F;
    } else if (ends_in("weight") && shape.size() >= 2) {
        factor = static_cast<float>(std::sqrt(3.0 / static_cast<double>(kernel::element_count(shape.subspan(1)))));
    }
    kernel::with_element_type(element, [&]<class T>(std::type_identity<T>) {
        T* const values = made.mutable_data<T>();
        for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(made.size()); ++i) {
            const float wanted = (detail::synthetic_unit(hash, i) * scale + offset) * factor;
            values[i] = static_cast<T>(wanted); // truncates for integers
        }
    });
    return made;
}

/// Returns a synthetic tensor for a parameter of this type.
///
/// Throws: `tutti::error` if the type is not a tensor type, a dimension is unknown, or there are 2^48 or more elements.
inline tensor synthetic_input(std::string_view name, const type_table& types, type_id type, std::uint64_t seed = 0) {
    const auto refuse = [&](const char* expected) {
        throw error("parameter %" + std::string(name), "is of type " + to_text(types, type), expected);
    };
    if (!types.is_tensor(type) || !is_static(types.shape(type))) refuse("a tensor of known shape");
    if (!element_count(types.shape(type))) refuse("fewer than 2^48 elements");
    plain_vector<std::int64_t> shape;
    for (const dim d : types.shape(type)) shape.push_back(d.value());
    return synthetic_input(name, types.element(type), shape, seed);
}

} // namespace tutti::relay::inline TUTTI_FORM
