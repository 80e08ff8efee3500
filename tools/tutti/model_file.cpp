#include "model_file.hpp"

#include <tutti/base/error.hpp>
#include <tutti/file/mapped_file.hpp>
#include <tutti/relay/ir/text_name.hpp>
#include <tutti/relay/onnx/external_data.hpp>
#include <tutti/relay/onnx/import.hpp>
#include <tutti/relay/onnx/open_dimensions.hpp>
#include <tutti/relay/onnx/standard_rules.hpp>
#include <tutti/relay/onnx/unsupported.hpp>

#include "file_ending.hpp"
#include "given_arrays.hpp"
#include "inputs.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace program {

namespace {

namespace relay = tutti::relay;
namespace onnx = tutti::relay::onnx;
using relay::tensor;

// The first byte of every model: the key of the field for the format's version. No text begins with this byte.
constexpr char first_byte = 8;

bool begins_as_model(const std::string& file) {
    std::error_code ignored;
    // Standard input and pipes cannot be read a second time.
    if (file == "-" || !std::filesystem::is_regular_file(file, ignored)) return false;
    return is_onnx(file) || holds_model(file);
}

// Removes the file's name from an error that begins with it, since `message` adds the name.
failure refused(const std::string& name, const tutti::error& e) {
    std::string where = e.where();
    if (where == name)
        where.clear();
    else if (where.starts_with(name + ", "))
        where.erase(0, name.size() + 2);
    return {wrong_input, message(name, tutti::error(std::move(where), e.problem(), e.expected()).what())};
}

// Replaces import options in an error message with the switches that set them. Import limits have their own switches,
// since --max-bytes limits evaluation.
std::string with_switch(std::string expected) {
    constexpr std::pair<std::string_view, std::string_view> switches[]{
        {"or a larger max_", "or a larger --max-import-"},
        {"in import_options::dims", "by --dim=NAME=SIZE"},
        {"the size in import_options::nchwc_block", "--nchwc-block=N"},
        {"in import_options::from", "for --from"},
        {", or rules for them in `import_options::rules`", ""}};
    for (const auto& [option, by] : switches)
        if (const std::size_t at = expected.find(option); at != std::string::npos)
            expected.replace(at, option.size(), by);
    return expected;
}

std::vector<onnx::dim_binding> read_dims(const std::vector<std::string>& dims) {
    std::vector<onnx::dim_binding> all;
    for (const std::string& each : dims) {
        const std::size_t sign = each.rfind('=');
        onnx::dim_binding made{each.substr(0, sign), -1};
        const char* const end = each.data() + each.size();
        if (sign != std::string::npos && sign != 0)
            if (std::from_chars(each.data() + sign + 1, end, made.size).ptr != end) made.size = -1;
        if (made.size < 0)
            throw failure{wrong_usage,
                          message("tutti", "--dim: `" + each + "` is not valid; expected NAME=N, as in batch=1")};
        all.push_back(std::move(made));
    }
    return all;
}

std::vector<onnx::input_shapes> read_shapes(const std::vector<std::string>& shapes) {
    std::vector<onnx::input_shapes> all;
    for (const std::string& each : shapes) {
        const std::size_t sign = each.rfind(':');
        const char* const end = each.data() + each.size();
        relay::dims shape;
        bool valid = sign != std::string::npos && sign != 0;
        for (const char* at = valid ? each.data() + sign + 1 : end; valid && at != end;) {
            std::int64_t size = -1;
            const auto [rest, bad] = std::from_chars(at, end, size);
            valid = bad == std::errc{} && size >= 0 && size <= std::int64_t{1} << 60 &&
                    (rest == end || (*rest == ',' && rest + 1 != end));
            shape.push_back(relay::dim(valid ? size : 0));
            at = rest == end ? end : rest + 1;
        }
        if (!valid)
            throw failure{wrong_usage, message("tutti", "--input-shape: `" + each +
                                                            "` is not valid; expected NAME:N,N, as in x:1,3,224,224")};
        all.push_back({each.substr(0, sign), {shape}});
    }
    return all;
}

// Returns, for example, "(batch, 3, 224, 224) float32", with the dimension names of the model.
std::string declared_type(const onnx::value_view& value) {
    if (!value.is_tensor()) return "no tensor";
    const std::string element{onnx::name_of_element(value.element())};
    if (!value.has_shape()) return "of any shape " + element;
    std::string text;
    for (const onnx::wire_field& each : value.dimensions()) {
        const onnx::message dim(each.payload);
        text += text.empty() ? "(" : ", ";
        const std::string_view name = dim.text(onnx::field::dimension::dim_param);
        const bool known = dim.has(onnx::field::dimension::dim_value);
        text += known          ? std::to_string(dim.integer(onnx::field::dimension::dim_value))
                : name.empty() ? "?"
                               : std::string{name};
    }
    return (text.empty() ? "(" : text) + ") " + element;
}

relay::dims shape_of(const tensor& value) {
    relay::dims shape;
    for (const std::int64_t size : value.shape()) shape.push_back(relay::dim(size));
    return shape;
}

// Returns the shape of an input. Sizes that neither the model nor --dim sets are taken from `value`. Returns nullopt if
// no size is open, or if `value` has a different rank.
std::optional<relay::dims> given_shape(const onnx::value_view& input, const tensor& value,
                                       const std::vector<onnx::dim_binding>& dims) {
    relay::dims shape = shape_of(value);
    if (!input.has_shape()) return shape;
    bool open = false;
    std::size_t axis = 0;
    for (const onnx::wire_field& each : input.dimensions()) {
        if (axis == shape.size()) return std::nullopt;
        const onnx::message d(each.payload);
        const auto bound = std::ranges::find(dims, d.text(onnx::field::dimension::dim_param), &onnx::dim_binding::name);
        if (d.has(onnx::field::dimension::dim_value))
            shape[axis] = relay::dim(d.integer(onnx::field::dimension::dim_value));
        else if (bound != dims.end())
            shape[axis] = relay::dim(bound->size);
        else
            open = true;
        ++axis;
    }
    return open && axis == shape.size() ? std::optional(shape) : std::nullopt;
}

// Returns shapes for inputs whose sizes a model leaves open, and for sequences, as read from the arrays in `from`.
// Errors in the arrays are reported later, when their values are read.
std::vector<onnx::input_shapes> given_shapes(const onnx::model& m, const std::string& from,
                                             const std::vector<onnx::dim_binding>& dims) {
    std::vector<onnx::input_shapes> found;
    try {
        const given_arrays arrays(from, given_arrays::kind::inputs, &m);
        const auto inputs = m.graph().open_inputs();
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const std::string name(inputs[i].name());
            const std::vector<tensor> values = arrays.of_input(name, i);
            if (!inputs[i].is_tensor() && !arrays.has_names()) {
                found.push_back({name, {}});
                for (const tensor& each : values) found.back().shapes.push_back(shape_of(each));
            } else if (inputs[i].is_tensor() && values.size() == 1) {
                if (const auto shape = given_shape(inputs[i], values[0], dims)) found.push_back({name, {*shape}});
            }
        }
    } catch (const tutti::error&) {}
    return found;
}

} // namespace

