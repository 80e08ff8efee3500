#include "given_arrays.hpp"

#include <tutti/base/error.hpp>
#include <tutti/file/mapped_file.hpp>
#include <tutti/file/zlib_unpacker.hpp>
#include <tutti/kernel/cast.hpp>
#include <tutti/relay/onnx/value_file.hpp>
#include <tutti/relay/params/params_file.hpp>

#include "program.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace program {

namespace {

namespace fs = std::filesystem;
namespace onnx = tutti::relay::onnx;
using tutti::kernel::dtype;
using tutti::kernel::tensor;

constexpr std::string_view npy_begin = "\x93NUMPY";

// Returns the types of a model's inputs or outputs.
std::vector<onnx::message> types_of(const onnx::model* m, given_arrays::kind what) {
    std::vector<onnx::message> types;
    if (m == nullptr) return types;
    if (what == given_arrays::kind::inputs)
        for (const onnx::value_view& each : m->graph().open_inputs()) types.push_back(each.type());
    else
        for (const onnx::wire_field& each : m->graph().outputs())
            types.push_back(onnx::value_view(each.payload).type());
    return types;
}

// Converts an array to a type that NumPy lacks: bfloat16, or a type of fewer than 8 bits. An .npz file stores such
// values in a wider type. ONNX's older test data stores the bits of bfloat16 as uint16.
tensor converted(tensor value, dtype wanted) {
    tensor made;
    if (wanted == dtype::bfloat16 && value.type() == dtype::uint16)
        tutti::kernel::reinterpret(value, wanted, made);
    else if (wanted != value.type() && tutti::file::numpy_type(wanted) == value.type())
        tutti::kernel::cast(value, wanted, made);
    else
        return value;
    return made;
}

} // namespace

given_arrays::given_arrays(const std::string& from, kind what, const onnx::model* model) {
    types_ = types_of(model, what);
    std::error_code ignored;
    if (from != "-" && fs::is_directory(from, ignored))
        add_folder(from, what);
    else
        add(from, {});
}

void given_arrays::add(const std::string& file, const std::string& label) {
    try {
        const auto bytes = bytes_of(file);
        if (bytes->bytes().starts_with(npy_begin)) {
            arrays_.push_back({label, values_, tutti::file::read_npy(bytes)});
        } else if (file.ends_with(".pb")) {
            const onnx::message type = values_ < types_.size() ? types_[values_] : onnx::message();
            for (tensor& each : onnx::read_value(bytes, type)) arrays_.push_back({label, values_, std::move(each)});
        } else {
            archive_.emplace(bytes, tutti::file::unpack_with_zlib);
        }
        ++values_;
    } catch (const tutti::error& e) {
        throw tutti::error(label.empty() && e.where() == file ? ""
                                                              : label + (e.where().empty() ? "" : ", " + e.where()),
                           e.problem(), e.expected());
    }
}

void given_arrays::add_folder(const std::string& folder, kind what) {
    const std::string stem = what == kind::inputs ? "input_" : "output_";
    for (;;) {
        const std::string label = stem + std::to_string(values_);
        static constexpr const char* endings[]{".pb", ".npy"};
        const char* found = nullptr;
        for (const char* each : endings) {
            std::error_code ignored;
            if (found == nullptr && fs::exists(fs::path(folder) / (label + each), ignored)) found = each;
        }
        if (found == nullptr) break;
        add((fs::path(folder) / (label + found)).string(), label + found);
    }
    if (values_ == 0 && what == kind::outputs)
        throw tutti::error("", "has no output_0.pb", "a folder with output_0.pb or output_0.npy, as in ONNX's tests");
}

std::string given_arrays::label(std::size_t i) const { return archive_ ? "array " + name(i) : arrays_[i].file; }

std::optional<std::size_t> given_arrays::find(std::string_view name, std::size_t position) const {
    if (!archive_) return position < arrays_.size() ? std::optional(position) : std::nullopt;
    const auto* const found = tutti::relay::find_array(*archive_, name);
    if (found == nullptr) return std::nullopt;
    return static_cast<std::size_t>(found - archive_->entries().data());
}

std::vector<tensor> given_arrays::of_input(std::string_view name, std::size_t position) const {
    std::vector<tensor> all;
    if (archive_) {
        if (const auto found = find(name, position)) all.push_back(archive_->read(archive_->entries()[*found]));
        return all;
    }
    for (const array& each : arrays_)
        if (each.value == position) all.push_back(each.contents);
    return all;
}

tensor given_arrays::read(std::size_t i, dtype wanted) const {
    return converted(archive_ ? archive_->read(archive_->entries()[i]) : arrays_[i].contents, wanted);
}

tensor given_arrays::read(std::size_t i, const tutti::relay::type_table& types, tutti::relay::type_id type) const {
    if (archive_) return tutti::relay::read_array(*archive_, archive_->entries()[i], types, type);
    return converted(arrays_[i].contents, types.is_tensor(type) ? types.element(type) : arrays_[i].contents.type());
}

} // namespace program
