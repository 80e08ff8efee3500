#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/spatial.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace spatial {

TUTTI_CONSTEXPR layout parse_layout(const relation& r, std::string_view attribute, std::string_view text,
                                    std::string_view primal) {
    const auto l = layout::parse(text);
    bool good = l && l->primal_rank() == primal.size();
    for (const char letter : primal) good = good && l->find(letter);
    if (!good)
        r.refuse_attribute(attribute, "\"" + std::string(text) + "\" is not a layout of these axes",
                           "the letters of \"" + std::string(primal) + "\" in some order");
    return *l;
}

TUTTI_CONSTEXPR padding_of padding(const relation& r, const dims& given, std::size_t axis, std::size_t rank) {
    if (given.size() == 1) return {given[0].value(), given[0].value()};
    if (given.size() == rank) return {given[axis].value(), given[axis].value()};
    if (given.size() == 2 * rank) return {given[axis].value(), given[rank + axis].value()};
    std::string counts;
    append_number(counts, static_cast<std::int64_t>(given.size()));
    r.refuse_attribute("padding", counts + " numbers", "1, one per axis, or two per axis");
}

TUTTI_CONSTEXPR dim places(const relation& r, dim size, std::int64_t padding, dim window, std::int64_t dilation,
                           std::int64_t stride, bool ceil) {
    if (stride < 1) r.refuse_attribute("strides", "a stride below 1", "positive strides");
    if (dilation < 1) r.refuse_attribute("dilation", "a dilation below 1", "positive dilations");
    const dim room = minus(plus(size, padding), kernel::window_reach(window, dilation));
    if (kernel::is_negative(room)) r.refuse(0, "at least the size of the window along each axis");
    return kernel::window_places(room, stride, ceil);
}

TUTTI_CONSTEXPR dims shape_in(const relation& r, std::string_view attribute, const layout& l,
                              const axis_sizes& size_of) {
    if (const char letter = l.undivided<const axis_sizes&>(size_of)) {
        std::string problem = "blocks of ";
        append_number(problem, l.block(letter));
        problem += " along an axis of size ";
        append_dim(problem, size_of(letter));
        r.refuse_attribute(attribute, std::move(problem), "blocks that divide it");
    }
    return l.shape<dims, const axis_sizes&>(size_of);
}

TUTTI_CONSTEXPR void check_rank(const relation& r, std::string_view attribute, const dims& given, std::size_t rank) {
    if (given.size() == rank) return;
    std::string count;
    append_number(count, static_cast<std::int64_t>(given.size()));
    std::string expected;
    append_number(expected, static_cast<std::int64_t>(rank));
    r.refuse_attribute(attribute, count + " numbers", expected);
}

} // namespace spatial

} // namespace tutti::relay::inline TUTTI_FORM
