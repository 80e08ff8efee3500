#include <tutti/base/failure.hpp>

#include "support/catch.hpp"

#include <memory>
#include <stdexcept>
#include <string>

namespace {
constexpr int half(int n) {
    return tutti::internal::on_failure([&] { return n % 2 == 0 ? n / 2 : throw 1; }, [](const std::exception_ptr&) {});
}
} // namespace

static_assert(half(4) == 2);

TEST_CASE("on_failure: returns the result of the body, a reference as a reference", "[failure]") {
    int n = 3;
    int& same = tutti::internal::on_failure([&]() -> int& { return n; }, [](const std::exception_ptr&) {});
    CHECK(&same == &n);
    CHECK(half(6) == 3);
}

TEST_CASE("on_failure: passes the exception to the handler and rethrows it", "[failure]") {
    std::exception_ptr told;
    const auto fail = [&] {
        tutti::internal::on_failure([] { tutti::raise(std::runtime_error{"no"}); },
                                    [&](const std::exception_ptr& e) { told = e; });
    };
    CHECK_THROWS_AS(fail(), std::runtime_error);
    CHECK_THROWS_AS(std::rethrow_exception(told), std::runtime_error);
}

TEST_CASE("on_failure: an exception of the handler replaces the first one", "[failure]") {
    const auto fail = [] {
        tutti::internal::on_failure([] { throw 1; }, [](const std::exception_ptr&) { throw std::string{"2"}; });
    };
    CHECK_THROWS_AS(fail(), std::string);
}

TEST_CASE("on_failure: with a type, handles only exceptions of this type", "[failure]") {
    std::string told;
    const auto run = [&](auto what) {
        tutti::internal::on_failure<std::runtime_error>([&] { tutti::raise(what); },
                                                        [&](const std::runtime_error& e) { told += e.what(); });
    };
    CHECK_THROWS_AS(run(std::range_error{"far"}), std::range_error);
    CHECK_THROWS_AS(run(std::logic_error{"wrong"}), std::logic_error);
    CHECK(told == "far");
    const auto translate = [] {
        tutti::internal::on_failure<int>([] { throw 1; }, [](int n) { tutti::raise(std::to_string(n)); });
    };
    CHECK_THROWS_AS(translate(), std::string);
}

TEST_CASE("on_unwind: calls the handler where the body throws, and only there", "[failure]") {
    int called = 0, n = 3;
    const auto count = [&] { ++called; };
    int& same = tutti::internal::on_unwind([&]() -> int& { return n; }, count);
    CHECK(&same == &n);
    CHECK(*tutti::internal::on_unwind([] { return std::make_unique<int>(5); }, count) == 5);
    tutti::internal::on_unwind([] {}, count);
    CHECK(called == 0);
    CHECK_THROWS_AS(tutti::internal::on_unwind([] { throw 1; }, count), int);
    CHECK(called == 1);
}

TEST_CASE("with_what: passes the message of an exception, if it has one", "[failure]") {
    std::string told;
    const auto tell = [&](const char* what) { told += what; };
    tutti::internal::with_what(std::make_exception_ptr(std::runtime_error{"it fails"}), tell);
    tutti::internal::with_what(std::make_exception_ptr(1), tell);
    tutti::internal::with_what({}, tell);
    CHECK(told == "it fails");
}
