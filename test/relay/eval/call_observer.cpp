#include <tutti/relay/eval/call_observer.hpp>

#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/invocation.hpp>

#include "support/catch.hpp"

#include <string>

using namespace tutti;

namespace {

struct sees_before {
    std::string* seen;
    void before_call(const relay::op_def& op, const relay::invocation&) { (*seen += "before ") += op.name; }
};
struct sees_after {
    std::string* seen;
    void after_call(const relay::op_def& op, const relay::invocation&) { (*seen += "after ") += op.name; }
};
struct sees_both : sees_before {
    void after_call(const relay::op_def&, const relay::invocation&) { *seen += ", after"; }
};

template <class Observer>
std::string seen_by() {
    std::string seen;
    Observer observer{{&seen}};
    relay::detail::call_observer_of<Observer> any(observer);
    relay::call_observer& erased = any;
    erased.before_call(relay::definition<relay::op::add>, {});
    erased.after_call(relay::definition<relay::op::add>, {});
    return seen;
}

static_assert(relay::detail::watches<sees_before> && relay::detail::watches<sees_after>);
static_assert(relay::detail::watches<relay::call_observer>);
static_assert(!relay::detail::watches<relay::no_observer>);

} // namespace

TEST_CASE("call_observer: has both members, and calls those that the observer has", "[relay][eval]") {
    CHECK(seen_by<sees_before>() == "before add");
    CHECK(seen_by<sees_after>() == "after add");
    CHECK(seen_by<sees_both>() == "before add, after");
}
