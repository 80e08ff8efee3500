#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include <boost/hana/fwd/unpack.hpp>

namespace tutti {

/// A data member of a struct, and the name under which it is parsed and written.
///
/// Called with an object of the struct, it returns the member.
template <class T, class Value>
struct option {
    std::string_view name;
    Value T::* member;

    constexpr Value& operator()(T& object) const { return object.*member; }
    constexpr const Value& operator()(const T& object) const { return object.*member; }
};
template <class T, class Value>
option(std::string_view, Value T::*) -> option<T, Value>;

namespace detail {

template <auto>
using name_of = std::string_view; // the parameter type for a member's name

template <std::size_t Names, std::size_t Members>
consteval bool check_names() {
    static_assert(Names == Members,
                  "tutti::option_list<&T::member...>{name...}: there must be as many names as members; write "
                  "tutti::option_list<&T::a, &T::b> options{\"a\", \"b\"}");
    return true;
}

} // namespace detail

/// An `int` option with a range. Parsing rejects a value outside the range and reports the range. Code may set any
/// value; writing clamps the value to the range.
///
/// Example: `tutti::int_from<1> times = 2;`
template <int Least, int Most = __INT_MAX__>
struct int_from {
    static constexpr int least = Least, most = Most;

    int value = Least;

    constexpr int_from() = default;
    constexpr int_from(int wanted) : value(wanted) {}
    constexpr operator int() const { return value; }
};

/// The data members that are a struct's options, and the names under which they are parsed and written. A list is a
/// single type, whereas a tuple of `option`s needs several types per member and at least ten times the compile time.
///
/// Requires: as many names as members; otherwise the program does not compile.
/// Example:  `static constexpr tutti::option_list<&fuse_ops::fuse_opt_level, &fuse_ops::max_depth>
///           options{"fuse_opt_level", "max_depth"};`
template <auto... Members>
struct option_list {
    std::string_view names[sizeof...(Members)];

    /// Takes the members' names, in the order of the members.
    constexpr explicit option_list(detail::name_of<Members>... name) : names{name...} {}

    /// Diagnoses a wrong number of names.
    template <class... Name>
        requires(sizeof...(Name) != sizeof...(Members) && detail::check_names<sizeof...(Name), sizeof...(Members)>())
    constexpr explicit option_list(const Name&...) : names{} {}
    constexpr option_list(const option_list&) = default;

    /// Returns `f(option...)`.
    template <class F>
    constexpr decltype(auto) apply(F&& f) const {
        return apply(static_cast<F&&>(f), std::make_index_sequence<sizeof...(Members)>());
    }

private:
    template <class F, std::size_t... I>
    constexpr decltype(auto) apply(F&& f, std::index_sequence<I...>) const {
        return static_cast<F&&>(f)(tutti::option{names[I], Members}...);
    }
};

namespace internal {

/// The description of a struct's data members: an `option_list`. Members are written in its order.
///
/// A struct describes itself in a static member `options`; for a struct that cannot be changed, specialise this
/// template. A Boost.Hana tuple of `option`s works too, as does anything that `boost::hana::unpack` accepts, if each
/// element has a `name` and returns a member when called with an object. Include <boost/hana/tuple.hpp> to make a
/// tuple.
///
/// Example:
/// ```
/// struct fuse_ops {
///     int fuse_opt_level = -1;
///     std::int64_t max_depth = 256;
///     static constexpr tutti::option_list<&fuse_ops::fuse_opt_level, &fuse_ops::max_depth> options{"fuse_opt_level", "max_depth"};
/// };
/// ```
template <class T>
struct options_of {};

template <class T>
    requires requires { T::options; }
struct options_of<T> {
    static constexpr const auto& list = T::options;
};

/// Clause: `T` describes its data members, which are its options.
template <class T>
concept describes_options = requires { options_of<T>::list; };

/// Returns `f(option...)` for the described members of a `T`, in order; `f()` if it describes none.
template <class T, class F>
constexpr decltype(auto) unpack_options(F&& f) {
    if constexpr (requires { options_of<T>::list.apply(f); })
        return options_of<T>::list.apply(f);
    else if constexpr (describes_options<T>)
        return boost::hana::unpack(options_of<T>::list, static_cast<F&&>(f));
    else
        return f();
}

} // namespace internal

namespace detail {

/// Calls `f(option)` for each described member of a `T`, in order.
template <class T, class F>
constexpr void for_each_option([[maybe_unused]] F&& f) {
    internal::unpack_options<T>([&](const auto&... each) { (f(each), ...); });
}

} // namespace detail

namespace internal {

/// The type of an option's member.
template <class T, class Option>
using option_member = std::remove_cvref_t<decltype(std::declval<const Option&>()(std::declval<T&>()))>;

} // namespace internal

} // namespace tutti
