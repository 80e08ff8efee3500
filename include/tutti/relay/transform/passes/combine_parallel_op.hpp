#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/repeat.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/tuple.hpp>
#include <tutti/relay/transform/rewrite/pass_notes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

// Shared by the CombineParallel passes, which combine calls of one operator with the same first argument into one call,
// together with equal elementwise operators after each call.

/// A call of the operator and the calls that follow it, each the only user of its predecessor.
using parallel_branch = vector<expr_id>;
/// Branches that can be combined.
using parallel_branches = vector<parallel_branch>;

/// Concatenates the arguments with index `argument` of the branches' calls at `depth`, along an axis.
constexpr expr_id concatenate_branches(graph& g, const parallel_branches& branches, std::size_t depth,
                                       std::size_t argument, std::int64_t axis) {
    vector<expr_id> parts;
    for (const parallel_branch& b : branches) parts.push_back(g.arguments(b[depth])[argument]);
    return add_call<op::concatenate>(g, {g.tuple(parts)}, {.axis = axis});
}

/// Slices `size` elements from `begin` along an axis, and all elements along other axes. The attributes list the first
/// `written` axes, which include `axis`.
constexpr expr_id slice_of(graph& g, expr_id data, std::size_t axis, std::size_t written, std::int64_t begin,
                           std::int64_t size) {
    strided_slice_attributes a{.begin = dims{}, .end = dims{}, .strides = dims{}, .slice_mode = "size"};
    for (std::size_t i = 0; i < written; ++i) {
        a.begin.value->push_back(i == axis ? begin : 0);
        a.end.value->push_back(i == axis ? size : -1);
        a.strides.value->push_back(1);
    }
    return add_call<op::strided_slice>(g, {data}, a);
}

/// Returns each branch's part of a combined result: consecutive slices along an axis, built by `slice_of`.
constexpr vector<expr_id> slices_of(graph& g, expr_id combined, const parallel_branches& branches, std::size_t depth,
                                    std::size_t axis, std::size_t written) {
    vector<expr_id> all;
    std::int64_t begin = 0;
    for (const parallel_branch& b : branches) {
        const std::int64_t size = shape_of(g, b[depth])[axis].value();
        all.push_back(slice_of(g, combined, axis, written, begin, size));
        begin += size;
    }
    return all;
}

constexpr bool same_numbers(std::span<const dim> a, std::span<const dim> b) {
    bool same = a.size() == b.size();
    for (std::size_t i = 0; same && i < a.size(); ++i) same = a[i].same_number(b[i]);
    return same;
}
constexpr bool same_element(const graph& g, expr_id a, expr_id b) { return element_of(g, a) == element_of(g, b); }

/// True if two shapes of equal rank are equal except along an axis.
constexpr bool same_but_along(std::span<const dim> a, std::span<const dim> b, std::size_t axis) {
    return same_numbers(a.first(axis), b.first(axis)) && same_numbers(a.subspan(axis + 1), b.subspan(axis + 1));
}

/// True if a call is elementwise on arguments that broadcast together, and its attributes refer to no axis.
constexpr bool works_by_element(const graph& g, expr_id call) {
    const op_def& op = *g.called_op(call);
    const bool knows_no_axis =
        op.attributes.empty() || (op.pattern == fusion_pattern::elementwise && g.arguments(call).size() == 1);
    return op.pattern <= fusion_pattern::broadcast && knows_no_axis && !calls<op::full_like>(g, call);
}

/// Returns the axis of an argument that is broadcast to `axis` of a call's result, or nothing if there is no such axis.
/// The bias of bias_add is a vector along that axis.
constexpr std::optional<std::size_t> argument_axis(const graph& g, expr_id call, std::size_t argument,
                                                   std::size_t axis) {
    const std::size_t rank = shape_of(g, g.arguments(call)[argument]).size();
    if (calls<op::nn::bias_add>(g, call)) return 0;
    const std::size_t behind = shape_of(g, call).size() - axis;
    return behind <= rank ? std::optional(rank - behind) : std::nullopt;
}

