#pragma once

#include <tutti/base/folder.hpp>

#include <vector>

namespace tutti {

#ifdef _GLIBCXX_DEBUG

/// A std::vector that also works in constant evaluation. In libstdc++'s debug mode, std::vector is a class that
/// constant evaluation rejects. This is the original class, without iterator checks. It converts from and to the class
/// of the debug mode.
///
/// Cost: a conversion copies the elements.
template <class T>
class vector : public std::_GLIBCXX_STD_C::vector<T> {
    using base = std::_GLIBCXX_STD_C::vector<T>;

public:
    using base::base;
    using base::operator=;
    constexpr vector() = default;
    vector(const std::vector<T>& other) : base(other.begin(), other.end()) {}
    operator std::vector<T>() const { return std::vector<T>(this->begin(), this->end()); }
};

#else

/// A std::vector for use in constant evaluation, also in libstdc++'s debug mode.
template <class T>
using vector = std::vector<T>;

#endif

} // namespace tutti
