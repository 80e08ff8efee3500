#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/function_image.hpp>
#include <tutti/relay/op/op_set.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::relay::inline TUTTI_FORM {

namespace internal {

namespace image {

/// Appends numbers and vectors to bytes.
struct writer {
    std::string& out;

    void number(std::uint64_t value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); }
    void text(std::string_view text) {
        number(text.size());
        out += text;
    }
    template <class T>
    void list(std::span<const T> values) {
        static_assert(std::has_unique_object_representations_v<T>); // padding would differ from run to run
        number(values.size());
        out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    }
    // Calls `change(element)` for a copy of each element, and writes the copies.
    template <class T, class Change>
    void each(const plain_vector<T>& values, const Change& change) {
        number(values.size());
        for (T copy : values) {
            change(copy);
            out.append(reinterpret_cast<const char*>(&copy), sizeof copy);
        }
    }
};

/// Returns the index of the first constant that shares its elements with `t`; the number of constants if there is none.
inline std::size_t first_sharing(std::span<const tensor> constants, const tensor& t) {
    std::size_t i = 0;
    while (i < constants.size() && (t.empty() || !t.same_elements(constants[i]))) ++i;
    return i;
}

/// Reads bytes from a `writer`. All functions return false if too few bytes are left.
struct reader {
    std::string_view left;

    bool raw(void* to, std::size_t size) {
        if (left.size() < size) return false;
        if (size != 0) std::memcpy(to, left.data(), size);
        left.remove_prefix(size);
        return true;
    }
    bool number(std::uint64_t& value) { return raw(&value, sizeof value); }
    bool text(std::string_view& text) {
        std::uint64_t size = 0;
        if (!number(size) || size > left.size()) return false;
        text = left.substr(0, static_cast<std::size_t>(size));
        left.remove_prefix(text.size());
        return true;
    }
    template <class T>
    bool list(plain_vector<T>& values) {
        std::uint64_t size = 0;
        if (!number(size) || size > left.size() / sizeof(T)) return false;
        values.clear();
        return raw(values.extend(static_cast<std::size_t>(size)), static_cast<std::size_t>(size) * sizeof(T));
    }
};

} // namespace image

TUTTI_INLINE const digest* function_image::name_of(const op_def& op) {
    const auto [at, is_new] = names_.try_emplace(&op);
    if (is_new && op_set(standard_ops).find(op.name) == &op) at->second = digest_of(op.name);
    return at->second == digest{} ? nullptr : &at->second;
}

TUTTI_INLINE std::uint32_t function_image::first_line(const function& f) {
    std::uint32_t first = ~0U;
    for (const source_location& place : f.graph.locations_)
        if (place.column != 0 && place.line < first) first = place.line;
    return first == ~0U ? 0 : first;
}

