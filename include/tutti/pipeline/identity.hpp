#pragma once

#include <tutti/pass/names.hpp>
#include <tutti/pass/pass.hpp>
#include <tutti/pass/point.hpp>
#include <tutti/pipeline/writing.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tutti {

namespace detail {

// Calls `f(name)` for a pass and its members, in order. Sequentials without a name, and extension points, are omitted.
template <class P>
constexpr void each_name_in(const P& pass, auto& f) {
    bool named = !(pass.info.kind == pass_kind::sequential && pass.info.name == "sequential");
    if constexpr (internal::maybe_point<P>) named = named && !pass.is_point();
    if (named) f(pass.info.name);
    const auto visit = [&](const auto& member) { each_name_in(member, f); };
    if constexpr (requires { pass.each_inner(visit); })
        pass.each_inner(visit);
    else if constexpr (requires { pass.each_member(visit); })
        pass.each_member(visit);
}

// True if types show the names of a pass and of all its members.
template <class P>
inline constexpr bool is_named_by_type =
    internal::describes_itself_statically<P> &&
    (composite<P> || !requires(const P& pass) { pass.each_member([](auto&) {}); }) && is_named_by_type<members_of<P>>;
template <class... P>
inline constexpr bool is_named_by_type<passes<P...>> = (is_named_by_type<P> && ...);

template <class P>
consteval std::size_t count_names() {
    std::size_t own =
        internal::is_point<P> || (P::info.kind == pass_kind::sequential && P::info.name == "sequential") ? 0 : 1;
    [&]<class... M>(passes<M...>) { ((own += count_names<M>()), ...); }(members_of<P>{});
    return own;
}

// A function of its own that is not constexpr: in libstdc++'s debug mode, vectors cannot be used in constant evaluation.
template <class P>
std::vector<std::string_view> listed_names(const P& pipeline) {
    std::vector<std::string_view> names;
    auto add = [&](std::string_view name) { names.push_back(name); };
    each_name_in(pipeline, add);
    return names;
}

} // namespace detail

/// Returns the names of a pipeline's passes in the order of its text: those inside sequentials and adaptors follow the
/// name of the sequential or adaptor. Sequentials without a name, and extension points, are omitted.
///
/// The result is a `std::array` if types show all names, and otherwise a `std::vector` of views into the pipeline, which
/// must outlive it. A temporary pipeline is then an error.
/// Example: `static_assert(names_of(pipeline) == std::array{"FoldConstant"sv, "fixpoint"sv, "FuseOps"sv});`
template <class P>
[[nodiscard]] constexpr auto names_of(const P& pipeline) {
    if constexpr (detail::is_named_by_type<P>) {
        std::array<std::string_view, detail::count_names<P>()> names;
        std::size_t n = 0;
        auto add = [&](std::string_view name) { names[n++] = name; };
        detail::each_name_in(pipeline, add);
        return names;
    } else {
        return detail::listed_names(pipeline);
    }
}
template <class P>
    requires(!detail::is_named_by_type<P>)
void names_of(const P&& pipeline) = delete; // the names would refer to a pipeline that no longer exists

namespace internal {

/// Returns the 64-bit FNV-1a hash of a text.
constexpr std::uint64_t hash_of_text(std::string_view text) {
    std::uint64_t hash = 14695981039346656037U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    return hash;
}

} // namespace internal

/// Returns a hash of a pipeline: of its text with all options, also those with default values.
///
/// Pipelines that run the same passes in the same way have the same hash: static and run-time ones, with every compiler
/// and on every machine. A pass is identified by its name and its options; a change of its code, or of options that it
/// does not describe, does not change the hash. A changed default value does.
///
/// Throws:  `tutti::error` for a pipeline that text cannot express; see `write_pipeline`.
/// Example: `const std::uint64_t key = tutti::hash_of(tutti::sequential(fold_constant{}, fuse_ops{.max_depth = 128}));`
template <class P>
[[nodiscard]] std::uint64_t hash_of(const P& pipeline) {
    return internal::hash_of_text(detail::text_of_pipeline(pipeline, internal::written_options::all));
}

} // namespace tutti
