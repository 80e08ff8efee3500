"""modules/exports.py finds the public names of headers, whatever declares them.

exports.py SOURCE_ROOT
"""

import sys
import tempfile
from pathlib import Path

ROOT = Path(sys.argv[1])
sys.path.insert(0, str(ROOT / "modules"))
import exports  # noqa: E402

HEADER = """#pragma once

#include <tutti/b.hpp>

#include <string>

#define NOT_A_NAME namespace tutti { struct of_a_macro {}; }

namespace tutti {

struct declared_only;
template <class T>
struct a_struct {
    int member;
    void member_function();
};
template <>
struct a_struct<int> {};
template <class T>
a_struct(T) -> a_struct<T>;
class [[nodiscard]] a_class final : public a_struct<char> {};
enum class an_enumeration { not_exported };
using an_alias = a_struct<char>;
template <class... T>
using alias_template = a_struct<T...>;
template <class T>
concept a_concept = requires(T t) {
    { t.size() } -> a_struct;
} && sizeof(T) > 1;
template <class T>
inline constexpr bool a_variable = sizeof(T) < 2;
inline constexpr an_alias a_value{};
inline constexpr struct {
    int i = 0;
} of_unnamed_type{};

/// A function, whose name is not: not_me();
template <class T, class U = std::vector<std::pair<int, T>>>
    requires a_concept<T> && (sizeof(T) > 1)
constexpr std::pair<T, U> a_function(T (*f)(int), U u = {}) {
    if (f) return helper(u);
    return {"}", '}'};
}
decltype(auto) with_decltype(int);
[[nodiscard]] constexpr auto trailing(int i) -> decltype(i);
constexpr bool operator==(const a_class&, const a_class&) = default;
template <class T>
constexpr a_class operator<<(a_class a, const T&) { return a; }
constexpr std::size_t an_alias::outside() const { return 0; }
static_assert(sizeof(int) == 4);

namespace detail {
struct a_detail {};
} // namespace detail

namespace inner::inline TUTTI_FORM::deep {
TUTTI_CONSTEXPR void in_a_namespace();
}

} // namespace tutti

namespace not_ours {
struct other {};
}
"""
EXPECTED = {
    "tutti": {"declared_only", "a_struct", "a_class", "an_enumeration", "an_alias", "alias_template", "a_concept", "a_variable", "a_value",
              "of_unnamed_type", "a_function", "with_decltype", "trailing", "operator==", "operator<<", "from_b"},
    "tutti::inner::deep": {"in_a_namespace"},
}

with tempfile.TemporaryDirectory() as folder:
    include = Path(folder)
    (include / "tutti").mkdir()
    (include / "tutti/a.hpp").write_text(HEADER, encoding="utf-8")
    (include / "tutti/b.hpp").write_text("namespace tutti {\nvoid from_b();\n}\n", encoding="utf-8")
    texts = exports.closure(include, ["tutti/a.hpp"])
    found = exports.exported(texts)
    known = exports.exported(exports.closure(include, ["tutti/b.hpp"]))
    if found != EXPECTED:
        sys.exit(f"found {found}\nexpected {EXPECTED}")
    text = exports.interface("a", ["tutti/a.hpp"], texts, "b", known)
    for part in ("module;\n#include <tutti/a.hpp>\nexport module a;\nexport import b;\n", "export namespace tutti {\nusing tutti::a_class;\n",
                 "export namespace tutti::inner::deep {\nusing tutti::inner::deep::in_a_namespace;\n}\n"):
        if part not in text:
            sys.exit(f"the interface has no\n{part}")
    if "from_b" in text:
        sys.exit("the interface exports a name of the imported module")

# Names that users write are found in the umbrellas of the core.
names = exports.exported(exports.closure(ROOT / "include", ["tutti/pass.hpp", "tutti/instrument.hpp", "tutti/runtime.hpp"]))
for name in ("with", "sequential", "make_pass", "pass_context", "unit_traits", "opt_level", "instruments"):
    if name not in names["tutti"]:
        sys.exit(f"tutti::{name} is not found")
print(", ".join(f"{len(each)} names in {space}" for space, each in sorted(names.items())))
