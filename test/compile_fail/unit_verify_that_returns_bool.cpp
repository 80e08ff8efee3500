// expect-error: a verify must return nothing; declare it static void verify(const Unit&), and throw a tutti::error
#include <tutti/instrument/verify.hpp>
#include <tutti/pass.hpp>

template <>
struct tutti::unit_traits<int> {
    static bool verify(int n) { return n > 0; }
};

void run() {
    tutti::instrument::verify check;
    tutti::with(tutti::pass_context{tutti::instruments(check)},
                [](auto& scope) { return scope.run(tutti::make_pass<"Twice">([](int n) { return 2 * n; }), 1); });
}
