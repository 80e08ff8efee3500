#pragma once

#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/point.hpp>
#include <tutti/pass/resolve.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/pipeline/grammar.hpp>
#include <tutti/pipeline/options.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti {

namespace detail {

// A part of a pipeline's text: a pass, a pass with members, or an option of the previous pass.
struct text_part {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    stage_head head{};         // for an option, `head.name` is the key
    std::string_view value{};  // the value of an option
    std::size_t parent = none; // the index of the surrounding pass, or of the pass that an option belongs to
    bool is_option = false;
    bool has_members = false;
};

// A sink of `read_pipeline` that lists the N parts of a text, or counts the parts if N is 0.
template <std::size_t N>
struct part_list {
    text_part parts[N + 1]{};
    internal::pipeline_mistake mistake{};
    std::size_t count = 0;
    std::size_t inside = text_part::none, last = text_part::none;

    constexpr void stage(const stage_head& head) {
        last = count;
        add({.head = head, .parent = inside});
    }
    constexpr void option(std::string_view key, std::string_view value) {
        add({.head = {.name = key}, .value = value, .parent = last, .is_option = true});
    }
    constexpr void open() {
        inside = last;
        if constexpr (N > 0) parts[last].has_members = true;
    }
    constexpr void close() {
        if constexpr (N > 0) inside = parts[inside].parent;
    }

private:
    constexpr void add(const text_part& s) {
        if constexpr (N > 0) parts[count] = s;
        ++count;
    }
};

template <fixed_string Text>
consteval auto list_parts() {
    constexpr std::size_t count = [] {
        part_list<0> parts;
        read_pipeline(Text.view(), parts);
        return parts.count;
    }();
    part_list<count> list;
    list.mistake = read_pipeline(Text.view(), list);
    return list;
}
template <fixed_string Text>
inline constexpr auto parts_of = list_parts<Text>();
template <fixed_string Text, std::size_t I>
inline constexpr const text_part& part_at = parts_of<Text>.parts[I];

// Finds the options of the pass with index Parent, or its members if Options is false. `count` is their number, and
// `find` returns the index of the nth in the list of parts.
template <fixed_string Text, std::size_t Parent, bool Options>
struct parts_in {
    static constexpr std::size_t find(std::size_t nth) {
        for (std::size_t i = 0; i < parts_of<Text>.count; ++i) {
            const text_part& s = parts_of<Text>.parts[i];
            if (s.parent == Parent && s.is_option == Options && nth-- == 0) return i;
        }
        return text_part::none;
    }
    static constexpr std::size_t count = [] {
        std::size_t n = 0;
        while (find(n) != text_part::none) ++n;
        return n;
    }();
};

constexpr std::size_t length_of(std::string_view word) {
    std::size_t n = 0;
    for (word_chars chars{word}; !chars.done(); chars.next()) ++n;
    return n;
}
// Returns a word as a template argument, without quotes and escapes.
template <std::size_t N>
consteval auto meant_by(std::string_view word) {
    char text[N + 1]{};
    std::size_t i = 0;
    for (word_chars chars{word}; !chars.done();) text[i++] = chars.next();
    return fixed_string<N + 1>{text};
}
template <fixed_string Text, std::size_t I>
inline constexpr auto name_at = meant_by<length_of(part_at<Text, I>.head.name)>(part_at<Text, I>.head.name);
template <fixed_string Text, std::size_t I>
inline constexpr auto label_at = meant_by<length_of(part_at<Text, I>.head.label)>(part_at<Text, I>.head.label);

// Returns the level of a sequential. It is 0 for an empty word, and negative for an invalid one.
consteval int level_of(std::string_view word) {
    int level = 0;
    return word.empty() || internal::read_integer(word, level) ? level : -1;
}

// The key of an entry in a list of passes: the name of a pass, or the head of an adaptor.
struct list_key {
    std::string_view name{};
    std::string_view label{};
    bool adaptor = false;

