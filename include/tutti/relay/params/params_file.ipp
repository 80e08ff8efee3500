#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/base/output_file.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/file/mapped_file.hpp>
#include <tutti/file/npz_reader.hpp>
#include <tutti/file/npz_writer.hpp>
#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/text_name.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/params/params_file.hpp>
#include <tutti/relay/transform/passes/bind_params.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

TUTTI_INLINE expr_id parameter_named(const function& f, std::string_view name) {
    for (const std::string& wanted : {std::string(name), text_name(name)})
        for (const expr_id p : f.graph.params(f.root))
            if (f.graph.variable_name(p) == wanted) return p;
    return expr_id::none;
}

TUTTI_INLINE const file::npz_entry* find_array(const file::npz_reader& arrays, std::string_view parameter) {
    if (const file::npz_entry* const exact = arrays.find(parameter)) return exact;
    for (const file::npz_entry& each : arrays.entries())
        if (text_name(each.name) == parameter) return &each;
    return nullptr;
}

[[gnu::cold]] TUTTI_INLINE error no_such_parameter(std::string_view array, const tutti::internal::nearest_name& meant) {
    const std::string found(meant.found());
    return error("array " + std::string(array),
                 "there is no such parameter" + (found.empty() ? "" : "; did you mean %" + found + '?'));
}

TUTTI_INLINE void check_packed_size(const file::npz_entry& e, const type_table& types, type_id type) {
    constexpr std::uint64_t most_header = 12 + 65536;
    if (type == type_id::none || !types.is_tensor(type) || !is_static(types.shape(type))) return;
    const auto count = static_cast<std::uint64_t>(element_count(types.shape(type)).value_or(0));
    if (e.size > count * kernel::bytes(file::numpy_type(types.element(type))) + most_header)
        throw error("array " + e.name, "has " + std::to_string(e.size) + " bytes", to_text(types, type));
}

TUTTI_INLINE kernel::tensor read_array(const file::npz_reader& arrays, const file::npz_entry& e,
                                       const type_table& types, type_id type) {
    check_packed_size(e, types, type);
    kernel::tensor value = arrays.read(e);
    const kernel::dtype wanted = types.is_tensor(type) ? types.element(type) : value.type();
    if (wanted == value.type() || file::numpy_type(wanted) != value.type()) return value;
    kernel::tensor converted;
    kernel::cast(value, wanted, converted);
    return converted;
}

TUTTI_INLINE void bind_params(function& f, const file::npz_reader& arrays) {
    vector<kernel::named_tensor> values;
    for (const file::npz_entry& e : arrays.entries()) {
        const expr_id p = parameter_named(f, e.name);
        if (p == expr_id::none || find_array(arrays, f.graph.variable_name(p)) != &e) {
            tutti::internal::nearest_name meant(e.name);
            for (const expr_id other : f.graph.params(f.root)) meant.offer(f.graph.variable_name(other));
            throw no_such_parameter(e.name, meant);
        }
        values.push_back(
            {std::string(f.graph.variable_name(p)), read_array(arrays, e, f.graph.types(), f.graph.annotation(p))});
    }
    f = bind_params(f, [&](std::string_view name) -> const tensor* {
        for (const kernel::named_tensor& each : values)
            if (each.name == name) return &each.value;
        return nullptr;
    });
}

TUTTI_INLINE void read_params(ir_module& m, const std::string& path, file::unpacker_of_deflated unpack) {
    function* const f = m.find("main");
    if (f == nullptr) throw not_in_module("@main", m, "main");
    const auto bytes = std::make_shared<const file::mapped_file>(path);
    try {
        bind_params(*f, file::npz_reader(bytes, unpack));
    } catch (const error& e) {
        throw error(e.where().empty() ? path : path + ": " + e.where(), e.problem(), e.expected());
    }
}

TUTTI_INLINE void write_params(const std::string& path, std::span<const kernel::named_tensor> params) {
    output_file to(path);
    file::npz_writer<output_file> writer(to);
    for (const auto& [name, value] : params) writer.add(name, value);
    writer.done();
    to.done();
}

} // namespace tutti::relay::inline TUTTI_FORM
