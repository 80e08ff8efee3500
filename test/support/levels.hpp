#pragma once

#include <tutti/unit/unit_traits.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// A test unit with three levels. A module has functions, and a function has loops.

struct loop {
    int trips = 0;
};
struct function {
    std::vector<loop> loops{};
    int cost = 0;
};
struct module {
    std::vector<function> functions{};
};

template <>
struct tutti::unit_traits<loop> {
    static constexpr std::string_view name = "loop";
    static std::uint64_t fingerprint(const loop& l) { return static_cast<std::uint64_t>(l.trips); }
};
template <>
struct tutti::unit_traits<function> {
    static constexpr std::string_view name = "function";
    static std::vector<loop>& parts(function& f) { return f.loops; }
};
template <>
struct tutti::unit_traits<module> {
    static constexpr std::string_view name = "module";
    static std::vector<function>& parts(module& m) { return m.functions; }
};
