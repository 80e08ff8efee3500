#pragma once

#include <tutti/base/error.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

// Checks of shapes and element types, and the creation of results, for all kernels over `tensor`. A failed check throws
// `tutti::error`.

namespace tutti::kernel {

/// Returns a shape in Relay's notation: "(2, 3)", "(4,)", "()".
[[gnu::cold]] inline std::string text(std::span<const std::int64_t> shape) {
    std::string s = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) s += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    return s + (shape.size() == 1 ? ",)" : ")");
}

/// Returns a tensor's shape and element type: "(2, 3) float32".
[[gnu::cold]] inline std::string text(const tensor& t) { return text(t.shape()) + " " + std::string(name(t.type())); }

namespace detail {

/// A piece of an error message, stored as the value to print. Only `fail` builds strings, so that kernels contain no
/// string code.
class part_said {
public:
    constexpr part_said(std::string_view words) : words_(words), kind_(kind::words) {}              // NOLINT
    constexpr part_said(const char* words) : literal_(words), kind_(kind::literal) {}               // NOLINT
    constexpr part_said(const std::string& words) : part_said(std::string_view(words)) {}           // NOLINT
    constexpr part_said(dtype type) : part_said(name(type)) {}                                      // NOLINT
    constexpr part_said(std::span<const std::int64_t> shape) : shape_(shape), kind_(kind::shape) {} // NOLINT
    constexpr part_said(const extents& shape) : part_said(std::span<const std::int64_t>(shape)) {}  // NOLINT
    constexpr part_said(const tensor& t) : tensor_(&t), kind_(kind::tensor) {}                      // NOLINT
    constexpr part_said(std::int64_t value) : integer_(value), kind_(kind::integer) {}              // NOLINT
    constexpr part_said(std::size_t value) : part_said(static_cast<std::int64_t>(value)) {}         // NOLINT
    constexpr part_said(double value) : real_(value), kind_(kind::real) {}                          // NOLINT

    [[gnu::cold]] std::string text() const {
        switch (kind_) {
        case kind::literal:
            return literal_;
        case kind::words:
            return std::string(words_);
        case kind::shape:
            return kernel::text(shape_);
        case kind::tensor:
            return kernel::text(*tensor_);
        case kind::integer:
            return std::to_string(integer_);
        case kind::real:
            break;
        }
        return std::to_string(real_);
    }

private:
    enum class kind : std::uint8_t { literal, words, shape, tensor, integer, real };

    union {
        const char* literal_;
        std::string_view words_;
        std::span<const std::int64_t> shape_;
        const tensor* tensor_;
        std::int64_t integer_;
        double real_;
    };
    kind kind_;
};

/// An error message: a reference to one text, or to a sequence of pieces.
///
/// Requires: the text or the pieces outlive the message.
class all_said {
public:
    constexpr all_said(std::initializer_list<part_said> parts) : parts_(std::data(parts)), count_(parts.size()) {}
    constexpr all_said(std::string_view words)
        : words_(words.data()), count_(words.size()), is_words_(true) {}         // NOLINT
    constexpr all_said(const char* words) : all_said(std::string_view(words)) {} // NOLINT

    [[gnu::cold]] std::string text() const {
        if (is_words_) return {words_, count_};
        std::string all;
        for (std::size_t i = 0; i < count_; ++i) all += parts_[i].text();
        return all;
    }

private:
    union {
        const part_said* parts_;
        const char* words_;
    };
    std::size_t count_;
    bool is_words_ = false;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void fail(std::string_view kernel, const all_said& problem,
                                                        const all_said& expected) {
    throw error{"kernel::" + std::string(kernel), problem.text(), expected.text()};
}

[[noreturn, gnu::cold, gnu::noinline]] inline void fail_type(std::string_view kernel, const tensor& t,
                                                             std::string_view expected) {
    fail(kernel, {"cannot compute with elements of type ", t.type()}, expected);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void fail_pair(std::string_view kernel, std::string_view first,
                                                             const tensor& a, std::string_view second, const tensor& b,
                                                             const all_said& expected) {
    fail(kernel, {first, " is ", a, " and ", second, " is ", b}, expected);
}

/// Returns the index of `axis` among `rank` axes; `axis` may count from the end. Throws: tutti::error if there is no
/// such axis.
[[gnu::noinline]] constexpr std::size_t checked_axis(std::string_view kernel, std::int64_t axis, std::size_t rank) {
    const auto n = static_cast<std::int64_t>(rank);
    if (axis < -n || axis >= n)
        fail(kernel, {"axis ", axis, " of a tensor of rank ", rank},
             n == 0 ? all_said("a rank of at least 1") : all_said{"an axis from ", -n, " to ", n - 1});
    return static_cast<std::size_t>(axis < 0 ? axis + n : axis);
}

constexpr void check_rank(std::string_view kernel, const tensor& t) {
    if (t.rank() > max_rank) fail(kernel, {"a tensor of rank ", t.rank()}, {"a rank of at most ", max_rank});
}

/// Throws: tutti::error if a result of the given shape would have 2^48 elements or more.
constexpr void check_size(std::string_view kernel, std::span<const std::int64_t> shape) {
    if (checked_element_count(shape) < 0) fail(kernel, {"a result of shape ", shape}, "fewer than 2^48 elements");
}

/// Resets `out` to the given type and shape. Leaves the elements unspecified.
///
/// Requires: no dimension is negative; `shape` is not the shape of `out` itself.
/// Throws:   tutti::error if the result would have 2^48 elements or more. `out` is then unchanged.
[[gnu::noinline]] constexpr void make_result(std::string_view kernel, dtype type, std::span<const std::int64_t> shape,
                                             tensor& out) {
    check_size(kernel, shape);
    out.reset(type, shape);
}

} // namespace detail
} // namespace tutti::kernel
