#pragma once

#include <tutti/pass/result.hpp>
#include <tutti/pass/within.hpp>

#include "support/catch.hpp"
#include "support/stoppable.hpp"
#include "support/two_layers.hpp"

#include <type_traits>
#include <utility>

// Checks the laws of a pass. `make()` creates a unit; `observe(unit)` returns a value to compare.
template <class Layer, class Unit>
void pass_laws(const auto& pass, auto make, auto observe) {
    const auto run = [&](auto&& context, const auto& p) {
        return Layer::with(context, [&](auto& scope) {
            Unit in_place = make();
            scope.run(p, in_place);
            const Unit by_value = scope.run(p, make());
            CHECK(observe(in_place) == observe(by_value));
            return observe(by_value);
        });
    };
    const auto plain = [&] { return Layer::template context<Unit>(setup{.opt_level = 99}); };
    const auto alone = run(plain(), pass);

    // A sequential of one pass acts like the pass, nested or not, named or not.
    CHECK(run(plain(), tutti::sequential(pass)) == alone);
    CHECK(run(plain(), tutti::sequential<"Named", 3>(tutti::sequential(pass))) == alone);
    // Sequentials are associative, and the empty sequential is the identity.
    CHECK(run(plain(), tutti::sequential(tutti::sequential(pass, pass), pass)) ==
          run(plain(), tutti::sequential(pass, tutti::sequential(pass, pass))));
    CHECK(run(plain(), tutti::sequential(tutti::sequential(), pass, tutti::sequential())) == alone);
    // Resolving a pass without required passes changes nothing.
    if constexpr (requires { typename std::remove_cvref_t<decltype(pass)>::required; } == false)
        CHECK(run(plain(), tutti::resolve(tutti::sequential(pass))) == alone);
    // Type-erased equivalents act like the pass.
    if constexpr (std::is_same_v<Layer, erased_layer>) {
        CHECK(run(plain(), tutti::runtime::any_pass<Unit>{pass}) == alone);
        CHECK(run(plain(), tutti::runtime::sequential<Unit>{{pass}}) == alone);
    }
    // try_run acts like run, and after an error like the passes before it.
    const auto tried = [&](const auto& p) {
        auto context = plain();
        Unit unit = make();
        const auto done = Layer::with(context, [&](auto& scope) { return tutti::try_run(scope, p, unit); });
        return std::pair{bool(done), observe(unit)};
    };
    const auto fails =
        tutti::make_pass<"Fails">([](Unit&) -> tutti::result<> { return tutti::pass_error{"on purpose"}; });
    CHECK(tried(pass) == std::pair{true, alone});
    CHECK(tried(tutti::sequential(pass, fails, pass)) == std::pair{false, alone});
    CHECK(tried(tutti::sequential(tutti::sequential(fails, pass), pass)) == std::pair{false, observe(make())});
    // A time limit that is not reached changes nothing, nor does a token without a request.
    CHECK(run(plain(), tutti::within(pass, 1'000'000)) == alone);
    CHECK(run(plain(), tutti::sequential(pass, tutti::within(tutti::sequential(pass, pass), 1'000'000))) ==
          run(plain(), tutti::sequential(pass, pass, pass)));
    tutti::stop_token token;
    using stoppable = std::conditional_t<std::is_same_v<Layer, erased_layer>, stoppable_erased, stoppable_static>;
    CHECK(run(stoppable::template context<Unit>(token), tutti::sequential(pass)) == alone);
    // After a request, a sequential changes nothing.
    token.request();
    CHECK(run(stoppable::template context<Unit>(token), tutti::sequential(pass)) == observe(make()));
    CHECK(run(plain(), tutti::within(pass, 0)) == observe(make()));
    // A pass disabled in a sequential changes nothing. A pass that is run directly cannot be disabled.
    const std::string name{pass.info.name};
    const setup disabled{.opt_level = 99, .disabled = {name}};
    CHECK(run(Layer::template context<Unit>(disabled), tutti::sequential(pass)) == observe(make()));
    CHECK(run(Layer::template context<Unit>(disabled), pass) == alone);
}
