#pragma once

#include <tutti/instrument/support/pass_frames.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/pipeline/grammar.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::instrument {

/// Tracks the position of running passes in a pipeline, for instruments that print the finished and remaining passes.
///
/// Takes the pipeline's printed form (`write_pipeline(pipeline)`, static or not), the "text" below. It then follows
/// which passes run and which are skipped. Each member of a sequential either runs or is skipped in turn, so the
/// position is known even if a pass occurs several times. A pass that runs out of turn is one that a member requires.
/// Forward each hook to the function with its name.
///
/// Without a text, knows only the names of the passes so far, without options.
///
/// Example: `pipeline_position at{"A,fixpoint(B,C),D"}; … at.rest() // "fixpoint(B,C),D" while B runs`
class pipeline_position {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    static constexpr std::size_t root = 0;

    // A pass in the text, with its members.
    struct node {
        std::string head{};      // the text before the brackets, with options
        std::string name{};      // the name under which the pass runs
        bool sequential = false; // the members run once, in order
        bool open = false;       // brackets follow the head
        std::size_t parent = none;
        std::size_t first = none, last = none, next = none; // first and last member; next sibling
        std::size_t steps = 0;                              // number of steps in this stage; see `steps()`
        bool in_step = false;                               // true inside an adaptor, which is one step
    };
    // A running pass.
    struct running_pass {
        std::size_t at;          // index in `stages_`; none if the pass is not in the text
        std::size_t next = none; // the member to run next
        bool in_adaptor = false; // true for the sequential around an adaptor's members: the text omits it
        pass_info info{};
    };

    std::vector<node> stages_{{.name = "sequential", .sequential = true, .open = true}};
    pass_frames<running_pass> running_;
    std::size_t next_ = none; // the outermost pass of the text to run next
    std::size_t steps_done_ = 0;
    std::string seen_; // the pipeline so far, if there is no text

    // Builds the stages while the text is parsed.
    struct reader {
        std::vector<node>& stages;
        std::size_t inside = root, current = root, before = none;
        bool in_point = false;

        void stage(const stage_head& head) {
            if (in_point) return;
            node made{.head = std::string{head.name}, .parent = inside};
            std::string label;
            tutti::internal::read_word(head.label, label);
            tutti::internal::read_word(head.name, made.name);
            made.sequential = head.name == "seq" || head.name == "resolved";
            if (made.sequential) made.name = label.empty() ? "sequential" : label;
            if (!head.label.empty()) {
                made.head.append("[").append(head.label);
                if (!head.level.empty()) made.head.append(",").append(head.level);
                made.head += ']';
            }
            current = stages.size();
            node& outer = stages[inside];
            before = outer.last;
            (outer.last == none ? outer.first : stages[outer.last].next) = current;
            outer.last = current;
            stages.push_back(static_cast<node&&>(made));
        }
        void option(std::string_view key, std::string_view value) {
            std::string& head = stages[current].head;
            if (head.ends_with('}'))
                head.back() = ',';
            else
                head += '{';
            head.append(key).append("=").append(value).append("}");
        }
        void open() {
            if (stages[current].head == "point") return drop_point();
            stages[current].open = true;
            inside = current;
        }
        // Removes the last stage: no instrument sees an extension point.
        void drop_point() {
            node& outer = stages[inside];
            outer.last = before;
            (before == none ? outer.first : stages[before].next) = none;
            stages.pop_back();
            in_point = true;
        }
        void close() {
            if (std::exchange(in_point, false)) return;
            current = inside;
            inside = stages[inside].parent;
        }
    };

