#pragma once

#include <tutti/pass/pass.hpp>
#include <tutti/pass/pass_info.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti {

/// A list of properties, with which a pass states its effect on them.
///
/// A property is a fact about units that holds or does not, such as "each expression has a type". It is a type with a
/// `name`. Properties with the same name are the same property. A pass lists
///
/// - in `needs` the properties that must hold before it,
/// - in `gives` those that hold after it,
/// - in `breaks` those that may no longer hold after it,
/// - in `keeps` those that hold after it if they held before.
///
/// A pass that states neither `breaks` nor `keeps` keeps all properties. With `breaks`, it keeps all others. With
/// `keeps`, it breaks all others, except those that it gives. `tutti/pass/property.hpp` checks pipelines.
///
/// Analyses are different: a pass states which results about its unit stay valid (`preserves`), and the library computes
/// the others again. Nothing computes a property: a pass must have established it.
///
/// Requires: each `P` has a `name`.
/// Example:
/// ```
/// struct typed { static constexpr std::string_view name = "typed"; };
/// struct fold {
///     static constexpr tutti::pass_info info{.name = "Fold"};
///     using needs = tutti::properties<typed>;
///     void operator()(module& m) const;
/// };
/// ```
template <class... P>
struct properties {};

/// All properties: `using breaks = tutti::all_properties;`.
struct all_properties {};

namespace internal {

/// A property's name, with a hash that makes comparisons cheap for the compiler.
struct property_name {
    std::string_view text{};
    std::uint32_t hash = 0;

    constexpr property_name() = default;
    constexpr property_name(std::string_view name) : text(name), hash(2166136261U) {
        for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    }
    friend constexpr bool operator==(const property_name& a, const property_name& b) {
        return a.hash == b.hash && a.text == b.text;
    }
};

/// The names in a list of properties.
struct property_names {
    const property_name* const* first = nullptr;
    std::size_t count = 0;
    bool all = false;    ///< true for `all_properties`
    bool is_list = true; ///< false for another type than a list
    bool stated = false; ///< true if a pass has such a list

    constexpr bool contains(const property_name& name) const {
        for (std::size_t i = 0; i < count; ++i)
            if (*first[i] == name) return true;
        return all;
    }
};

/// The effect that a pass states.
struct property_claims {
    property_names needs{}, gives{}, breaks{}, keeps{};

    /// True if the pass may break the property.
    constexpr bool loses(const property_name& name) const {
        if (gives.contains(name)) return false;
        return keeps.stated ? !keeps.contains(name) : breaks.contains(name);
    }
    /// True if all members are lists.
    constexpr bool are_lists() const { return needs.is_list && gives.is_list && breaks.is_list && keeps.is_list; }
    /// True if the pass states that it both breaks a property, and gives or keeps it.
    constexpr bool contradict(const property_name& name) const {
        const bool lists_all = breaks.all && keeps.all;
        const bool broken = breaks.contains(name) && !breaks.all;
        return lists_all || (broken && (gives.contains(name) || (keeps.contains(name) && !keeps.all)));
    }
};

/// The name of a property.
template <class P>
inline constexpr property_name property_name_of{P::name};

} // namespace internal

namespace detail {

template <class... P>
inline constexpr const internal::property_name* property_array[]{&internal::property_name_of<P>...};

} // namespace detail

namespace internal {

/// Clause: `T` is a pass, and no list of properties. A pass with the class name `needs` has itself as the member `needs`.
template <class T>
concept names_itself = requires { T::info; };

/// The names in a list of properties.
template <class List>
inline constexpr property_names names_in{.is_list = names_itself<List>};
template <class... P>
inline constexpr property_names names_in<properties<P...>>{tutti::detail::property_array<P...>, sizeof...(P), false,
                                                           true, true};
template <>
inline constexpr property_names names_in<properties<>>{nullptr, 0, false, true, true};
template <>
inline constexpr property_names names_in<all_properties>{nullptr, 0, true, true, true};

} // namespace internal

namespace detail {

template <class P>
inline constexpr internal::property_names needs_of{};
template <class P>
    requires requires { typename P::needs; }
inline constexpr internal::property_names needs_of<P> = internal::names_in<typename P::needs>;
template <class P>
inline constexpr internal::property_names gives_of{};
template <class P>
    requires requires { typename P::gives; }
inline constexpr internal::property_names gives_of<P> = internal::names_in<typename P::gives>;
template <class P>
inline constexpr internal::property_names breaks_of{};
template <class P>
    requires requires { typename P::breaks; }
inline constexpr internal::property_names breaks_of<P> = internal::names_in<typename P::breaks>;
template <class P>
inline constexpr internal::property_names keeps_of{};
template <class P>
    requires requires { typename P::keeps; }
inline constexpr internal::property_names keeps_of<P> = internal::names_in<typename P::keeps>;

} // namespace detail

namespace internal {

/// Clause: `P` states its effect on properties itself.
template <class P>
concept states_own_properties = requires { typename P::needs; } || requires { typename P::gives; } ||
                                requires { typename P::breaks; } || requires { typename P::keeps; };
/// Clause: `P` states its effect on properties, or its `properties_from` does: the class of a pass inside it.
template <class P>
concept states_properties = states_own_properties<P> || states_own_properties<typename P::properties_from>;

/// The effect that a pass states; nothing, if it states none.
template <class P>
inline constexpr property_claims claims_of{};
template <states_properties P>
inline constexpr property_claims claims_of<P> = claims_of<typename P::properties_from>;
template <states_own_properties P>
inline constexpr property_claims claims_of<P>{tutti::detail::needs_of<P>, tutti::detail::gives_of<P>,
                                              tutti::detail::breaks_of<P>, tutti::detail::keeps_of<P>};

/// The effect that a pass states; null, if it states none.
template <class P>
inline constexpr const property_claims* stated_by = nullptr;
template <states_properties P>
inline constexpr const property_claims* stated_by<P> = &claims_of<P>;

/// True if a pass or one of its members states properties.
template <class P>
inline constexpr bool members_state =
    states_properties<P> || members_state<typename tutti::detail::member_list<P>::type>;
template <class... P>
inline constexpr bool members_state<passes<P...>> = (members_state<P> || ...);

/// True if a pass, one of its members, or one of their requirements states properties. Requirements may be cyclic, so
/// the requirements of a requirement are left out; sequentials do not run them.
template <class P>
inline constexpr bool any_states =
    states_properties<P> || members_state<required_of<P>> || any_states<typename tutti::detail::member_list<P>::type>;
template <class... P>
inline constexpr bool any_states<passes<P...>> = (any_states<P> || ...);

/// How a pass runs its members.
template <class P>
inline constexpr members_run runs_members_of = members_run::perhaps;
template <class P>
    requires(describes_itself_statically<P> && !requires { P::runs_members; })
inline constexpr members_run runs_members_of<P> =
    P::info.kind == pass_kind::sequential ? members_run::once : members_run::perhaps;
template <class P>
    requires requires { P::runs_members; }
inline constexpr members_run runs_members_of<P> = P::runs_members;

} // namespace internal

} // namespace tutti
