// expect-error: a pass must return the unit, or nothing, or tutti::changed or tutti::unchanged; let it take
#include <tutti/pass.hpp>

#include <string>

struct p {
    static constexpr tutti::pass_info info{.name = "P"};
    bool operator()(std::string&) const { return true; }
};

int main() {
    std::string unit;
    tutti::with(tutti::pass_context{}, [&](auto& scope) { scope.run(p{}, unit); });
}
