#pragma once

#include <tutti/kernel/tensor.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// NumPy's files of arrays.

namespace program {

/// The array in the bytes of an .npy file, versions 1 to 3, in either order of elements.
///
/// Throws: `tutti::error` that says what is wrong with the bytes.
tutti::kernel::tensor read_npy(std::string_view bytes);

/// The arrays in the bytes of an .npz file, by name without `.npy`: a zip archive, with or without compression.
///
/// Throws: `tutti::error` that names the array, if it is known, and says what is wrong with the bytes.
std::vector<std::pair<std::string, tutti::kernel::tensor>> read_npz(std::string_view bytes);

} // namespace program
