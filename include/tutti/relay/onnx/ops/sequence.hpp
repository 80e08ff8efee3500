#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/onnx/fields.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/movement.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

// A sequence is imported as a tuple of tensors. Its length is known during import. An optional is a tuple of one field,
// or an empty tuple.

inline plain_vector<expr_id> fields_of(node_context& c, std::size_t i) {
    const expr e = c.input(i);
    const graph& g = c.graph().graph();
    const type_id type = c.graph().type(e.id);
    if (g.types().kind(type) != type_kind::tuple)
        c.refuse("input " + std::to_string(i) + " is not a sequence", "a sequence");
    plain_vector<expr_id> fields;
    if (g.kind(e.id) == expr_kind::tuple) {
        for (const expr_id f : g.operands(e.id)) fields.push_back(f);
        return fields;
    }
    const std::size_t count = g.types().fields(type).size();
    for (std::uint32_t k = 0; k < count; ++k) fields.push_back(e[k].id);
    return fields;
}

// Returns a position in a sequence of `size` tensors, which input `i` holds. The position must be below `end`. A
// negative position counts from the end of the sequence.
inline std::size_t place_of(node_context& c, std::size_t i, std::size_t size, std::size_t end) {
    const std::optional<double> known = c.known_number_of(i);
    if (!known) c.refuse("a position in a sequence that is computed at run time", "a known position");
    const auto n = static_cast<std::int64_t>(size);
    const auto most = static_cast<std::int64_t>(end) - 1;
    const auto place = static_cast<std::int64_t>(*known < -1e9 ? -1e9 : *known > 1e9 ? 1e9 : *known);
    if (place < -n || place > most)
        c.refuse("place " + std::to_string(place) + " of a sequence of " + std::to_string(n),
                 std::to_string(-n) + " to " + std::to_string(most));
    return static_cast<std::size_t>(place < 0 ? place + n : place);
}

inline expr import_sequence_construct(node_context& c) {
    plain_vector<expr_id> fields;
    for (std::size_t i = 0; i < c.input_count(); ++i) fields.push_back(c.input(i).id);
    return c.tuple(fields);
}
inline expr import_sequence_empty(node_context& c) { return c.tuple({}); }

inline expr import_sequence_length(node_context& c) {
    return c.number(static_cast<double>(fields_of(c, 0).size()), dtype::int64);
}

inline expr import_sequence_at(node_context& c) {
    const plain_vector<expr_id> fields = fields_of(c, 0);
    return c.of(fields[place_of(c, 1, fields.size(), fields.size())]);
}

inline expr import_sequence_insert(node_context& c) {
    const plain_vector<expr_id> fields = fields_of(c, 0);
    const std::size_t place = c.has(2) ? place_of(c, 2, fields.size(), fields.size() + 1) : fields.size();
    plain_vector<expr_id> more;
    more.append(fields.part(0, place));
    more.push_back(c.input(1).id);
    more.append(fields.part(place, fields.size() - place));
    return c.tuple(more);
}

inline expr import_sequence_erase(node_context& c) {
    const plain_vector<expr_id> fields = fields_of(c, 0);
    if (fields.empty()) c.refuse("an empty sequence", "one with a tensor to erase");
    const std::size_t place = c.has(1) ? place_of(c, 1, fields.size(), fields.size()) : fields.size() - 1;
    plain_vector<expr_id> fewer;
    for (std::size_t i = 0; i < fields.size(); ++i)
        if (i != place) fewer.push_back(fields[i]);
    return c.tuple(fewer);
}

// Splits an axis into parts of size `part`. The last part may be smaller.
inline plain_vector<expr_id> parts_of_size(node_context& c, expr x, std::int64_t axis, std::int64_t part) {
    const std::int64_t size = c.size(x, static_cast<std::size_t>(axis));
    if (part < 1) c.refuse("parts of size " + std::to_string(part), "1 or more");
    if ((size - 1) / part >= 4096) c.refuse("a sequence of more than 4,096 tensors", "fewer");
    dims places;
    for (std::int64_t at = part; at < size; at += part) places.push_back(at);
    plain_vector<expr_id> parts;
    if (places.empty()) {
        if (size != 0) parts.push_back(x.id);
        return parts;
    }
    const expr all = relay::split(x, {.indices_or_sections = one_or_more(places), .axis = axis});
    for (std::uint32_t i = 0; i <= places.size(); ++i) parts.push_back(all[i].id);
    return parts;
}

