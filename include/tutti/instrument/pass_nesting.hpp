#pragma once

#include <tutti/pass/pass_info.hpp>

#include <cstddef>
#include <vector>

namespace tutti::instrument {

/// A run of a pass, with the moment at which an instrument last saw its unit. For instruments that keep what they saw until the next
/// pass begins: they may not hear of all passes (`filter`, `sample`).
///
/// Requires: the pass is a sequential or an adaptor, which changes nothing between its members.
class seen_run {
    const pass_run* run_;
    std::size_t number_;

public:
    explicit seen_run(const pass_run& begins) : run_(&begins), number_(begins.number) {}

    /// True if a pass is run by this one.
    bool runs(const pass_run& inner) const { return inner.outer == run_; }
    /// True if a pass that begins is the next in this one, so that the unit is as it was seen.
    bool is_next(const pass_run& begins) const { return runs(begins) && begins.number == number_ + 1; }
    /// True if no pass has begun in this one since, where it ends.
    bool is_current(const pass_run& ends) const { return ends.number == number_; }
    /// The unit is seen where a pass in this one ends.
    void see(const pass_run& ended) { number_ = ended.number; }
    /// The unit may have changed.
    void forget() { number_ = static_cast<std::size_t>(-2); }
};

/// The passes that an instrument has seen begin and not end: for instruments that pair the begin of a pass with its end.
///
/// These come in pairs, but for two cases. A pass may enter a context that holds the instrument once more: it is entered and
/// left while passes run. And a pass may replace the instruments of the context that it runs in: one that is taken out is left
/// first, and hears afterwards how the passes end that it saw begin. Hand
/// each hook on to the function that is named after it.
class pass_nesting {
    static constexpr char context = 0; // its address stands where a context was entered

    std::vector<const char*> began_; // passes by where their names begin, and contexts
    std::size_t depth_ = 0;          // how many of these are passes

    // Forgets what began at a place and after it; how many passes that were.
    std::size_t drop_from(std::size_t place) {
        const std::size_t before = depth_;
        for (; began_.size() > place; began_.pop_back())
            if (began_.back() != &context) --depth_;
        return before - depth_;
    }

public:
    /// How many passes run.
    std::size_t depth() const { return depth_; }
    /// Whether a pass that begins now is run by no other in the context that was entered last.
    bool outermost() const { return began_.empty() || began_.back() == &context; }

    /// A context is entered; whether no pass runs, so that all seen before is over.
    bool enter() {
        began_.push_back(&context);
        return depth_ == 0;
    }
    /// A context is left; how many passes began in it and still run, whose end is not waited for.
    std::size_t exit() {
        std::size_t place = began_.size();
        while (place > 0 && began_[place - 1] != &context) --place;
        return drop_from(place > 0 ? place - 1 : 0);
    }
    void begin(const pass_info& pass) {
        began_.push_back(pass.name.data());
        ++depth_;
    }
    /// A pass ends, well or not; how many end with it: none if its begin was not seen, else it and those that it ran and that
    /// were not seen to end.
    std::size_t end(const pass_info& pass) {
        if (!began_.empty() && began_.back() == pass.name.data()) { // as it is nearly always
            began_.pop_back();
            --depth_;
            return 1;
        }
        for (std::size_t place = began_.size(); place-- > 0;)
            if (began_[place] == pass.name.data()) return drop_from(place);
        return 0;
    }
};

} // namespace tutti::instrument
