#pragma once

#include <tutti/error.hpp>
#include <tutti/file/mapped_file.hpp>
#include <tutti/file/npz_reader.hpp>
#include <tutti/file/npz_writer.hpp>
#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/nearest.hpp>
#include <tutti/output_file.hpp>
#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/text_name.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/transform/passes/bind_params.hpp>
#include <tutti/vector.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tutti::relay {

namespace detail {

/// The parameter of that name, or of what the text makes of that name, or none.
inline expr_id parameter_named(const function& f, std::string_view name) {
    for (const std::string& wanted : {std::string(name), text_name(name)})
        for (const expr_id p : f.graph.params(f.root))
            if (f.graph.variable_name(p) == wanted) return p;
    return expr_id::none;
}

} // namespace detail

/// The array for a parameter: of its name, or of one that the text writes so, as those of a model file are (`text_name`); null if
/// there is none.
inline const file::npz_entry* find_array(const file::npz_reader& arrays, std::string_view parameter) {
    if (const file::npz_entry* const exact = arrays.find(parameter)) return exact;
    for (const file::npz_entry& each : arrays.entries())
        if (text_name(each.name) == parameter) return &each;
    return nullptr;
}

/// The error that an array has the name of no parameter; `meant` was offered those that there are.
[[gnu::cold]] inline error no_such_parameter(const file::npz_entry& e, const nearest_name& meant) {
    const std::string found(meant.found());
    return error("array " + e.name,
                 "there is no such parameter" + (found.empty() ? "" : "; did you mean %" + found + '?'));
}

/// Refuses an array, before it is unpacked, that is larger than any of a type.
///
/// Throws: `tutti::error` that names the array, with its size and the type.
inline void check_packed_size(const file::npz_entry& e, const type_table& types, type_id type) {
    constexpr std::uint64_t most_header = 12 + 65536;
    if (type == type_id::none || !types.is_tensor(type) || !is_static(types.shape(type))) return;
    const auto count = static_cast<std::uint64_t>(element_count(types.shape(type)).value_or(0));
    const kernel::dtype element =
        types.element(type) == kernel::dtype::bfloat16 ? kernel::dtype::float32 : types.element(type);
    if (e.size > count * kernel::bytes(element) + most_header)
        throw error("array " + e.name, "has " + std::to_string(e.size) + " bytes", to_text(types, type));
}

/// The array for a parameter of that type, read; for one of bfloat16, which NumPy does not have, float32 is rounded.
///
/// Throws: as `check_packed_size` and `npz_reader::read` do.
inline kernel::tensor read_array(const file::npz_reader& arrays, const file::npz_entry& e, const type_table& types,
                                 type_id type) {
    check_packed_size(e, types, type);
    kernel::tensor value = arrays.read(e);
    if (!types.is_tensor(type) || types.element(type) != kernel::dtype::bfloat16 ||
        value.type() != kernel::dtype::float32)
        return value;
    kernel::tensor rounded;
    kernel::cast(value, kernel::dtype::bfloat16, rounded);
    return rounded;
}

/// Makes constants of those parameters of a function that arrays have values for, as `find_array` says; they are parameters no more.
///
/// Cost:   linear in the function, and in the arrays, which are checked; see `npz_reader::read` for what memory they take.
/// Throws: `tutti::error` that names an array that has no parameter, with the one that was probably meant, or whose type is another
///         than the parameter's, with both; the function is then as it was.
inline void bind_params(function& f, const file::npz_reader& arrays) {
    vector<kernel::named_tensor> values;
    for (const file::npz_entry& e : arrays.entries()) {
        const expr_id p = detail::parameter_named(f, e.name);
        if (p == expr_id::none || find_array(arrays, f.graph.variable_name(p)) != &e) {
            nearest_name meant(e.name);
            for (const expr_id other : f.graph.params(f.root)) meant.offer(f.graph.variable_name(other));
            throw no_such_parameter(e, meant);
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

/// The same for `main` of a module, with the arrays of an .npz file, which stay where they are in the mapped file if they can.
///
/// Example: `relay::read_params(m, "weights.npz");`
/// Throws:  `tutti::error` that names the file, and the array; the module is then as it was.
inline void read_params(ir_module& m, const std::string& path, file::unpacker_of_deflated unpack = nullptr) {
    function* const f = m.find("main");
    if (f == nullptr) throw not_in_module("@main", m, "main");
    const auto bytes = std::make_shared<const file::mapped_file>(path);
    try {
        bind_params(*f, file::npz_reader(bytes, unpack));
    } catch (const error& e) {
        throw error(e.where().empty() ? path : path + ": " + e.where(), e.problem(), e.expected());
    }
}

/// Writes parameters as an .npz file, whole or not at all.
///
/// Example: `relay::write_params("weights.npz", relay::take_params(*m.find("main")));`
/// Throws:  `tutti::error` that names the file and says why it cannot be written.
inline void write_params(const std::string& path, std::span<const kernel::named_tensor> params) {
    output_file to(path);
    file::npz_writer<output_file> writer(to);
    for (const auto& [name, value] : params) writer.add(name, value);
    writer.done();
    to.done();
}

} // namespace tutti::relay
