#pragma once

#include <tutti/pass/pass_info.hpp>

#include <cstddef>
#include <vector>

namespace tutti::instrument {

/// A run of a pass, with the moment at which an instrument last saw its unit. For instruments that reuse the last state
/// at the beginning of the next pass, although they may not get all passes (`filter`, `sample`).
///
/// Requires: the pass is a sequential or an adaptor, which changes nothing between its members.
class seen_run {
    const pass_run* run_;
    std::size_t number_;

public:
    explicit seen_run(const pass_run& begins) : run_(&begins), number_(begins.number) {}

    /// True if a pass is run by this one.
    bool runs(const pass_run& inner) const { return inner.outer == run_; }
    /// True if a pass that begins is the next one inside this one, so the unit has not changed since.
    bool is_next(const pass_run& begins) const { return runs(begins) && begins.number == number_ + 1; }
    /// True, at its end, if no pass has begun inside this one since.
    bool is_current(const pass_run& ends) const { return ends.number == number_; }
    /// Records that the unit was seen at the end of a pass inside this one.
    void see(const pass_run& ended) { number_ = ended.number; }
    /// The unit may have changed.
    void forget() { number_ = static_cast<std::size_t>(-2); }
};

/// The passes that an instrument has seen begin and not end, for instruments that pair the beginning of a pass with its
/// end.
///
/// Begins and ends are paired with two exceptions. A pass may enter another context with the same instrument, which is
/// then entered and left while passes run. And a pass may replace the instruments of its context: a removed one is left
/// first, and gets the ends of passes that it saw begin afterwards. Forward each hook to the function with its name.
class pass_nesting {
    static constexpr char context = 0; // its address marks an entered context

    std::vector<const char*> began_; // passes by the address of their names, and contexts
    std::size_t depth_ = 0;          // number of passes among them

    // Removes the entries from an index on and returns the number of passes among them.
    std::size_t drop_from(std::size_t place) {
        const std::size_t before = depth_;
        for (; began_.size() > place; began_.pop_back())
            if (began_.back() != &context) --depth_;
        return before - depth_;
    }

public:
    /// Number of running passes.
    std::size_t depth() const { return depth_; }
    /// True if a pass that begins now is outermost in the context entered last.
    bool outermost() const { return began_.empty() || began_.back() == &context; }

    /// Enters a context. True if no pass runs, so everything seen before is over.
    bool enter() {
        began_.push_back(&context);
        return depth_ == 0;
    }
    /// Leaves a context. Returns the number of its running passes, which are forgotten.
    std::size_t exit() {
        std::size_t place = began_.size();
        while (place > 0 && began_[place - 1] != &context) --place;
        return drop_from(place > 0 ? place - 1 : 0);
    }
    void begin(const pass_info& pass) {
        began_.push_back(pass.name.data());
        ++depth_;
    }
    /// Ends a pass, successful or not. Returns the number of passes that end with it: none if its beginning was not
    /// seen, otherwise it and inner ones whose end was not seen.
    std::size_t end(const pass_info& pass) {
        if (!began_.empty() && began_.back() == pass.name.data()) { // the common case
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
