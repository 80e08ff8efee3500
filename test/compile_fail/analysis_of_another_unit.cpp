// expect-error: tutti::scope::get<A>(unit): an A must be callable, when const, with the unit; declare its operator
#include <tutti/pass.hpp>

#include <string>

struct length {
    int operator()(const std::string& text) const { return static_cast<int>(text.size()); }
};

int main() {
    tutti::with(tutti::pass_context{}, [](auto& scope) { scope.template get<length>(1); });
}
