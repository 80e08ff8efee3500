#pragma once

#include <tutti/file/npz_reader.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/type_table.hpp>
#include <tutti/relay/onnx/model.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace program {

/// The values of a program's inputs, or the expected values of its results:
///
///     FILE.npz    arrays with names; files with other endings are read as .npz, too
///     FILE.npy    one array
///     FILE.pb     a value of ONNX's test data
///     FOLDER      input_0.pb, input_1.pb, … or output_0.pb, …, or the same names with .npy, as in ONNX's tests
///
/// Arrays without names are in the order of the parameters or results.
class given_arrays {
public:
    enum class kind { inputs, outputs };

    /// Opens the arrays. `model` determines the types of values in .pb files, which may be sequences. If `model` is
    /// null, all values are tensors.
    ///
    /// Throws: `tutti::error` if a file is missing or damaged. The message names the file unless it is `from` itself.
    given_arrays(const std::string& from, kind what, const tutti::relay::onnx::model* model);

    std::size_t size() const { return archive_ ? archive_->entries().size() : arrays_.size(); }
    /// True if the arrays have names. Otherwise they are identified by position.
    bool has_names() const { return archive_.has_value(); }
    /// Returns an array's label for messages: "array x", or "input_0.pb" in a folder; "" for the only array of a file.
    std::string label(std::size_t i) const;
    /// Returns the name of an array.
    ///
    /// Requires: `has_names()`
    const std::string& name(std::size_t i) const { return archive_->entries()[i].name; }
    /// Returns the index of the array for a parameter or result, if there is one.
    std::optional<std::size_t> find(std::string_view name, std::size_t position) const;
    /// Returns the arrays of a model's input: one for each element of a sequence.
    std::vector<tutti::kernel::tensor> of_input(std::string_view name, std::size_t position) const;

    /// Reads an array. If the file's format lacks the type `wanted`, converts the array to `wanted`.
    tutti::kernel::tensor read(std::size_t i, tutti::kernel::dtype wanted) const;
    /// Reads an array for a parameter of this type; see `relay::read_array`.
    tutti::kernel::tensor read(std::size_t i, const tutti::relay::type_table& types, tutti::relay::type_id type) const;

private:
    struct array {
        std::string file;  // the file's name in a folder; empty without a folder
        std::size_t value; // index of the input or output; a sequence has several arrays
        tutti::kernel::tensor contents;
    };
    void add(const std::string& file, const std::string& label);
    void add_folder(const std::string& folder, kind what);

    std::vector<tutti::relay::onnx::message> types_; // of the model's inputs or outputs; views of the model's bytes
    std::optional<tutti::file::npz_reader> archive_;
    std::vector<array> arrays_;
    std::size_t values_ = 0;
};

} // namespace program