    // Counts the steps. Each stage follows the stage around it.
    void count_steps() {
        for (std::size_t i = root + 1; i < stages_.size(); ++i) {
            const node& outer = stages_[stages_[i].parent];
            stages_[i].in_step = !outer.sequential || outer.in_step;
        }
        for (std::size_t i = stages_.size() - 1; i > root; --i) {
            if (stages_[i].in_step) continue;
            if (!stages_[i].sequential) stages_[i].steps = 1;
            stages_[stages_[i].parent].steps += stages_[i].steps;
        }
    }
    void finish(std::size_t at) {
        if (at != none && !stages_[at].in_step) steps_done_ += stages_[at].steps;
    }

    bool is_text() const { return stages_.size() > 1; }
    void write(std::size_t at, std::string& out) const {
        out += stages_[at].head;
        if (!stages_[at].open) return;
        out += '(';
        write_from(stages_[at].first, out);
        out += ')';
    }
    void write_from(std::size_t at, std::string& out) const {
        for (const std::size_t begin = at; at != none; at = stages_[at].next) {
            if (at != begin) out += ',';
            write(at, out);
        }
    }
    static void add(std::string_view stage, std::string& out) {
        if (!out.empty() && !stage.empty()) out += ',';
        out += stage;
    }
    // Returns the running stage directly inside `outer`, which is a sequential or the root; none between stages.
    std::size_t stage_in(std::size_t outer) const {
        for (std::size_t i = 0; i < running_.depth(); ++i)
            if (const std::size_t at = running_[i].at; at != none && at != root && stages_[at].parent == outer)
                return at;
        return none;
    }
    std::size_t to_come(std::size_t sequential) const {
        if (sequential == root) return next_;
        for (std::size_t i = 0; i < running_.depth(); ++i)
            if (running_[i].at == sequential) return running_[i].next;
        return none;
    }
    std::string rest_of(std::size_t sequential) const {
        std::string out;
        std::size_t behind = to_come(sequential);
        if (const std::size_t at = stage_in(sequential); at != none) {
            if (stages_[at].sequential) {
                const std::string members = rest_of(at);
                if (!members.empty()) out.append(stages_[at].head).append("(").append(members).append(")");
            } else {
                write(at, out);
            }
        }
        for (; behind != none; behind = stages_[behind].next) {
            std::string one;
            write(behind, one);
            add(one, out);
        }
        return out;
    }
    std::string so_far_of(std::size_t sequential) const {
        const std::size_t current = stage_in(sequential), behind = to_come(sequential);
        std::string out;
        for (std::size_t at = stages_[sequential].first; at != none && at != behind; at = stages_[at].next) {
            std::string one;
            if (at != current) {
                write(at, one);
            } else if (stages_[at].sequential) {
                const std::string members = so_far_of(at);
                if (!members.empty()) one.append(stages_[at].head).append("(").append(members).append(")");
            } else if (running_.back().at == at) {
                write(at, one);
            }
            add(one, out);
        }
        return out;
    }

    void run_again() {
        next_ = stages_[root].first;
        steps_done_ = 0;
    }
    // Returns the index of a pass that begins or is skipped, and moves on to the next one. None if the pass is not in
    // the text.
    std::size_t take(const pass_info& pass) {
        const bool outermost = running_.empty();
        running_pass* const outer = outermost ? nullptr : &running_.back();
        if (outermost || outer->at == root) {
            if (next_ == none && outermost) run_again();
            if (next_ == none || stages_[next_].name != pass.name) return none;
            const std::size_t taken = next_;
            next_ = stages_[taken].next;
            return taken;
        }
        if (outer->at == none) return none;
        const bool in_order = stages_[outer->at].sequential || outer->in_adaptor;
        const std::size_t taken = in_order ? outer->next : stages_[outer->at].first;
        if (taken == none || stages_[taken].name != pass.name) return none;
        if (in_order) outer->next = stages_[taken].next;
        return taken;
    }
    bool is_unnamed(const pass_info& pass) const {
        return pass.kind == pass_kind::sequential && pass.name == "sequential";
    }

public:
    pipeline_position() = default;
    /// Starts before the first pass. Requires: `pipeline` is the printed form of a pipeline.
    explicit pipeline_position(std::string_view pipeline) {
        reader sink{stages_};
        read_pipeline(pipeline, sink);
        next_ = stages_[root].first;
        count_steps();
    }

