#pragma once

#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/strided.hpp>
#include <tutti/kernel/support/view.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tutti::kernel {

/// A set of axes, such as those that a reduction runs over: element d is true if the set contains axis d.
using axis_set = std::array<bool, max_rank>;

namespace detail {

/// The elements of a dense row-major tensor, divided into sets: one set for each element of the result of a reduction.
///
/// Visits one set or several neighbouring sets at a time, in pieces. A piece is a run of contiguous elements. If `step`
/// is 0, all its elements belong to one set; if `step` is 1, element i belongs to set i. Whichever axes are reduced,
/// the inner loop runs over contiguous elements. Also tracks a second operand that is broadcast to the tensor.
///
/// Example: for (groups g(shape, reduced); !g.done(); g.next())
///              for (auto p = g.pieces(); !p.done(); p.next()) …
class groups {
public:
    /// Requires: `other` contains the second operand's stride along each axis.
    [[gnu::noinline]] constexpr groups(std::span<const std::int64_t> shape, const axis_set& reduced,
                                       const extents& other)
        : groups(split(shape, reduced, other)) {}
    [[gnu::noinline]] constexpr groups(std::span<const std::int64_t> shape, const axis_set& reduced)
        : groups(shape, reduced, extents(shape.size(), 0)) {}

    /// The pieces of the current sets. Requires: the groups outlive the list and do not advance meanwhile.
    class piece_list {
    public:
        constexpr bool done() const { return done_; }
        [[gnu::noinline]] constexpr void next() {
            at_ += run_;
            if (at_ < row().length()) return;
            at_ = 0;
            if (several_) several_->next();
            done_ = !several_ || several_->done();
        }
        /// Returns the offset of the piece in the tensor (`first`) or in the second operand (`other`).
        constexpr std::int64_t first() const { return data_ + row().operand(0) + at_ * row().step(0); }
        constexpr std::int64_t other() const { return other_ + row().operand(1) + at_ * row().step(1); }
        constexpr std::int64_t length() const { return count_ != 0 ? count_ : std::min(run_, row().length() - at_); }
        /// Returns the second operand's stride along the piece.
        constexpr std::int64_t other_step() const { return count_ != 0 ? other_step_ : row().step(1); }
        /// Returns the number of elements of each set that precede this piece.
        constexpr std::int64_t index() const { return row().result() + at_; }

    private:
        friend class groups;
        [[gnu::noinline]] constexpr explicit piece_list(const groups& g)
            : only_(&g.together_)
            , data_(g.kept_.operand(0) + g.at_ * g.kept_.step(0))
            , other_(g.kept_.operand(1) + g.at_ * g.kept_.step(1))
            , run_(g.side_by_side_ ? 1 : block_length)
            , count_(g.side_by_side_ ? g.count() : 0)
            , other_step_(g.kept_.step(1))
            , done_(g.together_.done()) {
            if (!done_ && g.together_.length() != g.set_size_) several_ = g.together_;
        }
        constexpr const strided_rows<2>& row() const { return several_ ? *several_ : *only_; }

        const strided_rows<2>* only_;
        std::optional<strided_rows<2>> several_; // a large object: present only if there is more than one row
        std::int64_t data_;
        std::int64_t other_;
        std::int64_t run_;   // maximum number of elements of a row in a piece
        std::int64_t count_; // length of each piece if sets are side by side, else 0
        std::int64_t other_step_;
        std::int64_t at_ = 0;
        bool done_;
    };

    constexpr bool done() const { return kept_.done(); }
    [[gnu::noinline]] constexpr void next() {
        at_ += count();
        if (at_ < kept_.length()) return;
        at_ = 0;
        kept_.next();
    }
    /// Returns the number of current sets, at most `block_length`.
    constexpr std::int64_t count() const { return side_by_side_ ? std::min(block_length, kept_.length() - at_) : 1; }
    /// Returns the index, in the result of the reduction, of the first current set.
    constexpr std::int64_t first() const { return kept_.result() + at_; }
    constexpr std::int64_t step() const { return side_by_side_ ? 1 : 0; }
    constexpr piece_list pieces() const { return piece_list(*this); }

    /// Returns the number of elements of each set.
    constexpr std::int64_t set_size() const { return set_size_; }

private:
    struct axes {
        extents shape;
        extents strides;
        extents other;
    };
    struct split {
        axes kept;
        axes together;
        bool side_by_side = false;

        constexpr split(std::span<const std::int64_t> shape, const axis_set& reduced, const extents& others) {
            const extents own = row_major_strides(shape);
            for (std::size_t d = 0; d < shape.size(); ++d) {
                axes& to = reduced[d] ? together : kept;
                to.shape.push_back(shape[d]);
                to.strides.push_back(own[d]);
                to.other.push_back(others[d]);
                if (shape[d] != 1) side_by_side = !reduced[d]; // the last axis with several elements decides
            }
        }
    };

    constexpr explicit groups(const split& s)
        : kept_(s.kept.shape, {s.kept.strides, s.kept.other})
        , together_(s.together.shape, {s.together.strides, s.together.other})
        , set_size_(element_count(s.together.shape))
        , side_by_side_(s.side_by_side) {}

    strided_rows<2> kept_;
    strided_rows<2> together_;
    std::int64_t set_size_;
    std::int64_t at_ = 0;
    bool side_by_side_;
};

} // namespace detail
} // namespace tutti::kernel
