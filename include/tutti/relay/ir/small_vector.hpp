#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <initializer_list>
#include <span>

namespace tutti::relay::inline TUTTI_FORM {

/// A vector of small values that stores up to N of them in place.
///
/// Requires: T is trivially copyable.
/// Cost:     no allocation for up to N elements. More elements are stored in a `plain_vector`.
template <class T, std::size_t N>
class small_vector {
public:
    constexpr small_vector() = default;
    constexpr small_vector(std::initializer_list<T> values) { assign(values.begin(), values.size()); }
    constexpr explicit small_vector(std::span<const T> values) { assign(values.data(), values.size()); }
    [[gnu::noinline]] constexpr small_vector(std::size_t count, T value) {
        for (std::size_t i = 0; i < count; ++i) push_back(value);
    }

    constexpr void push_back(T value) {
        if (size_ < N)
            here_[size_] = value;
        else
            push_back_there(value);
        ++size_;
    }

    constexpr void pop_back() {
        --size_;
        if (size_ == N) {
            for (std::size_t i = 0; i < N; ++i) here_[i] = there_[i];
            there_.clear();
        } else if (size_ > N) {
            there_.pop_back();
        }
    }

    constexpr std::size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr T* begin() { return size_ <= N ? here_ : there_.data(); }
    constexpr T* end() { return begin() + size_; }
    constexpr const T* begin() const { return size_ <= N ? here_ : there_.data(); }
    constexpr const T* end() const { return begin() + size_; }
    constexpr T& operator[](std::size_t i) { return begin()[i]; }
    constexpr const T& operator[](std::size_t i) const { return begin()[i]; }
    constexpr T& back() { return begin()[size_ - 1]; }
    constexpr const T& back() const { return begin()[size_ - 1]; }

    friend constexpr bool operator==(const small_vector& a, const small_vector& b) {
        return same_elements(std::span<const T>(a.begin(), a.size_), std::span<const T>(b.begin(), b.size_));
    }

private:
    [[gnu::noinline]] constexpr void push_back_there(T value) {
        if (size_ == N) there_.append(here_, N);
        there_.push_back(value);
    }
    [[gnu::noinline]] constexpr void assign(const T* values, std::size_t count) {
        if (count > N)
            there_.append(values, count);
        else
            for (std::size_t i = 0; i < count; ++i) here_[i] = values[i];
        size_ = count;
    }

    T here_[N]{};
    plain_vector<T> there_; // all elements, if there are more than N
    std::size_t size_ = 0;
};

} // namespace tutti::relay::inline TUTTI_FORM
