#pragma once

#include <tutti/kernel/support/size_math.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tutti::kernel {

/// A tensor layout such as NCHW, OIHW or NCHW16c.
///
/// A capital letter is an axis. A number with the lower-case letter is a block of this axis. In NCHW16c, channel c is
/// at C = c / 16 and 16c = c % 16. An axis may have several blocks, the most significant leftmost: OHWI16i64o2i.
///
/// Source: the reference's notation (its `tvm::tir::Layout`).
class layout {
public:
    /// A stored axis: its capital letter, and its block size or 0 if it is not a block.
    struct axis {
        char letter;
        std::int32_t block;

        friend constexpr bool operator==(const axis&, const axis&) = default;
    };

    /// Maximum number of axes, blocks included.
    static constexpr std::size_t max_rank = 32;

    constexpr layout() = default;
    constexpr layout(const layout& other) : rank_(other.rank_) { // copies only the used part: layouts are often copied
        for (std::size_t i = 0; i < rank_; ++i) axes_[i] = other.axes_[i];
    }
    constexpr layout& operator=(const layout& other) {
        rank_ = other.rank_;
        for (std::size_t i = 0; i < rank_; ++i) axes_[i] = other.axes_[i];
        return *this;
    }

    /// Parses a layout; returns nothing if the text is malformed, an axis occurs twice, a block has no axis, or there
    /// are too many axes.
    static constexpr std::optional<layout> parse(std::string_view text) {
        layout l;
        std::int32_t number = 0;
        std::uint32_t wholes = 0; // a bit for each letter
        std::uint32_t blocks = 0;
        for (const char c : text) {
            if (c >= '0' && c <= '9') {
                if (number > 1'000'000) return std::nullopt;
                number = number * 10 + (c - '0');
                continue;
            }
            const bool small = c >= 'a' && c <= 'z';
            const char letter = small ? static_cast<char>(c - 'a' + 'A') : c;
            if (letter < 'A' || letter > 'Z' || small != (number != 0)) return std::nullopt;
            const std::uint32_t bit = 1U << (letter - 'A');
            if ((!small && (wholes & bit) != 0) || !l.push_back({letter, number})) return std::nullopt;
            (small ? blocks : wholes) |= bit;
            number = 0;
        }
        if (number != 0 || l.rank() == 0 || (blocks & ~wholes) != 0) return std::nullopt;
        return l;
    }

    constexpr std::span<const axis> axes() const { return {axes_, rank_}; }
    constexpr std::size_t rank() const { return rank_; }

    /// Returns the number of axes that are not blocks.
    constexpr std::size_t primal_rank() const {
        std::size_t n = 0;
        for (const axis a : axes()) n += a.block == 0 ? 1U : 0U;
        return n;
    }

    /// Appends an axis; returns false if there are too many. A default layout has no axes and fits a scalar.
    constexpr bool push_back(axis a) {
        if (rank_ == max_rank) return false;
        axes_[rank_++] = a;
        return true;
    }

    /// Returns up to `count` axes from `first` on. These may include blocks without their axes.
    constexpr layout sub(std::size_t first, std::size_t count) const {
        layout part;
        for (std::size_t i = first; i < rank_ && i < first + count; ++i) part.push_back(axes_[i]);
        return part;
    }

    /// Returns the layout as text: "NCHW16c".
    constexpr std::string text() const {
        std::string out;
        for (const axis a : axes()) {
            const std::size_t before = out.size();
            for (std::int32_t n = a.block; n != 0; n /= 10) out.insert(before, 1, static_cast<char>('0' + n % 10));
            out += a.block == 0 ? a.letter : static_cast<char>(a.letter - 'A' + 'a');
        }
        return out;
    }

    /// Returns the position of an axis (of its first block if `block`), or nothing if the layout does not contain it.
    constexpr std::optional<std::size_t> find(char letter, bool block = false) const {
        for (std::size_t i = 0; i < rank_; ++i)
            if (axes_[i].letter == letter && (axes_[i].block != 0) == block) return i;
        return std::nullopt;
    }

    /// Returns the product of an axis's blocks; 1 if there are none.
    constexpr std::int64_t block(char letter) const {
        std::int64_t n = 1;
        for (const axis a : axes())
            if (a.letter == letter && a.block != 0) n = times(n, a.block);
        return n;
    }

    // The functions below take shapes as lists of sizes; see size_math.hpp.

    /// True if a tensor of the given shape may have this layout: the rank and the blocks agree.
    template <class Shape>
    constexpr bool fits(const Shape& shape) const {
        if (shape.size() != rank_) return false;
        for (std::size_t i = 0; i < rank_; ++i)
            if (axes_[i].block != 0 && !may_equal(shape[i], std::int64_t{axes_[i].block})) return false;
        return true;
    }

    /// Returns the size of an axis, which is the product of its outer size and its blocks.
    ///
    /// Requires: the layout has the axis; `shape` fits.
    template <class Shape>
    constexpr auto size(const Shape& shape, char letter) const {
        const auto outer = shape[*find(letter)];
        const std::int64_t inner = block(letter);
        return inner == 1 ? outer : times(outer, inner);
    }

    /// Returns the letter of the first axis whose blocks do not divide `size_of(letter)`; 0 if there is none.
    template <class SizeOf>
    constexpr char undivided(SizeOf size_of) const {
        for (const axis a : axes())
            if (a.block == 0 && find(a.letter, true) && !may_divide(block(a.letter), size_of(a.letter)))
                return a.letter;
        return 0;
    }

    /// Returns the shape of a tensor in this layout whose axes, blocks included, have the sizes `size_of(letter)`.
    ///
    /// Requires: blocks divide the sizes of their axes.
    template <class Shape, class SizeOf>
    constexpr Shape shape(SizeOf size_of) const {
        Shape out;
        for (const axis a : axes()) {
            if (a.block != 0) {
                out.push_back(a.block);
                continue;
            }
            const auto size = size_of(a.letter);
            const std::int64_t inner = block(a.letter);
            out.push_back(inner == 1 ? size : quotient(size, inner));
        }
        return out;
    }

    friend constexpr bool operator==(const layout& a, const layout& b) {
        bool same = a.rank_ == b.rank_;
        for (std::size_t i = 0; i < a.rank_ && same; ++i) same = a.axes_[i] == b.axes_[i];
        return same;
    }

private:
    axis axes_[max_rank];
    std::size_t rank_ = 0;
};

} // namespace tutti::kernel
