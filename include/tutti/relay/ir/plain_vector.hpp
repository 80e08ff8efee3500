#pragma once

#include <tutti/base/failure.hpp>
#include <tutti/base/form.hpp>
#include <tutti/parallel/large_pages.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// True if two lists have equal elements.
template <class T>
constexpr bool same_elements(std::span<const T> a, std::span<const T> b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(a[i] == b[i])) return false;
    return true;
}

/// A vector of trivial values for the tables of a graph. It has the functions of std::vector, at a tenth of the compile
/// time per element type.
///
/// Requires: T is trivially copyable and default-constructible; there are fewer than 2^32 elements, because ids have 32
///           bits.
template <class T>
class plain_vector {
public:
    static_assert(std::is_trivially_copyable_v<T>,
                  "tutti::relay::plain_vector<T>: a T must be trivially copyable; take std::vector");

    constexpr plain_vector() = default;
    constexpr explicit plain_vector(std::size_t size) { assign(size, T{}); }
    constexpr plain_vector(std::size_t size, T value) { assign(size, value); }
    constexpr plain_vector(std::initializer_list<T> values) { append(values.begin(), values.size()); }
    constexpr plain_vector(const plain_vector& other) { append(other.data_, other.size_); }
    constexpr plain_vector(plain_vector&& other) noexcept
        : data_(std::exchange(other.data_, nullptr))
        , size_(std::exchange(other.size_, 0))
        , capacity_(std::exchange(other.capacity_, 0)) {}
    constexpr plain_vector& operator=(const plain_vector& other) {
        if (this == &other) return *this;
        size_ = 0;
        append(other.data_, other.size_);
        return *this;
    }
    constexpr plain_vector& operator=(plain_vector&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
        return *this;
    }
    constexpr ~plain_vector() { release(data_); }

    constexpr void push_back(T value) {
        if (size_ == capacity_) grow(1);
        data_[size_++] = value;
    }
    constexpr void pop_back() { --size_; }

    /// Appends elements. Requires: `values` does not point into this vector.
    constexpr void append(const T* values, std::size_t count) {
        if (size_ + count > capacity_) grow(size_ + count);
        copy(values, count, data_ + size_);
        size_ += static_cast<std::uint32_t>(count);
    }
    constexpr void append(std::span<const T> values) { append(values.data(), values.size()); }

    /// Appends `count` elements, which must be written before they are read. Returns a pointer to the first.
    constexpr T* extend(std::size_t count) {
        if (size_ + count > capacity_) grow(size_ + count);
        T* const first = data_ + size_;
        size_ += static_cast<std::uint32_t>(count);
        return first;
    }

    constexpr void assign(std::size_t size, T value) {
        size_ = 0;
        resize(size, value);
    }
    constexpr void resize(std::size_t size, T value = {}) {
        if (size > capacity_) grow(size);
        for (std::size_t i = size_; i < size; ++i) data_[i] = value;
        size_ = static_cast<std::uint32_t>(size);
    }
    constexpr void reserve(std::size_t capacity) {
        if (capacity > capacity_) move_to(capacity);
    }
    /// Keeps the first `size` elements. Requires: there are at least `size` elements.
    constexpr void shorten(std::size_t size) noexcept { size_ = static_cast<std::uint32_t>(size); }
    constexpr void clear() noexcept { size_ = 0; }

    constexpr std::size_t size() const { return size_; }
    constexpr std::size_t capacity() const { return capacity_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr T* data() { return data_; }
    constexpr const T* data() const { return data_; }
    constexpr T* begin() { return data_; }
    constexpr const T* begin() const { return data_; }
    constexpr T* end() { return data_ + size_; }
    constexpr const T* end() const { return data_ + size_; }
    constexpr T& operator[](std::size_t i) { return data_[i]; }
    constexpr const T& operator[](std::size_t i) const { return data_[i]; }
    constexpr T& back() { return data_[size_ - 1]; }
    constexpr const T& back() const { return data_[size_ - 1]; }

    /// Returns the elements. The span is valid until an element is added.
    constexpr std::span<const T> all() const { return {data_, size_}; }
    constexpr std::span<const T> part(std::size_t first, std::size_t count) const { return {data_ + first, count}; }

    friend constexpr bool operator==(const plain_vector& a, const plain_vector& b) {
        return same_elements(a.all(), b.all());
    }

private:
    static constexpr std::size_t most = 0xFFFFFFFFU;

    // Increases the capacity: doubles it, or raises it to `least` elements if that is more.
    [[gnu::noinline]] constexpr void grow(std::size_t least) {
        const std::size_t twice = capacity_ < most / 2 ? std::size_t{capacity_} * 2 : most + (capacity_ == most);
        move_to(least > twice ? least : twice);
    }

    static constexpr void copy(const T* from, std::size_t count, T* to) {
        if (std::is_constant_evaluated()) {
            for (std::size_t i = 0; i < count; ++i) to[i] = from[i];
        } else if (count != 0) {
            std::memcpy(static_cast<void*>(to), from, count * sizeof(T));
        }
    }

    // Leaves the elements uninitialised at run time, because they are written before they are read.
    static constexpr T* allocate(std::size_t capacity) {
        static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
        if (__builtin_is_constant_evaluated()) return new T[capacity];
        void* const elements = ::operator new(capacity * sizeof(T));
        ask_for_large_pages(elements, capacity * sizeof(T));
        return static_cast<T*>(elements);
    }
    static constexpr void release(T* elements) {
        if (__builtin_is_constant_evaluated())
            delete[] elements;
        else
            ::operator delete(elements);
    }

    constexpr void move_to(std::size_t capacity) {
        if (capacity > most) tutti::raise(std::bad_array_new_length());
        T* const elements = allocate(capacity);
        copy(data_, size_, elements);
        release(std::exchange(data_, elements));
        capacity_ = static_cast<std::uint32_t>(capacity);
    }

    T* data_ = nullptr;
    std::uint32_t size_ = 0; // 32 bits, because modules with many small functions have many short vectors
    std::uint32_t capacity_ = 0;
};

} // namespace tutti::relay::inline TUTTI_FORM
