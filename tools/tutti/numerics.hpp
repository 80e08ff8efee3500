#pragma once

#include <tutti/base/decimal.hpp>
#include <tutti/base/described.hpp>
#include <tutti/pipeline/decimal_options.hpp>
#include <tutti/pipeline/option_type.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/runtime/any_instrument.hpp>
#include <tutti/runtime/instrument_registry.hpp>

#include "inputs.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace program {

/// The tolerance for floating-point results, relative to their magnitude. Without a value, only rounding errors are
/// accepted.
struct numeric_tolerance {
    std::optional<double> value{};
};

/// A limit of evaluation. Without a value, the default of `limits_for` applies.
struct evaluation_limit {
    std::optional<std::uint64_t> value{};
};

/// The registry entry of verify_numerics, which creates the instrument from text.
struct verify_numerics_by_name {
    static constexpr std::string_view
        name = "verify_numerics",
        help = "Evaluate the program before and after each pass, and stop at the first pass that "
               "changes the results";
    numeric_tolerance tolerance{};
    std::string inputs = "synthetic";
    std::uint64_t seed = 0;
    evaluation_limit max_bytes{}, max_work{};
    static constexpr tutti::option_list<&verify_numerics_by_name::tolerance, &verify_numerics_by_name::inputs,
                                        &verify_numerics_by_name::seed, &verify_numerics_by_name::max_bytes,
                                        &verify_numerics_by_name::max_work>
        options{"tolerance", "inputs", "seed", "max_bytes", "max_work"};

    tutti::runtime::any_instrument<tutti::relay::ir_module>
    make(const tutti::runtime::instrument_request& request) const;
};

} // namespace program

template <>
struct tutti::option_type<program::evaluation_limit> {
    using number = tutti::option_type<std::uint64_t>;
    static bool read(std::string_view word, program::evaluation_limit& limit) {
        limit.value.reset();
        return word == "auto" || number::read(word, limit.value.emplace());
    }
    static void write(const program::evaluation_limit& limit, auto& out) {
        if (limit.value)
            number::write(*limit.value, out);
        else
            out.append(std::string_view{"auto"});
    }
    static void describe(auto& out) { out.append(std::string_view{"a whole number, or auto: as for tutti run"}); }
};

template <>
struct tutti::option_type<program::numeric_tolerance> {
    static bool read(std::string_view word, program::numeric_tolerance& t) {
        t.value.reset();
        if (word == "auto") return true;
        double value = 0;
        const auto [end, bad] = tutti::internal::decimal_from_chars(word.data(), word.data() + word.size(), value);
        if (bad != std::errc{} || end != word.data() + word.size() || !std::isfinite(value) || value < 0) return false;
        t.value = value;
        return true;
    }
    static void write(const program::numeric_tolerance& t, auto& out) {
        char text[40];
        if (t.value)
            out.append(std::string_view(text, std::to_chars(text, text + sizeof text, *t.value).ptr));
        else
            out.append(std::string_view{"auto"});
    }
    static void describe(auto& out) { out.append(std::string_view{"a nonnegative number, or auto"}); }
};
