#pragma once

#include <tutti/kernel/shape.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/shape_code.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tutti::kernel {

/// Reshapes data by a code: 0 keeps a size, -1 (once) is inferred, -2 keeps all remaining sizes, -3 multiplies two
/// sizes, and -4 splits a size into the two that follow in the code, of which one may be -1. Shares the elements.
///
/// Throws: tutti::error if the code does not fit the data, or if the number of elements changes.
constexpr void reshape_by_code(const tensor& data, std::span<const std::int64_t> code, shape_code direction,
                               zero_code zero, tensor& out) {
    detail::check_data("reshape", data);
    const auto refuse = [&](code_fault fault, std::int64_t) {
        if (fault == code_fault::no_part) fault = code_fault::no_parts;
        detail::fail("reshape", {"data is ", data, " and the new shape is ", code},
                     code_fault_texts[static_cast<std::size_t>(fault)].expected);
    };
    reshape(data, read_shape_code<extents>(data.shape(), code, direction, zero, max_rank, refuse), out);
}

/// The axes [begin, end) of a tensor. Without `end`, extends to the last axis. Negative numbers count from the end.
struct axis_range {
    std::int64_t begin = 0;
    std::optional<std::int64_t> end;
};

/// Reshapes data by replacing some of its axes with some of the axes of `like`. Shares the elements.
///
/// Throws: tutti::error if there are no such axes, or if the number of elements changes.
constexpr void reshape_like(const tensor& data, const axis_range& replaced, const tensor& like, const axis_range& taken,
                            tensor& out) {
    const auto places = [](const axis_range& r, const tensor& t) {
        const auto n = static_cast<std::int64_t>(t.rank());
        const std::int64_t begin = r.begin < 0 ? r.begin + n : r.begin;
        const std::int64_t end = r.end ? *r.end < 0 ? *r.end + n : *r.end : n;
        if (begin < 0 || end > n || end < begin)
            detail::fail("reshape_like", {"axes ", r.begin, " to ", r.end.value_or(n), " of ", t},
                         "a range of its axes");
        return axis_interval{static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
    };
    detail::check_data("reshape_like", data);
    detail::check_data("reshape_like", like);
    const axis_interval own = places(replaced, data);
    const axis_interval other = places(taken, like);
    if (own.begin + (other.end - other.begin) + (data.rank() - own.end) > max_rank)
        detail::fail_pair("reshape_like", "data", data, "the other", like, "a result with at most 32 axes");
    reshape(data, with_replaced_axes<extents>(data.shape(), own, like.shape(), other), out);
}

} // namespace tutti::kernel
