// expect-error: a pass must be callable with the unit and a context
#include <tutti/pass.hpp>
#include <tutti/pass/within.hpp>

#include <string>

struct next {
    static constexpr tutti::pass_info info{.name = "Next"};
    void operator()(int& n) const { ++n; }
};

int main() {
    std::string unit;
    tutti::with(tutti::pass_context{}, [&](auto& scope) { scope.run(tutti::within(next{}, 5), unit); });
}
