#pragma once

#include <tutti/base/form.hpp>

#include <type_traits>

namespace tutti::relay::inline TUTTI_FORM {

struct invocation; // relay/op/invocation.hpp
TUTTI_SHARED_BEGIN
struct op_def; // relay/op/op_def.hpp
TUTTI_SHARED_END

/// A type-erased observer of the operator calls in an evaluator's run.
class call_observer {
public:
    virtual void before_call(const op_def& op, const invocation& call) = 0;
    virtual void after_call(const op_def& op, const invocation& call) = 0;

protected:
    ~call_observer() = default;
};

/// An observer that ignores operator calls.
struct no_observer {};

namespace detail {

/// True if an observer sees operator calls.
template <class Observer>
concept watches = requires(Observer& o, const op_def& op, const invocation& call) { o.before_call(op, call); } ||
                  requires(Observer& o, const op_def& op, const invocation& call) { o.after_call(op, call); };

// Forwards operator calls to those members that an observer has.
template <watches Observer>
class call_observer_of final : public call_observer {
public:
    explicit call_observer_of(Observer& observer) : observer_(&observer) {}

    void before_call(const op_def& op, const invocation& call) override {
        if constexpr (requires { observer_->before_call(op, call); }) observer_->before_call(op, call);
    }
    void after_call(const op_def& op, const invocation& call) override {
        if constexpr (requires { observer_->after_call(op, call); }) observer_->after_call(op, call);
    }

private:
    Observer* observer_;
};

} // namespace detail

} // namespace tutti::relay::inline TUTTI_FORM
