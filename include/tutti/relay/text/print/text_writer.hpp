#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/relay/ir/type_text.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Appends to a string through a buffer. Most writes are a few characters, for which `std::string::append` has a high
/// overhead.
///
/// Requires: `string()` is called before the string is read.
class text_writer {
public:
    /// Appends to `out`. Throws: `tutti::error` from later calls when the string exceeds `most` characters.
    explicit text_writer(std::string& out, std::size_t most = ~std::size_t{0}) : out_(&out), most_(most) {}
    text_writer(const text_writer&) = delete;
    text_writer& operator=(const text_writer&) = delete;

    void add(char c) { *room(1) = c; }
    void add(std::string_view text) { end_piece(copy(text, begin_piece())); }
    /// Appends a literal. Its length is known, so the copy is inline.
    template <std::size_t Size>
    void add(const char (&text)[Size]) {
        end_piece(copy(text, begin_piece()));
    }
    void add_number(std::uint64_t value) { end_piece(copy(value, begin_piece())); }
    /// Appends `count` blanks. Requires: `count` is at most 2,000.
    void add_blanks(std::size_t count) { std::memset(room(count), ' ', count); }

    /// Largest size of a piece, in characters. The caller writes a piece through the pointer that `begin_piece`
    /// returns, and calls `end_piece` before any other write. `more` makes room for another piece.
    static constexpr std::size_t piece = 64;
    char* begin_piece() {
        if (capacity - used_ < piece) [[unlikely]]
            empty();
        return buffer_ + used_;
    }
    void end_piece(const char* to) { used_ = static_cast<std::size_t>(to - buffer_); }
    char* more(char* to) {
        if (to <= buffer_ + (capacity - piece)) [[likely]]
            return to;
        end_piece(to);
        return begin_piece();
    }

    /// Writes into a piece and returns the new end. A text of more than 16 characters ends the piece and begins
    /// another.
    char* copy(std::string_view text, char* to) {
        const char* const from = text.data();
        const std::size_t size = text.size();
        if (size > 16) return copy_long(text, to);
        if (size >= 8)
            copy_both_ends<8>(from, size, to);
        else if (size >= 4)
            copy_both_ends<4>(from, size, to);
        else if (size >= 2)
            copy_both_ends<2>(from, size, to);
        else if (size == 1)
            *to = *from;
        return to + size;
    }
    template <std::size_t Size>
    static char* copy(const char (&text)[Size], char* to) {
        static_assert(Size <= piece, "tutti::relay::text::text_writer: a literal is short; take a string_view");
        std::memcpy(to, text, Size - 1);
        return to + (Size - 1);
    }
    static char* copy(std::uint64_t number, char* to) {
        char* const end = to + decimal_digits(number);
        write_decimal(end, number);
        return end;
    }

    /// Returns the number of characters in the string and the buffer.
    std::size_t size() const { return out_->size() + used_; }

    /// Empties the buffer into the string and returns the string. Callers may append to it before the next write.
    std::string& string() {
        if (used_ != 0) empty();
        return *out_;
    }

private:
    static constexpr std::size_t capacity = 2048;

    template <std::size_t Size>
    static void copy_both_ends(const char* from, std::size_t size, char* to) {
        char first[Size], last[Size];
        std::memcpy(first, from, Size);
        std::memcpy(last, from + size - Size, Size);
        std::memcpy(to, first, Size);
        std::memcpy(to + size - Size, last, Size);
    }

    [[gnu::noinline]] char* copy_long(std::string_view text, char* to) {
        end_piece(to);
        if (text.size() > capacity)
            string().append(text);
        else
            std::memcpy(room(text.size()), text.data(), text.size());
        return begin_piece();
    }

    [[gnu::always_inline]] char* room(std::size_t count) {
        if (count > capacity - used_) [[unlikely]]
            empty();
        used_ += count;
        return buffer_ + (used_ - count);
    }

    [[gnu::noinline]] void empty() {
        out_->append(buffer_, used_);
        used_ = 0;
        if (out_->size() > most_) [[unlikely]]
            refuse_length();
    }
    [[noreturn, gnu::cold, gnu::noinline]] void refuse_length() const {
        throw error("text", "more than " + grouped_digits(most_) + " characters, because of deep nesting",
                    "fewer levels of functions and tuples");
    }

    std::string* out_;
    std::size_t most_;
    std::size_t used_ = 0;
    char buffer_[capacity]; // uninitialised
};

} // namespace tutti::relay::inline TUTTI_FORM::text
