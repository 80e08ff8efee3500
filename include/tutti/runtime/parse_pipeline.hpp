#pragma once

#include <tutti/base/failure.hpp>
#include <tutti/pipeline/grammar.hpp>
#include <tutti/runtime/pipeline_error.hpp>
#include <tutti/runtime/registry.hpp>
#include <tutti/runtime/resolve.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::runtime {

/// Maximum length of the text that `parse_pipeline` accepts, in bytes.
inline constexpr std::size_t max_pipeline_text = std::size_t{1} << 20;

namespace detail {

template <class Unit, class Root>
struct member_list {
    std::vector<any_pass<Unit, Root>> passes{};
};

// A construct of the text that has not been closed: the whole text, a sequential or an adaptor. Holds the members read
// so far.
template <class Levels, class Root>
struct open_stage;
template <class... Unit, class Root>
struct open_stage<units<Unit...>, Root> : member_list<Unit, Root>... {
    stage_head head{};
    std::vector<tutti::internal::option_text> options{};
    int opt_level = 0;
    std::size_t level = 0;    // the level of the members' units
    std::string_view point{}; // the name of an extension point, a word

    template <class U>
    std::vector<any_pass<U, Root>>& members() {
        return static_cast<member_list<U, Root>&>(*this).passes;
    }
};

// An extension point with a name from a text.
class named_point {
    detail::shared name_; // a std::string shared by copies, so that views of it stay valid

public:
    pass_info info;

    explicit named_point(std::string name)
        : name_(detail::shared::make(std::move(name))), info{.name = *static_cast<const std::string*>(name_.get())} {}

    static constexpr bool is_point() { return true; }
    bool each_name(const auto&) const { return false; }
    change operator()(auto&) const { return unchanged; }
};

// Creates the passes that a text lists, one after another.
template <class Root>
class pipeline_builder {
    using stage_type = open_stage<levels_of<Root>, Root>;

    std::string_view text_, of_;
    const registry<Root>& known_;
    std::vector<stage_type> open_;
    stage_head head_; // the last pass read, until it is created or its members begin; otherwise empty
    std::vector<tutti::internal::option_text> options_;

    [[noreturn]] void fail(std::string_view word, tutti::internal::complaint said) const {
        raise(pipeline_error{text_, static_cast<std::size_t>(word.data() - text_.data()), word.size(), std::move(said),
                             of_});
    }
    void check(detail::rejected_option rejected) const {
        if (!rejected.option) return;
        fail(rejected.value ? rejected.option->value : rejected.option->key, std::move(rejected.said));
    }
    static std::string meant_by(std::string_view word) {
        std::string text;
        tutti::internal::read_word(word, text);
        return text;
    }
    static std::string adaptor_name(const stage_head& head) {
        std::string name = meant_by(head.name);
        if (!head.label.empty()) name.append("[").append(meant_by(head.label)).append("]");
        return name;
    }
    static bool is_point(const stage_head& head) { return head.name == "point" && head.label.empty(); }
    static bool is_sequential(const stage_head& head) { return head.name == "seq" || head.name == "resolved"; }

    // Calls f.operator()<Unit>() with the unit type of a level. `level_of` returns the level of a unit type.
    static void at_level(std::size_t level, auto&& f) {
        std::size_t n = 0;
        registry<Root>::each_level([&]<class U>() {
            if (n++ == level) f.template operator()<U>();
        });
    }
    template <class Unit>
    static std::size_t level_of() {
        std::size_t n = 0, found = 0;
        registry<Root>::each_level([&]<class U>() {
            if (std::is_same_v<U, Unit>) found = n;
            ++n;
        });
        return found;
    }

    template <class U>
    const registered_adaptor<U, Root>& find_adaptor(const stage_head& head) const {
        const std::string name = adaptor_name(head);
        if (const auto* found = known_.template adaptors<U>().find(name)) return *found;
        fail(head.name, known_.template adaptors<U>().explain_missing(name));
    }

    // Applies an adaptor to the members in its brackets, and appends the result to the members of the construct around
    // it.
    template <class U, class Inner>
    void adapt(const registered_adaptor<U, Root>& adaptor, stage_type& done) {
        auto& members = done.template members<Inner>();
        const any_pass<Inner, Root> inner =
            members.size() == 1 ? members.front() : any_pass<Inner, Root>{sequential<Inner, Root>{std::move(members)}};
        detail::rejected_option rejected;
        open_.back().template members<U>().push_back(adaptor.make(&inner, done.options, rejected));
        check(std::move(rejected));
    }

public:
    template <class Unit>
    pipeline_builder(std::string_view text, const registry<Root>& known, std::string_view of, std::type_identity<Unit>)
        : text_(text), of_(of), known_(known), open_(1) {
        open_.front().level = level_of<Unit>();
    }