/// Base of kinds that concatenate results along one axis.
struct along_one_axis {
    /// Returns the axis of a call's result that corresponds to `axis` of an argument. Returns nothing unless parts of
    /// the argument along that axis give independent parts of the result.
    static constexpr std::optional<std::size_t> followed(const graph& g, expr_id call, std::size_t argument,
                                                         std::size_t axis) {
        const auto from = shape_of(g, g.arguments(call)[argument]);
        const auto to = shape_of(g, call);
        const auto counted = [](std::int64_t number, std::size_t rank) {
            return static_cast<std::size_t>(number < 0 ? number + static_cast<std::int64_t>(rank) : number);
        };
        if (calls<op::expand_dims>(g, call)) {
            const auto a = get_attributes<expand_dims_attributes>(g, g.call_attributes(call));
            const bool before = counted(a.axis, from.size() + 1) <= axis;
            return before ? axis + (to.size() - from.size()) : axis;
        }
        if (calls<op::repeat>(g, call)) {
            const auto a = get_attributes<repeat_attributes>(g, g.call_attributes(call));
            return a.axis ? std::optional(axis) : std::nullopt;
        }
        if (calls<op::nn::bias_add>(g, call)) {
            const auto a = get_attributes<bias_add_attributes>(g, g.call_attributes(call));
            return argument == 0 && counted(a.axis, to.size()) == axis ? std::optional(axis) : std::nullopt;
        }
        if (!works_by_element(g, call) || to.size() + axis < from.size()) return std::nullopt;
        const std::size_t at = to.size() + axis - from.size();
        return to[at].same_number(from[axis]) ? std::optional(at) : std::nullopt;
    }

    /// True if the i-th arguments of two calls are as long along this axis as the calls' results, and otherwise have
    /// equal shapes and element types.
    static constexpr bool fits(const graph& g, expr_id call, expr_id other, std::size_t i, std::size_t axis) {
        const expr_id a = g.arguments(call)[i];
        const expr_id b = g.arguments(other)[i];
        const auto x = shape_of(g, a);
        const auto y = shape_of(g, b);
        const auto at = argument_axis(g, call, i, axis);
        return at && x.size() == y.size() && same_element(g, a, b) && same_but_along(x, y, *at) &&
               x[*at].same_number(shape_of(g, call)[axis]) && y[*at].same_number(shape_of(g, other)[axis]);
    }
};

/// Returns the minimum number of branches that an option requests, but at least 1.
constexpr std::size_t least_branches(std::int64_t option) { return option < 1 ? 1 : static_cast<std::size_t>(option); }

/// Functions that define how one of the passes combines calls of its operator.
struct parallel_kind {
    /// True for a call of this kind.
    bool (*is_call)(const graph&, expr_id);
    /// True if the call can be combined.
    bool (*supports)(const graph&, expr_id call);
    /// Returns a number that is equal for calls that can be combined.
    std::uint64_t (*key)(const graph&, expr_id call);
    /// True if two calls with the same first argument can be combined.
    bool (*together)(const graph&, expr_id call, expr_id other);
    /// Combines the first calls of the branches.
    expr_id (*combine)(graph&, const parallel_branches&);
    /// Returns the axis of the combined result along which the calls' results are concatenated.
    std::size_t (*axis)(const graph&, expr_id call);
    /// Returns the axis of a following call's result that corresponds to `axis` of argument `chained`. Returns nothing
    /// if the call cannot be combined.
    std::optional<std::size_t> (*followed)(const graph&, expr_id call, std::size_t chained, std::size_t axis);
    /// True if the i-th arguments of two following calls can be combined. `axis` is the axis of the combined result.
    bool (*fits)(const graph&, expr_id call, expr_id other, std::size_t i, std::size_t axis);
    /// Combines the i-th arguments of the following calls at `depth`.
    expr_id (*follow)(graph&, const parallel_branches&, std::size_t depth, std::size_t i, std::size_t axis);
    /// Returns the branches' parts of the combined result.
    vector<expr_id> (*parts)(graph&, expr_id combined, const parallel_branches&, std::size_t depth, std::size_t axis);
};

