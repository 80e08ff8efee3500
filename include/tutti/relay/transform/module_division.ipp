#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/ir/structure.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/transform/module_division.hpp>
#include <tutti/relay/transform/rewrite/shared_limit.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

// Returns the text of a function's declared types, or "" if a type is not declared, has an unknown dimension, or
// depends on type parameters.
inline std::string declared_types(const function& f) {
    const graph& g = f.graph;
    std::string text;
    if (g.type_params(f.root) != type_id::none) return text;
    const auto add = [&](type_id t) {
        if (t == type_id::none || !g.types().is_plain(t) || g.types().has_variables(t)) return false;
        append_type(text, g.types(), t);
        text += ';';
        return true;
    };
    for (const expr_id p : g.params(f.root))
        if (!add(g.annotation(p))) return {};
    if (!add(g.result_annotation(f.root)) || text.find('?') != std::string::npos) return {};
    return text;
}

// The beginning of a stored result.
struct result_head {
    std::uint64_t batch;
    std::uint64_t share;
    std::uint64_t is_same;
};

} // namespace detail

TUTTI_INLINE module_division::module_division(ir_module& m) : module_(&m), parts_(m.size()), declared_(m.size()) {
    is_whole_ = m.data_types().is_whole();
    if (!is_whole_) return;
    types_ = structural_hash(m.emptied());
    is_whole_ = read_functions();
    if (is_whole_ && !references_.empty()) make_keys();
}

TUTTI_INLINE digest module_division::own_digest(std::size_t i, const function& f, bool& has_key) {
    globals_.clear();
    digester own;
    own.add(types_);
    own.add(at(i).name);
    has_key = image_.add(own, f, globals_);
    return own.value();
}

TUTTI_INLINE bool module_division::read_functions() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        prefetch(i + 2);
        part& p = parts_[i];
        p.own = p.key = own_digest(i, at(i).function, p.has_key);
        p.first_reference = static_cast<std::uint32_t>(references_.size());
        if (!globals_.empty() && !note_references(p, globals_)) return false;
    }
    return true;
}

TUTTI_INLINE bool module_division::note_references(part& p, std::span<const std::string_view> globals) {
    for (const std::string_view name : globals) {
        const std::size_t place = module_->place_of(name);
        if (place == module_->size()) return false;
        references_.push_back(static_cast<std::uint32_t>(place));
    }
    const auto begin = references_.begin() + static_cast<std::ptrdiff_t>(p.first_reference);
    std::sort(begin, references_.end());
    references_.erase(std::unique(begin, references_.end()), references_.end());
    p.references = static_cast<std::uint32_t>(references_.size()) - p.first_reference;
    return true;
}

TUTTI_INLINE void module_division::make_keys() {
    bool has_undeclared = false;
    for (const std::uint32_t to : references_) {
        if (parts_[to].is_declared) continue;
        const bool is_well_formed = tutti::internal::caught([&] { check_well_formed(at(to).function); }) == nullptr;
        if (is_well_formed) declared_[to] = detail::declared_types(at(to).function);
        parts_[to].is_declared = !declared_[to].empty();
        has_undeclared = has_undeclared || !parts_[to].is_declared;
    }
    for (part& p : parts_) {
        if (p.references == 0) continue;
        digester all;
        all.add(p.own);
        for (const std::uint32_t to : references(p)) {
            all.add(at(to).name);
            all.add(declared_[to]);
        }
        p.key = all.value();
    }
    if (has_undeclared) include_undeclared();
}

// Adds the functions without declared types that a function refers to, directly or indirectly, to its key. A function
// may be reached again over one that refers back, so the keys are computed for whole groups: first for the functions
// that a group needs, then for the group.
TUTTI_INLINE void module_division::include_undeclared() {
    constexpr std::uint32_t unseen = ~0U;
    struct step {
        std::uint32_t part;
        std::uint32_t next;
    };
    std::vector<std::uint32_t> number(parts_.size(), unseen), low(parts_.size()), group;
    std::vector<char> in_group(parts_.size(), 0);
    std::vector<step> path;
    std::uint32_t count = 0;
    const auto enter = [&](std::uint32_t i) {
        number[i] = low[i] = count++;
        group.push_back(i);
        in_group[i] = 1;
        path.push_back({i, 0});
    };
    const auto leave = [&](std::uint32_t first) { // completes the group that begins with `first`
        const auto begin = std::find(group.begin(), group.end(), first);
        std::sort(begin, group.end());
        digester all;
        bool has_key = true;
        for (auto member = begin; member != group.end(); ++member) {
            const part& p = parts_[*member];
            has_key = has_key && p.has_key;
            all.add(p.key);
            for (const std::uint32_t to : references(p)) {
                if (parts_[to].is_declared || in_group[to] != 0) continue;
                all.add(parts_[to].key);
                has_key = has_key && parts_[to].has_key;
            }
        }
        for (auto member = begin; member != group.end(); ++member) {
            digester one = all;
            one.add(parts_[*member].own);
            parts_[*member].key = one.value();
            parts_[*member].has_key = has_key;
            in_group[*member] = 0;
        }
        group.erase(begin, group.end());
    };
    for (std::uint32_t root = 0; root < parts_.size(); ++root) {
        if (number[root] != unseen) continue;
        enter(root);
        while (!path.empty()) {
            auto& [i, next] = path.back();
            const auto to_all = references(parts_[i]);
            if (next < to_all.size()) {
                const std::uint32_t to = to_all[next++];
                if (parts_[to].is_declared) continue;
                if (number[to] == unseen)
                    enter(to);
                else if (in_group[to] != 0)
                    low[i] = std::min(low[i], number[to]);
                continue;
            }
            const std::uint32_t done = i;
            path.pop_back();
            if (!path.empty()) low[path.back().part] = std::min(low[path.back().part], low[done]);
            if (low[done] == number[done]) leave(done);
        }
    }
}

