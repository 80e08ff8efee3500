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

/// Which remarks to take.
struct remark_filter {
    std::vector<remark_kind> kinds{};  ///< of these kinds; of all where there are none
    std::vector<std::string> passes{}; ///< by passes of these names; by all where there are none
};

/// What passes say with `ctx.remark(kind, where, text)`: written when it is said, or kept where it is not told how to write.
///
/// What is kept stays until `clear()`, whatever contexts are entered between.
///
/// Example: `remarks missed{{.kinds = {tutti::remark_kind::missed}}}; …; std::cerr << missed.render();`
/// Example: `remarks all{{}, [](std::string_view line) { std::cerr << line; }};`
template <class Write = none>
class remarks {
public:
    /// What was said, and by which pass.
    struct entry {
        std::string pass;
        remark_kind kind;
        std::string where, text;
    };

    static constexpr std::string_view name = "remarks";

    explicit remarks(remark_filter filter = {}, Write write = {})
        : filter_(std::move(filter)), write_(std::move(write)) {}

    /// For each part of those that are transformed at the same time; see `tutti::forks`.
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

    /// What was said, where it is kept.
    const std::vector<entry>& list() const { return entries_; }

    void clear() { entries_.clear(); }

    /// One line a remark: `FuseOps: missed: main:3: the result is used twice`.
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
