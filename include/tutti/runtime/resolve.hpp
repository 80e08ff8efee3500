#pragma once

#include <tutti/runtime/sequential.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tutti::runtime {

namespace detail {

// Inserts required passes, as `tutti::resolve` does at compile time.
template <class Root>
class resolver {
    using types = std::vector<const void*>;
    template <class Unit>
    using list = std::vector<any_pass<Unit, Root>>;

    static bool contains(const types& all, const void* type) {
        for (const void* each : all)
            if (each == type) return true;
        return false;
    }

    template <class Unit>
    static sequential<Unit, Root> joined(list<Unit> members, const any_pass<Unit, Root>* like, requirements which) {
        sequential<Unit, Root> made{std::move(members), like ? std::string{like->info.name} : "sequential",
                                    like ? like->info.opt_level : 0, which};
        made.set_inside_resolved();
        return made;
    }

    // Resolves the members of a pass that runs after the passes in `done`. Adds the members that always run to `done`.
    template <class Unit>
    static any_pass<Unit, Root> resolve_after(const any_pass<Unit, Root>& pass, types& done, requirements which) {
        if (pass.is_sequential()) {
            types inner = done;
            auto made = joined(resolve(passes_inside(pass), inner, which), &pass, which);
            if (pass.info.opt_level == 0) done = std::move(inner);
            return made;
        }
        if (!pass.has_with_inner()) return pass;
        any_pass<Unit, Root> made = pass;
        pass.each_inner([&]<class Inner>(const any_pass<Inner, Root>& inner) {
            constexpr bool over_parts = !std::same_as<Inner, Unit>;
            const requirements inside = over_parts ? requirements::around : which;
            types before = over_parts ? types{} : done;
            wanted_passes<Root> wanted;
            wanted.add_required(inner);
            wanted.add_from_parts(inner);
            if (wanted.found().empty())
                made = pass.with_inner(resolve_after(inner, before, inside));
            else
                made = pass.with_inner(
                    any_pass<Inner, Root>{joined<Inner>(resolve(list<Inner>{inner}, before, inside), nullptr, inside)});
        });
        return made;
    }

public:
    /// Returns the passes with their requirements inserted. Appends the types of the result's passes to `done`.
    template <class Unit>
    static list<Unit> resolve(const list<Unit>& own, types& done, requirements which) {
        list<Unit> stages;
        std::vector<char> taken(own.size());
        const auto take = [&](std::size_t i, bool required) {
            taken[i] = true;
            types before = done;
            stages.push_back(resolve_after(own[i], before, which));
            if (own[i].is_sequential() && !required)
                done = std::move(before);
            else
                done.push_back(own[i].type());
        };
        const auto put_before = [&](const requirement<Root>& required) {
            if (contains(done, required.type)) return;
            const auto make = required.template maker<Unit>();
            if (!make) return; // not over a Unit: resolving the surrounding pass inserts it
            for (std::size_t i = 0; i < own.size(); ++i)
                if (!taken[i] && own[i].type() == required.type) return take(i, true);
            stages.push_back(make());
            done.push_back(required.type);
        };
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (taken[i]) continue;
            if (!own[i].is_sequential()) {
                wanted_passes<Root> wanted{done};
                wanted.add_required(own[i]);
                wanted.add_from_parts(own[i]);
                for (const requirement<Root>* each : wanted.found()) put_before(*each);
            }
            take(i, false);
        }
        return stages;
    }
};

} // namespace detail

/// Returns the pipeline with all transitive requirements of its passes inserted, like `tutti::resolve`. Passes of one
/// type count as the same pass.
///
/// Throws:  `tutti::error` for cyclic requirements.
/// Example: `const auto all = runtime::resolve(runtime::sequential<module>{{convert_layout{}}});`
template <class Unit, class Root>
sequential<Unit, Root> resolve(const sequential<Unit, Root>& pipeline) {
    std::vector<const void*> done;
    return sequential<Unit, Root>{
        detail::resolver<Root>::template resolve<Unit>(pipeline.passes(), done, requirements::transitive),
        std::string{pipeline.info.name}, pipeline.info.opt_level, requirements::transitive};
}

} // namespace tutti::runtime
