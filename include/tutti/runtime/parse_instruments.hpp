#pragma once

#include <tutti/base/failure.hpp>
#include <tutti/pipeline/grammar.hpp>
#include <tutti/runtime/instrument_registry.hpp>
#include <tutti/runtime/pipeline_error.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::runtime {

/// Maximum length of the text that `parse_instruments` accepts, in bytes.
inline constexpr std::size_t max_instruments_text = std::size_t{1} << 16;

namespace detail {

// An instrument that is being read: its name, its options, and the instruments in its brackets so far.
template <class Unit>
struct open_instrument {
    std::string_view name{}; // as written
    std::vector<tutti::internal::option_text> options{};
    std::vector<any_instrument<Unit>> inner{};
};

// Creates the instruments that a text lists, one after another.
template <class Unit>
class instruments_builder {
    using open_type = open_instrument<Unit>;

    std::string_view text_;
    const instrument_registry<Unit>& known_;
    const instrument_request& request_;
    std::vector<open_type> open_;
    open_type read_; // the last instrument read, until it is created

    [[noreturn]] void fail(std::string_view word, tutti::internal::complaint said) const {
        raise(pipeline_error{text_, static_cast<std::size_t>(word.data() - text_.data()), word.size(), std::move(said),
                             "instrument"});
    }
    void check_passes(std::string_view names) const {
        if (request_.passes.empty()) return;
        tutti::internal::for_each_element(names, [&](std::string_view word) {
            std::string name;
            tutti::internal::read_word(word, name);
            bool known = name == "all";
            for (const std::string& each : request_.passes) known = known || each == name;
            if (!known) fail(word, tutti::internal::unknown_name("pass", name, request_.passes));
            return true;
        });
    }
    const registered_instrument<Unit>& find(std::string_view word) const {
        std::string name;
        tutti::internal::read_word(word, name);
        if (const auto* found = known_.find(name)) return *found;
        fail(word, known_.explain_missing(name));
    }
    // Returns the instrument's default options, modified by the options in the text.
    detail::shared options_of(const registered_instrument<Unit>& known, const open_type& read) const {
        if (read.options.empty()) return known.standard;
        detail::shared made = known.copy ? known.copy(known.standard.get()) : known.standard;
        detail::rejected_option rejected = detail::set_options(known.name, known.rows, made.get(), read.options);
        if (rejected.option)
            fail(rejected.value ? rejected.option->value : rejected.option->key, std::move(rejected.said));
        for (const tutti::internal::option_text& each : read.options)
            for (const tutti::internal::option_row& row : known.rows)
                if (tutti::internal::is_of<pass_names>(row) && tutti::internal::stands_for(each.key, row.name))
                    check_passes(each.value);
        return made;
    }
    void make(const registered_instrument<Unit>& known, const open_type& read, const detail::shared& options,
              const any_instrument<Unit>* inner) {
        tutti::internal::on_failure<input_error>(
            [&] { open_.back().inner.push_back(known.make(options.get(), request_, inner)); },
            [&](const input_error& e) { fail(read.name, e.said()); });
    }

public:
    static constexpr const char* wanted_stage = "an instrument";

    instruments_builder(std::string_view text, const instrument_registry<Unit>& known,
                        const instrument_request& request)
        : text_(text), known_(known), request_(request), open_(1) {}

    /// Creates the last instrument read, if it has not been created yet.
    void finish_instrument() {
        if (read_.name.empty()) return;
        const open_type done = std::exchange(read_, {});
        const registered_instrument<Unit>& known = find(done.name);
        const detail::shared options = options_of(known, done);
        if (known.around_another) {
            const std::string form = std::string{known.name} + "(timing)";
            fail(done.name, {std::string{known.name} + ": the wrapped instrument is missing",
                             "one in brackets: " + form, std::string{known.name}});
        }
        make(known, done, options, nullptr);
    }

    void stage(const stage_head& head) {
        finish_instrument();
        if (!head.label.empty())
            fail(head.label, {std::string{head.name} + ": an instrument has no label", {}, std::string{head.label}});
        read_.name = head.name;
    }
    void option(std::string_view key, std::string_view value) {
        if (!detail::add_option(read_.options, {key, value})) fail(key, detail::given_twice(read_.name, key));
    }
    void open() {
        const registered_instrument<Unit>& known = find(read_.name);
        if (!known.around_another)
            fail(read_.name,
                 {std::string{known.name} + ": does not wrap another instrument", {}, std::string{known.name}});
        open_.push_back(std::exchange(read_, {}));
    }
    void close() {
        finish_instrument();
        open_type done = std::move(open_.back());
        open_.pop_back();
        const registered_instrument<Unit>& known = find(done.name);
        const detail::shared options = options_of(known, done);
        for (const any_instrument<Unit>& each : done.inner) make(known, done, options, &each);
    }
    std::vector<any_instrument<Unit>> finish() {
        finish_instrument();
        return std::move(open_.front().inner);
    }
};

} // namespace detail

/// Creates the instruments that a text lists, in order: `print_ir{after=[FuseOps]},timing`. Grammar, names, options and
/// errors are like those of pipelines (`read_pipeline`). A wrapping instrument is written `sample{every=10}(timing)`.
/// If the parentheses contain several instruments, each is wrapped separately.
///
/// Throws:  `pipeline_error` for the first mistake in the text, with its position and the correct or nearest form; the
///          exceptions of the instruments' constructors, for example for a file that cannot be written.
/// Example: `ctx_options.instruments = parse_instruments("timing{form=csv}", known, {.write = to_stderr});`
template <class Unit>
std::vector<any_instrument<Unit>> parse_instruments(std::string_view text, const instrument_registry<Unit>& known,
                                                    const instrument_request& request = {}) {
    if (text.size() > max_instruments_text) raise(detail::error_of_length(text, max_instruments_text, "instrument"));
    detail::instruments_builder<Unit> builder{text, known, request};
    const tutti::internal::pipeline_mistake mistake = read_pipeline(text, builder);
    if (mistake.expected) {
        builder.finish_instrument(); // an error in the instrument before the mistake takes precedence
        raise(detail::error_of(text, mistake, "instrument"));
    }
    return builder.finish();
}

} // namespace tutti::runtime
