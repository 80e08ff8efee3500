// Passes over a custom IR, with the C++20 module of the library's core.
//
//     CXX=clang++-19 meson setup build -Dmodules=enabled

#include <cstdio>
#include <string>
#include <string_view>

import tutti;

// The IR is a polynomial.
struct polynomial {
    int constant = 0;
    int linear = 0;
};

// Lets instruments print polynomials.
template <>
struct tutti::unit_traits<polynomial> {
    static std::string to_text(const polynomial& p) {
        return std::to_string(p.linear) + " x + " + std::to_string(p.constant) + "\n";
    }
};

struct derive {
    static constexpr tutti::pass_info info{.name = "Derive"};

    void operator()(polynomial& p) const { p = {p.linear, 0}; }
};

struct scale {
    static constexpr tutti::pass_info info{.name = "Scale"};

    int by = 2;

    static constexpr tutti::option_list<&scale::by> options{"by"};

    void operator()(polynomial& p) const { p = {p.constant * by, p.linear * by}; }
};

int main() {
    const auto write = [](std::string_view text) {
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::puts("");
    };
    tutti::instrument::print_ir show{{.after = {"Scale", "Derive"}}, write};
    tutti::pass_context ctx{tutti::instruments(show)};

    // Runs a pipeline that is a type.
    polynomial p{.constant = 1, .linear = 3};
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(tutti::repeat(scale{.by = 3}, 2), derive{}), p); });

    // Runs a pipeline from text.
    tutti::runtime::registry<polynomial> passes;
    passes.add<derive>();
    passes.add<scale>();
    const auto pipeline = tutti::runtime::parse_pipeline("Scale{by=5},Derive", passes);
    polynomial q{.constant = 1, .linear = 1};
    tutti::runtime::pass_context<polynomial> dynamic{{.instruments = {show}}};
    tutti::with(dynamic, [&](auto& scope) { scope.run(pipeline, q); });
    std::printf("%d and %d\n", p.constant, q.constant);
}
