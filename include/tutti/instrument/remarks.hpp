#pragma once

#include <tutti/pass/hooks.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/pass/remark.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::instrument {

/// A selection of remarks.
struct remark_filter {
    std::vector<remark_kind> kinds{};  ///< only these kinds; all if empty
    std::vector<std::string> passes{}; ///< only from passes with these names; all if empty
};

/// Collects the remarks that passes make with `ctx.remark(kind, where, text)`. Writes them at once with `Write`, or
/// keeps them if there is no `Write`.
///
/// Kept remarks stay until `clear()`, across contexts.
///
/// Example: `remarks missed{{.kinds = {tutti::remark_kind::missed}}}; …; std::cerr << missed.render();`
/// Example: `remarks all{{}, [](std::string_view line) { std::cerr << line; }};`
template <class Write = none>
class remarks {
public:
    /// A remark and its pass.
    struct entry {
        std::string pass;
        remark_kind kind;
        std::string where, text;
    };

    static constexpr std::string_view name = "remarks";

    explicit remarks(remark_filter filter = {}, Write write = {})
        : filter_(std::move(filter)), write_(std::move(write)) {}

    /// Returns an instrument for a part transformed in parallel; see `tutti::forks`.
    remarks<> fork() const { return remarks<>(filter_); }
    void join(remarks<>&& child) {
        for (auto& each : child.entries_)
            if constexpr (std::same_as<Write, none>)
                entries_.push_back({std::move(each.pass), each.kind, std::move(each.where), std::move(each.text)});
            else
                write_(std::string_view{line(each.pass, each.kind, each.where, each.text)});
    }

    void pass_remarked(const pass_info& info, const remark& said) {
        if (!takes(filter_.kinds, said.kind) || !takes(filter_.passes, info.name)) return;
        if constexpr (std::same_as<Write, none>)
            entries_.push_back({std::string{info.name}, said.kind, std::string{said.where}, std::string{said.text}});
        else
            write_(std::string_view{line(info.name, said.kind, said.where, said.text)});
    }

    /// The remarks kept so far; none if there is a `Write`.
    const std::vector<entry>& list() const { return entries_; }

    void clear() { entries_.clear(); }

    /// Returns one line per remark: `FuseOps: missed: main:3: the result is used twice`.
    std::string render() const {
        std::string all;
        for (const auto& [pass, kind, where, text] : entries_) all += line(pass, kind, where, text);
        return all;
    }

private:
    template <class>
    friend class remarks;

    static bool takes(const auto& wanted, const auto& that) {
        for (const auto& each : wanted)
            if (each == that) return true;
        return wanted.empty();
    }
    static std::string line(std::string_view pass, remark_kind kind, std::string_view where, std::string_view text) {
        std::string all{pass};
        all.append(": ").append(to_string(kind)).append(": ").append(where);
        return all.append(where.empty() ? "" : ": ").append(text).append("\n");
    }

    remark_filter filter_;
    [[no_unique_address]] Write write_;
    std::vector<entry> entries_;
};

} // namespace tutti::instrument
