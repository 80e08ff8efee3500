#include <tutti/instrument/sample.hpp>

#include <tutti/instrument/op_diff.hpp>
#include <tutti/instrument/remarks.hpp>
#include <tutti/instrument/timing.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"
#include "support/two_layers.hpp"

namespace instrument = tutti::instrument;

namespace {

struct told {
    std::string text{};
    bool should_run(const plan&, const tutti::pass_info& info) {
        text.append("?").append(info.name).append(" ");
        return info.name != "Says";
    }
    void run_before_pass(const plan&, const tutti::pass_info& info) { text.append("+").append(info.name).append(" "); }
    void run_after_pass(const plan&, const tutti::pass_info& info) { text.append("-").append(info.name).append(" "); }
    void pass_failed(const plan*, const tutti::pass_info& info, const std::exception_ptr&) {
        text.append("!").append(info.name).append(" ");
    }
    void pass_skipped(const tutti::pass_info& info, tutti::skip_reason) {
        text.append("0").append(info.name).append(" ");
    }
};

constexpr auto says = tutti::make_pass<"Says">([](plan&, auto& ctx) {
    ctx.remark(tutti::remark_kind::note, "", "said");
    return tutti::unchanged;
});

template <class Layer>
void run(auto& around, const auto&... passes) {
    auto ctx = Layer::template context<plan>({}, around);
    plan p{{"scan"}};
    try {
        Layer::with(ctx, [&](auto& scope) { (scope.run(passes, p), ...); });
    } catch (const tutti::error&) {}
}

} // namespace

TEMPLATE_TEST_CASE("sample: hears of every n-th run, from begin to end", "[instrument][sample]", static_layer,
                   erased_layer) {
    told all;
    instrument::sample second{2, all};
    run<TestType>(second, add_sort, add_sort, add_sort, drop_first);
    CHECK(all.text == "?AddSort +AddSort -AddSort ?AddSort +AddSort -AddSort ");
    all.text.clear(); // four passes ran before; the sequential is the fifth
    run<TestType>(second, tutti::sequential<"All">(add_sort, drop_first), throw_it, throw_it);
    CHECK(all.text == "?All +All ?DropFirst +DropFirst -DropFirst -All ");
    all.text.clear();
    run<TestType>(second, throw_it); // the ninth pass
    CHECK(all.text == "?ThrowIt +ThrowIt !ThrowIt ");
    all.text.clear();
    run<TestType>(second, add_sort, says, add_sort); // a skipped pass does not count, so the next one is sampled
    CHECK(all.text == "?Says 0Says ?AddSort +AddSort -AddSort ");
}

TEMPLATE_TEST_CASE("sample: with an interval of 1 it behaves like the instrument; remarks belong to their runs",
                   "[instrument][sample]", static_layer, erased_layer) {
    instrument::sample every{1, instrument::op_diff{}};
    run<TestType>(every, tutti::sequential(add_sort, drop_first));
    CHECK(every.get().render() == "sequential: -1 scan, +1 sort\n\tAddSort: +1 sort\n\tDropFirst: -1 scan\n");
    instrument::sample third{3, instrument::remarks{}};
    run<TestType>(third, says, says, says, says);
    CHECK(third.get().list().size() == 2);
    instrument::sample timed{2, instrument::timing{}};
    run<TestType>(timed, add_sort, add_sort, add_sort);
    CHECK(timed.get().last().size() == 2);
}
