#pragma once

#include <tutti/pass/sequential.hpp>
#include <tutti/pipeline/options.hpp>

#include <utility>

namespace tutti {

namespace detail {

// Counts the parts of a pipeline's text.
struct stage_counter {
    std::size_t count = 0;

    constexpr void pass(std::string_view) { ++count; }
    constexpr void option(std::string_view, std::string_view) { ++count; }
    constexpr void open(std::string_view, std::string_view) { ++count; }
    constexpr void close() {}
};

// Lists the parts of a pipeline's text.
template <std::size_t N>
struct stage_list {
    stage stages[N + 1]{};
    pipeline_mistake mistake{};
    std::size_t count = 0;
    std::size_t inside = stage::none;

    constexpr void pass(std::string_view name) { add({stage_kind::pass, inside, name, {}}); }
    constexpr void option(std::string_view key, std::string_view value) {
        std::size_t owner = count - 1;
        while (stages[owner].kind == stage_kind::option) --owner;
        add({stage_kind::option, owner, key, value});
    }
    constexpr void open(std::string_view name, std::string_view level) {
        add({stage_kind::sequential, inside, name, level});
        inside = count - 1;
    }
    constexpr void close() { inside = stages[inside].parent; }

private:
    constexpr void add(const stage& s) { stages[count++] = s; }
};

template <fixed_string Text>
consteval auto list_stages() {
    constexpr std::size_t count = [] {
        stage_counter parts;
        read_pipeline(Text.view(), parts);
        return parts.count;
    }();
    stage_list<count> list;
    list.mistake = read_pipeline(Text.view(), list);
    return list;
}
template <fixed_string Text>
inline constexpr auto stages_of = list_stages<Text>();

// Where the members of a sequential, or the options of a pass, stand in the list.
template <fixed_string Text, std::size_t Parent, bool Options>
struct stages_in {
    static constexpr bool is_one(const stage& s) {
        return s.parent == Parent && (s.kind == stage_kind::option) == Options;
    }
    static constexpr std::size_t count = [] {
        std::size_t n = 0;
        for (std::size_t i = 0; i < stages_of<Text>.count; ++i) n += is_one(stages_of<Text>.stages[i]) ? 1 : 0;
        return n;
    }();
    struct index_list {
        std::size_t at[count + 1]{};
    };
    static constexpr index_list list = [] {
        index_list found;
        std::size_t n = 0;
        for (std::size_t i = 0; i < stages_of<Text>.count; ++i)
            if (is_one(stages_of<Text>.stages[i])) found.at[n++] = i;
        return found;
    }();
};

// The front part of a text as a template argument.
template <std::size_t N>
consteval auto verbatim(std::string_view text) {
    char front[N + 1]{};
    for (std::size_t i = 0; i < N; ++i) front[i] = text[i];
    return fixed_string<N + 1>{front};
}
// What a word stands for as a template argument.
template <std::size_t N>
consteval auto meant_by(std::string_view word) {
    char text[N + 1]{};
    std::size_t i = 0;
    for (word_chars chars{word}; !chars.done() && i < N;) text[i++] = chars.next();
    return fixed_string<N + 1>{text};
}

constexpr int no_level = -1;
// The level of a sequential.
consteval int level_of(const stage& s) {
    int level = 0;
    return s.value.empty() || (read_integer(s.value, level) && level >= 0) ? level : no_level;
}

consteval std::size_t length_of(std::string_view word) {
    std::size_t n = 0;
    for (word_chars chars{word}; !chars.done(); chars.next()) ++n;
    return n;
}

// What a mistake is shown as by the compiler: with what was written.
template <fixed_string Expected, fixed_string Rest>
inline constexpr bool expected_before = false;
template <fixed_string Name>
inline constexpr bool is_listed = false;
template <class P, fixed_string Key>
inline constexpr bool is_described = false;
template <class P, fixed_string Key>
inline constexpr bool is_given_once = false;
template <class P, fixed_string Key, fixed_string Value>
inline constexpr bool is_value = false;
template <fixed_string Level>
inline constexpr bool is_level_number = false;

template <fixed_string Expected, fixed_string Rest>
consteval bool refuse_text() {
    static_assert(expected_before<Expected, Rest>,
                  "tutti::pipeline<text>(passes): a text must be passes joined by commas; write Name, "
                  "Name{key=value,key=[a,b]}, seq(A,B) or seq[name](A,B)");
    return false;
}
template <fixed_string Name>
consteval bool refuse_name() {
    static_assert(is_listed<Name>,
                  "tutti::pipeline<text>(passes): a name must be that of a pass in the list; spell it as in the "
                  "pass's info, or add the pass to the list");
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
                  "tutti::pipeline<text>(passes): an option's value must be of the option's type; write a "
                  "number that fits, True "
                  "or False, a word, or a list [a,b] (decimals: at most 15 digits and 22 places)");
    return false;
}
template <fixed_string Level>
consteval bool refuse_level() {
    static_assert(is_level_number<Level>,
                  "tutti::pipeline<text>(passes): a sequential's level must be an integer; write seq[name,3](A,B)");
    return false;
}

template <fixed_string Text, std::size_t I>
inline constexpr const stage& stage_at = stages_of<Text>.stages[I];
template <fixed_string Text, std::size_t I>
inline constexpr auto name_at = meant_by<length_of(stage_at<Text, I>.name)>(stage_at<Text, I>.name);

// The pass of that name, in a list of one; an empty list if there is none.
template <fixed_string Name, class... P>
consteval auto find_pass(passes<P...>) {
    return passes<>{};
}
template <fixed_string Name, class P, class... Rest>
consteval auto find_pass(passes<P, Rest...>) {
    if constexpr (Name.view() == P::info.name)
        return passes<P>{};
    else
        return find_pass<Name>(passes<Rest...>{});
}

template <fixed_string Text, std::size_t I, class P>
consteval bool check_option() {
    constexpr std::string_view value = stage_at<Text, I>.value;
    constexpr option_outcome outcome = [] {
        P pass{};
        return set_option(pass, stage_at<Text, I>.name, stage_at<Text, I>.value);
    }();
    constexpr bool repeated = [] {
        for (std::size_t i = stage_at<Text, I>.parent + 1; i < I; ++i)
            if (same_word(stage_at<Text, I>.name, stages_of<Text>.stages[i].name)) return true;
        return false;
    }();
    if constexpr (repeated)
        return refuse_repeated<P, name_at<Text, I>>();
    else if constexpr (outcome == option_outcome::no_such_option)
        return refuse_option<P, name_at<Text, I>>();
    else if constexpr (outcome == option_outcome::no_such_value)
        return refuse_value<P, name_at<Text, I>, verbatim<value.size()>(value)>();
    else
        return true;
}

template <fixed_string Text, std::size_t I, class List>
consteval bool check_stage() {
    constexpr const stage& s = stage_at<Text, I>;
    if constexpr (s.kind == stage_kind::pass) {
        if constexpr (std::same_as<decltype(find_pass<name_at<Text, I>>(List{})), passes<>>)
            return refuse_name<name_at<Text, I>>();
        else
            return true;
    } else if constexpr (s.kind == stage_kind::sequential) {
        if constexpr (level_of(s) == no_level)
            return refuse_level<verbatim<s.value.size()>(s.value)>();
        else
            return true;
    } else {
        // of a pass that is not listed nothing more is to be said
        return []<class... P>(passes<P...>) {
            return (check_option<Text, I, P>() && ...);
        }(find_pass<name_at<Text, s.parent>>(List{}));
    }
}

template <fixed_string Text, std::size_t I, class List>
constexpr auto make_stage();

// A sequential of the stages of these places in the list.
template <fixed_string Text, class List, fixed_string Name, int Level, class In>
constexpr auto make_sequential() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
        return sequential<Name, Level>(make_stage<Text, In::list.at[I], List>()...);
    }(std::make_index_sequence<In::count>{});
}