TUTTI_INLINE bool function_image::add(digester& all, const function& f, std::vector<std::string_view>& globals) {
    const graph& g = f.graph;
    for (std::uint32_t e = 0; e < g.size(); ++e) {
        if (g.kind(expr_id{e}) != expr_kind::global) continue;
        const std::uint32_t name = g.nodes_[e].payload;
        if (name >= g.strings_.size() || g.strings_.ends_[name] > g.strings_.characters_.size() ||
            (name != 0 && g.strings_.ends_[name - 1] > g.strings_.ends_[name]))
            return false;
        globals.push_back(g.global_name(expr_id{e}));
    }
    const auto bytes = [&](const auto& values) { all.add(values.data(), values.size() * sizeof values.data()[0]); };
    const auto strings = [&](const string_table& table) { bytes(table.characters_), bytes(table.ends_); };
    all.add(index(f.root));
    bytes(g.nodes_), bytes(g.operands_), bytes(g.functions_);
    for (const auto& op : g.ops_) {
        const digest* const name = name_of(*op.definition);
        if (name == nullptr) return false;
        all.add(*name);
        all.add(index(op.id));
    }
    for (const tensor& t : g.constants_) {
        all.add(image::first_sharing(g.constants(), t));
        all.add(static_cast<std::uint64_t>(t.type()));
        all.add(t.shape().data(), t.shape().size_bytes());
        all.add(t.memory(), static_cast<std::size_t>(t.size()) * kernel::bytes(t.type()));
    }
    words_.clear();
    const std::uint32_t first = first_line(f);
    for (const source_location& place : g.locations_)
        words_.push_back(std::uint64_t{place.column == 0 ? place.line : place.line - first + 1} << 32 | place.column);
    words_.reserve(words_.size() + 2 * (g.types_.types_.size() + g.attrs_.values_.size()));
    for (const auto& t : g.types_.types_) {
        words_.push_back(std::uint64_t{t.count} << 32 | static_cast<std::uint64_t>(t.kind) << 16 |
                         static_cast<std::uint64_t>(t.element) << 8 | t.holds);
        words_.push_back(std::uint64_t{t.first} << 32 | index(t.name));
    }
    for (const attr_value& v : g.attrs_.values_) {
        words_.push_back(std::uint64_t{v.count} << 32 | static_cast<std::uint64_t>(v.kind));
        words_.push_back(static_cast<std::uint64_t>(v.bits));
    }
    bytes(words_);
    bytes(g.types_.dims_), bytes(g.types_.members_), bytes(g.attrs_.ends_);
    strings(g.types_.names_), strings(g.strings_);
    return true;
}

TUTTI_INLINE void function_image::write(std::string& out, const function& f, const function& source) {
    image::writer to{out};
    const graph& g = f.graph;
    const auto slots = [&](const intern_index& of) {
        to.list(of.slots_.all());
        to.number(of.size_);
    };
    const auto strings = [&](const string_table& table) {
        to.list(table.characters_.all());
        to.list(table.ends_.all());
        slots(table.index_);
    };
    to.number(index(f.root));
    to.list(g.nodes_.all());
    to.list(g.operands_.all());
    to.list(g.functions_.all());
    to.number(g.ops_.size());
    for (const auto& op : g.ops_) {
        to.text(op.definition->name);
        to.number(index(op.id));
    }
    // Texts show which constants share their elements.
    const auto shared = source.graph.constants();
    const std::span<const tensor> own = g.constants();
    to.number(own.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
        const tensor& t = own[i];
        std::size_t same = image::first_sharing(shared, t);
        if (same == shared.size()) same += image::first_sharing(own.first(i), t);
        const bool is_shared = same != shared.size() + i;
        to.number(is_shared ? same + 1 : 0);
        to.list(t.shape());
        if (is_shared) continue;
        to.number(static_cast<std::uint64_t>(t.type()));
        if (!t.empty())
            to.text(
                {static_cast<const char*>(t.memory()), static_cast<std::size_t>(t.size()) * kernel::bytes(t.type())});
    }
    const std::uint32_t first = first_line(source);
    to.each(g.locations_, [&](source_location& place) {
        if (place.column != 0) place.line -= first;
    });
    // Padding is written as zeros, so that equal functions have equal bytes.
    to.each(g.types_.types_, [](auto& t) {
        const auto same = t;
        std::memset(static_cast<void*>(&t), 0, sizeof t);
        t.kind = same.kind, t.element = same.element, t.holds = same.holds;
        t.count = same.count, t.first = same.first, t.name = same.name;
    });
    to.list(g.types_.dims_.all());
    to.list(g.types_.members_.all());
    strings(g.types_.names_);
    slots(g.types_.index_);
    strings(g.strings_);
    to.each(g.attrs_.values_, [](attr_value& v) {
        const attr_value same = v;
        std::memset(static_cast<void*>(&v), 0, sizeof v);
        v.kind = same.kind, v.count = same.count, v.bits = same.bits;
    });
    to.list(g.attrs_.ends_.all());
    slots(g.attrs_.index_);
}

