#pragma once

#include <tutti/kernel/tensor.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// NumPy's files of arrays.

namespace program {

/// An array of an .npz file that is not unpacked yet.
struct npz_entry {
    std::string name;        ///< without `.npy`
    std::string_view packed; ///< in the file
    std::uint64_t method = 0;
    std::uint64_t size = 0; ///< unpacked, with the header
    std::uint64_t checksum = 0;
};

/// The arrays in the bytes of an .npz file: a zip archive, with or without compression. Nothing is unpacked.
///
/// Requires: the bytes outlive them.
/// Throws:   `tutti::error` that names the array, if it is known, and says what is wrong with the bytes, or that two have
///           one name.
std::vector<npz_entry> read_npz(std::string_view bytes);

/// Unpacks an array: an .npy file of version 1 to 3, in either order of elements.
///
/// Cost:   memory for the elements, twice where their order is changed.
/// Throws: `tutti::error` that names the array and says what is wrong with it.
tutti::kernel::tensor read_array(const npz_entry& e);

} // namespace program
