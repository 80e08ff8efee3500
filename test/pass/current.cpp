#include <tutti/pass/current.hpp>

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "catch.hpp"

TEST_CASE("current: a static context is the current one of its type if it is asked to be", "[pass][current]") {
    tutti::pass_context outer{tutti::opt_level(3), tutti::as_current{}};
    auto inner = outer;
    using context = decltype(outer);
    CHECK(context::current() == nullptr);
    tutti::with(outer, [&] {
        CHECK(context::current() == &outer);
        tutti::with(inner, [&](auto&) { CHECK(context::current() == &inner); });
        CHECK(context::current() == &outer);
        CHECK_THROWS_AS(tutti::with(inner, [] { throw 3; }), int);
        CHECK(context::current() == &outer);
    });
    CHECK(context::current() == nullptr);
    {
        tutti::entered in{outer};
        CHECK(context::current() == &outer);
        in.leave();
        CHECK(context::current() == nullptr);
    }
}

TEST_CASE("current: of one type on one thread, each type has its own", "[pass][current]") {
    tutti::runtime::pass_context<int> a;
    tutti::runtime::pass_context<long> b;
    tutti::with(a, [&] {
        tutti::with(b, [&] {
            CHECK(&tutti::runtime::pass_context<int>::current() == &a);
            CHECK(&tutti::runtime::pass_context<long>::current() == &b);
        });
    });
}