    void enter_pass_ctx() {
        if (!running_.enter()) return;
        seen_.clear();
        next_ = stages_[root].first;
        steps_done_ = 0;
    }
    void exit_pass_ctx() { running_.exit(); }
    void begin(const pass_info& pass) {
        running_pass now{none};
        if (!is_text()) {
            if (pass.kind == pass_kind::pass) {
                if (!seen_.empty()) seen_ += ',';
                tutti::internal::write_word(pass.name, seen_);
            }
        } else if (running_.empty() && is_unnamed(pass) && !(next_ != none && stages_[next_].name == pass.name)) {
            now.at = root;
            if (next_ == none) run_again();
        } else if (!running_.outermost() || running_.empty()) {
            now.at = take(pass);
            if (now.at != none) {
                now.next = stages_[now.at].first;
            } else if (!running_.empty() && is_unnamed(pass)) {
                const running_pass& outer = running_.back();
                if (outer.at != none && outer.at != root && stages_[outer.at].open && !stages_[outer.at].sequential &&
                    !outer.in_adaptor)
                    now = {outer.at, stages_[outer.at].first, true, {}};
            }
        }
        now.info = pass;
        running_.begin(pass, static_cast<running_pass&&>(now));
    }
    /// Ends a pass, successful or not.
    void end(const pass_info& pass) {
        running_.end(pass, [&](const running_pass& done) {
            if (done.at != none && !stages_[done.at].sequential) finish(done.at);
        });
    }
    void skip(const pass_info& pass) {
        if (is_text() && (!running_.outermost() || running_.empty())) finish(take(pass));
    }

    /// Number of steps of the text: its passes and adaptors, but not those inside adaptors. 0 without a text.
    std::size_t steps() const { return is_text() ? stages_[root].steps : 0; }
    /// Number of steps that have ended or were skipped.
    std::size_t steps_done() const { return steps_done_; }

    /// Number of running passes.
    std::size_t depth() const { return running_.depth(); }

    /// Returns the pipeline from the running pass on. A pass inside an adaptor is represented by the adaptor, a
    /// required pass by the pass that requires it. Without a text, returns the name of the pass.
    std::string rest() const {
        if (is_text()) return rest_of(root);
        std::string out;
        for (std::size_t i = 0; i < running_.depth() && out.empty(); ++i)
            if (running_[i].info.kind != pass_kind::sequential) tutti::internal::write_word(running_[i].info.name, out);
        return out;
    }
    /// Returns the pipeline up to and including the running pass. If that pass is inside an adaptor, the result ends
    /// before the adaptor.
    std::string so_far() const { return is_text() ? so_far_of(root) : seen_; }
    /// Returns the outermost pass around the running one, ignoring sequentials in the text; empty if there is none.
    std::string inside() const {
        std::string out;
        for (std::size_t i = 0; i + 1 < running_.depth() && out.empty(); ++i)
            if (running_[i].at != none && !goes_on(running_[i])) write(running_[i].at, out);
        return out;
    }
    /// True if the running pass is not a sequential of the text and only such sequentials are around it: its unit is
    /// the input of `rest`.
    bool at_rest() const {
        if (running_.empty() || goes_on(running_.back())) return false;
        for (std::size_t i = 0; i + 1 < running_.depth(); ++i)
            if (!goes_on(running_[i])) return false;
        return true;
    }

private:
    // True if the pass is a sequential with members in the text. Without a text: true if the pass is any sequential.
    bool goes_on(const running_pass& pass) const {
        if (!is_text()) return pass.info.kind == pass_kind::sequential;
        return pass.at != none && stages_[pass.at].sequential;
    }
};

} // namespace tutti::instrument
