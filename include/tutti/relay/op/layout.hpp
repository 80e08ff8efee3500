#pragma once

#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/ir/small_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tutti::relay {

/// A tensor layout such as NCHW, OIHW or NCHW16c: capital letters are axes, a number with a small letter is a
/// block of the axis of that letter. An axis may have several blocks: OHWI16i64o2i.
///
/// Source: the reference's notation (its `tvm::tir::Layout`).
class layout {
public:
    /// One axis as it is stored: its letter (capital), and the size of the block if it is one, else 0.
    struct axis {
        char letter = 0;
        std::int64_t block = 0;

        friend constexpr bool operator==(const axis&, const axis&) = default;
    };

    /// The layout that the text states, or nothing if it states none: an axis twice, a block without its
    /// axis, other signs.
    static constexpr std::optional<layout> parse(std::string_view text) {
        layout l;
        std::int64_t number = 0;
        for (const char c : text) {
            if (c >= '0' && c <= '9') {
                if (number > 1'000'000) return std::nullopt;
                number = number * 10 + (c - '0');
            } else if (c >= 'A' && c <= 'Z') {
                if (number != 0 || l.find(c, false)) return std::nullopt;
                l.axes_.push_back({c, 0});
            } else if (c >= 'a' && c <= 'z') {
                const char capital = static_cast<char>(c - 'a' + 'A');
                if (number == 0) return std::nullopt;
                l.axes_.push_back({capital, number});
                number = 0;
            } else {
                return std::nullopt;
            }
        }
        if (number != 0 || l.axes_.empty()) return std::nullopt;
        for (const axis& a : l.axes_)
            if (!l.find(a.letter, false)) return std::nullopt;
        return l;
    }

    constexpr std::span<const axis> axes() const { return axes_; }
    constexpr std::size_t rank() const { return axes_.size(); }

    /// The number of axes that are no blocks.
    constexpr std::size_t primal_rank() const {
        std::size_t n = 0;
        for (const axis& a : axes_) n += a.block == 0 ? 1U : 0U;
        return n;
    }

    /// Adds an axis behind the others. A default layout has none: that of a scalar.
    constexpr void push_back(axis a) { axes_.push_back(a); }

    /// The axes from one on, as many as are asked for or are there; their blocks may be without them.
    constexpr layout sub(std::size_t first, std::size_t count) const {
        layout part;
        for (std::size_t i = first; i < axes_.size() && i < first + count; ++i) part.push_back(axes_[i]);
        return part;
    }

    /// The layout as it is written: "NCHW16c".
    constexpr std::string text() const {
        std::string out;
        for (const axis& a : axes_) {
            if (a.block == 0) {
                out += a.letter;
                continue;
            }
            std::string digits;
            for (std::int64_t n = a.block; n != 0; n /= 10) digits += static_cast<char>('0' + n % 10);
            out.append(digits.rbegin(), digits.rend());
            out += static_cast<char>(a.letter - 'A' + 'a');
        }
        return out;
    }

    /// Where the axis of that capital letter is stored (its first block with `block`), or nothing.
    constexpr std::optional<std::size_t> find(char letter, bool block = false) const {
        for (std::size_t i = 0; i < axes_.size(); ++i)
            if (axes_[i].letter == letter && (axes_[i].block != 0) == block) return i;
        return std::nullopt;
    }

    /// Whether a tensor of that shape can be in this layout: of its rank, with its blocks.
    constexpr bool fits(std::span<const dim> shape) const {
        if (shape.size() != axes_.size()) return false;
        for (std::size_t i = 0; i < shape.size(); ++i)
            if (axes_[i].block != 0 && !shape[i].is_any() && shape[i].value() != axes_[i].block) return false;
        return true;
    }

    /// The number of elements in an axis's blocks; 1 without.
    constexpr std::int64_t block(char letter) const {
        std::int64_t n = 1;
        for (const axis& a : axes_)
            if (a.letter == letter && a.block != 0) n *= a.block;
        return n;
    }

    /// The size of an axis, its blocks multiplied in. Requires: the layout has the axis; `shape` fits.
    constexpr dim size(std::span<const dim> shape, char letter) const {
        const dim outer = shape[*find(letter)];
        const std::int64_t inner = block(letter);
        if (inner == 1 || outer.is_any()) return outer;
        return outer.value() * inner;
    }

    /// The shape in this layout of a tensor whose axes have the sizes that `size_of(letter)` gives.
    ///
    /// Requires: blocks divide the sizes of their axes.
    template <class SizeOf>
    constexpr dims shape(SizeOf size_of) const {
        dims out;
        for (const axis& a : axes_) {
            const dim size = a.block != 0 ? dim(a.block) : size_of(a.letter);
            const std::int64_t inner = a.block != 0 ? 1 : block(a.letter);
            if (inner == 1 || size.is_any())
                out.push_back(size);
            else
                out.push_back(size.value() / inner);
        }
        return out;
    }

    friend constexpr bool operator==(const layout&, const layout&) = default;

private:
    small_vector<axis, 8> axes_;
};

} // namespace tutti::relay