inline expr import_split_to_sequence(node_context& c) {
    const expr x = c.input(0);
    const std::int64_t axis = c.axis_of(c.integer("axis", 0), c.rank(x));
    if (c.has(1) && c.rank(c.input(1)) == 0) {
        const dims size = c.static_integers(1, "the size of the parts");
        return c.tuple(parts_of_size(c, x, axis, size[0].value()));
    }
    if (c.has(1)) {
        const std::optional<dims> sizes = c.known_integers(1);
        const std::int64_t count = sizes ? static_cast<std::int64_t>(sizes->size()) : c.size(c.input(1), 0);
        if (count > 4096) c.refuse("a sequence of more than 4,096 tensors", "fewer");
        return c.tuple(all_known(sizes) ? split_by_sizes(c, x, axis, *sizes)
                                        : split_at_run_time(c, x, axis, count, c.cast_to(c.input(1), dtype::int64)));
    }
    plain_vector<expr_id> parts = parts_of_size(c, x, axis, 1);
    if (!c.flag("keepdims", true))
        for (expr_id& part : parts) part = relay::squeeze(c.of(part), {.axis = dims{axis}}).id;
    return c.tuple(parts);
}

inline expr import_concat_from_sequence(node_context& c) {
    const plain_vector<expr_id> fields = fields_of(c, 0);
    if (fields.empty()) c.refuse("an empty sequence", "a tensor or more");
    const bool stacks = c.flag("new_axis");
    const std::int64_t axis = c.axis_of(c.integer("axis"), c.rank(c.of(fields[0])) + (stacks ? 1 : 0));
    const expr all = c.tuple(fields);
    return stacks ? relay::stack(all, {.axis = axis}) : relay::concatenate(all, {.axis = axis});
}

// Imports SequenceMap: imports the body once for each tensor of the first sequence. The body gets the corresponding
// tensors of the other sequences, and all plain tensors.
inline expr import_sequence_map(node_context& c) {
    const graph_view body = c.subgraph("body");
    vector<plain_vector<expr_id>> sequences;
    for (std::size_t i = 0; i < c.input_count(); ++i)
        sequences.push_back(c.is_tensor(c.input(i)) ? plain_vector<expr_id>() : fields_of(c, i));
    const std::size_t count = fields_of(c, 0).size();
    if (count * body.count(field::graph::node) > 65'536)
        c.refuse("more than 65,536 nodes", "a body or a sequence that is smaller");
    vector<plain_vector<expr_id>> given(c.output_count());
    for (std::size_t k = 0; k < count; ++k) {
        plain_vector<expr_id> inputs;
        for (std::size_t i = 0; i < c.input_count(); ++i) {
            if (c.is_tensor(c.input(i))) {
                inputs.push_back(c.input(i).id);
                continue;
            }
            if (sequences[i].size() != count)
                c.refuse("sequences of " + std::to_string(count) + " and " + std::to_string(sequences[i].size()),
                         "the same length");
            inputs.push_back(sequences[i][k]);
        }
        const plain_vector<expr_id> made = c.services().import_subgraph(body, inputs.all());
        if (made.size() < given.size())
            c.refuse(std::to_string(given.size()) + " outputs of a body that has " + std::to_string(made.size()),
                     "no more");
        for (std::size_t i = 0; i < given.size(); ++i) given[i].push_back(made[i]);
    }
    for (std::size_t i = 0; i < given.size(); ++i) c.output(i, c.tuple(given[i]));
    return c.of(expr_id::none);
}

inline expr import_optional(node_context& c) {
    plain_vector<expr_id> held;
    if (c.has(0)) held.push_back(c.input(0).id);
    return c.tuple(held);
}
// True if input `i` is a tuple, which is treated as an optional. Since version 18, a tensor may take the place of an
// optional.
inline bool is_optional(node_context& c, std::size_t i) { return c.has(i) && !c.is_tensor(c.input(i)); }

inline expr import_optional_get_element(node_context& c) {
    if (!is_optional(c, 0)) return c.input(0);
    const plain_vector<expr_id> held = fields_of(c, 0);
    if (held.size() != 1) c.refuse("an optional that holds nothing", "one that holds something");
    return c.of(held[0]);
}
inline expr import_optional_has_element(node_context& c) {
    if (!is_optional(c, 0)) return c.number(c.has(0) ? 1 : 0, dtype::boolean);
    return c.number(fields_of(c, 0).empty() ? 0 : 1, dtype::boolean);
}

} // namespace detail

/// Rules for operators on sequences of known length, and on optionals that are known to be empty or not.
inline constexpr import_rule sequence_rules[]{
    {"ConcatFromSequence", detail::import_concat_from_sequence},
    {"Optional", detail::import_optional},
    {"OptionalGetElement", detail::import_optional_get_element},
    {"OptionalHasElement", detail::import_optional_has_element},
    {"SequenceAt", detail::import_sequence_at},
    {"SequenceConstruct", detail::import_sequence_construct},
    {"SequenceEmpty", detail::import_sequence_empty},
    {"SequenceErase", detail::import_sequence_erase},
    {"SequenceInsert", detail::import_sequence_insert},
    {"SequenceLength", detail::import_sequence_length},
    {"SequenceMap", detail::import_sequence_map},
    {"SplitToSequence", detail::import_split_to_sequence},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