/// The `parallel_kind` of a structure that has these functions as static members and names the operator `op`.
template <class Kind>
inline constexpr parallel_kind kind_of{
    &calls<typename Kind::op>, &Kind::supports, &Kind::key,    &Kind::together, &Kind::combine, &Kind::axis,
    &Kind::followed,           &Kind::fits,     &Kind::follow, &Kind::parts};

/// Runs one of the CombineParallel passes over a function.
///
/// Cost: linear in the graph; a branch is followed only as long as it can be combined.
class parallel_combiner {
public:
    template <class Kind>
    constexpr parallel_combiner(function f, Kind, std::size_t min_branches, const pass_notes& notes)
        : f_(std::move(f)), kind_(&kind_of<Kind>), min_branches_(min_branches), notes_(&notes) {}

    constexpr function run() {
        order_ = post_order(f_.graph, f_.root);
        find_users();
        vector<parallel_branches> groups = find_groups();
        if (notes_->misses_heard()) note_few(groups);
        const auto is_small = [&](const parallel_branches& g) { return g.size() < min_branches_; };
        groups.erase(std::remove_if(groups.begin(), groups.end(), is_small), groups.end());
        const auto is_refused = [&](const parallel_branches& g) {
            return !notes_->may_apply(f_.graph, g[0][0], "combined");
        };
        groups.erase(std::remove_if(groups.begin(), groups.end(), is_refused), groups.end());
        if (groups.empty()) return std::move(f_);
        const graph before = f_.graph;
        while (true) { // repeats only if a group depends on its own result
            replaced_.clear();
            for (std::size_t i = 0; i < groups.size(); ++i) combine(groups[i], i);
            const plain_vector<char> bad = find_order(groups.size());
            if (std::find(bad.begin(), bad.end(), 1) == bad.end()) break;
            vector<parallel_branches> good;
            for (std::size_t i = 0; i < groups.size(); ++i)
                if (bad[i] == 0)
                    good.push_back(std::move(groups[i]));
                else
                    notes_->missed(before, groups[i][0][0], "a branch needs the result of another");
            groups = std::move(good);
            f_.graph = before;
        }
        if (notes_->heard())
            for (const parallel_branches& g : groups) {
                std::string text = "made one of ";
                append_number(text, static_cast<std::int64_t>(g.size()));
                notes_->applied(before, g[0][0], "combined", text);
            }
        return rewritten();
    }

private:
    // Emits one remark per kind of calls that have the same data but are not combined. Requires: remarks are enabled.
    constexpr void note_few(const vector<parallel_branches>& groups) const {
        const graph& g = f_.graph;
        for (const parallel_branches& group : groups) {
            if (group.size() >= min_branches_) continue;
            std::size_t all = 0;
            const expr_id data = g.arguments(group[0][0])[0];
            for (const expr_id user : users_[index(data)]) all += supported_[index(user)] != 0 ? 1 : 0;
            if (all < 2) continue;
            std::string text;
            append_number(text, static_cast<std::int64_t>(group.size()));
            text += " of this kind with the same data, min_num_branches is ";
            append_number(text, static_cast<std::int64_t>(min_branches_));
            if (all > group.size()) text += "; others differ in attributes or shapes";
            notes_->missed(g, group[0][0], text);
        }
    }

    static constexpr std::size_t no_group = static_cast<std::size_t>(-1);

    struct replacement {
        expr_id by = expr_id::none;
        std::size_t group = no_group;
    };

