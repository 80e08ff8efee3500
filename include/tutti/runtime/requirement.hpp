#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/instrument/support/claimed_passes.hpp>
#include <tutti/pass/property_claims.hpp>
#include <tutti/pass/required.hpp>
#include <tutti/runtime/fwd.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <concepts>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::runtime {

namespace detail {

/// A variable whose address identifies a type of passes. Passes of the same type count as the same pass, even if their
/// options differ. A program and its plugins share the variables of visible types.
template <class P>
[[gnu::visibility("default")]] inline constexpr char pass_type = 0;

template <class P, class Unit, class Root>
concept is_over = transforms<P, Unit, typename any_pass<Unit, Root>::inner_scope>;

template <class Unit, class Root>
struct required_over {
    any_pass<Unit, Root> (*make)() = nullptr; // null if the pass is not over a Unit
};
template <class Levels, class Root>
struct required_at;
template <class... Unit, class Root>
struct required_at<units<Unit...>, Root> : required_over<Unit, Root>... {};

} // namespace detail

/// A type-erased required pass.
template <class Root>
struct requirement : detail::required_at<levels_of<Root>, Root> {
    const void* type = nullptr;                               ///< the `pass_type` of the pass
    std::span<const requirement> (*required)() = nullptr;     ///< returns the requirements of the pass
    std::string_view name{};                                  ///< the name of the pass, if it is a constant
    const tutti::internal::property_claims* claims = nullptr; ///< the stated effect on properties, or null
    tutti::internal::constants<tutti::internal::property_row> properties{}; ///< the listed properties

    /// Returns a function that creates the pass as a pass over a `Unit`, or null if it is not a pass over a `Unit`.
    template <class Unit>
    auto maker() const {
        return static_cast<const detail::required_over<Unit, Root>&>(*this).make;
    }
};

/// Requirements of a pass.
template <class Root>
using requirement_list = std::span<const requirement<Root>>;

namespace detail {

template <class P, class Root>
requirement_list<Root> list_required();

template <class R, class Unit, class Root>
constexpr void set_maker(required_over<Unit, Root>& over) {
    if constexpr (is_over<R, Unit, Root>) over.make = [] { return any_pass<Unit, Root>{R{}}; };
}
template <class R, class Root>
constexpr requirement<Root> describe_requirement() {
    requirement<Root> made;
    made.type = &detail::pass_type<R>;
    made.required = &list_required<R, Root>;
    if constexpr (tutti::internal::describes_itself_statically<R>) made.name = R::info.name;
    made.claims = tutti::internal::stated_by<R>;
    made.properties = tutti::internal::rows_of_properties<R, Root>;
    [&]<class... Unit>(units<Unit...>) { (set_maker<R, Unit, Root>(made), ...); }(levels_of<Root>{});
    return made;
}
template <class P, class Root>
requirement_list<Root> list_required() {
    return []<class... R>(passes<R...>) -> requirement_list<Root> {
        if constexpr (sizeof...(R) == 0) {
            return {};
        } else {
            static constexpr requirement<Root> list[]{describe_requirement<R, Root>()...};
            return list;
        }
    }(tutti::internal::required_of<P>{});
}

template <class Root>
bool contains(requirement_list<Root> list, const void* type) {
    for (const requirement<Root>& each : list)
        if (each.type == type || contains(each.required(), type)) return true;
    return false;
}

// The types of units below a Whole, down to and including a Unit.
template <class Whole, class Unit>
consteval auto units_between() {
    return []<class... U>(units<U...>) {
        constexpr auto from = []<class... Below>(units<Whole, Below...>) { return units<Below...>{}; };
        const auto up_to = [&]<class... Kept>(auto& self, units<Kept...>, auto rest) {
            return [&]<class First, class... Rest>(units<First, Rest...>) {
                if constexpr (std::same_as<First, Unit>)
                    return units<Kept..., First>{};
                else
                    return self(self, units<Kept..., First>{}, units<Rest...>{});
            }(rest);
        };
        return up_to(up_to, units<>{}, from(units<U...>{}));
    }(levels_of<Whole>{});
}

// True if a required pass is a pass over a Whole, but not over any of `units_between<Whole, Unit>`.
template <class Whole, class Unit, class Root>
bool is_of_whole(const requirement<Root>& required) {
    return required.template maker<Whole>() && [&]<class... U>(units<U...>) {
        return (!required.template maker<U>() && ...);
    }(decltype(units_between<Whole, Unit>()){});
}
// True if a Unit is a direct or indirect part of a Whole.
template <class Whole, class Unit>
inline constexpr bool is_above = !std::same_as<Whole, Unit> && levels_of<Whole>::template contains<Unit>;

// Collects required passes. Each pass follows its own requirements.
template <class Root>
class wanted_passes {
    std::vector<const void*> done_, path_;
    std::vector<const requirement<Root>*> found_;

    void visit(requirement_list<Root> list) {
        for (const requirement<Root>& each : list) {
            if (is_done(each.type)) continue;
            for (const void* outer : path_)
                if (outer == each.type)
                    raise(error{"pipeline", "passes require each other in a cycle", "required passes without a cycle"});
            path_.push_back(each.type);
            visit(each.required());
            path_.pop_back();
            add(each);
        }
    }
    bool is_done(const void* type) const {
        for (const void* each : done_)
            if (each == type) return true;
        return false;
    }
    void add(const requirement<Root>& each) {
        done_.push_back(each.type);
        found_.push_back(&each);
    }

public:
    /// Creates an empty collection. Passes in `done` have run and will be omitted.
    explicit wanted_passes(std::vector<const void*> done = {}) : done_(std::move(done)) {}

    const std::vector<const requirement<Root>*>& found() const { return found_; }

    /// Adds the direct and indirect requirements of a pass, but not those of its members.
    template <class Unit>
    void add_required(const any_pass<Unit, Root>& pass) {
        path_.push_back(pass.type());
        visit(pass.required());
        path_.pop_back();
    }
    /// Adds the requirements of a pass and of its members. A requirement of a member over parts is omitted if it is
    /// also a pass over these parts.
    template <class Unit>
    void add_wanted(const any_pass<Unit, Root>& pass) {
        add_required(pass);
        add_members(pass);
    }
    /// If a pass has members over parts, adds those requirements of its members that are passes over outer units.
    template <class Unit>
    void add_from_parts(const any_pass<Unit, Root>& pass) {
        pass.each_inner([&]<class Inner>(const any_pass<Inner, Root>&) {
            if constexpr (!std::same_as<Inner, Unit>) add_members(pass);
        });
    }

private:
    template <class Unit>
    void add_members(const any_pass<Unit, Root>& pass) {
        wanted_passes over_parts;
        pass.each_inner([&]<class Inner>(const any_pass<Inner, Root>& member) {
            if constexpr (std::same_as<Inner, Unit>) {
                add_wanted(member);
            } else {
                over_parts.add_wanted(member);
                for (const requirement<Root>* each : over_parts.found())
                    if (!is_done(each->type) && !each->template maker<Inner>()) add(*each);
            }
        });
    }
};

template <class Unit, class Root>
std::vector<const requirement<Root>*> wanted_by(const any_pass<Unit, Root>& pass) {
    wanted_passes<Root> wanted;
    wanted.add_wanted(pass);
    return wanted.found();
}

} // namespace detail

} // namespace tutti::runtime
