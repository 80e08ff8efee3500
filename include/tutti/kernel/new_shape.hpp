#pragma once

#include <tutti/kernel/check.hpp>
#include <tutti/kernel/copy.hpp>
#include <tutti/kernel/shape.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/view.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tutti::kernel {

/// From which end the code of a new shape is read.
enum class shape_code : std::uint8_t { from_left, from_right };

namespace detail {

/// Reads the code of a new shape from the left; see `reshape_by_code`.
class shape_reader {
public:
    constexpr shape_reader(const tensor& data, std::span<const std::int64_t> shape, std::span<const std::int64_t> code,
                           bool zeros)
        : data_(&data), shape_(shape), code_(code) {
        for (std::size_t i = 0; i < code.size(); ++i) {
            if (code[i] > 0 || (code[i] == 0 && zeros)) {
                put(code[i]);
                ++at_;
            } else if (code[i] == 0) {
                put(take());
            } else if (code[i] == -1) {
                if (inferred_ != none) refuse("-1 once");
                inferred_ = sizes_.size();
                put(1);
                ++at_;
            } else if (code[i] == -2) {
                while (at_ < shape_.size()) put(take());
            } else if (code[i] == -3) {
                const std::int64_t first = take();
                put(checked_product("reshape", first, take()));
            } else if (code[i] == -4) {
                if (i + 2 >= code.size()) refuse("two sizes after -4");
                split(take(), code[i + 1], code[i + 2]);
                i += 2;
            } else {
                refuse("sizes, or 0 to -4");
            }
        }
        if (inferred_ != none) {
            const std::int64_t others = checked_count(sizes_).value_or(0);
            if (others == 0 || data.size() % others != 0) refuse("sizes that divide the number of elements");
            sizes_[inferred_] = data.size() / others;
        }
    }

    constexpr const extents& sizes() const { return sizes_; }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    [[noreturn]] void refuse(std::string_view expected) const {
        fail("reshape", {"data is ", *data_, " and the new shape is ", code_}, expected);
    }
    constexpr void put(std::int64_t size) {
        if (sizes_.size() == max_rank) refuse("at most 32 sizes");
        sizes_.push_back(size);
    }
    constexpr std::int64_t take() {
        if (at_ >= shape_.size()) refuse("no more sizes kept than there are");
        return shape_[at_++];
    }
    constexpr void split(std::int64_t whole, std::int64_t first, std::int64_t second) {
        if (first == -1 && second > 0)
            first = whole / second;
        else if (second == -1 && first > 0)
            second = whole / first;
        if (first < 0 || second < 0 || checked_product("reshape", first, second) != whole)
            refuse("two sizes after -4 whose product is that of the axis, of which one may be -1");
        put(first);
        put(second);
    }

    const tensor* data_;
    std::span<const std::int64_t> shape_;
    std::span<const std::int64_t> code_;
    std::size_t at_ = 0; // sizes of the data that were passed
    std::size_t inferred_ = none;
    extents sizes_;
};

} // namespace detail

/// What 0 is in the code of a new shape: the data's size at this place, or a size.
enum class zero_code : std::uint8_t { keeps, size };

/// The same elements under a shape that a code says: 0 keeps a size, -1 stands for what is left (once), -2 keeps all that remain,
/// -3 multiplies two, and -4 splits one into the two that follow (one of which may be -1).
///
/// Throws: tutti::error if the code does not fit the data, or the shape has another number of elements.
constexpr void reshape_by_code(const tensor& data, std::span<const std::int64_t> code, shape_code direction,
                               zero_code zero, tensor& out) {
    detail::check_data("reshape", data);
    const bool zeros = zero == zero_code::size;
    if (direction == shape_code::from_left)
        return reshape(data, detail::shape_reader(data, data.shape(), code, zeros).sizes(), out);
    if (code.size() > max_rank) detail::fail("reshape", {"a new shape of ", code}, "at most 32 sizes");
    const auto reversed = [](std::span<const std::int64_t> values) {
        extents r(values.size(), 0);
        for (std::size_t i = 0; i < values.size(); ++i) r[i] = values[values.size() - 1 - i];
        return r;
    };
    const extents shape = reversed(data.shape());
    const extents backward = reversed(code);
    reshape(data, reversed(detail::shape_reader(data, shape, backward, zeros).sizes()), out);
}

/// The first and the last of some axes and the end of them; negative places count from the end, and no end is that of all.
struct axis_range {
    std::int64_t begin = 0;
    std::optional<std::int64_t> end;
};

/// The same elements under the data's shape, some of whose axes are replaced by some of those of `like`.
///
/// Throws: tutti::error if there are no such axes, or the shape has another number of elements.
constexpr void reshape_like(const tensor& data, const axis_range& replaced, const tensor& like, const axis_range& taken,
                            tensor& out) {
    const auto places = [](const axis_range& r, const tensor& t) {
        const auto n = static_cast<std::int64_t>(t.rank());
        axis_range found{r.begin < 0 ? r.begin + n : r.begin, r.end ? *r.end < 0 ? *r.end + n : *r.end : n};
        if (found.begin < 0 || *found.end > n || *found.end < found.begin)
            detail::fail("reshape_like", {"axes ", r.begin, " to ", r.end.value_or(n), " of ", t},
                         "axes that it has, in their order");
        return found;
    };
    detail::check_data("reshape_like", data);
    detail::check_data("reshape_like", like);
    const axis_range own = places(replaced, data);
    const axis_range other = places(taken, like);
    const auto behind = static_cast<std::int64_t>(data.rank()) - *own.end;
    if (own.begin + (*other.end - other.begin) + behind > static_cast<std::int64_t>(max_rank))
        detail::fail_pair("reshape_like", "data", data, "the other", like, "at most 32 axes");
    extents shape;
    const auto append = [&](const tensor& t, std::int64_t begin, std::int64_t end) {
        for (std::int64_t d = begin; d < end; ++d) shape.push_back(t.shape()[static_cast<std::size_t>(d)]);
    };
    append(data, 0, own.begin);
    append(like, other.begin, *other.end);
    append(data, *own.end, static_cast<std::int64_t>(data.rank()));
    reshape(data, shape, out);
}

} // namespace tutti::kernel
