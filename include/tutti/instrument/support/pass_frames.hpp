#pragma once

#include <tutti/pass/pass_info.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace tutti::instrument {

/// A run of a pass, with the moment at which an instrument last saw its unit. Intended for instruments that reuse the
/// last state at the beginning of the next pass, although they may not see all passes (`filter`, `sample`).
///
/// Requires: the pass is a sequential or an adaptor, which changes nothing between its members.
class seen_run {
    const pass_run* run_;
    std::size_t number_;

public:
    explicit seen_run(const pass_run& begins) : run_(&begins), number_(begins.number) {}

    /// True if this pass runs `inner`.
    bool runs(const pass_run& inner) const { return inner.outer == run_; }
    /// True if no pass has begun inside this one between the last look at the unit and `begins`, so that the unit is
    /// unchanged.
    bool is_next(const pass_run& begins) const { return runs(begins) && begins.number == number_ + 1; }
    /// True at the end of this pass if no pass has begun inside it since the unit was seen.
    bool is_current(const pass_run& ends) const { return ends.number == number_; }
    /// Records that the unit was seen at the end of a pass inside this one.
    void see(const pass_run& ended) { number_ = ended.number; }
    /// Records that the unit may have changed.
    void forget() { number_ = static_cast<std::size_t>(-2); }
};

/// A stack of the passes that an instrument has seen begin but not end. Each has a frame: data kept until the pass
/// ends.
///
/// Begins and ends are paired, with two exceptions. A pass may enter another context with the same instrument; then a
/// context is entered and left while passes run. A pass may also replace the instruments of its context; then a removed
/// instrument sees the exit from the context first, and the ends of running passes afterwards. Forward each hook to the
/// function with its name.
///
/// Example: `frames.begin(info, now()); … frames.end(info, [&](std::int64_t start) { took = now() - start; });`
template <class Frame>
class pass_frames {
    struct running_pass {
        const char* name; // identified by its address
        [[no_unique_address]] Frame frame;

        running_pass(const char* begun, Frame&& kept) : name(begun), frame(static_cast<Frame&&>(kept)) {}
    };

    std::vector<running_pass> running_;
    std::vector<std::size_t> entered_; // for each entered context, the number of passes running then

    struct ignore {};
    template <class F>
    void drop(F&& f) {
        if constexpr (std::is_same_v<std::remove_cvref_t<F>, ignore>) {
            running_.pop_back();
        } else {
            Frame last = static_cast<Frame&&>(running_.back().frame);
            running_.pop_back();
            f(last);
        }
    }

public:
    /// Number of running passes.
    std::size_t depth() const { return running_.size(); }
    bool empty() const { return running_.empty(); }
    /// The frame of a running pass; 0 is the outermost pass. Requires: `i < depth()`.
    const Frame& operator[](std::size_t i) const { return running_[i].frame; }
    /// The frame of the innermost running pass. Requires: `!empty()`.
    Frame& back() { return running_.back().frame; }
    const Frame& back() const { return running_.back().frame; }

    /// True if a pass that begins now is outermost in the context entered last.
    bool outermost() const { return running_.size() == (entered_.empty() ? 0 : entered_.back()); }
    /// The frame of the pass around a pass that begins now or has just ended, in the same context; null for an
    /// outermost pass.
    Frame* around() { return outermost() ? nullptr : &back(); }

    /// Enters a context. Returns true if no pass is running: everything seen before has ended.
    bool enter() {
        entered_.push_back(running_.size());
        return running_.empty();
    }
    /// Leaves a context. Its running passes are forgotten, the innermost first: calls `f(frame)` for each.
    template <class F = ignore>
    void exit(F&& f = {}) {
        std::size_t before = 0;
        if (!entered_.empty()) {
            before = entered_.back();
            entered_.pop_back();
        }
        while (running_.size() > before) drop(f);
    }
    void begin(const pass_info& pass, Frame&& frame = {}) {
        running_.emplace_back(pass.name.data(), static_cast<Frame&&>(frame));
    }
    /// Ends a pass, successful or not: calls `own(frame)`. Before that, ends passes inside it whose end was not seen,
    /// the innermost first: calls `inner(frame)` for each. Returns false if the beginning of the pass was not seen.
    template <class F = ignore, class G = ignore>
    bool end(const pass_info& pass, F&& own = {}, G&& inner = {}) {
        std::size_t place = running_.size();
        while (place > 0 && running_[place - 1].name != pass.name.data()) --place;
        if (place == 0) return false;
        while (running_.size() > place) drop(inner);
        while (!entered_.empty() && entered_.back() >= place) entered_.pop_back();
        drop(own);
        return true;
    }
};

} // namespace tutti::instrument

namespace tutti::internal {

/// A frame for instruments that keep nothing.
struct no_frame {};
/// The passes that an instrument has seen begin and not end.
using pass_nesting = instrument::pass_frames<no_frame>;

} // namespace tutti::internal
