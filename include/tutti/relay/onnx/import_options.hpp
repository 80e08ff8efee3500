#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/onnx/model.hpp>
#include <tutti/relay/onnx/rule.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// The size of a dimension that a model names.
struct dim_binding {
    std::string name;
    std::int64_t size = 0;
};

/// The shapes of the tensors of an input. A tensor has one shape, a sequence one for each element. An optional has the
/// shape of its value, or no shape if it is empty.
struct input_shapes {
    std::string name;
    vector<relay::dims> shapes;
};

/// The form in which initialisers, a model's trained values, are imported: as constants, or as parameters of `main`,
/// which follow the inputs and keep the names of the initialisers.
enum class initializers { constants, parameters };

/// A reference to a function that returns the bytes of an external file, or null if there is no such file. Its argument
/// is the file's location as written in the model. The function must outlive the import.
class external_finder {
public:
    external_finder() = default;
    template <class Find>
        requires std::is_invocable_r_v<shared_file, const Find&, std::string_view>
    external_finder(const Find& find)
        : function_(&find), call_([](const void* f, std::string_view location) -> shared_file {
            return (*static_cast<const Find*>(f))(location);
        }) {}

    explicit operator bool() const { return call_ != nullptr; }
    shared_file operator()(std::string_view location) const { return call_(function_, location); }

private:
    const void* function_ = nullptr;
    shared_file (*call_)(const void*, std::string_view) = nullptr;
};

/// Options of `import_model`.
struct import_options {
    /// Sizes of named dimensions. Other named dimensions are `?`. A name is an error if no dimension of an input has
    /// it.
    vector<dim_binding> dims{};
    /// Shapes of inputs. Sequences need shapes, because a model does not contain the lengths of sequences. For other
    /// inputs, these shapes replace those in the model. A name that is not an input is an error.
    vector<input_shapes> inputs{};
    /// Names of values that become parameters of `main`, after the model's inputs, in place of the nodes that compute
    /// them. Inputs that are no longer used are left out. May contain names of inputs, of initialisers, and of nodes'
    /// outputs in the outermost graph; other names are errors.
    vector<std::string> from{};
    /// Names of values that become the results, in place of the model's outputs. Accepts the same names as `from`.
    vector<std::string> to{};
    /// Custom rules. They take precedence over the model's functions and the standard rules.
    rule_list rules{};
    onnx::initializers initializers = onnx::initializers::constants;
    /// Finds external data if the model is not a file or its data is elsewhere. By default, external data is read from
    /// files in the model's folder.
    external_finder external{};
    /// Number of channels in a block of ONNX Runtime's operators of the domain `com.microsoft.nchwc`: 8 or 16. If it is
    /// 0, the weights determine the number; weights that fit both numbers are an error.
    std::int64_t nchwc_block = 0;
    /// Limit on the bytes of constants, in addition to four times the model's size.
    std::uint64_t max_bytes = std::uint64_t{1} << 28;
    /// Limit on the steps of the import, in addition to the model's bytes. Each node counts 16 steps, again in each
    /// iteration of an unrolled loop. Each new expression counts 4, plus 1 for each of its operands and each dimension
    /// of its type. A step takes up to 32 bytes of memory.
    std::uint64_t max_work = std::uint64_t{1} << 24;
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
