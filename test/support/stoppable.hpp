#pragma once

#include <tutti/pass/stop.hpp>

#include "two_layers.hpp"

#include <string>
#include <string_view>
#include <vector>

// Contexts of both kinds with a stop token and instruments, for passes of all levels.
struct stoppable_static {
    template <class Unit>
    static auto context(tutti::stop_token& token, auto&... instruments) {
        return tutti::pass_context{tutti::opt_level(99), tutti::stoppable{token}, tutti::instruments(instruments...)};
    }
};
struct stoppable_erased {
    template <class Unit>
    static auto context(tutti::stop_token& token, auto&... instruments) {
        return tutti::runtime::pass_context<Unit>{
            tutti::runtime::context_options<Unit>{.opt_level = 99, .instruments = {instruments...}, .stop = &token}};
    }
};

// Notes the passes that ran, those that were stopped ("-Name"), and remarks ("Pass: text").
struct stop_notes {
    std::vector<std::string> text{};

    void run_after_pass(const auto&, const tutti::pass_info& info) { text.emplace_back(info.name); }
    void pass_skipped(const tutti::pass_info& info, tutti::skip_reason why) {
        text.push_back((why == tutti::skip_reason::stopped ? "-" : "?") + std::string{info.name});
    }
    void pass_remarked(const tutti::pass_info& info, const tutti::remark& said) {
        text.push_back(std::string{info.name} + ": " + std::string{said.where} + ": " + std::string{said.text});
    }
};
using noted = std::vector<std::string>;