bool holds_model(const std::string& file) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return false;
    std::FILE* const opened = std::fopen(file.c_str(), "rb");
    if (!opened) return false;
    const int first = std::fgetc(opened);
    std::fclose(opened);
    return first == first_byte;
}

std::optional<onnx::model> model_in(const std::string& file, std::shared_ptr<const tutti::file::mapped_file>& bytes) {
    try {
        if (begins_as_model(file)) return onnx::model(std::make_shared<const tutti::file::mapped_file>(file), file);
        bytes = bytes_of(file);
        if (!bytes->bytes().starts_with(first_byte)) return std::nullopt;
        return onnx::model(bytes, name_of(file));
    } catch (const tutti::error& e) {
        throw refused(name_of(file), e);
    }
}

source imported(const onnx::model& m, const read_options& options) {
    source from{.name = m.name(), .bytes = {}, .text = {}};
    from.original = std::make_shared<const original_model>(original_model{m});
    onnx::import_options how{.dims = read_dims(options.dims)};
    how.max_bytes = options.max_import_bytes.value_or(how.max_bytes);
    how.max_work = options.max_import_work.value_or(how.max_work);
    how.inputs = read_shapes(options.shapes);
    how.nchwc_block = options.nchwc_block;
    how.from.assign(options.from.begin(), options.from.end());
    how.to.assign(options.to.begin(), options.to.end());
    if (m.opset() > onnx::newest_opset)
        note(from.name, "version " + std::to_string(m.opset()) + " of ONNX's operators is read as version " +
                            std::to_string(onnx::newest_opset));
    // The arrays supply lengths of sequences and open sizes. Exporters write Squeeze as an If that drops an axis of
    // size 1. The rank of the If's result is unknown until the size is known.
    if (!options.inputs.empty())
        for (onnx::input_shapes& each : given_shapes(m, options.inputs, read_dims(options.dims)))
            if (std::ranges::find(how.inputs, each.name, &onnx::input_shapes::name) == how.inputs.end())
                how.inputs.push_back(std::move(each));
    try {
        from.again = [m, how] { return onnx::import_model(m, how); };
        from.module = from.again();
    } catch (const tutti::error& e) {
        throw refused(from.name, tutti::error(e.where(), e.problem(), with_switch(e.expected())));
    } catch (const std::bad_alloc&) {
        throw failure{wrong_input, message(from.name, "there is not enough memory to import it")};
    }
    const relay::string_table open = onnx::open_dimensions(m.graph(), how);
    for (std::uint32_t i = 0; i < open.size(); ++i) from.open_dims.emplace_back(open[relay::string_id{i}]);
    from.results = options.to;
    if (from.results.empty())
        for (const onnx::wire_field& each : m.graph().outputs())
            from.results.emplace_back(onnx::value_view(each.payload).name());
    return from;
}