    // Finds the users of each expression in order. A call that can be combined counts only as a user of its first
    // argument.
    constexpr void find_users() {
        const graph& g = f_.graph;
        // Indexed by expression: 1 in a nested function, let, if or match, where other variables are in scope.
        plain_vector<char> nested(g.size(), 0);
        for (std::size_t i = order_.size(); i-- > 0;) {
            const expr_id e = order_[i];
            const expr_kind kind = g.kind(e);
            const bool opens = (kind == expr_kind::function && e != f_.root) || kind == expr_kind::let ||
                               kind == expr_kind::conditional || kind == expr_kind::match;
            if (opens || nested[index(e)] != 0)
                for (const expr_id o : g.operands(e)) nested[index(o)] = 1;
        }
        users_.resize(g.size());
        supported_.assign(g.size(), 0);
        plain_vector<char> is_root(g.size(), 0);
        for (const expr_id e : order_) {
            if (g.kind(e) != expr_kind::call) continue;
            if (nested[index(e)] == 0 && kind_->is_call(g, e) && kind_->supports(g, e)) {
                const expr_id data = g.arguments(e)[0];
                supported_[index(e)] = 1;
                if (std::exchange(is_root[index(data)], 1) == 0) roots_.push_back(data);
                users_[index(data)].push_back(e);
            } else {
                for (const expr_id a : g.arguments(e)) users_[index(a)].push_back(e);
            }
        }
    }

    constexpr vector<parallel_branches> find_groups() const {
        const graph& g = f_.graph;
        vector<parallel_branches> groups;
        intern_index places;
        for (const expr_id root : roots_)
            for (const expr_id call : users_[index(root)]) {
                if (supported_[index(call)] == 0) continue;
                const std::uint32_t place = places.find_or_add(
                    hash_combine(kind_->key(g, call), index(root)),
                    [&](std::uint32_t i) {
                        const expr_id other = groups[i][0][0];
                        return g.arguments(other)[0] == root && kind_->together(g, call, other);
                    },
                    [&] { groups.push_back({}); });
                groups[place].push_back({call});
            }
        return groups;
    }

    // Extends each branch by the user of its last call. False if there is not exactly one user, or if the user is
    // neither elementwise nor broadcasting.
    constexpr bool extend(parallel_branches& branches) const {
        for (parallel_branch& b : branches) {
            const vector<expr_id>& users = users_[index(b.back())];
            const op_def* op = users.size() == 1 ? f_.graph.called_op(users[0]) : nullptr;
            if (op == nullptr || op->pattern > fusion_pattern::broadcast) return false;
            b.push_back(users[0]);
        }
        return true;
    }

    constexpr void combine(parallel_branches& branches, std::size_t group) {
        graph& g = f_.graph;
        for (parallel_branch& b : branches) b.resize(1);
        std::size_t axis = kind_->axis(g, branches[0][0]);
        expr_id combined = kind_->combine(g, branches);
        std::size_t at = 1;
        for (; extend(branches); ++at) {
            const auto given = g.arguments(branches[0][at]);
            std::size_t chained = 0;
            while (given[chained] != branches[0][at - 1]) ++chained;
            const auto next = axis_behind(branches, at, chained, axis);
            if (!next) break;
            axis = *next;
            vector<expr_id> operands{g.callee(branches[0][at])};
            const std::size_t count = given.size();
            for (std::size_t i = 0; i < count; ++i)
                operands.push_back(i == chained ? combined : kind_->follow(g, branches, at, i, axis));
            combined = g.add_like(g, branches[0][at], operands);
        }
        const vector<expr_id> parts = kind_->parts(g, combined, branches, at - 1, axis);
        replaced_.resize(g.size());
        for (std::size_t i = 0; i < branches.size(); ++i) replaced_[index(branches[i][at - 1])] = {parts[i], group};
    }

