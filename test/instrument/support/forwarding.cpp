#include <tutti/instrument/support/forwarding.hpp>

#include <tutti/instrument/callbacks.hpp>
#include <tutti/instrument/check_analyses.hpp>
#include <tutti/instrument/statistics.hpp>
#include <tutti/instrument/timing.hpp>
#include <tutti/instrument/verify.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"
#include "support/two_layers.hpp"

#include <string>

namespace {

// Forwards every hook and counts the calls.
template <class I>
struct handed_on : tutti::instrument::around_instrument<I>,
                   tutti::instrument::forwarded_hooks<handed_on<I>, std::remove_reference_t<I>>,
                   tutti::instrument::forwarded_runs<handed_on<I>, std::remove_reference_t<I>> {
    int calls = 0;

    explicit handed_on(I&& i) : tutti::instrument::around_instrument<I>(static_cast<I&&>(i)) {}

    template <class Hook>
    void forward_context() {
        ++calls;
        tutti::instrument::call_hook<Hook>(this->get());
    }
    template <class Hook>
    void forward(const tutti::pass_info&, const auto&... arguments) {
        ++calls;
        tutti::instrument::call_hook<Hook>(this->get(), arguments...);
    }
    bool forward_should_run(const auto& unit, const tutti::pass_run& run) {
        ++calls;
        return tutti::instrument::ask_should_run(this->get(), unit, run);
    }
    bool forward_should_apply(const tutti::pass_run& run, const tutti::rewrite_site& site) {
        ++calls;
        return tutti::instrument::ask_should_apply(this->get(), run, site);
    }
};
template <class I>
handed_on(I&&) -> handed_on<I>;

} // namespace

TEMPLATE_TEST_CASE("forwarding: a wrapper that forwards all hooks looks like the wrapped instrument",
                   "[instrument][forwarding]", static_layer, erased_layer) {
    std::string text;
    full_recorder plain{"R", text, recording::hooks_and_passes};
    handed_on around{plain};
    CHECK(around.name() == "R");
    CHECK(&around.get() == &plain);
    const setup disables{.disabled = {"DropFirst"}};
    const auto seen = [&](auto& recorder) {
        text.clear();
        auto ctx = TestType::template context<plan>(disables, recorder);
        plan p{{"scan"}};
        try {
            TestType::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(add_sort, drop_first, throw_it), p); });
        } catch (const tutti::error& e) {
            text += e.what();
        }
        return text;
    };
    const std::string as_is = seen(plain);
    CHECK(seen(around) == as_is);
    CHECK(around.calls == 12);
}

TEST_CASE("forwarding: has the hooks of the instrument, and no others", "[instrument][forwarding]") {
    using namespace tutti;
    using of_verify = handed_on<instrument::verify>;
    static_assert(tutti::internal::enters<of_verify> && tutti::internal::exits<of_verify> &&
                  tutti::internal::sees_before<of_verify, plan> && !tutti::internal::sees_counts<of_verify>);
    static_assert(tutti::internal::sees_after<of_verify, plan> && !tutti::internal::sees_change<of_verify, plan> &&
                  !tutti::internal::stops_clock<of_verify>);
    static_assert(!tutti::internal::decides<of_verify, plan> && !tutti::internal::sees_skipped<of_verify>);
    static_assert(!tutti::internal::sees_before<of_verify, int>); // int is not verifiable
    static_assert(tutti::internal::stops_clock<handed_on<instrument::timing>>);
    static_assert(tutti::internal::sees_counts<handed_on<instrument::statistics>> &&
                  !tutti::internal::enters<handed_on<instrument::statistics>>);
    static_assert(tutti::internal::sees_analyses<handed_on<instrument::check_analyses>>);
    CHECK(handed_on{instrument::verify{}}.name() == "verify");
}
