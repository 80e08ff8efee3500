#pragma once

#include <tutti/base/fixed_string.hpp>

namespace tutti {

struct [[gnu::visibility("default")]] pass_info; // identified by address

enum class skip_reason;
enum class requirements;

/// A list of pass types: `using required = tutti::passes<infer_type>;`.
template <class... P>
struct passes {
    static constexpr unsigned size = sizeof...(P);
};

namespace detail {

// Always false, but dependent, so that a static_assert fails only if its template is instantiated.
template <auto...>
inline constexpr bool never = false;
template <class...>
inline constexpr bool never_of = false;

// Convertible from anything, including a list in braces; a parameter type for overloads that only report an error.
struct anything_given {
    template <class... T>
    constexpr anything_given(const T&...) {}
};

template <requirements Requirements, fixed_string Name, int Level, class... P>
struct basic_seq;
template <fixed_string Name, int Level, class F>
struct made_pass;
} // namespace detail

/// The result of a pass that may fail; see `tutti/pass/result.hpp`.
template <class E>
class result;

namespace internal {

template <class Storage>
class instrument_set;
template <class E>
struct on_executor;

/// True for the results of passes that may fail; see `tutti/pass/result.hpp`.
template <class T>
inline constexpr bool is_result = false;
template <class E>
inline constexpr bool is_result<result<E>> = true;

} // namespace internal

class stop_token;
struct stoppable;
template <class... Options>
class pass_context;
template <class Context, bool Nested>
class scope;
/// The context of the passes over one part; see `tutti/pass/parallel.hpp`.
template <class Whole>
class part_context;

} // namespace tutti
