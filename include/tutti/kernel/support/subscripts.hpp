#pragma once

#include <tutti/kernel/support/size_math.hpp>
#include <tutti/kernel/support/view.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

// Equations of Einstein's summation convention, such as "ij,jk->ik": a letter for each axis of each operand and of the
// result. Letters that are not in the result are summed over.

namespace tutti::kernel {

/// Number of labels that stand for letters: 0 to 51 for A to Z and a to z. Greater labels stand for the axes of an
/// ellipsis, from last to first.
inline constexpr std::size_t letter_labels = 52;
inline constexpr std::size_t all_labels = letter_labels + max_rank;

/// A parsed equation. `problem` describes its first error, or is empty.
class subscripts {
public:
    constexpr explicit subscripts(std::string_view equation) {
        const std::size_t arrow = equation.find("->");
        explicit_ = arrow != std::string_view::npos;
        operands_ = equation.substr(0, arrow);
        if (explicit_) result_ = equation.substr(arrow + 2);
    }

    /// Returns the number of operands of the equation.
    constexpr std::size_t operands() const {
        return static_cast<std::size_t>(std::count(operands_.begin(), operands_.end(), ',')) + 1;
    }

    /// Returns the labels of the axes of operand i.
    ///
    /// Requires: calls for all operands, in order, precede the call of `result`; i is below `operands()`.
    constexpr extents operand(std::size_t i, std::size_t rank) {
        std::string_view term = operands_;
        for (; i != 0; --i) term.remove_prefix(term.find(',') + 1);
        const extents labels = read(term.substr(0, term.find(',')), rank, true);
        std::size_t dotted = 0;
        for (const std::int64_t label : labels) {
            if (static_cast<std::size_t>(label) < letter_labels)
                ++counts_[static_cast<std::size_t>(label)];
            else
                ++dotted;
        }
        dotted_ = std::max(dotted_, dotted);
        return labels;
    }

    /// Returns the labels of the result's axes: those in the equation or, without an arrow in the equation, the
    /// ellipsis and the letters that occur once.
    constexpr extents result() {
        if (explicit_) {
            const extents labels = read(result_, dotted_ + letters_of(result_), false);
            std::array<bool, letter_labels> seen{};
            for (const std::int64_t label : labels) {
                const auto letter = static_cast<std::size_t>(label);
                if (letter >= letter_labels) continue;
                if (counts_[letter] == 0 || seen[letter])
                    refuse("a letter of the result is not in the operands, or is in the result twice");
                seen[letter] = true;
            }
            if (dotted_ != 0 && result_.find('.') == std::string_view::npos)
                refuse("the result lacks the ellipsis of the operands");
            return labels;
        }
        extents labels;
        for (std::size_t i = dotted_; i != 0; --i) labels.push_back(static_cast<std::int64_t>(letter_labels + i - 1));
        for (std::size_t letter = 0; letter < letter_labels; ++letter) {
            if (counts_[letter] != 1) continue;
            if (labels.size() == max_rank) {
                refuse("the result has more than 32 axes");
                break;
            }
            labels.push_back(static_cast<std::int64_t>(letter));
        }
        return labels;
    }

    constexpr std::string_view problem() const { return problem_; }

private:
    static constexpr std::int64_t label_of(char c) {
        return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 : -1;
    }
    static constexpr std::size_t letters_of(std::string_view term) {
        std::size_t n = 0;
        for (const char c : term) n += c != ' ' && c != '.' ? 1 : 0;
        return n;
    }
    constexpr void refuse(std::string_view problem) {
        if (problem_.empty()) problem_ = problem;
    }

    constexpr extents read(std::string_view term, std::size_t rank, bool fixed) {
        extents labels;
        const std::size_t letters = letters_of(term);
        const bool dots = term.find('.') != std::string_view::npos;
        if (letters > rank || (fixed && !dots && letters != rank) || letters > max_rank || rank > max_rank) {
            refuse(fixed ? "a part does not have a letter for each axis of its operand"
                         : "the result has more than 32 axes");
            return labels;
        }
        bool passed = false;
        for (std::size_t i = 0; i < term.size(); ++i) {
            if (term[i] == ' ') continue;
            if (term[i] == '.') {
                if (passed || term.substr(i, 3) != "...") {
                    refuse("a part has a dot outside its one ellipsis");
                    return {};
                }
                passed = true;
                i += 2;
                for (std::size_t n = rank - letters; n != 0; --n)
                    labels.push_back(static_cast<std::int64_t>(letter_labels + n - 1));
            } else if (label_of(term[i]) < 0) {
                refuse("a character is not a letter");
                return {};
            } else {
                labels.push_back(label_of(term[i]));
            }
        }
        return labels;
    }

    std::string_view operands_;
    std::string_view result_;
    bool explicit_ = false;
    std::array<std::size_t, letter_labels> counts_{};
    std::size_t dotted_ = 0; // number of axes of the longest ellipsis
    std::string_view problem_;
};

/// Merges the size of an axis, `other`, into the size of its label. A size of 1 is broadcast. Returns false if the
/// sizes do not fit.
template <class N>
constexpr bool join_label(N& size, N other) {
    if (is_number(other, 1)) return true;
    if (is_number(size, 1)) {
        size = other;
        return true;
    }
    if (!is_known(size)) size = other;
    return may_equal(size, other);
}

} // namespace tutti::kernel