    friend constexpr bool operator==(const list_key&, const list_key&) = default;
};
template <class T>
constexpr list_key key_of() {
    if constexpr (requires { T::info; })
        return {T::info.name};
    else
        return {T::name, T::label, true};
}

template <std::size_t I, class T>
struct list_entry {};
template <class Indices, class... T>
struct entries;
template <std::size_t... I, class... T>
struct entries<std::index_sequence<I...>, T...> : list_entry<I, T>... {};
template <std::size_t I, class T>
std::type_identity<T> entry_at(const list_entry<I, T>&);

// The passes and adaptors that names in a text may refer to.
template <class... T>
struct known_list {
    static constexpr list_key keys[sizeof...(T) + 1]{key_of<T>()...};

    static constexpr std::size_t find(const list_key& key) {
        for (std::size_t i = 0; i < sizeof...(T); ++i)
            if (keys[i] == key) return i;
        return sizeof...(T);
    }
    static constexpr std::size_t none = sizeof...(T);
    // The index of the first entry with the same key as an earlier entry; `none` if all keys are distinct.
    static constexpr std::size_t repeated = [] {
        for (std::size_t i = 0; i < sizeof...(T); ++i)
            if (find(keys[i]) != i) return i;
        return none;
    }();
    template <std::size_t I>
    using at = typename decltype(entry_at<I>(entries<std::index_sequence_for<T...>, T...>{}))::type;
};

template <fixed_string Text, std::size_t I, class Known>
inline constexpr std::size_t found_at =
    Known::find({name_at<Text, I>.view(), label_at<Text, I>.view(), part_at<Text, I>.has_members});

// True for `seq(…)` and `resolved(…)`, which are always known.
constexpr bool is_seq_head(const text_part& s) {
    return s.has_members && (s.head.name == "seq" || s.head.name == "resolved");
}

// True for `point(…)`, which is always known.
constexpr bool is_point_head(const text_part& s) {
    return s.has_members && s.head.name == "point" && s.head.label.empty();
}

// Makes the pass that a part of the text describes. Over is the type of unit; void if unknown.
template <fixed_string Text, std::size_t I, class Known, class Over>
constexpr auto make_part();

// Makes a sequential of the members of a stage, or of the stages at the top level if Parent is none.
template <fixed_string Text, std::size_t Parent, class Known, class Over, fixed_string Name = "sequential",
          int Level = 0>
constexpr auto make_sequential() {
    using in = parts_in<Text, Parent, false>;
    return []<std::size_t... I>(std::index_sequence<I...>) {
        return sequential<Name, Level>(make_part<Text, in::find(I), Known, Over>()...);
    }(std::make_index_sequence<in::count>{});
}

template <fixed_string Text, std::size_t I, class Known, class Over>
constexpr auto make_named_sequential() {
    if constexpr (part_at<Text, I>.head.label.empty())
        return make_sequential<Text, I, Known, Over>();
    else
        return make_sequential<Text, I, Known, Over, label_at<Text, I>, level_of(part_at<Text, I>.head.level)>();
}

template <fixed_string Text, std::size_t I, class Known, class Over = void>
constexpr auto make_bare() {
    constexpr const text_part& s = part_at<Text, I>;
    using in = parts_in<Text, I, false>;
    if constexpr (is_seq_head(s) && s.head.name == "resolved") {
        return resolve_for<resolved_for<Over, requirements::transitive>>(make_named_sequential<Text, I, Known, Over>());
    } else if constexpr (is_seq_head(s)) {
        return make_named_sequential<Text, I, Known, Over>();
    } else if constexpr (is_point_head(s)) {
        return point<name_at<Text, in::find(0)>>{};
    } else if constexpr (!s.has_members) {
        return typename Known::template at<found_at<Text, I, Known>>{};
    } else {
        using adaptor = typename Known::template at<found_at<Text, I, Known>>;
        using over =
            std::conditional_t<std::is_void_v<internal::inner_part<adaptor>>, Over, internal::inner_part<adaptor>>;
        if constexpr (in::count == 1)
            return adaptor::make(make_part<Text, in::find(0), Known, over>());
        else
            return adaptor::make(make_sequential<Text, I, Known, over>());
    }
}

template <fixed_string Text, std::size_t I, class Known, class Over>
constexpr auto make_part() {
    auto pass = make_bare<Text, I, Known, Over>();
    using options = parts_in<Text, I, true>;
    for (std::size_t i = 0; i < options::count; ++i)
        internal::empty_option(pass, parts_of<Text>.parts[options::find(i)].head.name);
    for (std::size_t i = 0; i < options::count; ++i) {
        const text_part& option = parts_of<Text>.parts[options::find(i)];
        internal::set_option(pass, option.head.name, option.value);
    }
    return pass;
}

// The names and arguments of these variables show a mistake, as written in the text, in the compiler's message.
template <fixed_string Expected, fixed_string Rest>
inline constexpr bool expected_before = false;
template <fixed_string Name, fixed_string Label>
inline constexpr bool is_listed = false;
template <fixed_string Name>
inline constexpr bool is_listed_once = false;
template <class P, fixed_string Key>
inline constexpr bool is_described = false;
template <class P, fixed_string Key>
inline constexpr bool is_given_once = false;
template <class P, fixed_string Key, fixed_string Value>
inline constexpr bool is_value = false;
template <fixed_string Level>
inline constexpr bool is_level_number = false;
template <fixed_string Point>
inline constexpr bool is_point_name = false;

template <fixed_string Expected, fixed_string Rest>
consteval bool refuse_text() {
    static_assert(expected_before<Expected, Rest>,
                  "tutti::pipeline<text>(passes): a text must be passes joined by commas; write Name, "
                  "Name{key=value,key=[a,b]}, seq(A,B), seq[name](A,B) or Adaptor{key=value}(A,B)");
    return false;
}
template <fixed_string Name>
consteval bool refuse_repeated_name() {
    static_assert(
        is_listed_once<Name>,
        "tutti::pipeline<text>(passes): a list of passes must have a name once; take one of the passes of that name "
        "out of the list");
    return false;
}
template <fixed_string Name>
consteval bool refuse_name() {
    static_assert(is_listed<Name, "">,
                  "tutti::pipeline<text>(passes): a name must be that of a pass in the list; spell it as in the "
                  "pass's info, or add the pass to the list");
    return false;
}
template <fixed_string Name, fixed_string Label>
consteval bool refuse_adaptor() {
    static_assert(is_listed<Name, Label>,
                  "tutti::pipeline<text>(passes): a name before (A,B) must be that of an adaptor in the list; write "
                  "seq(A,B), fixpoint(A,B), or add the adaptor to the list, tutti::only_if_adaptor<has_loops> for "
                  "only_if[has_loops](A,B)");
    return false;
}
template <class P, fixed_string Key>
consteval bool refuse_option() {
    static_assert(is_described<P, Key>,
                  "tutti::pipeline<text>(passes): an option must be one that the pass describes; spell it as "
                  "its static member options does");
    return false;
}
template <class P, fixed_string Key>
consteval bool refuse_repeated() {
    static_assert(is_given_once<P, Key>,
                  "tutti::pipeline<text>(passes): an option must be given once; leave out all but one");
    return false;
}
template <class P, fixed_string Key, fixed_string Value>
consteval bool refuse_value() {
    static_assert(is_value<P, Key, Value>,
                  "tutti::pipeline<text>(passes): an option's value must be of the option's type; write a number that "
                  "fits, True or False, a word, or a list [a,b] (decimals: at most 15 digits and 22 places)");
    return false;
}
template <fixed_string Level>
consteval bool refuse_level() {
    static_assert(is_level_number<Level>,
                  "tutti::pipeline<text>(passes): a sequential's level must be an integer; write seq[name,3](A,B)");
    return false;
}

template <fixed_string Point>
consteval bool refuse_point() {
    static_assert(is_point_name<Point>,
                  "tutti::pipeline<text>(passes): a point must have a single name; write point(after-simplify)");
    return false;
}
// True for a part of the text that is the only thing in `point(…)`: the name of the point.
template <fixed_string Text, std::size_t I>
consteval bool is_point_name_at() {
    const std::size_t parent = part_at<Text, I>.parent;
    return parent != text_part::none && is_point_head(parts_of<Text>.parts[parent]);
}
template <fixed_string Text, std::size_t I>
consteval bool check_point_at() {
    using names = parts_in<Text, I, false>;
    if constexpr (names::count == 1 && parts_in<Text, I, true>::count == 0)
        if constexpr (constexpr std::size_t name = names::find(0); !part_at<Text, name>.has_members &&
                                                                   part_at<Text, name>.head.label.empty() &&
                                                                   parts_in<Text, name, true>::count == 0)
            return true;
    return false;
}

template <fixed_string Text, std::size_t I>
consteval bool is_repeated() {
    for (std::size_t i = part_at<Text, I>.parent + 1; i < I; ++i)
        if (internal::same_word(part_at<Text, I>.head.name, parts_of<Text>.parts[i].head.name)) return true;
    return false;
}

// Checks an option of a pass whose name has been checked.
template <fixed_string Text, std::size_t I, class Known>
consteval bool check_option_at() {
    using P = decltype(make_bare<Text, part_at<Text, I>.parent, Known>());
    constexpr std::string_view value = part_at<Text, I>.value;
    constexpr internal::option_outcome outcome = check_option<P>(part_at<Text, I>.head.name, value);
    if constexpr (is_repeated<Text, I>())
        return refuse_repeated<P, name_at<Text, I>>();
    else if constexpr (outcome == internal::option_outcome::no_such_option)
        return refuse_option<P, name_at<Text, I>>();
    else if constexpr (outcome == internal::option_outcome::no_such_type)
        return refuse_option_type<P, name_at<Text, I>>();
    else if constexpr (outcome == internal::option_outcome::no_such_value)
        return refuse_value<P, name_at<Text, I>, verbatim<value.size()>(value)>();
    else
        return true;
}

template <fixed_string Text, std::size_t I, class Known>
consteval bool check_name_at() {
    constexpr std::string_view level = part_at<Text, I>.head.level;
    if constexpr (part_at<Text, I>.is_option || is_point_name_at<Text, I>())
        return true;
    else if constexpr (is_point_head(part_at<Text, I>) && !check_point_at<Text, I>())
        return refuse_point<Text>();
    else if constexpr (is_point_head(part_at<Text, I>))
        return true;
    else if constexpr (level_of(level) < 0 || (!level.empty() && !is_seq_head(part_at<Text, I>)))
        return refuse_level<verbatim<level.size()>(level)>();
    else if constexpr (is_seq_head(part_at<Text, I>) || found_at<Text, I, Known> != Known::none)
        return true;
    else if constexpr (part_at<Text, I>.has_members)
        return refuse_adaptor<name_at<Text, I>, label_at<Text, I>>();
    else
        return refuse_name<name_at<Text, I>>();
}

template <fixed_string Text, class Known>
consteval bool check_pipeline() {
    constexpr internal::pipeline_mistake mistake = parts_of<Text>.mistake;
    if constexpr (mistake.expected != nullptr) {
        constexpr std::string_view expected = mistake.expected, rest = Text.view().substr(mistake.position);
        return refuse_text<verbatim<expected.size()>(expected), verbatim<rest.size()>(rest)>();
    } else if constexpr (Known::repeated != Known::none) {
        constexpr std::string_view name = Known::keys[Known::repeated].name;
        return refuse_repeated_name<verbatim<name.size()>(name)>();
    } else {
        return []<std::size_t... I>(std::index_sequence<I...>) {
            if constexpr ((check_name_at<Text, I, Known>() && ...))
                return ([] {
                    if constexpr (part_at<Text, I>.is_option)
                        return check_option_at<Text, I, Known>();
                    else
                        return true;
                }() && ...);
            else
                return false;
        }(std::make_index_sequence<parts_of<Text>.count>{});
    }
}

} // namespace detail

/// Makes the sequential that a text describes, at compile time. `read_pipeline` documents the grammar.
///
/// The argument lists the passes and adaptors (`tutti::adaptor`) that the text may name. `fixpoint` and `repeat` are
/// always known.
///
/// Requires: the passes are default-constructible, describe themselves statically, and describe their options, if any
///           (`describes_options`).
/// Ensures:  the result has the same type and value as the equivalent call of `sequential(...)`. A wrong name, option
///           or value is shown in a compile error.
/// Example:  `constexpr auto p = tutti::pipeline<"InferType,FuseOps{fuse_opt_level=2}">(relay::passes);`
template <fixed_string Text, class... P>
constexpr auto pipeline(passes<P...>) {
    using known = detail::known_list<P..., fixpoint_adaptor, repeat_adaptor>;
    if constexpr (detail::check_pipeline<Text, known>())
        return detail::make_sequential<Text, detail::text_part::none, known, void>();
    else
        return seq<"sequential", 0>{}; // prevents further errors
}

} // namespace tutti