    // Returns the concatenated axis in the results of the branches' calls at `depth`, or nothing if they do not fit.
    constexpr std::optional<std::size_t> axis_behind(const parallel_branches& branches, std::size_t depth,
                                                     std::size_t chained, std::size_t axis) const {
        const graph& g = f_.graph;
        const expr_id first = branches[0][depth];
        std::optional<std::size_t> behind;
        for (const parallel_branch& b : branches) {
            const expr_id e = b[depth];
            if (g.callee(e) != g.callee(first) || g.call_attributes(e) != g.call_attributes(first) ||
                g.operand_count(e) != g.operand_count(first) || g.arguments(e)[chained] != b[depth - 1])
                return std::nullopt;
            if (!g.types().is_tensor(g.type(e))) return std::nullopt;
            for (const expr_id a : g.arguments(e))
                if (!g.types().is_tensor(g.type(a))) return std::nullopt;
            const auto next = kind_->followed(g, e, chained, axis);
            if (!next || shape_of(g, e)[*next].is_any() || shape_of(g, e).size() != shape_of(g, first).size() ||
                (behind && next != behind))
                return std::nullopt;
            behind = next;
            for (std::size_t i = 0; i < g.arguments(e).size(); ++i)
                if (i != chained && !kind_->fits(g, first, e, i, *next)) return std::nullopt;
        }
        return behind;
    }

    // Finds the order of expressions after the ends of branches are replaced. Returns a flag for each group: 1 if the
    // group needs its own result. The order is valid if no group does.
    constexpr plain_vector<char> find_order(std::size_t group_count) {
        const graph& g = f_.graph;
        replaced_.resize(g.size());
        order_.clear();
        enum : char { fresh, open, done };
        struct visit {
            expr_id at;
            std::size_t entered = 0;      // operands entered so far
            std::size_t group = no_group; // the group that produces `at`
        };
        plain_vector<char> bad(group_count, 0);
        plain_vector<char> state(g.size(), fresh);
        plain_vector<visit> path{{f_.root}};
        state[index(f_.root)] = open;
        while (!path.empty()) {
            visit& s = path.back();
            if (s.entered == g.operand_count(s.at)) {
                state[index(s.at)] = done;
                order_.push_back(s.at);
                path.pop_back();
                continue;
            }
            const expr_id before = g.operand(s.at, s.entered++);
            const replacement r = index(before) < replaced_.size() ? replaced_[index(before)] : replacement{};
            const bool holds = r.by != expr_id::none && bad[r.group] == 0;
            const expr_id next = holds ? r.by : before;
            if (state[index(next)] == fresh) {
                state[index(next)] = open;
                path.push_back({next, 0, holds ? r.group : no_group});
            } else if (state[index(next)] == open) { // give up the group that depends on itself, where it was entered
                std::size_t group = holds ? r.group : no_group;
                for (std::size_t i = path.size(); group == no_group; group = path[i].group) --i;
                bad[group] = 1;
                --s.entered;
                std::size_t first = 0;
                while (first < path.size() && path[first].group != group) ++first;
                if (first == path.size()) continue;
                for (std::size_t i = first; i < path.size(); ++i) state[index(path[i].at)] = fresh;
                path.resize(first);
                --path.back().entered;
            }
        }
        return bad;
    }

    constexpr function rewritten() {
        plain_vector<expr_id> original(f_.graph.size(), expr_id::none);
        for (std::uint32_t i = 0; i < replaced_.size(); ++i)
            if (replaced_[i].by != expr_id::none) original[index(replaced_[i].by)] = expr_id{i};
        rewriter r(f_.graph, std::move(order_));
        const expr_id root = r.run([&](rewriter& into, expr_id e) {
            const expr_id made = into.rebuild(e);
            if (original[index(e)] != expr_id::none) into.replace(original[index(e)], made);
            return made;
        });
        return {std::move(r.to()), root};
    }

    function f_;
    const parallel_kind* kind_;
    std::size_t min_branches_;
    const pass_notes* notes_;
    plain_vector<expr_id> order_;
    vector<vector<expr_id>> users_; // indexed by expression
    plain_vector<char> supported_;  // indexed by expression
    plain_vector<expr_id> roots_;   // first arguments of calls that can be combined
    vector<replacement> replaced_;  // indexed by expression
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
