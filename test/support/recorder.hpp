#pragma once

#include <tutti/pass/pass_info.hpp>

#include <exception>
#include <string>
#include <string_view>
#include <utility>

// The content of a recorder's lines.
enum class recording {
    hooks,            // `NAME run_before_pass`
    hooks_and_passes, // `NAME run_before_pass FoldConstant`
};

// Writes a line for each call of the reference's five hooks. Several recorders may share a text.
//
// Example: `std::string text; recorder fine{"PassFine_0", text};`
class recorder {
    std::string name_;
    std::string* text_;
    recording what_;

public:
    // Creates a recorder. Requires: `text` outlives the recorder.
    recorder(std::string name, std::string& text, recording what = recording::hooks)
        : name_(std::move(name)), text_(&text), what_(what) {}

    const std::string& name() const { return name_; }

    void enter_pass_ctx() { write("enter_pass_ctx"); }
    void exit_pass_ctx() { write("exit_pass_ctx"); }
    bool should_run(const auto&, const tutti::pass_info& info) {
        write("should_run", info.name);
        return true;
    }
    void run_before_pass(const auto&, const tutti::pass_info& info) { write("run_before_pass", info.name); }
    void run_after_pass(const auto&, const tutti::pass_info& info) { write("run_after_pass", info.name); }

protected:
    // Writes one line with the recorder's name and `what`. With `hooks_and_passes`, adds the pass and the remark.
    void write(std::string_view what, std::string_view pass = {}, std::string_view remark = {}) {
        text_->append(name_).append(" ").append(what);
        if (what_ == recording::hooks_and_passes) {
            if (!pass.empty()) text_->append(" ").append(pass);
            if (!remark.empty()) text_->append(" ").append(remark);
        }
        text_->append("\n");
    }
};

// Writes a line for each call of all seven hooks. The line of a skipped pass also has the reason.
class full_recorder : public recorder {
public:
    using recorder::recorder;

    void pass_skipped(const tutti::pass_info& info, tutti::skip_reason why) {
        write("pass_skipped", info.name, to_string(why));
    }
    void pass_failed(const auto*, const tutti::pass_info& info, const std::exception_ptr&) {
        write("pass_failed", info.name);
    }
};
