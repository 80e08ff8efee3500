#pragma once

#include <tutti/base/described.hpp>

#include <string_view>

#include <boost/hana/accessors.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/first.hpp>
#include <boost/hana/second.hpp>
#include <boost/hana/transform.hpp>
#include <boost/hana/tuple.hpp>

namespace tutti {

/// A data member of a struct adapted with Hana's macros.
template <class Accessor>
struct hana_option {
    std::string_view name;
    Accessor member;

    constexpr decltype(auto) operator()(auto& object) const { return member(object); }
};

namespace internal {

/// Supports structs adapted for Boost.Hana: `BOOST_HANA_ADAPT_STRUCT(fuse_ops, fuse_opt_level, max_depth);`.
///
/// Intended for programs that already have such structs: Hana's macros take several times the compile time of a member
/// `options`.
template <class T>
    requires(boost::hana::Struct<T>::value && !requires { T::options; })
struct options_of<T> {
    static constexpr auto list = boost::hana::transform(boost::hana::accessors<T>(), [](auto each) {
        return hana_option<std::remove_cvref_t<decltype(boost::hana::second(each))>>{boost::hana::first(each).c_str(),
                                                                                     boost::hana::second(each)};
    });
};

} // namespace internal

} // namespace tutti
