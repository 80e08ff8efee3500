#pragma once

#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>

#include "recorder.hpp"

#include <string>
#include <string_view>
#include <vector>

// Static and erased contexts with the same interface. A test runs with both, and expects the same text:
//
//     TEMPLATE_TEST_CASE("…", "[…]", static_layer, erased_layer) { … TestType::with(ctx, …) }

struct setup {
    int opt_level = 2;
    std::vector<std::string_view> disabled{};
    std::vector<std::string_view> required{};
};

struct static_layer {
    // Returns a context. Requires: the names in the setup outlive the context.
    template <class Unit, class... I>
    static auto context(const setup& s, I&... instruments) {
        return tutti::pass_context{tutti::opt_level(s.opt_level), tutti::disable(s.disabled),
                                   tutti::require(s.required), tutti::instruments(instruments...)};
    }
    static decltype(auto) with(auto& context, auto&& body) { return tutti::with(context, body); }
};

struct erased_layer {
    template <class Unit, class... I>
    static auto context(const setup& s, I&... instruments) {
        return tutti::runtime::pass_context<Unit>{
            tutti::runtime::context_options<Unit>{.opt_level = s.opt_level,
                                                  .disabled = {s.disabled.begin(), s.disabled.end()},
                                                  .required = {s.required.begin(), s.required.end()},
                                                  .instruments = {instruments...},
                                                  .check_names = false}};
    }
    static decltype(auto) with(auto& context, auto&& body) { return tutti::with(context, body); }
};

// An instrument that writes a line and throws in one of its hooks. The texts are those of the reference's tutorial.
enum class hook { none, enter, exit, should_run, before, after };

class throwing_recorder : public full_recorder {
    hook bad_;

    void throw_if(hook where, const char* name) {
        if (bad_ != where) return;
        write("bad " + std::string{name} + "!!!");
        throw std::runtime_error{this->name() + " bad " + name};
    }

public:
    throwing_recorder(std::string name, std::string& text, hook bad, recording what = recording::hooks)
        : full_recorder(std::move(name), text, what), bad_(bad) {}

    void enter_pass_ctx() {
        throw_if(hook::enter, "enter_pass_ctx");
        full_recorder::enter_pass_ctx();
    }
    void exit_pass_ctx() {
        throw_if(hook::exit, "exit_pass_ctx");
        full_recorder::exit_pass_ctx();
    }
    bool should_run(const auto& unit, const tutti::pass_info& info) {
        throw_if(hook::should_run, "should_run");
        return full_recorder::should_run(unit, info);
    }
    void run_before_pass(const auto& unit, const tutti::pass_info& info) {
        throw_if(hook::before, "run_before_pass");
        full_recorder::run_before_pass(unit, info);
    }
    void run_after_pass(const auto& unit, const tutti::pass_info& info) {
        throw_if(hook::after, "run_after_pass");
        full_recorder::run_after_pass(unit, info);
    }
};

// A recorder that refuses passes with the name `refused`.
class refusing_recorder : public full_recorder {
    std::string_view refused_;

public:
    refusing_recorder(std::string name, std::string& text, std::string_view refused, recording what = recording::hooks)
        : full_recorder(std::move(name), text, what), refused_(refused) {}

    bool should_run(const auto& unit, const tutti::pass_info& info) {
        full_recorder::should_run(unit, info);
        return info.name != refused_;
    }
};
