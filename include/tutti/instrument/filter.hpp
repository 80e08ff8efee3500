#pragma once

#include <tutti/instrument/support/forwarding.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::instrument {

/// An instrument that receives only the passes whose names satisfy `Names`. Contexts and clocks are unaffected.
/// Created by `filter`.
template <class I, class Names>
class filtered : public around_instrument<I>,
                 public forwarded_hooks<filtered<I, Names>, std::remove_reference_t<I>>,
                 public forwarded_runs<filtered<I, Names>, std::remove_reference_t<I>> {
    [[no_unique_address]] Names takes_;

public:
    filtered(I&& instrument, Names takes)
        : around_instrument<I>(static_cast<I&&>(instrument)), takes_(std::move(takes)) {}

    /// Called by the hooks of `forwarded_hooks`.
    template <class Hook>
    void forward_context() {
        call_hook<Hook>(this->get());
    }
    template <class Hook>
    void forward(const pass_info& info, const auto&... arguments) {
        if (takes_(info.name)) call_hook<Hook>(this->get(), arguments...);
    }
    bool forward_should_run(const auto& unit, const pass_run& run) {
        return !takes_(run.name) || ask_should_run(this->get(), unit, run);
    }
    bool forward_should_apply(const pass_run& run, const rewrite_site& site) {
        return !takes_(run.name) || ask_should_apply(this->get(), run, site);
    }
};

/// True for the names of the pass types `P`.
template <class... P>
struct names_of_passes {
    constexpr bool operator()(std::string_view name) const { return ((name == P::info.name) || ...); }
};

/// True for the names in `names`.
struct listed_names {
    std::vector<std::string> names{};

    bool operator()(std::string_view name) const {
        for (const std::string& each : names)
            if (each == name) return true;
        return false;
    }
};

/// Restricts an instrument to passes of the types `P`. Passes inside these are included only if they are listed too.
/// The result holds an lvalue by reference, a temporary by value.
///
/// Cost:    a comparison of names per call of a hook; hooks that the instrument lacks are not called.
/// Example: `auto verify = filter<fuse_ops, fold_constant>(instrument::verify{});`
template <class... P, class I>
    requires(sizeof...(P) > 0)
auto filter(I&& instrument) {
    return filtered<I, names_of_passes<P...>>{static_cast<I&&>(instrument), {}};
}

/// Restricts an instrument to the passes with these names; see the overload for types.
///
/// Example: `auto verify = filter({"FuseOps"}, instrument::verify{});`
template <class I>
auto filter(std::vector<std::string> names, I&& instrument) {
    return filtered<I, listed_names>{static_cast<I&&>(instrument), {std::move(names)}};
}

} // namespace tutti::instrument
