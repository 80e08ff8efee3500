#pragma once

#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/kernel/support/size_math.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::kernel {

/// The direction in which a shape code is read.
enum class shape_code : std::uint8_t { from_left, from_right };

/// Meaning of 0 in a shape code: the size of the matching axis of the data, or the size 0.
enum class zero_code : std::uint8_t { keeps, size };

/// Faults of a shape code.
enum class code_fault : std::uint8_t { no_code, twice, too_many, too_long, cut_off, no_part, no_parts, indivisible };

/// The problem and the expected code for each fault. If the problem is empty, messages state the number that was passed
/// to `refuse`. For `indivisible`, this number is the product of the other sizes.
inline constexpr struct {
    std::string_view problem;
    std::string_view expected;
} code_fault_texts[]{
    {"", "sizes, or 0 to -4"},
    {"-1 twice", "-1 once"},
    {"more sizes are kept than there are", "no more sizes kept than there are"},
    {"", "at most 32 sizes"},
    {"-4 at the end", "two sizes after -4"},
    {"", "a size that divides the size of the axis"},
    {"", "two sizes after -4, of which one may be -1, with the size of the axis as their product"},
    {"", "sizes that divide the number of elements"},
};

/// Reads a shape code: 0 keeps a size, -1 (once) is inferred, -2 keeps all remaining sizes, -3 multiplies two sizes,
/// and -4 splits a size into the two that follow in the code, of which one may be -1. See `read_shape_code`.
template <class Shape, class Data, class Code, class Refuse>
class shape_code_reader {
    using size = size_in<Shape>;

public:
    constexpr shape_code_reader(const Data& data, const Code& code, shape_code direction, zero_code zero,
                                std::size_t most, Refuse refuse)
        : data_(data), code_(code), backward_(direction == shape_code::from_right), most_(most), refuse_(refuse) {
        std::size_t i = 0;
        while (i < code.size()) {
            const size d = code_at(i++);
            if (!is_known(d) || value_of(d) > 0 || (is_number(d, 0) && zero == zero_code::size)) {
                others_ = times(others_, d);
                put_in_place(d);
            } else if (is_number(d, 0)) {
                put(take());
            } else if (is_number(d, -1)) {
                if (inferred_ != none) refuse_(code_fault::twice, d);
                inferred_ = sizes_.size();
                put_in_place(1);
            } else if (is_number(d, -2)) {
                while (at_ < data.size()) put(take());
            } else if (is_number(d, -3)) {
                const size first = take();
                put(times(first, take()));
            } else if (is_number(d, -4)) {
                if (i + 2 > code.size()) refuse_(code_fault::cut_off, d);
                split(take(), code_at(i), code_at(i + 1));
                i += 2;
            } else {
                refuse_(code_fault::no_code, d);
            }
        }
        if (inferred_ != none) sizes_[inferred_] = what_is_left();
    }

    /// Returns the new shape.
    constexpr Shape sizes() const {
        if (!backward_) return sizes_;
        Shape reversed;
        for (std::size_t i = sizes_.size(); i-- > 0;) reversed.push_back(sizes_[i]);
        return reversed;
    }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    constexpr size code_at(std::size_t i) const { return code_[backward_ ? code_.size() - 1 - i : i]; }
    constexpr size data_at(std::size_t i) const { return data_[backward_ ? data_.size() - 1 - i : i]; }

    constexpr void put(size d) {
        if (sizes_.size() == most_) refuse_(code_fault::too_long, d);
        sizes_.push_back(d);
    }
    // Appends a size from the code, and skips the next size of the data.
    constexpr void put_in_place(size d) {
        put(d);
        if (at_ < data_.size()) passed_ = times(passed_, data_at(at_));
        ++at_;
    }
    constexpr size take() {
        if (at_ >= data_.size()) refuse_(code_fault::too_many, size(0));
        return data_at(at_++);
    }
    constexpr void split(size whole, size first, size second) {
        if (is_number(first, -1))
            first = part(whole, second);
        else if (is_number(second, -1))
            second = part(whole, first);
        if (is_negative(first) || is_negative(second) || !may_equal(times(first, second), whole))
            refuse_(code_fault::no_parts, second);
        put(first);
        put(second);
    }
    constexpr size part(size whole, size other) {
        if (is_known(other) && is_known(whole) && (value_of(other) < 1 || !may_divide(other, whole)))
            refuse_(code_fault::no_part, other);
        return quotient(whole, other);
    }

    // Returns the size for -1: the product of the skipped sizes, divided by the product of the other sizes in the code.
    // Sizes that are kept, multiplied or split cancel out and need not be known.
    constexpr size what_is_left() {
        for (; at_ < data_.size(); ++at_) passed_ = times(passed_, data_at(at_));
        if (is_number(others_, 0) || (is_known(others_) && !may_divide(others_, passed_)))
            refuse_(code_fault::indivisible, others_);
        return quotient(passed_, others_);
    }

    const Data& data_;
    const Code& code_;
    bool backward_;
    std::size_t most_;
    Refuse refuse_;
    std::size_t at_ = 0; // index of the next size of the data
    std::size_t inferred_ = none;
    size passed_ = 1;
    size others_ = 1;
    Shape sizes_;
};

/// Applies a shape code to the shape of the data and returns the new shape. If the code does not fit, or if there are
/// more than `most` sizes, calls `refuse(fault, number)`, which must not return.
template <class Shape, class Data, class Code, class Refuse>
constexpr Shape read_shape_code(const Data& data, const Code& code, shape_code direction, zero_code zero,
                                std::size_t most, Refuse refuse) {
    return shape_code_reader<Shape, Data, Code, Refuse>(data, code, direction, zero, most, refuse).sizes();
}

} // namespace tutti::kernel
