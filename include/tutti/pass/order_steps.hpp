#pragma once

#include <tutti/pass/context.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/pass/property_claims.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti {

namespace internal {

/// A pass of a pipeline, as the check of properties sees it. The passes inside it follow it: its requirements, then its
/// members.
struct order_step {
    std::string_view name{};
    const property_claims* claims = nullptr;
    int level = 0;
    decision runs = decision::run; ///< `unknown`: the level decides
    members_run kind = members_run::once;
    std::size_t required = 0;    ///< the number of steps of the requirements
    std::size_t inside = 0;      ///< the number of steps of requirements and members
    std::size_t shown_as = none; ///< for run-time pipelines: the step of the pass that the text shows in its place

    static constexpr std::size_t none = static_cast<std::size_t>(-1);
};

/// The kinds of mistakes.
enum class mistake_kind { order, no_list, contradiction };

/// A mistake in the order of passes. Steps are given by their index.
struct order_mistake {
    static constexpr std::size_t none = order_step::none;

    std::size_t pass = none;      ///< the pass that needs the property; `none`: there is no mistake
    std::size_t broken_by = none; ///< `none`: no pass gives the property
    std::string_view property{};
    int level = -1; ///< the level at which the order is wrong; -1: at the highest level too
    mistake_kind what = mistake_kind::order;

    constexpr explicit operator bool() const { return pass != none; }
};

/// The passes of a pipeline in a flat list, and the check of their order. A list of its own, since `pass/` includes no
/// vector.
class order_steps {
    static constexpr std::size_t at_once = 64; // the number of properties in a mask
    using mask = std::uint64_t;

    order_step* steps_ = nullptr;
    std::size_t count_ = 0, room_ = 0;

    /// The states of properties. A property in no mask is as it was at the start.
    struct states {
        mask holds = 0, broken = 0, unsure = 0;

        constexpr mask others() const { return ~(holds | broken | unsure); }
        constexpr states joined(const states& other) const {
            const mask h = holds & other.holds, b = broken & other.broken;
            return {h, b, ~(h | b | (others() & other.others()))};
        }
    };
    struct effect {
        mask needs = 0, gives = 0, breaks = 0;
    };

    // The state of a walk over the steps, for up to 64 properties.
    struct walk {
        const order_step* steps;
        const effect* effects;
        int level;
        order_mistake found{};
        mask wrong = 0;            // the property of the mistake
        mask wanted = 0;           // properties that were needed before any pass gave or broke them
        std::size_t by[at_once]{}; // the pass that broke a property last

        constexpr bool runs(const order_step& step) const {
            return step.runs == decision::run || (step.runs == decision::unknown && step.level <= level);
        }
        constexpr states over(std::size_t begin, std::size_t end, states now) {
            for (std::size_t i = begin; i != end && !found; i += 1 + steps[i].inside)
                if (runs(steps[i])) now = past(i, now);
            return now;
        }
        constexpr states past(std::size_t i, states now) {
            const order_step& step = steps[i];
            const std::size_t members = i + 1 + step.required, end = i + 1 + step.inside;
            if (step.required != 0) now = over(i + 1, members, now);
            if (found) return now;
            const effect& own = effects[i];
            wanted |= own.needs & (now.others() | now.unsure);
            if (const mask missing = own.needs & now.broken; missing != 0) {
                wrong = missing & (~missing + 1);
                found.pass = i;
                return now;
            }
            if (members != end) {
                const states before = now;
                now = over(members, end, now);
                if (step.kind == members_run::repeatedly) now = over(members, end, now);
                if (step.kind == members_run::perhaps) now = before.joined(now);
            }
            for (mask left = own.breaks, n = 0; left != 0; left >>= 1U, ++n)
                if ((left & 1U) != 0) by[n] = i;
            now.holds = (now.holds & ~own.breaks) | own.gives;
            now.broken = (now.broken | own.breaks) & ~own.gives;
            now.unsure &= ~(own.breaks | own.gives);
            return now;
        }
    };

    // The names of all properties, without duplicates.
    struct names {
        const property_name** list;
        std::size_t count = 0;

        constexpr explicit names(std::size_t room) : list(new const property_name* [room + 1] {}) {}
        constexpr ~names() { delete[] list; }
        names(const names&) = delete;
        constexpr void add(const property_names& more) {
            for (std::size_t i = 0; i < more.count; ++i)
                if (find(*more.first[i]) == count) list[count++] = more.first[i];
        }
        constexpr std::size_t find(const property_name& name) const {
            std::size_t i = 0;
            while (i != count && list[i] != &name && !(*list[i] == name)) ++i;
            return i;
        }
    };
    struct effects {
        effect* list;
        constexpr explicit effects(std::size_t size) : list(new effect[size + 1]{}) {}
        constexpr ~effects() { delete[] list; }
        effects(const effects&) = delete;
    };