std::uint64_t external_bytes(const onnx::model& m) {
    std::vector<std::string> files;
    for (const onnx::wire_field& each : m.graph().initializers()) {
        const onnx::tensor_view t{onnx::message(each.payload)};
        try {
            if (t.is_external()) files.emplace_back(onnx::external_path(t, m.name()));
        } catch (const tutti::error&) { // unused, or the import would have failed
        }
    }
    std::ranges::sort(files);
    files.erase(std::ranges::unique(files).begin(), files.end());
    std::uint64_t bytes = 0;
    for (const std::string& each : files) {
        std::error_code failed;
        const std::uintmax_t size = std::filesystem::file_size(each, failed);
        bytes += failed ? 0 : size;
    }
    return bytes;
}

std::string description(const onnx::model& m) {
    std::string text = "opset " + std::to_string(m.opset());
    if (!m.producer().empty()) text.append(", written by ").append(m.producer());
    text += "\ninputs:\n";
    for (const onnx::value_view& value : m.graph().open_inputs()) {
        text.append("  ").append(value.name());
        if (const std::string shown = relay::text_name(value.name()); shown != value.name())
            text += " (%" + shown + ")";
        text += ": " + declared_type(value) + '\n';
    }
    text += "outputs:\n";
    for (const onnx::wire_field& each : m.graph().outputs()) {
        const onnx::value_view value(each.payload);
        text.append("  ").append(value.name()).append(": ").append(declared_type(value)) += '\n';
    }
    text += "operators:\n";
    std::vector<onnx::operator_use> uses = onnx::operators_of(m, {}, onnx::standard_rules);
    std::ranges::sort(uses, [](const onnx::operator_use& a, const onnx::operator_use& b) {
        return a.count != b.count ? a.count > b.count : a.op_type < b.op_type;
    });
    for (const onnx::operator_use& each : uses) {
        std::string count = std::to_string(each.count);
        count.insert(0, count.size() < 6 ? 6 - count.size() : 0, ' ');
        text += count + ' ' + (each.domain.empty() ? "" : std::string{each.domain} + '.') + std::string{each.op_type};
        if (!each.supported) text.append(": cannot be imported, as in `").append(each.nodes.front()) += '`';
        text += '\n';
    }
    return text;
}

} // namespace program
