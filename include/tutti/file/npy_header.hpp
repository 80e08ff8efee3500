#pragma once

#include <tutti/base/error.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace tutti::file {

namespace detail {

struct npy_type {
    std::string_view code;
    kernel::dtype type;
};
using kernel::dtype;
inline constexpr npy_type npy_types[]{{"b1", dtype::boolean}, {"i1", dtype::int8},    {"i2", dtype::int16},
                                      {"i4", dtype::int32},   {"i8", dtype::int64},   {"u1", dtype::uint8},
                                      {"u2", dtype::uint16},  {"u4", dtype::uint32},  {"u8", dtype::uint64},
                                      {"f2", dtype::float16}, {"f4", dtype::float32}, {"f8", dtype::float64}};

} // namespace detail

/// Returns the type itself if NumPy has it, otherwise a NumPy type that holds its values: float32, int8 or uint8.
constexpr kernel::dtype numpy_type(kernel::dtype type) {
    return type == kernel::dtype::bfloat16 ? kernel::dtype::float32 : kernel::wide_type(type);
}

/// The header of an .npy file, which is a Python literal:
/// `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`.
///
/// Throws: `tutti::error` that describes the fault.
class npy_header {
public:
    explicit npy_header(std::string_view text) : rest_(text) {
        expect('{');
        while (!take('}')) {
            const std::string_view key = quoted();
            expect(':');
            if ((key == "descr" && element != dtype::none) || (key == "shape" && has_shape_))
                refuse("the array's header has the key " + std::string(key) + " twice");
            if (key == "descr")
                element = type_of(quoted());
            else if (key == "fortran_order")
                fortran = truth();
            else if (key == "shape")
                read_shape();
            else
                refuse("the array's header has the unknown key " + std::string(key));
            if (!take(',')) {
                expect('}');
                break;
            }
        }
        if (element == dtype::none || !has_shape_) refuse("the array's header lacks its type or shape");
    }

    kernel::dtype element = kernel::dtype::none;
    bool fortran = false; ///< true if the first axis changes fastest
    std::vector<std::int64_t> shape;

    /// Returns the total size of the elements in bytes.
    std::uint64_t size() const {
        return static_cast<std::uint64_t>(kernel::element_count(shape)) * kernel::bytes(element);
    }

private:
    using dtype = kernel::dtype;

    [[noreturn, gnu::cold, gnu::noinline]] static void refuse(std::string problem, std::string expected = {}) {
        throw error("", std::move(problem), std::move(expected));
    }

    void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n\t\r"), rest_.size())); }
    bool take(char c) {
        skip();
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    void expect(char c) {
        if (!take(c)) refuse("the array's header is broken", std::string("`") + c + "` in it");
    }
    std::string_view quoted() {
        expect('\'');
        const std::size_t end = rest_.find('\'');
        if (end == std::string_view::npos) refuse("the array's header is broken", "a closing quote");
        const std::string_view text = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return text;
    }
    bool truth() {
        skip();
        for (const std::string_view word : {"True", "False"}) {
            if (!rest_.starts_with(word)) continue;
            rest_.remove_prefix(word.size());
            return word == "True";
        }
        refuse("the array's header is broken", "True or False after fortran_order");
    }
    void read_shape() {
        has_shape_ = true;
        expect('(');
        while (!take(')')) {
            skip();
            std::int64_t d = 0;
            const auto [end, bad] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), d);
            if (bad != std::errc() || d < 0) refuse("the array's shape is broken", "non-negative numbers");
            rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
            shape.push_back(d);
            if (!take(',')) {
                expect(')');
                break;
            }
        }
        if (kernel::checked_element_count(shape) < 0)
            refuse("the array is too large: its shape is " + kernel::text(shape), "fewer than 2^48 elements");
    }
    static dtype type_of(std::string_view descr) {
        for (const auto& [code, type] : detail::npy_types) {
            const bool one_byte = kernel::bytes(type) == 1;
            if (descr.size() == 3 && descr.substr(1) == code && (descr[0] == '<' || (one_byte && descr[0] == '|')))
                return type;
        }
        refuse("the array's elements are of type " + std::string(descr),
               "little-endian numbers or bools: <f4, <f8, <f2, <i8, |u1 or |b1");
    }

    std::string_view rest_;
    bool has_shape_ = false;
};

/// Returns the beginning of a tensor's .npy file, up to the elements. Its length is a multiple of 64. The elements must
/// follow in row-major order.
inline std::string npy_beginning(const kernel::tensor& t) {
    std::string shape;
    for (const std::int64_t d : t.shape()) shape += std::to_string(d) + ", ";
    std::string descr(kernel::bytes(t.type()) == 1 ? "|" : "<");
    for (const detail::npy_type& each : detail::npy_types)
        if (each.type == t.type()) descr += each.code;
    std::string text = "{'descr': '";
    text.append(descr).append("', 'fortran_order': False, 'shape': (").append(shape).append("), }");
    text.append(63 - (10 + text.size()) % 64, ' ').append("\n");
    std::string header{"\x93NUMPY\x01\x00", 8};
    for (const std::size_t byte : {text.size() % 256, text.size() / 256}) header += static_cast<char>(byte);
    return header + text;
}

} // namespace tutti::file