    /// Creates the last pass read, if it has not been created yet.
    void finish_pass() {
        if (head_.name.empty()) return;
        const std::string name = meant_by(head_.name);
        at_level(open_.back().level, [&]<class U>() {
            const auto* pass = known_.template passes<U>().find(name);
            if (!pass) fail(head_.name, known_.template explain_missing<U>(name));
            detail::rejected_option rejected;
            open_.back().template members<U>().push_back(pass->make(options_, rejected));
            check(std::move(rejected));
        });
        head_ = {};
        options_.clear();
    }

    [[noreturn, gnu::cold]] void refuse_in_point(std::string_view word) const {
        fail(word, {"a point has a single name", "point(after-simplify)", std::string{word}});
    }

    void stage(const stage_head& head) {
        if (is_point(open_.back().head)) {
            if (!open_.back().point.empty() || !head.label.empty()) refuse_in_point(head.name);
            open_.back().point = head.name;
            return;
        }
        finish_pass();
        head_ = head;
    }
    void option(std::string_view key, std::string_view value) {
        if (is_point(open_.back().head)) refuse_in_point(key);
        if (!detail::add_option(options_, {key, value})) fail(key, detail::given_twice(meant_by(head_.name), key));
    }
    void open() {
        if (is_point(open_.back().head)) refuse_in_point(open_.back().point);
        stage_type next;
        next.head = std::exchange(head_, {});
        next.options = std::exchange(options_, {});
        next.level = open_.back().level;
        const std::string_view level = next.head.level;
        if (is_point(next.head)) {
            if (!next.options.empty()) refuse_in_point(next.options.front().key);
        } else if (!is_sequential(next.head)) {
            if (!level.empty())
                fail(level, {adaptor_name(next.head) + ": an adaptor has no level", {}, std::string{level}});
            at_level(next.level, [&]<class U>() {
                if (find_adaptor<U>(next.head).over_parts)
                    if constexpr (tutti::internal::has_parts<U>) next.level = level_of<tutti::internal::part_of<U>>();
            });
        } else if (!level.empty() && (!tutti::internal::read_integer(level, next.opt_level) || next.opt_level < 0)) {
            fail(level, {"`" + std::string{level} + "` is not a level", "an integer, 0 or more", std::string{level}});
        } else {
            check(detail::set_options(meant_by(next.head.name), {}, nullptr, next.options));
        }
        open_.push_back(std::move(next));
    }
    void close() {
        finish_pass();
        stage_type done = std::move(open_.back());
        open_.pop_back();
        at_level(open_.back().level, [&]<class U>() {
            if (is_sequential(done.head)) {
                std::string name = done.head.label.empty() ? "sequential" : meant_by(done.head.label);
                sequential<U, Root> made{std::move(done.template members<U>()), std::move(name), done.opt_level};
                open_.back().template members<U>().push_back(done.head.name == "resolved" ? resolve(made) : made);
                return;
            }
            if (is_point(done.head)) {
                if (done.point.empty()) refuse_in_point(done.head.name);
                open_.back().template members<U>().push_back(named_point{meant_by(done.point)});
                return;
            }
            const auto& adaptor = find_adaptor<U>(done.head);
            if constexpr (tutti::internal::has_parts<U>)
                if (adaptor.over_parts) return adapt<U, tutti::internal::part_of<U>>(adaptor, done);
            adapt<U, U>(adaptor, done);
        });
    }
    template <class Unit>
    std::vector<any_pass<Unit, Root>> finish() {
        finish_pass();
        return std::move(open_.front().template members<Unit>());
    }
};

// Creates the passes over a `Unit` that a text lists.
template <class Unit, class Root>
std::vector<any_pass<Unit, Root>> parse_passes(std::string_view text, const registry<Root>& known,
                                               std::string_view of = "pipeline") {
    if (text.size() > max_pipeline_text) raise(detail::error_of_length(text, max_pipeline_text, of));
    pipeline_builder<Root> builder{text, known, of, std::type_identity<Unit>{}};
    const tutti::internal::pipeline_mistake mistake = read_pipeline(text, builder);
    if (mistake.expected) {
        builder.finish_pass(); // an error in the pass before the mistake takes precedence
        raise(detail::error_of(text, mistake, of));
    }
    return builder.template finish<Unit>();
}

} // namespace detail

/// Creates the pipeline that a text describes. See `read_pipeline` for the grammar. If the text is a single
/// sequential, this sequential becomes the only member of the result.
///
/// The adaptors around a name select the unit type: in `function(CSE)`, CSE is a pass over functions.
///
/// Cost:    linear in the length of the text, and quadratic in the number of options of one pass.
/// Throws:  `pipeline_error` for the first mistake, with its position and the correct or nearest form.
/// Example: `const auto pipeline = parse_pipeline("InferType,FuseOps{fuse_opt_level=2}", known);`
template <class Unit>
sequential<Unit> parse_pipeline(std::string_view text, const registry<Unit>& known) {
    return sequential<Unit>{detail::parse_passes<Unit>(text, known)};
}

} // namespace tutti::runtime