TUTTI_INLINE bool function_image::read(std::string_view bytes, const function& source, function& to) {
    image::reader from{bytes};
    graph& g = to.graph;
    g.ops_.clear();
    g.constants_.clear();
    g.locations_.clear();
    g.types_.types_.clear();
    g.attrs_.values_.clear();
    std::uint64_t count = 0, number = 0;
    const auto slots = [&](intern_index& table, std::size_t most) {
        if (!from.list(table.slots_) || !from.number(number) || number > most) return false;
        table.size_ = static_cast<std::uint32_t>(number);
        const std::size_t size = table.slots_.size();
        if ((size & (size - 1)) != 0) return false;
        std::size_t taken = 0;
        for (const auto& s : table.slots_) {
            if (s.place == intern_index::absent) continue;
            if (s.place >= table.size_) return false;
            ++taken;
        }
        return taken == table.size_ && (taken < size || size == 0);
    };
    const auto strings = [&](string_table& table) {
        return from.list(table.characters_) && from.list(table.ends_) && slots(table.index_, table.ends_.size()) &&
               table.is_whole();
    };
    if (!from.number(number) || !from.list(g.nodes_) || !from.list(g.operands_) || !from.list(g.functions_) ||
        !from.number(count))
        return false;
    to.root = expr_id{static_cast<std::uint32_t>(number)};
    const op_set known(standard_ops);
    for (std::uint64_t i = 0; i < count; ++i) {
        std::string_view name;
        if (!from.text(name) || !from.number(number) || number >= g.nodes_.size()) return false;
        const op_def* const op = known.find(name);
        const expr_id e{static_cast<std::uint32_t>(number)};
        if (op == nullptr || g.kind(e) != expr_kind::op || g.nodes_[index(e)].payload != i) return false;
        g.ops_.push_back({op, e});
    }
    if (!from.number(count) || count > bytes.size()) return false;
    for (std::uint64_t i = 0; i < count; ++i) {
        plain_vector<std::int64_t> shape;
        const std::size_t given = source.graph.constants_.size();
        if (!from.number(number) || number > given + i || !from.list(shape)) return false;
        const std::int64_t size = kernel::checked_element_count(shape.all());
        if (number != 0) {
            const auto at = static_cast<std::size_t>(number - 1);
            const tensor shares = at < given ? source.graph.constants_[at] : g.constants_[at - given];
            if (size != shares.size()) return false;
            g.constants_.emplace_back().share(shares, shape.all());
            continue;
        }
        std::string_view elements;
        if (!from.number(number) || number > 0xFF) return false;
        const auto element = static_cast<dtype>(number);
        if (element == dtype::none && shape.empty()) {
            g.constants_.emplace_back();
            continue;
        }
        if (!kernel::is_dtype(static_cast<std::uint8_t>(number)) || size < 0 || !from.text(elements) ||
            elements.size() != static_cast<std::size_t>(size) * kernel::bytes(element))
            return false;
        tensor made;
        made.reset(element, shape.all());
        if (!elements.empty()) std::memcpy(made.mutable_memory(), elements.data(), elements.size());
        g.constants_.push_back(std::move(made));
    }
    if (!from.list(g.locations_)) return false;
    const std::uint32_t first = first_line(source);
    for (source_location& place : g.locations_)
        if (place.column != 0) place.line += first;
    if (!from.list(g.types_.types_)) return false;
    if (!from.list(g.types_.dims_) || !from.list(g.types_.members_) || !strings(g.types_.names_) ||
        !slots(g.types_.index_, g.types_.types_.size()) || !strings(g.strings_))
        return false;
    if (!from.list(g.attrs_.values_)) return false;
    if (!from.list(g.attrs_.ends_) || !slots(g.attrs_.index_, g.attrs_.ends_.size()) || !from.left.empty())
        return false;
    for (const source_location& place : g.locations_)
        if (place.column == 0 && place.line > g.strings_.size()) return false;
    return true;
}

} // namespace internal

} // namespace tutti::relay::inline TUTTI_FORM
