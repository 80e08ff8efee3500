#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/file/npz_reader.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/ir_module.hpp>

#include <span>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// Returns the parameter that has this name or the name's form in the text (`text_name`), or `none` if there is no such
/// parameter.
TUTTI_INLINE expr_id parameter_named(const function& f, std::string_view name);

/// Returns the array for a parameter, or null if there is none. The array has the parameter's name, or a name that
/// `text_name` converts to it, as in a model file.
TUTTI_INLINE const file::npz_entry* find_array(const file::npz_reader& arrays, std::string_view parameter);

/// Returns the error for an array that matches no parameter. `meant` holds the nearest parameter name.
[[gnu::cold]] TUTTI_INLINE error no_such_parameter(std::string_view array, const tutti::internal::nearest_name& meant);

/// Rejects an array, before it is unpacked, if it is larger than any tensor of a type.
///
/// Throws: `tutti::error` that names the array, its size and the type.
TUTTI_INLINE void check_packed_size(const file::npz_entry& e, const type_table& types, type_id type);

/// Reads the array for a parameter of this type. If NumPy lacks the type, converts an array of another type that can
/// hold the parameter's values.
///
/// Throws: as `check_packed_size` and `npz_reader::read` do.
TUTTI_INLINE kernel::tensor read_array(const file::npz_reader& arrays, const file::npz_entry& e,
                                       const type_table& types, type_id type);

/// Replaces parameters of a function with constants: those parameters for which `find_array` finds an array.
///
/// Cost:   linear in the function and in the arrays, because arrays are checked; see `npz_reader::read` for memory.
/// Throws: `tutti::error` that names an array without a parameter and the nearest parameter name, or an array whose
///         type differs from the type of its parameter, and both types. The function is then unchanged.
TUTTI_INLINE void bind_params(function& f, const file::npz_reader& arrays);

/// Replaces the parameters of a module's `main` with the arrays of an .npz file. The arrays stay in the mapped file if
/// possible.
///
/// Example: `relay::read_params(m, "weights.npz");`
/// Throws:  `tutti::error` that names the file and the array. The module is then unchanged.
TUTTI_INLINE void read_params(ir_module& m, const std::string& path, file::unpacker_of_deflated unpack = nullptr);

/// Writes parameters as an .npz file, atomically.
///
/// Example: `relay::write_params("weights.npz", relay::take_params(*m.find("main")));`
/// Throws:  `tutti::error` that names the file and the reason.
TUTTI_INLINE void write_params(const std::string& path, std::span<const kernel::named_tensor> params);

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/params/params_file.ipp>
#endif
