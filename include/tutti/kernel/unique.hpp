#pragma once

#include <tutti/base/vector.hpp>
#include <tutti/kernel/create.hpp>
#include <tutti/kernel/index.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/topk.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace tutti::kernel {

/// Order of the unique elements: ascending, or by first occurrence.
enum class unique_order : std::uint8_t { ascending, first_occurrence };

/// Results of `unique`; `counts` may be null.
struct unique_results {
    tensor* values;  ///< the elements
    tensor* places;  ///< index of the first occurrence of each unique element in the data
    tensor* inverse; ///< for each element of the data, its index among the unique elements
    tensor* number;  ///< number of unique elements, as a vector of length 1
    tensor* counts;  ///< number of occurrences of each unique element
};

/// Finds the unique elements of a vector. NaN equals no element.
///
/// All results except `number` are as long as the data. Beyond the number of unique elements, `values` and `counts` are
/// filled with 0, and `places` is filled with the size of the data.
///
/// Throws: tutti::error if the data is not a vector, or has 2^31 elements or more.
/// Cost:   n log n.
constexpr void unique(const tensor& data, unique_order order, const unique_results& out) {
    constexpr std::string_view kernel = "unique";
    detail::check_data(kernel, data);
    if (data.rank() != 1 || data.size() > std::numeric_limits<std::int32_t>::max())
        detail::fail(kernel, {"data is ", data}, "a vector of fewer than 2^31 elements");
    const auto n = static_cast<std::size_t>(data.size());
    vector<sort_key> keys(n);
    if (n != 0) detail::read_keys(data, 0, 1, sort_order::ascending, keys);
    std::sort(keys.begin(), keys.end());

    // The groups of equal elements. `value` is the index of a group's first element in the data; `index` is the
    // beginning of the group's range in the sorted keys.
    vector<sort_key> groups;
    const bool has_nan = is_floating(data.type()) || is_narrow_floating(data.type());
    const std::uint64_t nan = has_nan ? ~std::uint64_t{0} : 0;
    const auto is_nan = [&](std::uint64_t key) { return nan != 0 && key == nan; };
    for (std::size_t i = 0; i < n; ++i)
        if (i == 0 || keys[i].value != keys[i - 1].value || is_nan(keys[i].value))
            groups.push_back({static_cast<std::uint64_t>(keys[i].index), static_cast<std::int64_t>(i)});
    vector<std::int64_t> ends; // indexed by group: the end of its range in the sorted keys
    for (std::size_t g = 0; g < groups.size(); ++g)
        ends.push_back(g + 1 < groups.size() ? groups[g + 1].index : static_cast<std::int64_t>(n));
    vector<sort_key> ranked; // the order of the result: index of a group's first element, index of the group
    for (std::size_t g = 0; g < groups.size(); ++g) ranked.push_back({groups[g].value, static_cast<std::int64_t>(g)});
    if (order == unique_order::first_occurrence) std::sort(ranked.begin(), ranked.end());

    full(std::int64_t{0}, data.type(), data.shape(), *out.values);
    full(data.size(), dtype::int32, data.shape(), *out.places);
    full(std::int64_t{0}, dtype::int32, data.shape(), *out.inverse);
    const std::int64_t one[]{1};
    full(static_cast<std::int64_t>(groups.size()), dtype::int32, one, *out.number);
    if (out.counts != nullptr) full(std::int64_t{0}, dtype::int32, data.shape(), *out.counts);
    if (n == 0) return;
    detail::run_copier copier(1, data, *out.values);
    for (std::size_t i = 0; i < ranked.size(); ++i) {
        const auto group = static_cast<std::size_t>(ranked[i].index);
        const auto first = static_cast<std::int32_t>(ranked[i].value);
        copier.add(first, static_cast<std::int64_t>(i));
        out.places->mutable_data<std::int32_t>()[i] = first;
        const std::int64_t begin = groups[group].index;
        if (out.counts != nullptr)
            out.counts->mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(ends[group] - begin);
        for (std::int64_t k = begin; k < ends[group]; ++k)
            out.inverse->mutable_data<std::int32_t>()[keys[static_cast<std::size_t>(k)].index] =
                static_cast<std::int32_t>(i);
    }
    copier.flush();
}

} // namespace tutti::kernel
