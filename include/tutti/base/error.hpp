#pragma once

#include <tutti/base/failure.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace tutti {

/// Wrong input at run time: the place, the problem, and the expected input.
///
/// `what()` joins the three parts as `where: problem; expected expectation` and omits empty parts.
///
/// Example: `throw tutti::error{"nn.conv2d, argument weight", "has 3 input channels", "4"};`
class [[gnu::visibility("default")]] error : public std::runtime_error {
public:
    [[gnu::cold]] explicit error(std::string where, std::string problem, std::string expected = {})
        : std::runtime_error(compose(where, problem, expected))
        , where_(std::move(where))
        , problem_(std::move(problem))
        , expected_(std::move(expected)) {}

    /// The place: `file:line:col`, an operator and its argument, a function.
    const std::string& where() const noexcept { return where_; }
    /// The problem.
    const std::string& problem() const noexcept { return problem_; }
    /// The expected input, or "".
    const std::string& expected() const noexcept { return expected_; }

private:
    [[gnu::cold]] static std::string compose(const std::string& where, const std::string& problem,
                                             const std::string& expected) {
        std::string text = where;
        if (!where.empty() && !problem.empty()) text += ": ";
        text += problem;
        if (!expected.empty()) text += "; expected " + expected;
        return text;
    }

    std::string where_;
    std::string problem_;
    std::string expected_;
};

/// Calls `check()`. If that throws a `tutti::error`, prefixes the error's place with `when` and the pass:
/// "after FoldConstant: …".
template <class Check>
constexpr void checked_around(std::string_view when, std::string_view pass, const Check& check) {
    internal::on_failure<error>(check, [&](const error& e) {
        std::string where{when};
        where.append(" ").append(pass);
        if (!e.where().empty()) where.append(": ").append(e.where());
        raise(error{std::move(where), e.problem(), e.expected()});
    });
}
/// Calls `check()` after a pass. If that throws a `tutti::error`, prefixes the error's place: "after FoldConstant: …".
///
/// Example: `static void check_structure(const plan& p, std::string_view pass) { tutti::checked_after(pass, [&] {
///          check_ids(p); }); }`
template <class Check>
constexpr void checked_after(std::string_view pass, const Check& check) {
    checked_around("after", pass, check);
}

} // namespace tutti