    static constexpr mask mask_of(const property_names& some, const names& known, std::size_t from, mask every) {
        mask made = some.all ? every : 0;
        for (std::size_t i = 0; i < some.count; ++i)
            if (const std::size_t n = known.find(*some.first[i]); n >= from && n < from + at_once)
                made |= mask{1} << (n - from);
        return made;
    }
    static constexpr effect effect_of(const property_claims& claims, const names& known, std::size_t from, mask every) {
        effect made{mask_of(claims.needs, known, from, every), mask_of(claims.gives, known, from, every), 0};
        made.breaks = claims.keeps.stated ? every & ~mask_of(claims.keeps, known, from, every)
                                          : mask_of(claims.breaks, known, from, every);
        made.breaks &= ~made.gives;
        return made;
    }
    // Returns the first pass whose lists are wrong.
    constexpr order_mistake find_wrong_claim() const {
        order_mistake found;
        for (std::size_t i = 0; i < count_; ++i)
            if (const property_claims* const each = steps_[i].claims) {
                found.what = !each->are_lists() ? mistake_kind::no_list : mistake_kind::contradiction;
                found.pass = i;
                if (!each->are_lists()) return found;
                if (each->breaks.all && each->keeps.all) return found;
                for (std::size_t n = 0; n < each->breaks.count; ++n)
                    if (each->contradict(*each->breaks.first[n])) {
                        found.property = each->breaks.first[n]->text;
                        return found;
                    }
            }
        return {};
    }
    // The next lower level at which other passes run; -1 if there is none.
    constexpr int level_below(int level) const {
        int below = -1;
        for (std::size_t i = 0; i < count_; ++i)
            if (steps_[i].runs == decision::unknown && steps_[i].level - 1 < level && steps_[i].level - 1 > below)
                below = steps_[i].level - 1;
        return below;
    }

    // Calls `f(walk, states, names, first)` with walks over all steps, for each 64 properties and each level.
    template <class F>
    constexpr void each_walk(const property_names* start, const property_names& also, bool all_levels, F&& f) const {
        std::size_t most = also.count + (start ? start->count : 0);
        for (std::size_t i = 0; i < count_; ++i)
            if (const property_claims* const each = steps_[i].claims)
                most += each->needs.count + each->gives.count + each->breaks.count + each->keeps.count;
        names known(most);
        known.add(also);
        for (std::size_t i = 0; i < count_; ++i)
            if (const property_claims* const each = steps_[i].claims)
                known.add(each->needs), known.add(each->gives), known.add(each->breaks), known.add(each->keeps);
        effects each(count_);
        for (std::size_t from = 0; from < known.count; from += at_once) {
            const std::size_t n = known.count - from < at_once ? known.count - from : at_once;
            const mask every = n == at_once ? ~mask{0} : (mask{1} << n) - 1;
            for (std::size_t i = 0; i < count_; ++i)
                if (steps_[i].claims) each.list[i] = effect_of(*steps_[i].claims, known, from, every);
            states begin;
            if (start != nullptr) {
                begin.holds = mask_of(*start, known, from, every);
                begin.broken = every & ~begin.holds;
            }
            for (int level = highest; level >= 0; level = all_levels ? level_below(level) : -1) {
                walk one{steps_, each.list, level};
                for (std::size_t& by : one.by) by = order_step::none;
                const states end = one.over(0, count_, begin);
                if (!f(one, end, known, from)) return;
            }
        }
    }

public:
    static constexpr int highest = 1 << 30;

    constexpr order_steps() = default;
    constexpr ~order_steps() { delete[] steps_; }
    order_steps(const order_steps&) = delete;

    constexpr std::size_t size() const { return count_; }
    constexpr order_step& operator[](std::size_t i) { return steps_[i]; }
    constexpr const order_step& operator[](std::size_t i) const { return steps_[i]; }
    /// Adds a step, and returns its index.
    constexpr std::size_t add(const order_step& step) {
        if (count_ == room_) {
            room_ = room_ == 0 ? 16 : 2 * room_;
            auto* const more = new order_step[room_];
            for (std::size_t i = 0; i < count_; ++i) more[i] = steps_[i];
            delete[] steps_;
            steps_ = more;
        }
        steps_[count_] = step;
        return count_++;
    }

    /// Returns the first mistake in the order. `start` has the properties that hold at the start; null: any may hold.
    constexpr order_mistake find_mistake(const property_names* start = nullptr) const {
        order_mistake found = find_wrong_claim();
        if (found) return found;
        each_walk(start, {}, true, [&](const walk& one, const states&, const names& known, std::size_t from) {
            if (!one.found) return true;
            std::size_t n = 0;
            while ((one.wrong >> n & 1U) == 0) ++n;
            found = one.found;
            found.property = known.list[from + n]->text;
            found.broken_by = one.by[n];
            if (one.level != highest) found.level = one.level;
            return false;
        });
        return found;
    }

    /// The effect of the whole on a property, if all passes run.
    struct effect_on_one {
        bool needs = false, gives = false, breaks = false, keeps = false;
    };
    constexpr effect_on_one effect_on(const property_name& property) const {
        effect_on_one made;
        const property_name* const list[]{&property};
        each_walk(nullptr, {list, 1}, false, [&](const walk& one, const states& end, const names&, std::size_t) {
            made = {(one.wanted & 1U) != 0, (end.holds & 1U) != 0, (end.broken & 1U) != 0, (end.others() & 1U) != 0};
            return false;
        });
        return made;
    }
};

} // namespace internal

} // namespace tutti
