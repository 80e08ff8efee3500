#pragma once

#include <tutti/pass/pass.hpp>
#include <tutti/pass/property_claims.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tutti {

namespace internal {

/// Clause: units can be checked for a property.
template <class Unit, class Property>
concept checks_property =
    requires(const Unit& unit, const Property& property) { bool(unit_traits<Unit>::holds(unit, property)); };

/// An array of constants. Compilers need much more memory for a std::span.
template <class T>
struct constants {
    const T* first = nullptr;
    std::size_t count = 0;

    constexpr constants() = default;
    template <std::size_t N>
    constexpr constants(const T (&array)[N]) : first(array), count(N) {}
    constexpr const T* begin() const { return first; }
    constexpr const T* end() const { return first + count; }
    constexpr std::size_t size() const { return count; }
    constexpr const T& operator[](std::size_t i) const { return first[i]; }
};

/// A property of units of one type.
struct property_check {
    const property_name* name = nullptr;
    bool (*holds)(const void* unit) = nullptr; ///< null if units of this type cannot be checked
};

/// A variable whose address identifies a type of units.
template <class Unit>
inline constexpr char unit_mark = 0;

/// The properties that a pass lists, for units of one type.
struct property_row {
    const void* unit; ///< the address of a `unit_mark`
    constants<property_check> checks;
};

} // namespace internal

} // namespace tutti

namespace tutti::instrument::detail {

template <class Unit, class Property>
constexpr tutti::internal::property_check check_of() {
    tutti::internal::property_check made{&tutti::internal::property_name_of<Property>};
    if constexpr (tutti::internal::checks_property<Unit, Property>)
        made.holds = [](const void* unit) {
            return bool(unit_traits<Unit>::holds(*static_cast<const Unit*>(unit), Property{}));
        };
    return made;
}

template <class... A, class... B, class... C, class... D>
constexpr properties<A..., B..., C..., D...> all_listed(properties<A...>, properties<B...>, properties<C...>,
                                                        properties<D...>) {
    return {};
}

template <class List>
struct only_properties {
    using type = properties<>;
};
template <class... P>
struct only_properties<properties<P...>> {
    using type = properties<P...>;
};
template <class P>
struct listed_by {
    static constexpr auto find() {
        const auto one = []<class List>(const List*) { return typename only_properties<List>::type{}; };
        const auto needs = [&] {
            if constexpr (requires { typename P::needs; })
                return one(static_cast<const typename P::needs*>(nullptr));
            else
                return properties<>{};
        };
        const auto gives = [&] {
            if constexpr (requires { typename P::gives; })
                return one(static_cast<const typename P::gives*>(nullptr));
            else
                return properties<>{};
        };
        const auto breaks = [&] {
            if constexpr (requires { typename P::breaks; })
                return one(static_cast<const typename P::breaks*>(nullptr));
            else
                return properties<>{};
        };
        const auto keeps = [&] {
            if constexpr (requires { typename P::keeps; })
                return one(static_cast<const typename P::keeps*>(nullptr));
            else
                return properties<>{};
        };
        return all_listed(needs(), gives(), breaks(), keeps());
    }
    using type = decltype(decltype(find()){});
};
template <class P>
    requires(!tutti::internal::states_own_properties<P>)
struct listed_by<P> : listed_by<typename P::properties_from> {};

template <class Unit, class List>
inline constexpr tutti::internal::constants<tutti::internal::property_check> checks_of{};
template <class Unit, class First, class... Rest>
inline constexpr tutti::internal::property_check check_array[]{check_of<Unit, First>(), check_of<Unit, Rest>()...};
template <class Unit, class First, class... Rest>
inline constexpr tutti::internal::constants<tutti::internal::property_check>
    checks_of<Unit, properties<First, Rest...>>{check_array<Unit, First, Rest...>};

template <class P, class Units>
inline constexpr tutti::internal::property_row row_array[1]{};
template <class P, class... Unit>
inline constexpr tutti::internal::property_row row_array<P, units<Unit...>>[] {
    {&tutti::internal::unit_mark<Unit>, checks_of<Unit, typename listed_by<P>::type>}...
};

} // namespace tutti::instrument::detail

namespace tutti {

namespace internal {

/// The properties that a pass lists, for units of a type and for their parts.
template <class P, class Unit>
inline constexpr constants<property_row> rows_of_properties{};
template <states_properties P, class Unit>
inline constexpr constants<property_row> rows_of_properties<P, Unit>{
    tutti::instrument::detail::row_array<P, levels_of<Unit>>};

} // namespace internal

} // namespace tutti

namespace tutti::instrument {

/// A pass of a pipeline with its stated effect on properties.
struct claimed_pass {
    std::string name{};
    const tutti::internal::property_claims* claims = nullptr; ///< null: the pass states nothing, so it keeps all
    tutti::internal::constants<tutti::internal::property_row> rows{};
};

namespace detail {

// Requirements of a requirement are omitted: sequentials do not run them, and they may be cyclic.
template <class Unit, bool AndRequired, class P>
void add_claimed(const P& pass, std::vector<claimed_pass>& list) {
    if constexpr (requires { pass.add_claimed(list); }) {
        pass.add_claimed(list);
    } else {
        if (pass.info.kind == pass_kind::pass)
            list.push_back({std::string{pass.info.name}, tutti::internal::stated_by<P>,
                            tutti::internal::rows_of_properties<P, Unit>});
        if constexpr (AndRequired)
            [&]<class... R>(passes<R...>) {
                (detail::add_claimed<Unit, false>(R{}, list), ...);
            }(tutti::internal::required_of<P>{});
        if constexpr (requires { pass.each_member([](const auto&) {}); })
            pass.each_member([&](const auto& member) { detail::add_claimed<Unit, true>(member, list); });
    }
}

} // namespace detail

/// Returns the passes of a pipeline over a `Unit` with their stated effects, for `check_properties`.
template <class Unit, class P>
[[nodiscard]] std::vector<claimed_pass> claimed_passes(const P& pipeline) {
    std::vector<claimed_pass> list;
    detail::add_claimed<Unit, true>(pipeline, list);
    return list;
}

} // namespace tutti::instrument
