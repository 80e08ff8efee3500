// expect-error: tutti::each<Part>(pass...): a Part must be the type of the unit's parts; specialise tutti::unit_traits<Unit>
#include <tutti/pass.hpp>

int main() {
    tutti::with(tutti::pass_context{}, [](auto& scope) {
        return scope.run(tutti::each<char>(tutti::make_pass<"P">([](char& c) { ++c; })), 1);
    });
}
