#pragma once

#include <tutti/base/described.hpp>
#include <tutti/pass/pass.hpp>
#include <tutti/pipeline/decimal_options.hpp>
#include <tutti/pipeline/option_type.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <boost/hana/tuple.hpp>

// Passes over int that have options of every type, for tests of pipelines from text and of registries.

enum class rounding { up, down };
template <>
inline constexpr std::array tutti::option_words<rounding>{tutti::option_word<rounding>{"up", rounding::up},
                                                          tutti::option_word<rounding>{"down", rounding::down}};

/// Adds `amount` to n, `times` times, unless `off`.
struct add_amount {
    static constexpr tutti::pass_info info{.name = "AddAmount", .opt_level = 1};
    int amount = 1;
    std::uint8_t times = 1;
    double scale = 1;
    bool off = false;
    rounding round = rounding::up;

    static constexpr auto options =
        boost::hana::make_tuple(tutti::option{"amount", &add_amount::amount},
                                tutti::option{"times", &add_amount::times}, tutti::option{"scale", &add_amount::scale},
                                tutti::option{"off", &add_amount::off}, tutti::option{"round", &add_amount::round});

    constexpr void operator()(int& n) const {
        if (!off) n += amount * times;
    }
    friend constexpr bool operator==(const add_amount&, const add_amount&) = default;
};

/// Doubles n. Has no options.
struct double_it {
    static constexpr tutti::pass_info info{.name = "Double"};
    constexpr void operator()(int& n) const { n *= 2; }
    friend constexpr bool operator==(const double_it&, const double_it&) = default;
};

/// Adds the number of layouts to n. One option is a map with arbitrary keys.
struct convert_layout {
    static constexpr tutti::pass_info info{.name = "ConvertLayout", .opt_level = 3};
    using required = tutti::passes<double_it>;
    std::string target = "cpu";
    std::vector<int> sizes{};
    std::map<std::string, std::vector<std::string>> desired_layouts{};

    static constexpr auto options = boost::hana::make_tuple(
        tutti::option{"target", &convert_layout::target}, tutti::option{"sizes", &convert_layout::sizes},
        tutti::option{"desired_layouts", &convert_layout::desired_layouts});

    void operator()(int& n) const { n += static_cast<int>(desired_layouts.size()); }
    friend bool operator==(const convert_layout&, const convert_layout&) = default;
};

template <class Inner, class Adaptor>
struct times_pass;
struct times_adaptor {
    static constexpr std::string_view name = "times", label = "";
    template <class Inner>
    static constexpr times_pass<Inner, times_adaptor> make(Inner inner) {
        return {inner};
    }
};
/// A pass of a user-defined adaptor, which runs its inner pass several times.
template <class Inner, class Adaptor>
struct times_pass {
    static constexpr tutti::pass_info info{.name = "times"};
    using adaptor = Adaptor;
    using members = tutti::passes<Inner>;
    Inner inner;
    int count = 2;

    static constexpr auto options = boost::hana::make_tuple(tutti::option{"count", &times_pass::count});
    constexpr void each_member(auto&& f) const { f(inner); }
    constexpr void operator()(int& n, auto& ctx) const {
        for (int i = 0; i < count; ++i) ctx.run(inner, n);
    }
};
/// A user-defined adaptor with a label.
struct once_adaptor {
    static constexpr std::string_view name = "times", label = "once";
    template <class Inner>
    static constexpr times_pass<Inner, once_adaptor> make(Inner inner) {
        return {inner, 1};
    }
};

inline constexpr tutti::passes<add_amount, double_it> constant_passes{};