TUTTI_INLINE bool module_division::offer(std::size_t i, cached_bytes found) {
    detail::result_head head;
    if (found.bytes.size() < sizeof head) return false;
    std::memcpy(&head, found.bytes.data(), sizeof head);
    found.bytes.remove_prefix(sizeof head);
    if (head.is_same > 1 || (head.is_same == 1 && !found.bytes.empty())) return false;
    part& p = parts_[i];
    p.is_same = head.is_same == 1;
    p.batch = head.batch;
    p.share = head.share;
    p.bytes = std::move(found);
    return true;
}

// Returns a function with the declared types of `f` that only calls itself, so that passes find nothing to do in it.
TUTTI_INLINE function module_division::declaration_of(const std::string& name, const function& f) {
    function made;
    graph& g = made.graph;
    std::vector<expr_id> params, operands{g.global(name)};
    for (const expr_id p : f.graph.params(f.root)) {
        const type_id type = g.types().import(f.graph.types(), f.graph.annotation(p));
        params.push_back(g.variable("x", type));
        operands.push_back(params.back());
    }
    const type_id result = g.types().import(f.graph.types(), f.graph.result_annotation(f.root));
    const expr_id body = g.call(operands.front(), std::span<const expr_id>(operands).subspan(1));
    made.root = g.function(params, body, result);
    return made;
}

TUTTI_INLINE ir_module module_division::rest(std::span<const std::size_t> missing) {
    missing_.assign(missing.begin(), missing.end());
    used_before_ = __atomic_load_n(&internal::shared_limits_used(), __ATOMIC_RELAXED);
    enum : char { no, declaration, whole };
    std::vector<char> needed(parts_.size(), no);
    std::vector<std::size_t> open(missing_);
    for (const std::size_t i : missing_) needed[i] = whole;
    while (!open.empty()) {
        const part& p = parts_[open.back()];
        open.pop_back();
        for (const std::uint32_t to : references(p)) {
            if (needed[to] == whole) continue;
            needed[to] = parts_[to].is_declared ? declaration : whole;
            if (needed[to] == whole) open.push_back(to);
        }
    }
    vector<ir_module::definition> some;
    for (std::size_t i = 0; i < parts_.size(); ++i)
        if (needed[i] != no)
            some.push_back(
                {at(i).name, needed[i] == whole ? at(i).function : declaration_of(at(i).name, at(i).function)});
    ir_module made = module_->emptied();
    made.set(std::move(some));
    return made;
}

TUTTI_INLINE std::vector<fresh_result> module_division::take(ir_module& rest, bool stored) {
    const std::uint64_t used = __atomic_load_n(&internal::shared_limits_used(), __ATOMIC_RELAXED) - used_before_;
    digester keys;
    for (const std::size_t i : missing_) keys.add(parts_[i].key);
    const std::uint64_t batch = keys.value().low;
    std::vector<fresh_result> fresh;
    computed_.clear();
    for (const std::size_t i : missing_) {
        part& p = parts_[i];
        function* const made = rest.find(at(i).name);
        if (made == nullptr)
            tutti::raise(error("cached", "a pass removed @" + at(i).name, "passes that keep all functions"));
        computed_.push_back(std::move(*made));
        p.batch = batch;
        p.share = used;
        if (!stored || !p.has_key || used >= internal::whole_limit) continue;
        bool has_key = false;
        p.is_same = own_digest(i, computed_.back(), has_key) == p.own;
        if (!has_key) continue;
        const detail::result_head head{p.batch, p.share, p.is_same ? std::uint64_t{1} : std::uint64_t{0}};
        std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
        if (!p.is_same) image_.write(bytes, computed_.back(), at(i).function);
        fresh.push_back({p.key, std::move(bytes)});
    }
    return fresh;
}

TUTTI_INLINE bool module_division::is_sound() const {
    if (missing_.size() == parts_.size()) return true; // a run over the whole module
    std::vector<std::pair<std::uint64_t, std::uint64_t>> batches;
    std::uint64_t last = 0;
    for (const part& p : parts_)
        if (p.share != 0 && p.batch != last) batches.emplace_back(last = p.batch, p.share);
    std::sort(batches.begin(), batches.end());
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < batches.size(); ++i)
        if (i == 0 || batches[i] != batches[i - 1]) all += std::min(batches[i].second, internal::whole_limit);
    return all < internal::whole_limit;
}

TUTTI_INLINE std::vector<std::size_t> module_division::finish(change& made) {
    const auto function_at = [&](std::size_t i) -> function& {
        return module_->begin()[static_cast<std::ptrdiff_t>(i)].function;
    };
    for (std::size_t i = 0; i < missing_.size(); ++i) {
        if (parts_[missing_[i]].is_same) continue;
        std::swap(function_at(missing_[i]), computed_[i]);
        made = changed;
    }
    std::vector<std::size_t> failed;
    function scratch; // gets the memory of each old function, in which the next result is restored
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        prefetch(i + 2);
        const cached_bytes found = std::exchange(parts_[i].bytes, {});
        if (!found || parts_[i].is_same) continue;
        const bool is_read =
            internal::function_image::read(found.bytes, function_at(i), scratch) &&
            (found.is_trusted || tutti::internal::caught([&] { check_well_formed(scratch); }) == nullptr);
        if (is_read) {
            std::swap(function_at(i), scratch);
            made = changed;
        } else {
            failed.push_back(i);
        }
    }
    return failed;
}

} // namespace tutti::relay::inline TUTTI_FORM