template <class P>
constexpr P first_of(passes<P>) {
    return P{};
}

template <fixed_string Text, std::size_t I, class List>
constexpr auto make_stage() {
    if constexpr (stage_at<Text, I>.kind == stage_kind::pass) {
        auto pass = first_of(find_pass<name_at<Text, I>>(List{}));
        using options = stages_in<Text, I, true>;
        for (std::size_t i = 0; i < options::count; ++i) {
            const stage& option = stages_of<Text>.stages[options::list.at[i]];
            set_option(pass, option.name, option.value);
        }
        return pass;
    } else {
        return make_sequential<Text, List, name_at<Text, I>, level_of(stage_at<Text, I>), stages_in<Text, I, false>>();
    }
}

template <fixed_string Text, class List>
consteval bool check_pipeline() {
    constexpr pipeline_mistake mistake = stages_of<Text>.mistake;
    if constexpr (mistake.expected != nullptr) {
        constexpr std::string_view expected = mistake.expected, rest = Text.view().substr(mistake.position);
        return refuse_text<verbatim<expected.size()>(expected), verbatim<rest.size()>(rest)>();
    } else {
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return (check_stage<Text, I, List>() && ...);
        }(std::make_index_sequence<stages_of<Text>.count>{});
    }
}

} // namespace detail

/// The sequential that a text describes, made at compile time of a list of passes; see `read_pipeline` for
/// the grammar.
///
/// Requires: the passes are default-constructible and describe themselves statically; those that are given
/// options describe
///           them (`describes_options`).
/// Ensures:  the same type and value as `sequential(...)` written out. A name, option or value that is wrong
/// is a compile error
///           that shows it.
/// Example:  `constexpr auto p = tutti::pipeline<"InferType,FuseOps{fuse_opt_level=2}">(relay::passes);`
template <fixed_string Text, class... P>
constexpr auto pipeline(passes<P...>) {
    if constexpr (detail::check_pipeline<Text, passes<P...>>())
        return detail::make_sequential<Text, passes<P...>, "sequential", 0,
                                       detail::stages_in<Text, stage::none, false>>();
    else
        return seq<"sequential", 0>{}; // one error is enough
}

} // namespace tutti
