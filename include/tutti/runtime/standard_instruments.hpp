#pragma once

#include <tutti/base/described.hpp>
#include <tutti/instrument/op_diff.hpp>
#include <tutti/instrument/print_ir.hpp>
#include <tutti/instrument/profile_formats.hpp>
#include <tutti/instrument/remarks.hpp>
#include <tutti/instrument/statistics.hpp>
#include <tutti/instrument/timing.hpp>
#include <tutti/instrument/verify.hpp>
#include <tutti/pipeline/decimal_options.hpp>
#include <tutti/pipeline/option_type.hpp>
#include <tutti/runtime/instrument_registry.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti {

template <>
inline constexpr option_word<instrument::profile_form> option_words<instrument::profile_form>[] {
    {"tree", instrument::profile_form::tree}, {"list", instrument::profile_form::list},
        {"csv", instrument::profile_form::csv}, {
        "json", instrument::profile_form::json
    }
};

template <>
inline constexpr option_word<remark_kind> option_words<remark_kind>[] {
    {"applied", remark_kind::applied}, {"missed", remark_kind::missed}, { "note", remark_kind::note }
};

namespace runtime {

namespace detail {

/// An instrument that writes its results, `text(instrument)`, when the context is left.
///
/// Example: `reported<instrument::op_diff>{write, [](auto& diff) { return diff.render(); }}`
template <class I, class Text>
class reported : public I {
    text_writer write_;
    [[no_unique_address]] Text text_;
    int entered_ = 0;

public:
    reported(text_writer write, Text text, I instrument = I{})
        : I(std::move(instrument)), write_(std::move(write)), text_(std::move(text)) {}

    void enter_pass_ctx() {
        ++entered_;
        if constexpr (requires { I::enter_pass_ctx(); }) I::enter_pass_ctx();
    }
    void exit_pass_ctx() {
        if constexpr (requires { I::exit_pass_ctx(); }) I::exit_pass_ctx();
        if (--entered_ == 0) write_(text_(static_cast<I&>(*this)));
    }
};

template <class I>
auto make_reported(const text_writer& write, auto text) {
    return detail::reported<I, decltype(text)>{write, text};
}

struct timing_by_name {
    static constexpr std::string_view name = "timing", help = "Measure how long each pass takes";
    instrument::profile_form form = instrument::profile_form::tree;
    std::size_t most = 0; // maximum number of lines of a list; 0: no limit
    static constexpr option_list<&timing_by_name::form, &timing_by_name::most> options{"form", "most"};

    auto make(const instrument_request& request) const {
        return make_reported<instrument::timing>(request.write, [*this](const instrument::timing& measured) {
            return instrument::render(measured.last(), form, most);
        });
    }
};

struct op_diff_by_name {
    static constexpr std::string_view name = "op_diff", help = "Show which operators each pass adds and removes";

    auto make(const instrument_request& request) const {
        return make_reported<instrument::op_diff>(request.write, [](const auto& diff) { return diff.render(); });
    }
};

struct print_ir_by_name {
    static constexpr std::string_view name = "print_ir", help = "Print the program before and after these passes";
    pass_names before{}, after{};
    std::string part{};
    static constexpr option_list<&print_ir_by_name::before, &print_ir_by_name::after, &print_ir_by_name::part> options{
        "before", "after", "part"};

    auto make(const instrument_request& request) const {
        if (before.empty()) detail::check_given(name, "after", after.empty() ? "" : after.front());
        return instrument::print_ir{{.before = before, .after = after, .part = part}, request.write};
    }
};

struct verify_by_name {
    static constexpr std::string_view name = "verify", help = "Verify the program after each pass";

    auto make(const instrument_request&) const { return instrument::verify{}; }
};

struct statistics_by_name {
    static constexpr std::string_view name = "statistics", help = "Show the counters of passes";

    auto make(const instrument_request& request) const {
        return make_reported<instrument::statistics>(request.write, [](instrument::statistics& counted) {
            std::string text = counted.render();
            counted.clear();
            return text;
        });
    }
};

struct remarks_by_name {
    static constexpr std::string_view name = "remarks",
                                      help = "Show the remarks of passes on what they did, or could not do";
    pass_names passes{};
    std::vector<remark_kind> kinds{};
    static constexpr option_list<&remarks_by_name::passes, &remarks_by_name::kinds> options{"passes", "kinds"};

    auto make(const instrument_request& request) const {
        return instrument::remarks{{.kinds = kinds, .passes = passes.or_all()}, request.write};
    }
};

} // namespace detail

/// Returns a registry of the library's basic instruments. Omits instruments that `unit_traits<Unit>` does not support.
template <class Unit>
instrument_registry<Unit> standard_instruments() {
    instrument_registry<Unit> all;
    all.template add<detail::timing_by_name>();
    all.template add<detail::statistics_by_name>();
    all.template add<detail::remarks_by_name>();
    if constexpr (tutti::internal::has_operators<Unit>) all.template add<detail::op_diff_by_name>();
    if constexpr (tutti::internal::has_text<Unit>) all.template add<detail::print_ir_by_name>();
    if constexpr (tutti::internal::is_verified<Unit>) all.template add<detail::verify_by_name>();
    return all;
}

} // namespace runtime

} // namespace tutti
